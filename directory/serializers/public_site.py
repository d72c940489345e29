"""Answers about the site, its categories and its launches."""

from typing import Any

from rest_framework import serializers

from core.pagination import link_header
from core.schema import paged_shape
from core.serializers import Shape
from directory.serializers.public import FaqOut, ListingSummaryOut, RankedListingOut


class SiteUrlsOut(Shape):
    """Where people find things."""

    home = serializers.CharField()
    this_week = serializers.CharField()
    listings = serializers.CharField()
    categories = serializers.CharField()
    leaderboards = serializers.CharField()
    founders = serializers.CharField()
    blog = serializers.CharField()
    submit = serializers.CharField()
    launches_feed = serializers.CharField()
    launches_calendar = serializers.CharField()


class SiteCountsOut(Shape):
    """How much there is."""

    live_listings = serializers.IntegerField(min_value=0)
    categories = serializers.IntegerField(min_value=0)
    upcoming = serializers.IntegerField(min_value=0)


class SiteOut(Shape):
    """The site: what it is for and where its parts are."""

    name = serializers.CharField()
    purpose = serializers.CharField()
    urls = SiteUrlsOut()
    counts = SiteCountsOut()
    docs_url = serializers.CharField()
    openapi_url = serializers.CharField()
    mcp_url = serializers.CharField()
    llms_url = serializers.CharField()
    current_week = serializers.DateField(help_text="The Monday of the running launch week.")
    api_version = serializers.CharField()


class CategoryRefOut(Shape):
    """A category in short."""

    slug = serializers.CharField()
    name = serializers.CharField()


class CategoryOut(CategoryRefOut):
    """A node of the category tree."""

    description = serializers.CharField(allow_null=True)
    parent = CategoryRefOut(allow_null=True)
    listings_count = serializers.IntegerField(min_value=0, help_text="Live listings filed here.")
    total_listings_count = serializers.IntegerField(
        min_value=0, help_text="Live listings here and below, each once."
    )

    def get_fields(self) -> dict[str, Any]:
        """The declared fields, and the nodes below."""
        return {**super().get_fields(), "children": CategoryOut(many=True)}


class CategoryTreeOut(Shape):
    """The category tree, root by root."""

    items = CategoryOut(many=True)


class CategoryInFullOut(CategoryOut):
    """A category with its questions, neighbours and listings."""

    faqs = FaqOut(many=True)
    subcategories = CategoryOut(many=True)
    listings = paged_shape(ListingSummaryOut)(help_text="A page of live listings, most voted first.")

    @classmethod
    def headers(cls, value: Any) -> dict[str, str]:
        """The neighbours of the page."""
        links = link_header(value["listings"])
        return {"Link": links} if links else {}


class LaunchEntryOut(Shape):
    """A listing in its place of a week."""

    rank = serializers.IntegerField(
        min_value=1, help_text="By votes; in the order of booking while the week is still to come."
    )
    votes = serializers.IntegerField(min_value=0, help_text="Votes of this week.")
    listing = RankedListingOut()


class AwardOut(Shape):
    """A Launch of the Week."""

    id = serializers.IntegerField(min_value=1)
    code = serializers.CharField(help_text="launch_of_the_week_1, _2 or _3; more may come.")
    title = serializers.CharField()
    rank = serializers.IntegerField(min_value=1)
    week = serializers.DateField()
    votes = serializers.IntegerField(min_value=0)
    listing = ListingSummaryOut()
    badge_url = serializers.CharField()


class LaunchWeekOut(Shape):
    """One launch week, Monday to Sunday, UTC."""

    week = serializers.DateField()
    start = serializers.DateTimeField()
    end = serializers.DateTimeField()
    status = serializers.CharField(help_text="past, current or future; more may come.")
    final = serializers.BooleanField(
        help_text="The week is closed: its votes no longer count and its awards are given."
    )
    previous = serializers.DateField()
    next = serializers.DateField()
    awards = AwardOut(many=True)
    items = LaunchEntryOut(many=True)
    total = serializers.IntegerField(
        min_value=0,
        required=False,
        help_text="How many launches the week has, when they are more than the 250 that are here.",
    )
