"""Trends: decayed numbers that a periodic job folds into the counters."""

from datetime import datetime, timedelta

from django.db import connection, transaction

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


@transaction.atomic
def refresh_trends(*, at: datetime) -> None:
    """Set each listing's `hot` to its votes of the last two weeks, each halved every two days."""
    with connection.cursor() as cursor:
        cursor.execute(HOT, {"at": at, "since": at - LOOK_BACK, "half_life": HALF_LIFE_HOURS * 3600})
