"""Looking at boards and awards."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.models import F, OuterRef, Q, Subquery

from core.api.pagination import TOTAL_EXACT_UP_TO, Page, capped
from core.statements import fetch_all
from directory import badges, weeks
from directory.models import Listing, ListingStats, Site, SiteCount
from directory.search.cards import COLUMNS, summaries, summary
from directory.search.counting import SURELY_CAPPED
from directory.selectors.pages import page_of
from leaderboards.boards import BOARDS, Board, BoardName
from leaderboards.models import Award, DomainRating, RevenueReport

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
LAUNCHED = """
directory_launch AS l
WHERE l.site_id = %(site)s AND l.week = %(week)s::date AND NOT l.is_hidden AND l.launched_at IS NOT NULL
"""
WEEKLY = f"""
WITH about AS MATERIALIZED (
    SELECT (
        SELECT closed_at FROM leaderboards_weekclose WHERE site_id = %(site)s AND week = %(week)s::date
    ) AS closed_at, (
        SELECT count(*) FROM (SELECT FROM {LAUNCHED} LIMIT {TOTAL_EXACT_UP_TO + 1}) AS counted
    ) AS listings
)
SELECT about.closed_at, about.listings, l.votes, {COLUMNS}
FROM about LEFT JOIN (
    (
        SELECT l.listing_id, l.votes, l.launched_at FROM {LAUNCHED}
        ORDER BY l.votes DESC, l.launched_at, l.listing_id OFFSET %(offset)s LIMIT %(per_page)s
    ) AS l
    JOIN directory_listingcard AS c ON c.listing_id = l.listing_id
    JOIN directory_listingstats AS s ON s.listing_id = l.listing_id
) ON true
ORDER BY l.votes DESC, l.launched_at, l.listing_id
"""  # noqa: S608 constants


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
    filled = _with_listings(
        found,
        cards=summaries(listing_ids=[listing_id for listing_id, _ in found.items]),
        metrics=[_votes(votes, board=board) for _, votes in found.items],
    )
    return BoardView(board=board, week=None, as_of=at, page=filled)


def _weekly(*, site: Site, board: Board, week: date, page: int, per_page: int, at: datetime) -> BoardView:
    asked = {"site": site.pk, "week": week, "offset": (page - 1) * per_page, "per_page": per_page}
    rows = fetch_all(WEEKLY, asked)
    closed_at, listings = rows[0][:2]
    places = [row[2:] for row in rows if row[2] is not None]
    total, is_estimate = capped(listings)
    found = Page(items=[], page=page, per_page=per_page, total=total, total_is_estimate=is_estimate)
    filled = _with_listings(
        found,
        cards=[summary(columns) for _, *columns in places],
        metrics=[_votes(votes, board=board) for votes, *_ in places],
    )
    return BoardView(board=board, week=week, as_of=closed_at or at, page=filled)


def _votes(votes: int, *, board: Board) -> dict[str, Any]:
    return {"name": board.metric, "value": votes, "unit": board.unit}


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
        cards=summaries(listing_ids=[row[0] for row in standings]),
        metrics=[_metric(row, board=board) for row in standings],
        previous=[row[-1] for row in standings],
    )
    return BoardView(board=board, week=None, as_of=refreshed_at or at, page=filled)


def _metric(row: Sequence[Any], *, board: Board) -> dict[str, Any]:
    _, value, currency, is_verified, as_of, _ = row
    money = {"currency": currency or settings.CURRENCY} if board.is_money else {}
    period = {"period": board.period} if board.period else {}
    figure = {"name": board.metric, "value": value, "unit": board.unit, **money, **period}
    return {**figure, "verified": is_verified, "as_of": as_of}


def _with_listings(
    found: Page,
    *,
    cards: Sequence[dict[str, Any]],
    metrics: Sequence[dict[str, Any]],
    previous: Sequence[int | None] = (),
) -> Page:
    first = (found.page - 1) * found.per_page + 1
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


def notes_on(view: BoardView, *, site: Site) -> dict[str, Any]:
    """What stands beside the figures of a page, by slug: a rating's source, date and trend; who verified a revenue."""
    slugs = [item["listing"]["slug"] for item in view.page.items]
    if view.board.name == BoardName.DOMAIN_RATING:
        rows = Listing.objects.filter(site=site, slug__in=slugs)
        return dict(rows.values_list("slug", "domain_rating_detail"))
    if view.board.name == BoardName.REVENUE:
        reports = RevenueReport.objects.filter(listing__site=site, listing__slug__in=slugs)
        newest = reports.order_by("listing", "-as_of", "-pk").distinct("listing")
        return dict(newest.values_list("listing__slug", "method"))
    return {}


def awards(*, site: Site, listing_slug: str | None, page: int, per_page: int) -> Page:
    """Awards of live listings, newest week first, with the winning listing."""
    rows = Award.objects.filter(site=site, listing__stats__is_live=True)
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
