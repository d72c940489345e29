import re
from typing import Any

from django.utils import timezone
from rest_framework.request import Request

from core.api.caching import Public
from core.api.errors import NotFoundError
from core.api.operations import OperationViewSet, operation
from core.api.pagination import Page, PageIn, envelope
from directory import limits
from directory.categories import tree as categories
from directory.errors import ListingNotFoundError
from directory.launches import calendar as launches
from directory.launches.race import race_week
from directory.listings import profile as listings
from directory.listings.shapes.public import ListingOut, ListingSummaryOut, SearchListingOut
from directory.search.paging import with_summaries
from directory.search.query.finding import search_listings
from directory.search.shapes import ListCategoriesIn, ListLaunchesIn, SearchListingsIn, WeekIn
from directory.sites import lookup as sites
from directory.sites.shapes import CategoryInFullOut, CategoryTreeOut, LaunchWeekOut, SiteOut

SLUG = re.compile(limits.SLUG_PATTERN.replace("$", r"\Z"))
LISTINGS = Public(stamps=("listings",))
TREE = Public(stamps=("listings", "categories"))
LISTING_PART = {"slug": "The listing's slug, as search_listings gives it."}
CATEGORY_PART = {"slug": "The category's slug, as list_categories gives it."}


def slug_of(text: str, *, missing: type[NotFoundError]) -> str:
    """The slug in a path; one that cannot be is a thing that is not there."""
    if not SLUG.match(text):
        raise missing("There is nothing of this name.")
    return text


class SiteViewSet(OperationViewSet):
    @operation(returns=SiteOut, cache=TREE)
    def get_site_info(self, request: Request) -> dict[str, Any]:
        """Say what this site is for, how much it holds and where its parts are.

        Gives the addresses of the documentation, the OpenAPI file and the MCP server, and the running week.
        """
        return sites.site_info(site=sites.current_site(request), at=timezone.now())


class ListingViewSet(OperationViewSet):
    """Listings that everybody may see."""

    @operation(query=SearchListingsIn, returns=SearchListingOut, paged=True, policy="search", cache=LISTINGS)
    def search_listings(self, request: Request, *, query: dict[str, Any]) -> Page:
        """Search and filter listings by words, category, stage, country, pricing, website and status.

        Words forgive typos; match.corrected_query says what was looked for instead. Results are summaries;
        get_listing gives the full profile.
        """
        result = search_listings(site=sites.current_site(request), **query)
        return with_summaries(result.page, besides={pk: {"match": why} for pk, why in result.match.items()})

    @operation(parts=LISTING_PART, returns=ListingOut, cache=LISTINGS)
    def get_listing(self, request: Request, *, slug: str) -> dict[str, Any]:
        """Get the full public profile of a live or upcoming listing.

        evidence quotes the website for each fact; not_found_on_website names what the website does not state,
        left blank on purpose. Paid sections (story, milestones, media) are there only when unlocked.
        """
        slug = slug_of(slug, missing=ListingNotFoundError)
        return listings.get_listing(site=sites.current_site(request), slug=slug)


class CategoryViewSet(OperationViewSet):
    @operation(query=ListCategoriesIn, returns=CategoryTreeOut, cache=TREE)
    def list_categories(self, request: Request, *, query: dict[str, Any]) -> dict[str, Any]:
        """List the category tree with the number of live listings in each category."""
        return {"items": categories.category_tree(site=sites.current_site(request), **query)}

    @operation(parts=CATEGORY_PART, query=PageIn, returns=CategoryInFullOut, cache=TREE)
    def get_category(self, request: Request, *, slug: str, query: dict[str, Any]) -> dict[str, Any]:
        """Get a category: description, FAQs, parent, subcategories and live listings, most voted first."""
        slug = slug_of(slug, missing=NotFoundError)
        category, page = categories.get_category(site=sites.current_site(request), slug=slug, **query)
        return {**category, "listings": envelope(page, request=request, items=page.items)}


class LaunchViewSet(OperationViewSet):
    @operation(path=WeekIn, returns=LaunchWeekOut, cache=LISTINGS)
    def get_launch_week(self, request: Request, *, week: str) -> dict[str, Any]:
        """Get the launches of one week, Monday to Sunday, ranked by community votes.

        With equal votes the earlier launch stands first. A future week shows what is scheduled, as booked.
        """
        at = timezone.now()
        monday = launches.requested_week(week, at=at)
        return race_week(site=sites.current_site(request), week=monday, at=at)

    @operation(query=ListLaunchesIn, returns=ListingSummaryOut, paged=True, cache=LISTINGS)
    def list_launches(self, request: Request, *, query: dict[str, Any]) -> Page:
        """List launches: today, this week, trending, most voted, viewed or followed, recent, upcoming."""
        return launches.list_launches(site=sites.current_site(request), at=timezone.now(), **query)
