"""What comes into the leaderboards area and what goes out."""

from typing import Any

from rest_framework import serializers

from core.pagination import link_header
from core.serializers import SLUG, Choice, Shape
from directory.serializers.public import RankedListingOut
from leaderboards import limits
from leaderboards.boards import BoardName


class BoardPathIn(serializers.Serializer[Any]):
    """Which board."""

    board = Choice(choices=[name.value for name in BoardName])


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


class LeaderboardMetricOut(Shape):
    """What a board counts."""

    name = serializers.CharField()
    value = serializers.IntegerField()
    unit = serializers.CharField(required=False, allow_null=True)
    verified = serializers.BooleanField(required=False, allow_null=True)
    as_of = serializers.DateField(required=False, allow_null=True)

    @classmethod
    def render(cls, value: dict[str, Any]) -> dict[str, Any]:
        """All five fields, unknown ones null."""
        return {"verified": None, "as_of": None, **value}


class LeaderboardEntryOut(Shape):
    """One place on a board."""

    rank = serializers.IntegerField(min_value=1)
    previous_rank = serializers.IntegerField(required=False, allow_null=True)
    listing = RankedListingOut()
    metric = LeaderboardMetricOut()


class LeaderboardOut(Shape):
    """A page of a board."""

    board = serializers.CharField()
    title = serializers.CharField()
    paid = serializers.BooleanField()
    disclosure = serializers.CharField(required=False, allow_null=True)
    week = serializers.DateField(required=False, allow_null=True)
    formula = serializers.CharField()
    as_of = serializers.DateTimeField()
    tie_rule = serializers.CharField()
    items = LeaderboardEntryOut(many=True)
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
            "items": [
                {**item, "metric": LeaderboardMetricOut.render(item["metric"])} for item in envelope["items"]
            ],
        }

    @classmethod
    def headers(cls, value: Any) -> dict[str, str]:
        """The neighbours of the page."""
        _, envelope = value
        links = link_header(envelope)
        return {"Link": links} if links else {}
