from typing import Any

from core.api.pagination import link_header
from core.api.schema import paged_shape
from core.api.serializers import Bool, Date, Int, Moment, OpenWord, Shape, Str, Url
from directory.listings.shapes.public import FaqOut, ListingSummaryOut, RankedListingOut


class SiteUrlsOut(Shape):
    """Where people find things."""

    home = Url("The first page.")
    this_week = Url("The running launch week.")
    listings = Url("All listings, with a search.")
    categories = Url("All categories.")
    leaderboards = Url("The rankings.")
    founders = Url("All founders.")
    blog = Url("The blog.")
    submit = Url("Where people submit a product.")
    launches_feed = Url("New launches as an Atom feed.")
    launches_calendar = Url("Launch weeks as a calendar.")


class SiteCountsOut(Shape):
    """How much there is."""

    live_listings = Int("Live listings.", min_value=0)
    categories = Int("Categories.", min_value=0)
    upcoming = Int("Listings that are scheduled.", min_value=0)


class SiteOut(Shape):
    """The site: what it is for and where its parts are."""

    name = Str("The site's name.")
    purpose = Str("What it is for.")
    urls = SiteUrlsOut()
    counts = SiteCountsOut()
    docs_url = Url("The documentation.")
    openapi_url = Url("The OpenAPI file.")
    mcp_url = Url("The MCP server.")
    llms_url = Url("llms.txt, for language models.")
    current_week = Date("The Monday of the running launch week.")
    api_version = Str("The interface's version.")


class CategoryRefOut(Shape):
    """A category in short."""

    slug = Str("The category's slug, for filters and get_category.")
    name = Str("The category's name.")


class CategoryOut(CategoryRefOut):
    """A node of the category tree."""

    description = Str("What belongs here.", null=True)
    parent = CategoryRefOut(allow_null=True, help_text="The category above; null for a root.")
    listings_count = Int("Live listings filed here.", min_value=0)
    total_listings_count = Int("Live listings here and below, each once.", min_value=0)

    def get_fields(self) -> dict[str, Any]:
        return {**super().get_fields(), "children": CategoryOut.list_of("The categories below.")}


class CategoryTreeOut(Shape):
    """The category tree, root by root."""

    items = CategoryOut.list_of("The roots, each with its children.")


class CategoryInFullOut(CategoryOut):
    """A category with its questions, neighbours and listings."""

    faqs = FaqOut.list_of("Questions people ask about this kind of product.")
    subcategories = CategoryOut.list_of("The categories below, as in children.")
    listings = paged_shape(ListingSummaryOut)(help_text="A page of live listings, most voted first.")

    @classmethod
    def headers(cls, value: Any) -> dict[str, str]:
        links = link_header(value["listings"])
        return {"Link": links} if links else {}


class DayRankOut(Shape):
    """A place at the end of a day, UTC; on the running day, now."""

    date = Date("The day.")
    rank = Int("The place.", min_value=1)


class LaunchEntryOut(Shape):
    """A listing in its place of a week."""

    rank = Int("By votes; in the order of booking while the week is still to come.", min_value=1)
    votes = Int("Votes of this week.", min_value=0)
    previous_rank = Int(
        "The place at 00:00 UTC; null without votes, or once the week is over.", null=True, min_value=1
    )
    ranks = DayRankOut.list_of("The places day by day; days before the first vote are left out.")
    listing = RankedListingOut(help_text="Who launches.")


class AwardOut(Shape):
    """A Launch of the Week."""

    id = Int("The award's id.", min_value=1)
    code = OpenWord(
        "What was won.", values=("launch_of_the_week_1", "launch_of_the_week_2", "launch_of_the_week_3")
    )
    title = Str("The same in words.")
    rank = Int("1, 2 or 3.", min_value=1)
    week = Date("The Monday of the week.")
    votes = Int("Votes of that week.", min_value=0)
    listing = ListingSummaryOut(help_text="Who won.")
    badge_url = Url("The winner's badge, an SVG image.")


class LaunchWeekOut(Shape):
    """One launch week, Monday to Sunday, UTC."""

    week = Date("The Monday that names the week.")
    start = Moment("When it begins.")
    end = Moment("When it ends, which is when the next begins.")
    status = OpenWord("Where it lies from now.", values=("past", "current", "future"))
    final = Bool("The week is closed: its votes no longer count and its awards are given.")
    previous = Date("The week before.")
    next = Date("The week after.")
    awards = AwardOut.list_of("Who won; empty until the week is final.")
    votes = Int("Votes of all its launches.", min_value=0)
    voters = Int("The people who cast them.", min_value=0)
    items = LaunchEntryOut.list_of("Its launches by rank, at most 250.")
    total = Int(
        "How many launches the week has, when they are more than the 250 that are here.",
        min_value=0,
        required=False,
    )

    @classmethod
    def render(cls, value: Any) -> dict[str, Any]:
        """Without what only our pages need."""
        return {name: part for name, part in value.items() if name != "launch_ids"}
