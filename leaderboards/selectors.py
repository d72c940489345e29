"""Looking at boards and awards."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db.models import F, OuterRef, Q, QuerySet, Subquery

from core.pagination import Page, paginate
from directory import badges, weeks
from directory.models import Listing, ListingStats, Site
from directory.selectors.cards import summaries
from directory.selectors.launches import launched
from directory.selectors.pages import page_of
from leaderboards.boards import BOARDS, Board, BoardName
from leaderboards.models import Award, DomainRating, Standing, WeekClose

RATED_AN_HOUR = 200


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
    rows: QuerySet[Any]
    if name == BoardName.COMMUNITY_WEEKLY:
        week = week or weeks.week_of(at)
        rows = launched(site=site, week=week)
        as_of = _closed_at(site=site, week=week) or at
    else:
        week, as_of = None, at
        rows = ListingStats.objects.filter(site=site, is_live=True).order_by("-votes", "listing_id")
    found = page_of(rows, fields=("listing_id", "votes"), page=page, per_page=per_page)
    metrics = [{"name": board.metric, "value": votes, "unit": board.unit} for _, votes in found.items]
    return BoardView(
        board=board,
        week=week,
        as_of=as_of,
        page=_with_listings(found, ids=[row[0] for row in found.items], metrics=metrics),
    )


def _closed_at(*, site: Site, week: date) -> datetime | None:
    return WeekClose.objects.filter(site=site, week=week).values_list("closed_at", flat=True).first()


def _standing(*, site: Site, board: Board, page: int, per_page: int, at: datetime) -> BoardView:
    rows = Standing.objects.filter(site=site, board=board.name.value, listing__status=Listing.Status.LIVE)
    found = paginate(rows.order_by("rank"), page=page, per_page=per_page)
    standings: list[Standing] = list(found.items)
    metrics = []
    for row in standings:
        metric: dict[str, Any] = {"name": board.metric, "value": row.value, "unit": row.unit or board.unit}
        if row.is_verified is not None:
            metric["verified"] = row.is_verified
        metric["as_of"] = row.as_of
        metrics.append(metric)
    filled = _with_listings(
        found,
        ids=[row.listing_id for row in standings],
        metrics=metrics,
        previous=[row.previous_rank for row in standings],
    )
    return BoardView(
        board=board, week=None, as_of=standings[0].refreshed_at if standings else at, page=filled
    )


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
    return Page(
        items=items,
        page=found.page,
        per_page=found.per_page,
        total=found.total,
        total_is_estimate=found.total_is_estimate,
    )


def awards(*, site: Site, listing_slug: str | None, page: int, per_page: int) -> Page:
    """Awards, newest week first, with the winning listing."""
    rows = Award.objects.filter(site=site)
    if listing_slug is not None:
        rows = rows.filter(listing__slug=listing_slug)
    found = paginate(rows.order_by("-week", "rank", "pk"), page=page, per_page=per_page)
    won: list[Award] = list(found.items)
    cards = summaries(listing_ids=[award.listing_id for award in won])
    items = [_award(award, card) for award, card in zip(won, cards, strict=True)]
    return Page(
        items=items,
        page=found.page,
        per_page=found.per_page,
        total=found.total,
        total_is_estimate=found.total_is_estimate,
    )


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
