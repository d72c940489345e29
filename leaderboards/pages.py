"""HTML doors of the leaderboards area."""

from datetime import date, datetime

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from core.errors import NotFoundError
from directory import weeks
from directory.reading import PER_PAGE, marks_of, page_number
from directory.selectors.sites import current_site
from leaderboards import selectors
from leaderboards.boards import BOARDS, BoardName

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
    context = {
        "view": view,
        "page": view.page,
        "is_votes": view.board.metric == "votes",
        "is_over": view.week is not None and view.week < weeks.week_of(now),
        "tabs": [(tab.value, words, BOARDS[tab].paid) for tab, words in TABS.items()],
        "marks": marks_of(request, [item["listing"] for item in view.page.items]),
    }
    return render(request, "leaderboards/board.html", context)


@require_safe
def awards(request: HttpRequest) -> HttpResponse:
    """`/awards`: newest week first, three medals a week."""
    page = selectors.awards(
        site=current_site(request), listing_slug=None, page=page_number(request), per_page=AWARDS_A_PAGE
    )
    return render(request, "leaderboards/awards.html", {"page": page})
