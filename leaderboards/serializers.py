"""What comes into the leaderboards area and what goes out."""

from typing import Any

from rest_framework import serializers

from core.serializers import SLUG, Shape
from directory import badges
from directory.serializers.public import SummaryOut
from leaderboards import limits
from leaderboards.boards import BoardName
from leaderboards.models import Award


class BoardPathIn(serializers.Serializer[Any]):
    """Which board."""

    board = serializers.ChoiceField(choices=[name.value for name in BoardName])


class BoardIn(serializers.Serializer[Any]):
    """Which week of the weekly board, and which page."""

    week = serializers.CharField(
        max_length=limits.WEEK,
        required=False,
        help_text="community-weekly only: this, last or a date YYYY-MM-DD, snapped to its Monday.",
    )


class AwardsIn(serializers.Serializer[Any]):
    """Whose awards."""

    listing = serializers.RegexField(SLUG, max_length=220, required=False, help_text="A listing's slug.")


class MetricOut(Shape):
    """What a board counts."""

    name = serializers.CharField()
    value = serializers.IntegerField()
    unit = serializers.CharField(required=False, allow_null=True)
    verified = serializers.BooleanField(required=False, allow_null=True)
    as_of = serializers.DateField(required=False, allow_null=True)


class RankedOut(Shape):
    """One place on a board."""

    rank = serializers.IntegerField(min_value=1)
    previous_rank = serializers.IntegerField(required=False, allow_null=True)
    listing = SummaryOut()
    metric = MetricOut()


class BoardOut(Shape):
    """A page of a board."""

    board = serializers.CharField()
    title = serializers.CharField()
    paid = serializers.BooleanField()
    disclosure = serializers.CharField(required=False, allow_null=True)
    week = serializers.DateField(required=False, allow_null=True)
    formula = serializers.CharField()
    as_of = serializers.DateTimeField()
    tie_rule = serializers.CharField()
    items = RankedOut(many=True)
    page = serializers.IntegerField(min_value=1)
    per_page = serializers.IntegerField(min_value=1)
    total = serializers.IntegerField(min_value=0)
    total_pages = serializers.IntegerField(min_value=0)
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    total_is_estimate = serializers.BooleanField(required=False)

    @classmethod
    def render(cls, value: Any) -> dict[str, Any]:
        """From a board view and its envelope."""
        view, envelope = value
        board = view.board
        return {
            "board": board.name.value,
            "title": board.title,
            "paid": board.paid,
            "disclosure": board.disclosure,
            "week": view.week,
            "formula": board.formula,
            "as_of": view.as_of,
            "tie_rule": board.tie_rule,
            **envelope,
        }


class AwardOut(Shape):
    """A place among the first three of a week."""

    id = serializers.IntegerField(min_value=1)
    code = serializers.CharField(help_text="launch_of_the_week_1, _2 or _3; more may come.")
    title = serializers.CharField()
    rank = serializers.IntegerField(min_value=1)
    week = serializers.DateField()
    votes = serializers.IntegerField(min_value=0)
    listing = SummaryOut()
    badge_url = serializers.URLField()

    @classmethod
    def render(cls, value: tuple[Award, dict[str, Any]]) -> dict[str, Any]:
        """From an award and its listing's summary."""
        award, card = value
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
