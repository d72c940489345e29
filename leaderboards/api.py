from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request

from core.api.caching import Public
from core.api.errors import FieldError, InvalidRequestError
from core.api.operations import OperationViewSet, operation
from core.api.pagination import Page, PageIn, envelope, link_header
from core.api.schema import Envelope
from core.api.serializers import Bool, Choice, Date, Int, Moment, OpenWord, Shape, Slug, Str, Text
from directory import weeks
from directory.listings.shapes.public import RankedListingOut
from directory.sites.lookup import current_site
from directory.sites.shapes import AwardOut
from leaderboards import limits
from leaderboards.boards import BOARDS, Board, Metric
from leaderboards.trophies import selectors

PUBLIC = Public(stamps=("listings", "boards"))


@extend_schema_field({"type": "string", "pattern": r"^(this|last|\d{4}-\d{2}-\d{2})$"})
class Week(Text):
    """A week of the weekly board; nobody votes ahead."""

    def run_validators(self, value: str) -> None:
        super().run_validators(value)
        try:
            weeks.parse("" if value == "next" else value, at=timezone.now())
        except ValueError as error:
            message = "A week is this, last or a date YYYY-MM-DD."
            raise serializers.ValidationError(message, code="invalid_week") from error


class BoardPathIn(serializers.Serializer[Any]):
    board = Choice(
        choices=BOARDS.keys,
        help_text=" ".join(f"{code}: by {board.summary}." for code, board in BOARDS.items()),
    )


class BoardIn(serializers.Serializer[Any]):
    """Which week of the weekly board, and which page."""

    week = Week(
        max_length=limits.WEEK,
        required=False,
        help_text="community-weekly only: this, last or a date YYYY-MM-DD, snapped to its Monday. A week that has not"
        " begun has no places.",
    )


class AwardsIn(serializers.Serializer[Any]):
    listing = Slug(required=False, help_text="A listing's slug: only what it has won.")


class LeaderboardMetricOut(Shape):
    """What a board counts. Money is an integer in cents with its currency."""

    name = OpenWord(
        "What is counted.", values=lambda: dict.fromkeys(board.metric for board in BOARDS.values())
    )
    value = Int("How much; see unit.")
    unit = OpenWord(
        "What value is in; null for a bare figure.",
        values=lambda: dict.fromkeys(board.unit for board in BOARDS.values() if board.unit),
        allow_null=True,
    )
    currency = Str("ISO 4217, for money; null for everything else.", null=True)
    period = OpenWord(
        "What the money was earned in; revenue alone has it.",
        required=False,
        values=lambda: dict.fromkeys(board.period for board in BOARDS.values() if board.period),
    )
    verified = Bool("Somebody checked the figure; null where nothing is to be checked.", null=True)
    as_of = Date("The day the figure is of.", null=True)

    @classmethod
    def render(cls, value: Metric) -> dict[str, Any]:
        """Everything, but the period only where there is one."""
        return {key: part for key, part in vars(value).items() if key != "period" or part}


class LeaderboardEntryOut(Shape):
    """One place on a board."""

    rank = Int("The place; ties are broken by tie_rule.", min_value=1)
    previous_rank = Int("The last place that differed; null on boards that are counted live.", null=True)
    listing = RankedListingOut(help_text="Whose place it is.")
    metric = LeaderboardMetricOut()


class LeaderboardOut(Envelope):
    """A page of a leaderboard."""

    board = OpenWord("Which board.", values=BOARDS.keys)
    title = Str("Its name for people.")
    paid = Bool("Places are bought; always say so when you show it.")
    disclosure = Str("What to show beside a paid board.", null=True)
    week = Date("The Monday of the week; null on other boards.", null=True)
    formula = Str("What is counted, and from when to when.")
    as_of = Moment("When it was counted.")
    tie_rule = Str("Who stands first with equal figures.")
    items = LeaderboardEntryOut.list_of("The places of this page.")

    @classmethod
    def render(cls, value: Any) -> dict[str, Any]:
        view, envelope = value
        board = view.board
        return {
            "board": board.code,
            "title": board.title,
            "paid": board.paid,
            "disclosure": board.disclosure,
            "week": view.week,
            "formula": board.formula,
            "as_of": view.as_of,
            "tie_rule": board.tie_rule,
            **envelope,
            "items": [
                {**item, "metric": LeaderboardMetricOut.render(item["metric"])} for item in envelope["items"]
            ],
        }

    @classmethod
    def headers(cls, value: Any) -> dict[str, str]:
        _, envelope = value
        links = link_header(envelope)
        return {"Link": links} if links else {}


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
