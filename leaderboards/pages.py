from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from core.api.errors import NotFoundError
from core.methods import require_safe
from directory import weeks
from directory.listings.profile import covers
from directory.models import Site
from directory.reading import PER_PAGE, marks_of, page_number, week_clock
from directory.shown.sharing import Picture, Share, day, image_response, shortened, stored_logo
from directory.sites.lookup import current_site
from directory.wording import placed
from leaderboards.boards import BOARDS, Board
from leaderboards.trophies import selectors

AWARDS_A_PAGE = 30


def board_at(code: str) -> Board:
    """The board of an address. Raises NotFoundError."""
    if code not in BOARDS:
        raise NotFoundError("There is no such board.")
    return BOARDS[code]


def week_of(request: HttpRequest, *, board: Board, at: datetime) -> date | None:
    """The week that an address names, on a board that has weeks."""
    text = request.GET.get("week", "")
    if not board.has_weeks or not text:
        return None
    try:
        return weeks.parse(text, at=at)
    except ValueError as error:
        raise NotFoundError("There is no such week.") from error


@require_safe
def leaderboard(request: HttpRequest, board: str) -> HttpResponse:
    now, site, chosen = timezone.now(), current_site(request), board_at(board)
    view = chosen.view(
        site=site,
        week=week_of(request, board=chosen, at=now),
        page=page_number(request),
        per_page=PER_PAGE,
        at=now,
    )
    is_this_week = view.week in {None, weeks.week_of(now)}
    slugs = [item["listing"]["slug"] for item in view.page.items]
    context = {
        "view": view,
        "board": chosen,
        "tab": chosen.path if is_this_week else "",
        "share": share_of_board(chosen, site=site),
        "page": view.page,
        "is_over": view.week is not None and view.week < weeks.week_of(now),
        "notes": chosen.notes(site=site, slugs=slugs),
        "covers": {} if chosen.paid else covers(site=site, slugs=slugs),
        "marks": marks_of(request, [item["listing"] for item in view.page.items]),
        "clock": week_clock(at=now) if view.week == weeks.week_of(now) else None,
    }
    return render(request, "leaderboards/board.html", context)


def share_of_board(board: Board, *, site: Site) -> Share:
    """A board; a paid one says so first."""
    text = board.disclosure or board.formula
    return Share(
        title=f"PAID: {board.heading}" if board.paid else board.heading,
        text=shortened(text),
        path=f"/leaderboards/{board.code}",
        name=f"boards/{board.code}",
        picture=Picture(
            site=site.name, kicker="Leaderboard", title=board.heading, text=text, is_paid=board.paid
        ),
    )


@require_safe
def board_image(request: HttpRequest, board: str, digest: str) -> HttpResponse:
    return image_response(request, share_of_board(board_at(board), site=current_site(request)))


@require_safe
def awards(request: HttpRequest) -> HttpResponse:
    site = current_site(request)
    page = selectors.awards(site=site, listing_slug=None, page=page_number(request), per_page=AWARDS_A_PAGE)
    context = {
        "page": page,
        "share": share_of_awards(page.items, site=site),
        "covers": covers(site=site, slugs=[award["listing"]["slug"] for award in page.items]),
    }
    return render(request, "leaderboards/awards.html", context)


def share_of_awards(items: Sequence[Any], *, site: Site) -> Share:
    first = next((award for award in items if award["rank"] == 1), None)
    text = "First, second and third place of each launch week. People’s votes decide them, and nothing else."
    picture = Picture(site=site.name, title="Awards", text=text)
    if first:
        card = first["listing"]
        picture = Picture(
            site=site.name,
            kicker=placed(first["title"]),
            title=card["name"],
            text=card["tagline"] or "",
            foot=f"Week of {day(first['week'])} · by community votes",
            logo=stored_logo(card),
            letter=card["name"][:1],
            rank=1,
        )
    return Share(title="Awards", text=text, path="/awards", name="boards/awards", picture=picture)


@require_safe
def awards_image(request: HttpRequest, digest: str) -> HttpResponse:
    site = current_site(request)
    items = selectors.awards(site=site, listing_slug=None, page=1, per_page=AWARDS_A_PAGE).items
    return image_response(request, share_of_awards(items, site=site))
