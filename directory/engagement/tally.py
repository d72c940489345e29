"""Counts what people do, each person once a day: first in Redis, then in rows.

Who it was is never stored. A digest, keyed by the site and salted by a number that lives in Redis for a day, picks
the bits of the one filter of that day; without the salt nobody can ask it for anybody. After a million first things
of a day, views and clicks and places seen together, one in 500 is taken for one that was there before. Filter and
salt are forgotten an hour after the day.
"""

import logging
import secrets
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.db import connection, transaction
from django.utils.crypto import salted_hmac
from redis import Redis
from redis.exceptions import RedisError

from core.cache import client_of
from core.postgresql.base import fetch_all
from directory.models import CounterFold

logger = logging.getLogger(__name__)
BATCH = "batch"
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
# The visitors of a day in 2 MB, however many they are: six hexadecimal digits pick one of 2^24 bits. The last bit is
# written first, since Redis takes half as much again for a text that grows.
COUNT_ONCE = """
if redis.call("EXISTS", KEYS[1]) == 0 then
  redis.call("SETBIT", KEYS[1], 16777215, 0)
  redis.call("EXPIRE", KEYS[1], ARGV[3])
end
local salt = redis.call("GET", KEYS[2])
if not salt then
  salt = ARGV[2]
  redis.call("SET", KEYS[2], salt, "EX", ARGV[3])
end
local digest = redis.sha1hex(salt .. ARGV[1])
local is_new = false
for number = 0, 3 do
  local bit = tonumber(string.sub(digest, number * 6 + 1, number * 6 + 6), 16)
  if redis.call("SETBIT", KEYS[1], bit, 1) == 0 then is_new = true end
end
if is_new then
  for number = 4, #ARGV do redis.call("HINCRBY", KEYS[3], ARGV[number], 1) end
end
"""
TAKE = """
if redis.call("EXISTS", KEYS[2]) == 0 and redis.call("EXISTS", KEYS[1]) == 1 then
  redis.call("RENAME", KEYS[1], KEYS[2])
end
if redis.call("EXISTS", KEYS[2]) == 1 then redis.call("HSETNX", KEYS[2], ARGV[1], ARGV[2]) end
return redis.call("HGETALL", KEYS[2])
"""
DROP = """
if redis.call("HGET", KEYS[1], ARGV[1]) == ARGV[2] then redis.call("DEL", KEYS[1]) end
"""


def redis() -> Redis:
    return client_of(settings.REDIS_URL)


def count(buffer: str, *, visitor: str, at: datetime, seen: Iterable[tuple[str, Sequence[str]]]) -> None:
    """Note what a visitor did: of each thing that is new today its fields are counted. Lost with Redis."""
    midnight = at.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    day, lasts = midnight.date().isoformat(), int((midnight + DAY + HOUR - at).total_seconds())
    keys = (f"tally:seen:{day}", f"tally:salt:{day}", buffer)
    try:
        with redis().pipeline(transaction=False) as calls:
            for what, fields in seen:
                digest = salted_hmac("directory.tally", f"{what} {visitor}", algorithm="sha256").hexdigest()
                calls.eval(COUNT_ONCE, len(keys), *keys, digest, secrets.token_hex(16), lasts, *fields)
            calls.execute()
    except (RedisError, OSError):
        logger.info("%s not counted", buffer)


def fold(buffer: str, *, store: Callable[[dict[str, int]], None]) -> int:
    """Move what is buffered into rows, in one transaction with the batch's name: whoever dies on the way, it is once.

    Returns how much was counted.
    """
    with transaction.atomic():
        CounterFold.objects.get_or_create(buffer=buffer)
        last = CounterFold.objects.select_for_update().get(buffer=buffer)
        batch, counted = _taken(buffer)
        if counted and batch != last.batch:
            store(counted)
            CounterFold.objects.filter(pk=buffer).update(batch=batch)
    if batch:
        try:
            redis().eval(DROP, 1, f"{buffer}:taken", BATCH, batch)
        except (RedisError, OSError):
            logger.info("%s: the batch stays until the next run", buffer)
    return sum(counted.values())


def _taken(buffer: str) -> tuple[str, dict[str, int]]:
    """The batch that is being moved, or what has been counted since the last one."""
    try:
        flat = redis().eval(TAKE, 2, buffer, f"{buffer}:taken", BATCH, secrets.token_hex(16))
    except (RedisError, OSError):
        return "", {}
    texts = [part.decode() for part in flat]  # type: ignore[union-attr]
    fields = dict(zip(texts[::2], texts[1::2], strict=True))
    return fields.pop(BATCH, ""), {name: int(number) for name, number in fields.items()}


HALF_LIFE_HOURS = 48.0
TREND_PERIOD = timedelta(days=14)

MISCOUNTED = """
WITH sample AS (SELECT listing_id, votes, followers FROM directory_listingstats ORDER BY random() LIMIT %(sample)s)
SELECT listing.slug FROM sample JOIN directory_listing AS listing ON listing.id = sample.listing_id
WHERE sample.votes <> (SELECT count(*) FROM directory_vote AS vote WHERE vote.listing_id = sample.listing_id
        AND voided_at IS NULL AND (held_at IS NULL OR released_at IS NOT NULL))
   OR sample.followers <> (SELECT count(*) FROM directory_follow AS one WHERE one.listing_id = sample.listing_id)
ORDER BY listing.slug
"""
HOT = """
WITH recent AS (
    SELECT listing_id, sum(exp(-extract(epoch FROM (%(at)s - created_at))::float8 * ln(2) / %(half_life)s)) AS hot
    FROM directory_vote
    WHERE created_at > %(since)s AND created_at <= %(at)s AND voided_at IS NULL
        AND (held_at IS NULL OR released_at IS NOT NULL)
    GROUP BY listing_id
)
UPDATE directory_listingstats AS stats
SET hot = coalesce(recent.hot, 0)
FROM directory_listingstats AS old LEFT JOIN recent USING (listing_id)
WHERE stats.listing_id = old.listing_id AND (recent.hot IS NOT NULL OR old.hot <> 0)
"""


@transaction.atomic
def refresh_trends(*, at: datetime) -> None:
    """Set each listing's `hot` to its votes of the last two weeks, each halved every two days."""
    with connection.cursor() as cursor:
        cursor.execute(HOT, {"at": at, "since": at - TREND_PERIOD, "half_life": HALF_LIFE_HOURS * 3600})


def miscounted(*, sample: int) -> list[str]:
    """The listings of a random sample whose votes or followers are not as many as they say."""
    return [slug for (slug,) in fetch_all(MISCOUNTED, {"sample": sample})]
