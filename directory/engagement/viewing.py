"""Views and trends: buffered or decayed numbers that periodic jobs fold into the counters."""

import logging
import struct
from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.db import connection, transaction
from django.utils.crypto import salted_hmac
from redis import Redis
from redis.exceptions import RedisError

from core.redis_client import client_of

logger = logging.getLogger(__name__)
BUFFER, TAKEN = "views", "views:taken"
HALF_LIFE_HOURS = 48.0
LOOK_BACK = timedelta(days=14)

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
FOLD = """
UPDATE directory_listingstats AS stats SET views = stats.views + seen.number
FROM unnest(%s::bigint[], %s::bigint[]) AS seen(listing_id, number)
WHERE stats.listing_id = seen.listing_id
"""


# The visitors of a day as one Bloom filter of 2 MB, however many they are: what none has set is new.
SEEN_BITS = 2**24
COUNT_ONCE = """
local is_new = false
for number = 2, #ARGV do
  if redis.call("SETBIT", KEYS[1], ARGV[number], 1) == 0 then is_new = true end
end
redis.call("EXPIRE", KEYS[1], 90000)
if is_new then redis.call("HINCRBY", KEYS[2], ARGV[1], 1) end
"""


def redis() -> Redis:
    return client_of(settings.REDIS_URL)


def count_view(*, listing_id: int, visitor: str, at: datetime) -> None:
    """Note that a page was seen; once for a visitor, a listing and a day (UTC). A view may be lost with Redis.

    `visitor` tells visitors apart; a keyed digest of it picks the bits. In a day of a million views one in 500 is
    taken for one that was there before.
    """
    day = at.astimezone(UTC).date().isoformat()
    bits = bits_of("directory.views", f"{day} {listing_id} {visitor}")
    try:
        redis().eval(COUNT_ONCE, 2, f"views:seen:{day}", BUFFER, str(listing_id), *bits)
    except (RedisError, OSError):
        logger.info("view not counted")


def bits_of(kind: str, text: str) -> list[int]:
    """The bits of a day's filter that a keyed digest of this picks."""
    digest = salted_hmac(kind, text, algorithm="sha256").digest()
    return [number % SEEN_BITS for number in struct.unpack("!4I", digest[:16])]


def fold_views() -> int:
    """Move the buffered views into the counters. Views taken out but not yet stored are stored by the next run."""
    try:
        store = redis()
        if not store.exists(TAKEN) and store.exists(BUFFER):
            store.rename(BUFFER, TAKEN)
        seen = {int(key): int(number) for key, number in store.hgetall(TAKEN).items()}
    except (RedisError, OSError):
        return 0
    if seen:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(FOLD, [list(seen), list(seen.values())])
        store.delete(TAKEN)
    return sum(seen.values())


@transaction.atomic
def refresh_trends(*, at: datetime) -> None:
    """Set each listing's `hot` to its votes of the last two weeks, each halved every two days."""
    with connection.cursor() as cursor:
        cursor.execute(HOT, {"at": at, "since": at - LOOK_BACK, "half_life": HALF_LIFE_HOURS * 3600})
