"""HTML doors of the leaderboards area."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from core.api.errors import NotFoundError
from directory import weeks
from directory.models import Site
from directory.reading import PER_PAGE, marks_of, page_number
from directory.selectors.sites import current_site
from directory.sharing import Picture, Share, day, image_response, shortened, stored_logo
from leaderboards import selectors
from leaderboards.boards import BOARDS, Board, BoardName

TABS = {
    BoardName.COMMUNITY_WEEKLY: "This week",
    BoardName.COMMUNITY_ALL_TIME: "All time",
    BoardName.DOMAIN_RATING: "Domain Rating",
    BoardName.REVENUE: "Revenue",
    BoardName.BILLBOARD: "Billboard",
}
AWARDS_A_PAGE = 30


def week_asked_for(request: HttpRequest, *, name: BoardName, at: datetime) -> date | None:
    """The week of the weekly board; other boards have none."""
    text = request.GET.get("week", "")
    if name != BoardName.COMMUNITY_WEEKLY or not text:
        return None
    try:
        return weeks.parse(text, at=at)
    except ValueError as error:
        raise NotFoundError("There is no such week.") from error


@require_safe
def leaderboard(request: HttpRequest, board: str) -> HttpResponse:
    """`/leaderboards/<board>`."""
    if board not in {name.value for name in BoardName}:
        raise NotFoundError("There is no such board.")
    now, name = timezone.now(), BoardName(board)
    view = selectors.board_view(
        site=current_site(request),
        name=name,
        week=week_asked_for(request, name=name, at=now),
        page=page_number(request),
        per_page=PER_PAGE,
        at=now,
    )
    is_this_week = view.week in {None, weeks.week_of(now)}
    context = {
        "view": view,
        "tab": name if is_this_week else "",
        "share": share_of_board(view.board, name=name, site=current_site(request)),
        "page": view.page,
        "is_votes": view.board.metric == "votes",
        "is_over": view.week is not None and view.week < weeks.week_of(now),
        "notes": selectors.notes_on(view, site=current_site(request)),
        "marks": marks_of(request, [item["listing"] for item in view.page.items]),
    }
    return render(request, "leaderboards/board.html", context)


def share_of_board(board: Board, *, name: BoardName, site: Site) -> Share:
    """A board; a paid one says so first."""
    text = board.disclosure if board.paid and board.disclosure else board.formula
    title = board.title.removesuffix(" (paid)")
    return Share(
        title=f"PAID: {title}" if board.paid else title,
        text=shortened(text),
        path=f"/leaderboards/{name}",
        name=f"boards/{name}",
        picture=Picture(site=site.name, kicker="Leaderboard", title=title, text=text, is_paid=board.paid),
    )


@require_safe
def board_image(request: HttpRequest, board: str, digest: str) -> HttpResponse:
    """`/share/boards/<board>/<hash>.png`."""
    if board not in {name.value for name in BoardName}:
        raise NotFoundError("There is no such board.")
    name = BoardName(board)
    share = share_of_board(BOARDS[name], name=name, site=current_site(request))
    return image_response(request, name=share.name, picture=share.picture)


@require_safe
def awards(request: HttpRequest) -> HttpResponse:
    """`/awards`: newest week first, three medals a week."""
    page = selectors.awards(
        site=current_site(request), listing_slug=None, page=page_number(request), per_page=AWARDS_A_PAGE
    )
    share = share_of_awards(page.items, site=current_site(request))
    return render(request, "leaderboards/awards.html", {"page": page, "share": share})


def share_of_awards(items: Sequence[Any], *, site: Site) -> Share:
    """The awards, with the newest first place on the image."""
    first = next((award for award in items if award["rank"] == 1), None)
    text = "Launch of the Week #1, #2 and #3. People’s votes decide them, and nothing else."
    picture = Picture(site=site.name, title="Awards", text=text)
    if first:
        card = first["listing"]
        picture = Picture(
            site=site.name,
            kicker=first["title"],
            title=card["name"],
            text=card["tagline"] or "",
            foot=f"Week of {day(first['week'])} · by community votes",
            logo=stored_logo(card),
            letter=card["name"][:1],
            rank=1,
        )
    return Share(
        title="Awards",
        text=text,
        path="/awards",
        name="boards/awards",
        picture=picture,
    )


@require_safe
def awards_image(request: HttpRequest, digest: str) -> HttpResponse:
    """`/share/boards/awards/<hash>.png`."""
    site = current_site(request)
    items = selectors.awards(site=site, listing_slug=None, page=1, per_page=AWARDS_A_PAGE).items
    share = share_of_awards(items, site=site)
    return image_response(request, name=share.name, picture=share.picture)
