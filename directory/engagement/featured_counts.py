"""What comes of featured places: who saw them, who opened the page, who went on to the website, a day at a time.

Counted as views are: a visitor once a day and kind, in Redis first, without an address that stays. What is counted in
the half minute before a fold belongs to the place that has begun last.
"""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from django.db import connection

from directory.engagement import tally
from directory.models import FeaturedCount

BUFFER = "featured"
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
    if fields:
        tally.count(BUFFER, visitor=visitor, at=at, seen=[(field, [field]) for field in fields])


def fold(*, at: datetime) -> None:
    def store(counted: Mapping[str, int]) -> None:
        sites, slugs, days, kinds = zip(*(field.split(":") for field in counted), strict=True)
        values: list[Any] = [
            [int(pk) for pk in sites],
            list(slugs),
            list(days),
            list(kinds),
            list(counted.values()),
            at,
        ]
        with connection.cursor() as cursor:
            cursor.execute(FOLD, values)

    tally.fold(BUFFER, store=store)
