"""Answers about the site, its categories and its launches."""

from typing import Any

from rest_framework import serializers

from core.api.pagination import link_header
from core.api.schema import paged_shape
from core.api.serializers import OpenWord, Shape
from directory.listings.shapes.public import FaqOut, ListingSummaryOut, RankedListingOut


class SiteUrlsOut(Shape):
    """Where people find things."""

    home = serializers.URLField(help_text="The first page.")
    this_week = serializers.URLField(help_text="The running launch week.")
    listings = serializers.URLField(help_text="All listings, with a search.")
    categories = serializers.URLField(help_text="All categories.")
    leaderboards = serializers.URLField(help_text="The rankings.")
    founders = serializers.URLField(help_text="All founders.")
    blog = serializers.URLField(help_text="The blog.")
    submit = serializers.URLField(help_text="Where people submit a product.")
    launches_feed = serializers.URLField(help_text="New launches as an Atom feed.")
    launches_calendar = serializers.URLField(help_text="Launch weeks as a calendar.")


class SiteCountsOut(Shape):
    """How much there is."""

    live_listings = serializers.IntegerField(min_value=0, help_text="Live listings.")
    categories = serializers.IntegerField(min_value=0, help_text="Categories.")
    upcoming = serializers.IntegerField(min_value=0, help_text="Listings that are scheduled.")


class SiteOut(Shape):
    """The site: what it is for and where its parts are."""

    name = serializers.CharField(help_text="The site's name.")
    purpose = serializers.CharField(help_text="What it is for.")
    urls = SiteUrlsOut()
    counts = SiteCountsOut()
    docs_url = serializers.URLField(help_text="The documentation.")
    openapi_url = serializers.URLField(help_text="The OpenAPI file.")
    mcp_url = serializers.URLField(help_text="The MCP server.")
    llms_url = serializers.URLField(help_text="llms.txt, for language models.")
    current_week = serializers.DateField(help_text="The Monday of the running launch week.")
    api_version = serializers.CharField(help_text="The interface's version.")


class CategoryRefOut(Shape):
    """A category in short."""

    slug = serializers.CharField(help_text="The category's slug, for filters and get_category.")
    name = serializers.CharField(help_text="The category's name.")


class CategoryOut(CategoryRefOut):
    """A node of the category tree."""

    description = serializers.CharField(allow_null=True, help_text="What belongs here.")
    parent = CategoryRefOut(allow_null=True, help_text="The category above; null for a root.")
    listings_count = serializers.IntegerField(min_value=0, help_text="Live listings filed here.")
    total_listings_count = serializers.IntegerField(
        min_value=0, help_text="Live listings here and below, each once."
    )

    def get_fields(self) -> dict[str, Any]:
        return {**super().get_fields(), "children": CategoryOut(many=True, help_text="The categories below.")}


class CategoryTreeOut(Shape):
    """The category tree, root by root."""

    items = CategoryOut(many=True, help_text="The roots, each with its children.")


class CategoryInFullOut(CategoryOut):
    """A category with its questions, neighbours and listings."""

    faqs = FaqOut(many=True, help_text="Questions people ask about this kind of product.")
    subcategories = CategoryOut(many=True, help_text="The categories below, as in children.")
    listings = paged_shape(ListingSummaryOut)(help_text="A page of live listings, most voted first.")

    @classmethod
    def headers(cls, value: Any) -> dict[str, str]:
        links = link_header(value["listings"])
        return {"Link": links} if links else {}


class DayRankOut(Shape):
    """A place at the end of a day, UTC; on the running day, now."""

    date = serializers.DateField(help_text="The day.")
    rank = serializers.IntegerField(min_value=1, help_text="The place.")


class LaunchEntryOut(Shape):
    """A listing in its place of a week."""

    rank = serializers.IntegerField(
        min_value=1, help_text="By votes; in the order of booking while the week is still to come."
    )
    votes = serializers.IntegerField(min_value=0, help_text="Votes of this week.")
    previous_rank = serializers.IntegerField(
        min_value=1,
        allow_null=True,
        help_text="The place at 00:00 UTC; null without votes, or once the week is over.",
    )
    ranks = DayRankOut(many=True, help_text="The places day by day; days before the first vote are left out.")
    listing = RankedListingOut(help_text="Who launches.")


class AwardOut(Shape):
    """A Launch of the Week."""

    id = serializers.IntegerField(min_value=1, help_text="The award's id.")
    code = OpenWord(
        values=("launch_of_the_week_1", "launch_of_the_week_2", "launch_of_the_week_3"),
        help_text="What was won.",
    )
    title = serializers.CharField(help_text="The same in words.")
    rank = serializers.IntegerField(min_value=1, help_text="1, 2 or 3.")
    week = serializers.DateField(help_text="The Monday of the week.")
    votes = serializers.IntegerField(min_value=0, help_text="Votes of that week.")
    listing = ListingSummaryOut(help_text="Who won.")
    badge_url = serializers.URLField(help_text="The winner's badge, an SVG image.")


class LaunchWeekOut(Shape):
    """One launch week, Monday to Sunday, UTC."""

    week = serializers.DateField(help_text="The Monday that names the week.")
    start = serializers.DateTimeField(help_text="When it begins.")
    end = serializers.DateTimeField(help_text="When it ends, which is when the next begins.")
    status = OpenWord(values=("past", "current", "future"), help_text="Where it lies from now.")
    final = serializers.BooleanField(
        help_text="The week is closed: its votes no longer count and its awards are given."
    )
    previous = serializers.DateField(help_text="The week before.")
    next = serializers.DateField(help_text="The week after.")
    awards = AwardOut(many=True, help_text="Who won; empty until the week is final.")
    votes = serializers.IntegerField(min_value=0, help_text="Votes of all its launches.")
    voters = serializers.IntegerField(min_value=0, help_text="The people who cast them.")
    items = LaunchEntryOut(many=True, help_text="Its launches by rank, at most 250.")
    total = serializers.IntegerField(
        min_value=0,
        required=False,
        help_text="How many launches the week has, when they are more than the 250 that are here.",
    )

    @classmethod
    def render(cls, value: Any) -> dict[str, Any]:
        """Without what only our pages need."""
        return {name: part for name, part in value.items() if name != "launch_ids"}
