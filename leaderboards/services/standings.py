"""The boards that are kept: billboard, Domain Rating and revenue, each ranked anew by one statement.

Money of another currency than the site's is not ranked: its cents cannot be held against the site's.
"""

from collections.abc import Callable
from datetime import datetime

from django.conf import settings
from django.db import connection, transaction

from core.cache import changed
from directory.models import Site
from leaderboards.boards import BoardName
from leaderboards.models import BoardRefresh

_rules: list[Callable[[], bool]] = []
SOURCES = {
    BoardName.BILLBOARD: """
        SELECT listing_id, sum(amount_cents) AS value, max(currency) AS unit, NULL::boolean AS is_verified,
               max(paid_at)::date AS as_of
        FROM leaderboards_contribution AS own WHERE site_id = %(site)s AND currency IN ('', %(currency)s)
            AND (NOT is_test OR NOT %(takes_real_money)s AND NOT EXISTS (
                SELECT FROM leaderboards_contribution WHERE site_id = %(site)s AND NOT is_test
            ))
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
        WHERE own.site_id = %(site)s AND report.currency IN ('', %(currency)s)
        ORDER BY report.listing_id, report.is_verified DESC, report.as_of DESC, report.id DESC
    """,
}
# A listing that comes onto the board is held: were it taken off the site at this moment, nobody would tell its new
# row. A row that is there already is told by `public_data.refresh`, so what it says is left alone. Rows that stay as
# they are are not written, or the index could not answer for them until the next vacuum.
REFRESH = """
WITH source AS MATERIALIZED ({source}), kept AS NOT MATERIALIZED (
    SELECT * FROM leaderboards_standing WHERE site_id = %(site)s AND board = %(board)s
), coming AS MATERIALIZED (
    SELECT listing.id FROM directory_listing AS listing
    WHERE listing.status = 'live' AND listing.id IN (SELECT listing_id FROM source)
      AND NOT EXISTS (SELECT FROM kept WHERE kept.listing_id = listing.id AND kept.is_live)
    FOR SHARE
), ranked AS (
    SELECT source.listing_id, source.value, coalesce(source.unit, '') AS unit, source.is_verified, source.as_of,
        row_number() OVER (
            ORDER BY source.is_verified DESC NULLS LAST, source.value DESC, listing.launched_at, listing.id
        ) AS rank
    FROM source JOIN directory_listing AS listing ON listing.id = source.listing_id
    WHERE listing.status = 'live'
), gone AS (
    DELETE FROM leaderboards_standing AS standing
    WHERE site_id = %(site)s AND board = %(board)s
      AND NOT EXISTS (SELECT FROM ranked WHERE ranked.listing_id = standing.listing_id)
)
INSERT INTO leaderboards_standing AS there (
    site_id, board, listing_id, rank, previous_rank, value, unit, is_verified, as_of, refreshed_at, is_live
)
SELECT %(site)s, %(board)s, ranked.listing_id, ranked.rank, NULL, ranked.value, ranked.unit, ranked.is_verified,
    ranked.as_of, %(at)s, coming.id IS NOT NULL
FROM ranked LEFT JOIN coming ON coming.id = ranked.listing_id
    LEFT JOIN kept ON kept.listing_id = ranked.listing_id
WHERE coming.id IS NOT NULL OR (kept.rank, kept.value, kept.unit, kept.is_verified, kept.as_of)
    IS DISTINCT FROM (ranked.rank, ranked.value, ranked.unit, ranked.is_verified, ranked.as_of)
ON CONFLICT (site_id, board, listing_id) DO UPDATE SET
    previous_rank = CASE WHEN there.rank <> excluded.rank THEN there.rank ELSE there.previous_rank END,
    rank = excluded.rank, value = excluded.value, unit = excluded.unit, is_verified = excluded.is_verified,
    as_of = excluded.as_of, refreshed_at = excluded.refreshed_at, is_live = there.is_live OR excluded.is_live
"""


def knows_real_money(rule: Callable[[], bool]) -> Callable[[], bool]:
    """Register who says whether real money can be contributed here; test money does not count beside it."""
    _rules.append(rule)
    return rule


def takes_real_money() -> bool:
    """Whether real money can be contributed."""
    return any(rule() for rule in _rules)


@transaction.atomic
def refresh_board(*, site: Site, board: BoardName, at: datetime) -> None:
    """Rank one kept board anew. `previous_rank` is the last rank that differed."""
    # whoever comes second waits here and then ranks what the first has written
    BoardRefresh.objects.select_for_update().get_or_create(
        site=site, board=board.value, defaults={"refreshed_at": at}
    )
    with connection.cursor() as cursor:
        # a board of a million listings takes longer than any request may
        cursor.execute("SET LOCAL statement_timeout = 0")
        asked = {
            "site": site.pk,
            "board": board.value,
            "at": at,
            "currency": settings.CURRENCY,
            "takes_real_money": takes_real_money(),
        }
        cursor.execute(REFRESH.format(source=SOURCES[board]), asked)
    BoardRefresh.objects.filter(site=site, board=board.value).update(refreshed_at=at)
    changed("boards")


def refresh_standings(*, at: datetime) -> None:
    """Rank every kept board of every site anew."""
    for site in Site.objects.order_by("pk"):
        for board in SOURCES:
            refresh_board(site=site, board=board, at=at)
