"""The boards that are kept: billboard, Domain Rating and revenue, each ranked anew by one statement."""

from datetime import datetime

from django.db import connection, transaction

from core.cache import changed
from directory.models import Site
from leaderboards.boards import BoardName

SOURCES = {
    BoardName.BILLBOARD: """
        SELECT listing_id, sum(amount_cents) AS value, max(currency) AS unit, NULL::boolean AS is_verified,
               max(paid_at)::date AS as_of
        FROM leaderboards_contribution WHERE site_id = %(site)s
        GROUP BY listing_id HAVING sum(amount_cents) > 0
    """,
    BoardName.DOMAIN_RATING: """
        SELECT id AS listing_id, domain_rating AS value, '' AS unit, NULL::boolean AS is_verified,
               (domain_rating_detail->>'checked_at')::date AS as_of
        FROM directory_listing WHERE site_id = %(site)s AND domain_rating IS NOT NULL
    """,
    BoardName.REVENUE: """
        SELECT DISTINCT ON (report.listing_id) report.listing_id, report.amount_cents AS value,
               report.currency AS unit, report.is_verified, report.as_of
        FROM leaderboards_revenuereport AS report JOIN directory_listing AS own ON own.id = report.listing_id
        WHERE own.site_id = %(site)s
        ORDER BY report.listing_id, report.is_verified DESC, report.as_of DESC, report.id DESC
    """,
}
REFRESH = """
WITH source AS ({source}), ranked AS (
    SELECT source.*, row_number() OVER (
        ORDER BY source.is_verified DESC NULLS LAST, source.value DESC, listing.launched_at, listing.id
    ) AS rank
    FROM source JOIN directory_listing AS listing ON listing.id = source.listing_id
    WHERE listing.status = 'live'
), gone AS (
    DELETE FROM leaderboards_standing AS standing
    WHERE site_id = %(site)s AND board = %(board)s
      AND NOT EXISTS (SELECT FROM ranked WHERE ranked.listing_id = standing.listing_id)
)
INSERT INTO leaderboards_standing
    (site_id, board, listing_id, rank, previous_rank, value, unit, is_verified, as_of, refreshed_at)
SELECT %(site)s, %(board)s, listing_id, rank, NULL, value, coalesce(unit, ''), is_verified, as_of, %(at)s FROM ranked
ON CONFLICT (site_id, board, listing_id) DO UPDATE SET
    previous_rank = CASE
        WHEN leaderboards_standing.rank <> excluded.rank THEN leaderboards_standing.rank
        ELSE leaderboards_standing.previous_rank
    END,
    rank = excluded.rank, value = excluded.value, unit = excluded.unit, is_verified = excluded.is_verified,
    as_of = excluded.as_of, refreshed_at = excluded.refreshed_at
"""


@transaction.atomic
def refresh_board(*, site: Site, board: BoardName, at: datetime) -> None:
    """Rank one kept board anew. `previous_rank` is the last rank that differed."""
    with connection.cursor() as cursor:
        cursor.execute(
            REFRESH.format(source=SOURCES[board]), {"site": site.pk, "board": board.value, "at": at}
        )
    changed("boards")


def refresh_standings(*, at: datetime) -> None:
    """Rank every kept board of every site anew."""
    for site in Site.objects.order_by("pk"):
        for board in SOURCES:
            refresh_board(site=site, board=board, at=at)
