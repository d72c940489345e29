from typing import Any

from django.utils import timezone
from rest_framework.request import Request

from core.api.caching import Public
from core.api.errors import FieldError, InvalidRequestError
from core.api.operations import OperationViewSet, operation
from core.api.pagination import Page, PageIn, envelope
from directory import weeks
from directory.sites.lookup import current_site
from directory.sites.shapes import AwardOut
from leaderboards.boards import BOARDS, Board
from leaderboards.shapes import AwardsIn, BoardIn, BoardPathIn, LeaderboardOut
from leaderboards.trophies import selectors

PUBLIC = Public(stamps=("listings", "boards"))


class BoardQueryIn(PageIn, BoardIn):
    """Week and paging together, because the envelope stands inside the board."""


class LeaderboardViewSet(OperationViewSet):
    @operation(path=BoardPathIn, query=BoardQueryIn, returns=LeaderboardOut, cache=PUBLIC)
    def get_leaderboard(self, request: Request, *, board: str, query: dict[str, Any]) -> Any:
        """Get one of the leaderboards, which are never mixed.

        community-weekly and community-all-time count votes of people on the site. The billboard is PAID: it ranks by
        money contributed and must always be presented as paid. domain-rating and revenue rank by those figures.
        """
        at, chosen = timezone.now(), BOARDS[board]
        view = chosen.view(
            site=current_site(request),
            week=self._week(query.get("week"), board=chosen, at=at),
            page=query["page"],
            per_page=query["per_page"],
            at=at,
        )
        return view, envelope(view.page, request=request, items=view.page.items)

    @staticmethod
    def _week(text: str | None, *, board: Board, at: Any) -> Any:
        if text is None:
            return None
        if not board.has_weeks:
            others = ", ".join(code for code, other in BOARDS.items() if other.has_weeks)
            message = f"Only {others} takes a week."
            raise InvalidRequestError(
                message, errors=[FieldError(code="not_applicable", parameter="week", message=message)]
            )
        return weeks.parse(text, at=at)

    @operation(query=AwardsIn, returns=AwardOut, paged=True, cache=PUBLIC)
    def list_awards(self, request: Request, *, query: dict[str, Any]) -> Page:
        """List awards (Launch of the Week #1, #2 and #3), newest week first, with the winning listing.

        Awards follow community votes only, never money.
        """
        return selectors.awards(
            site=current_site(request),
            listing_slug=query.get("listing"),
            page=query["page"],
            per_page=query["per_page"],
        )
