"""Trends: decayed numbers that a periodic job folds into the counters."""

from datetime import datetime, timedelta

from django.db import connection, transaction

from core.postgresql.base import fetch_all

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
