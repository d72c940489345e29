"""What comes into the leaderboards area and what goes out."""

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.api.pagination import link_header
from core.api.schema import Envelope
from core.api.serializers import Choice, OpenWord, Shape, Slug, Text
from directory import weeks
from directory.listings.shapes.public import RankedListingOut
from leaderboards import limits
from leaderboards.boards import BOARDS, Metric


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
        values=lambda: dict.fromkeys(board.metric for board in BOARDS.values()), help_text="What is counted."
    )
    value = serializers.IntegerField(help_text="How much; see unit.")
    unit = OpenWord(
        allow_null=True,
        values=lambda: dict.fromkeys(board.unit for board in BOARDS.values() if board.unit),
        help_text="What value is in; null for a bare figure.",
    )
    currency = serializers.CharField(
        allow_null=True, help_text="ISO 4217, for money; null for everything else."
    )
    period = OpenWord(
        required=False,
        values=lambda: dict.fromkeys(board.period for board in BOARDS.values() if board.period),
        help_text="What the money was earned in; revenue alone has it.",
    )
    verified = serializers.BooleanField(
        allow_null=True, help_text="Somebody checked the figure; null where nothing is to be checked."
    )
    as_of = serializers.DateField(allow_null=True, help_text="The day the figure is of.")

    @classmethod
    def render(cls, value: Metric) -> dict[str, Any]:
        """Everything, but the period only where there is one."""
        return {key: part for key, part in vars(value).items() if key != "period" or part}


class LeaderboardEntryOut(Shape):
    """One place on a board."""

    rank = serializers.IntegerField(min_value=1, help_text="The place; ties are broken by tie_rule.")
    previous_rank = serializers.IntegerField(
        allow_null=True, help_text="The last place that differed; null on boards that are counted live."
    )
    listing = RankedListingOut(help_text="Whose place it is.")
    metric = LeaderboardMetricOut()


class LeaderboardOut(Envelope):
    """A page of a leaderboard."""

    board = OpenWord(values=BOARDS.keys, help_text="Which board.")
    title = serializers.CharField(help_text="Its name for people.")
    paid = serializers.BooleanField(help_text="Places are bought; always say so when you show it.")
    disclosure = serializers.CharField(allow_null=True, help_text="What to show beside a paid board.")
    week = serializers.DateField(allow_null=True, help_text="The Monday of the week; null on other boards.")
    formula = serializers.CharField(help_text="What is counted, and from when to when.")
    as_of = serializers.DateTimeField(help_text="When it was counted.")
    tie_rule = serializers.CharField(help_text="Who stands first with equal figures.")
    items = LeaderboardEntryOut(many=True, help_text="The places of this page.")

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
