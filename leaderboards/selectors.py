"""Looking at boards and awards."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from django.db import connection
from django.db.models import F, OuterRef, Q, Subquery

from core.pagination import TOTAL_EXACT_UP_TO, Page, capped
from directory import badges, weeks
from directory.models import Listing, ListingStats, Site, SiteCount
from directory.selectors.cards import summaries
from directory.selectors.launches import launched
from directory.selectors.pages import page_of
from directory.selectors.search.counting import SURELY_CAPPED
from leaderboards.boards import BOARDS, Board, BoardName
from leaderboards.models import Award, DomainRating, WeekClose

RATED_AN_HOUR = 200
WON = ("id", "listing_id", "week", "rank", "votes")
# a page's rows are found in the index alone, however deep it is; its last place tells roughly how many there are
STANDING = """
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


@dataclass(frozen=True, kw_only=True)
class BoardView:
    """One page of a board."""

    board: Board
    week: date | None
    as_of: datetime
    page: Page


def board_view(
    *, site: Site, name: BoardName, week: date | None, page: int, per_page: int, at: datetime
) -> BoardView:
    """A page of a board. `week` is for the weekly board alone."""
    board = BOARDS[name]
    if board.is_standing:
        return _standing(site=site, board=board, page=page, per_page=per_page, at=at)
    if name == BoardName.COMMUNITY_WEEKLY:
        return _weekly(
            site=site, board=board, week=week or weeks.week_of(at), page=page, per_page=per_page, at=at
        )
    rows = ListingStats.objects.filter(site=site, is_live=True).order_by("-votes", "listing_id")
    live = Subquery(SiteCount.objects.filter(site=site).values("live"))
    found = page_of(rows, fields=("listing_id", "votes"), page=page, per_page=per_page, about=live)
    return BoardView(board=board, week=None, as_of=at, page=_by_votes(found, board=board))


def _weekly(*, site: Site, board: Board, week: date, page: int, per_page: int, at: datetime) -> BoardView:
    closed = WeekClose.objects.filter(site=site, week=week).values("closed_at")
    rows = launched(site=site, week=week).annotate(closed_at=Subquery(closed))
    found = page_of(rows, fields=("listing_id", "votes", "closed_at"), page=page, per_page=per_page)
    as_of = found.items[0][2] if found.items else closed.values_list("closed_at", flat=True).first()
    return BoardView(board=board, week=week, as_of=as_of or at, page=_by_votes(found, board=board))


def _by_votes(found: Page, *, board: Board) -> Page:
    metrics = [{"name": board.metric, "value": row[1], "unit": board.unit} for row in found.items]
    return _with_listings(found, ids=[row[0] for row in found.items], metrics=metrics)


def _standing(*, site: Site, board: Board, page: int, per_page: int, at: datetime) -> BoardView:
    asked = {
        "site": site.pk,
        "board": board.name.value,
        "offset": (page - 1) * per_page,
        "per_page": per_page,
        "exact": TOTAL_EXACT_UP_TO,
        "surely": SURELY_CAPPED,
    }
    with connection.cursor() as cursor:
        cursor.execute(STANDING, asked)
        rows = cursor.fetchall()
    refreshed_at, listings = rows[0][:2]
    standings = [row[2:] for row in rows if row[2] is not None]
    total, is_estimate = capped(listings)
    found = Page(items=[], page=page, per_page=per_page, total=total, total_is_estimate=is_estimate)
    filled = _with_listings(
        found,
        ids=[row[0] for row in standings],
        metrics=[_metric(row, board=board) for row in standings],
        previous=[row[-1] for row in standings],
    )
    return BoardView(board=board, week=None, as_of=refreshed_at or at, page=filled)


def _metric(row: Sequence[Any], *, board: Board) -> dict[str, Any]:
    _, value, unit, is_verified, as_of, _ = row
    verified = {} if is_verified is None else {"verified": is_verified}
    return {"name": board.metric, "value": value, "unit": unit or board.unit, **verified, "as_of": as_of}


def _with_listings(
    found: Page, *, ids: Sequence[int], metrics: Sequence[dict[str, Any]], previous: Sequence[int | None] = ()
) -> Page:
    first = (found.page - 1) * found.per_page + 1
    cards = summaries(listing_ids=ids)
    items = [
        {
            "rank": first + number,
            "previous_rank": previous[number] if previous else None,
            "listing": {**card, "rank": first + number},
            "metric": metrics[number],
        }
        for number, card in enumerate(cards)
    ]
    return replace(found, items=items)


def awards(*, site: Site, listing_slug: str | None, page: int, per_page: int) -> Page:
    """Awards, newest week first, with the winning listing."""
    rows = Award.objects.filter(site=site)
    if listing_slug is not None:
        rows = rows.filter(listing__slug=listing_slug)
    found = page_of(rows.order_by("-week", "rank", "pk"), fields=WON, page=page, per_page=per_page)
    won = [Award(**dict(zip(WON, row, strict=True))) for row in found.items]
    cards = summaries(listing_ids=[award.listing_id for award in won])
    items = [_award(award, card) for award, card in zip(won, cards, strict=True)]
    return replace(found, items=items)


def _award(award: Award, card: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": award.pk,
        "code": award.code,
        "title": award.title,
        "rank": award.rank,
        "week": award.week,
        "votes": award.votes,
        "listing": card,
        "badge_url": f"{badges.image_prefix(card['slug'])}{award.code}.svg",
    }


def domains_to_rate(*, at: datetime) -> list[str]:
    """Domains of live listings without a rating of the last day, never rated ones first, an hour's worth."""
    newest = DomainRating.objects.filter(domain=OuterRef("domain")).order_by("-date").values("date")[:1]
    rows = (
        Listing.objects.live()
        .annotate(rated_on=Subquery(newest))
        .filter(Q(rated_on=None) | Q(rated_on__lt=at.date()))
    )
    ordered = rows.order_by(F("rated_on").asc(nulls_first=True), "domain").values_list("domain", flat=True)
    return list(dict.fromkeys(ordered[:RATED_AN_HOUR]))
