"""Boards that are ranked ahead of time, each anew by one statement.

Money of another currency than the site's is not ranked: its cents cannot be compared with the site's.
"""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, ClassVar

from django.conf import settings
from django.db import connection, transaction

from core.api.pagination import TOTAL_EXACT_UP_TO, Page, capped
from core.cache import changed
from directory.models import Site
from directory.search.cards import summaries
from directory.search.lexemes import SURELY_CAPPED
from leaderboards.boards.base import Board, BoardView, Metric, with_listings
from leaderboards.models import BoardRefresh, Standing

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
# a page's rows are found in the index alone, however deep it is; its last place tells roughly how many there are
PLACES = """
WITH live AS NOT MATERIALIZED (
    SELECT id, rank FROM leaderboards_standing WHERE site_id = %(site)s AND board = %(board)s AND is_live
), about AS (
    SELECT (SELECT rank FROM live ORDER BY rank DESC LIMIT 1) AS last
)
SELECT
    (SELECT refreshed_at FROM leaderboards_boardrefresh WHERE site_id = %(site)s AND board = %(board)s),
    CASE WHEN about.last >= %(surely)s THEN about.last
    ELSE (SELECT count(*) FROM (SELECT FROM live LIMIT %(exact)s + 1) AS counted) END,
    place.listing_id, place.value, place.unit, place.is_verified, place.as_of, place.previous_rank
FROM about LEFT JOIN (
    SELECT standing.*
    FROM (SELECT id FROM live ORDER BY rank OFFSET %(offset)s LIMIT %(per_page)s) AS page
    JOIN leaderboards_standing AS standing USING (id)
) AS place ON true
ORDER BY place.rank
"""


class RankedBoard(Board):
    """A board whose places are rows of `Standing`. Money is counted in cents."""

    source: ClassVar[str]  # a SELECT of listing_id, value, unit (of money), is_verified and as_of

    def view(self, *, site: Site, week: date | None, page: int, per_page: int, at: datetime) -> BoardView:
        params: dict[str, Any] = {
            "site": site.pk,
            "board": self.code,
            "offset": (page - 1) * per_page,
            "per_page": per_page,
            "exact": TOTAL_EXACT_UP_TO,
            "surely": SURELY_CAPPED,
        }
        with connection.cursor() as cursor:
            cursor.execute(PLACES, params)
            rows = cursor.fetchall()
        refreshed_at, listings = rows[0][:2]
        places = [row[2:] for row in rows if row[2] is not None]
        total, is_estimate = capped(listings)
        places_page = with_listings(
            Page(items=[], page=page, per_page=per_page, total=total, total_is_estimate=is_estimate),
            cards=summaries(listing_ids=[row[0] for row in places]),
            metrics=[self._metric(row) for row in places],
            previous=[row[-1] for row in places],
        )
        return BoardView(board=self, week=None, as_of=refreshed_at or at, page=places_page)

    def _metric(self, row: Sequence[Any]) -> Metric:
        _, value, currency, is_verified, as_of, _ = row
        return Metric(
            name=self.metric,
            value=value,
            unit=self.unit,
            currency=(currency or settings.CURRENCY) if self.unit == "cents" else None,
            period=self.period,
            verified=is_verified,
            as_of=as_of,
        )

    def first_places(self, *, site: Site, most: int) -> list[tuple[int, int, str]]:
        rows = Standing.objects.filter(site=site, board=self.code, is_live=True)
        return list(rows.order_by("rank").values_list("listing", "value", "unit")[:most])

    def params(self) -> dict[str, Any]:
        return {}

    @transaction.atomic
    def refresh(self, *, site: Site, at: datetime) -> None:
        """Rank it anew. `previous_rank` is the last rank that differed."""
        # whoever comes second waits here and then ranks what the first has written
        BoardRefresh.objects.select_for_update().get_or_create(
            site=site, board=self.code, defaults={"refreshed_at": at}
        )
        with connection.cursor() as cursor:
            # a board of a million listings takes longer than any request may
            cursor.execute("SET LOCAL statement_timeout = 0")
            params: dict[str, Any] = {
                "site": site.pk,
                "board": self.code,
                "at": at,
                "currency": settings.CURRENCY,
                **self.params(),
            }
            cursor.execute(REFRESH.format(source=self.source), params)
        BoardRefresh.objects.filter(site=site, board=self.code).update(refreshed_at=at)
        changed("boards")
