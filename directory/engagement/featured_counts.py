"""What comes of featured places: who saw them, who opened the page, who went on to the website, a day at a time.

Counted as views are: a visitor once a day and kind, in Redis first, without an address that stays. What is counted in
the half minute before a fold belongs to the place that has begun last.
"""

import logging
from collections.abc import Iterable
from datetime import UTC, datetime

from django.db import connection, transaction
from redis.exceptions import RedisError

from directory.engagement.viewing import COUNT_ONCE, bits_of, redis
from directory.models import FeaturedCount

logger = logging.getLogger(__name__)
BUFFER, TAKEN = "featured", "featured:taken"
Kind = FeaturedCount.Kind

FOLD = """
INSERT INTO directory_featuredcount (place_id, day, kind, number)
SELECT place.id, seen.day, seen.kind, seen.number
FROM unnest(%s::bigint[], %s::text[], %s::date[], %s::text[], %s::bigint[]) AS seen(site_id, slug, day, kind, number)
JOIN directory_listing AS listing ON listing.site_id = seen.site_id AND listing.slug = seen.slug
CROSS JOIN LATERAL (
    SELECT id FROM directory_featuredplace
    WHERE listing_id = listing.id AND begins_at <= %s::timestamptz ORDER BY begins_at DESC LIMIT 1
) AS place
ON CONFLICT (place_id, day, kind) DO UPDATE SET number = directory_featuredcount.number + excluded.number
"""


def count(*, site_id: int, slugs: Iterable[str], kind: str, visitor: str, at: datetime) -> None:
    """Note that a visitor saw these featured listings, or did this; one round trip, and lost with Redis."""
    day = at.astimezone(UTC).date().isoformat()
    fields = [f"{site_id}:{slug}:{day}:{kind}" for slug in slugs]
    if not fields:
        return
    try:
        with redis().pipeline(transaction=False) as calls:
            for field in fields:
                bits = bits_of("directory.featured", f"{field} {visitor}")
                calls.eval(COUNT_ONCE, 2, f"featured:seen:{day}", BUFFER, field, *bits)
            calls.execute()
    except (RedisError, OSError):
        logger.info("featured place not counted")


def fold(*, at: datetime) -> None:
    """Move what is buffered into rows. What was taken out but not stored is stored by the next run."""
    try:
        store = redis()
        if not store.exists(TAKEN) and store.exists(BUFFER):
            store.rename(BUFFER, TAKEN)
        seen = {_parts(key): int(number) for key, number in store.hgetall(TAKEN).items()}
    except (RedisError, OSError):
        return
    if not seen:
        return
    sites, slugs, days, kinds = zip(*seen, strict=True)
    numbers = list(seen.values())
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(FOLD, [[int(pk) for pk in sites], list(slugs), list(days), list(kinds), numbers, at])
    store.delete(TAKEN)


def _parts(field: bytes | str) -> tuple[str, ...]:
    """Site, listing, day and kind of what was counted."""
    return tuple((field.decode() if isinstance(field, bytes) else field).split(":"))
