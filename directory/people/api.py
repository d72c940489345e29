from typing import Any

from django.utils import timezone
from rest_framework.request import Request

from core.api.caching import Public
from core.api.errors import NotFoundError
from core.api.operations import OperationViewSet, operation
from core.api.pagination import Page
from directory.editorial import interviews
from directory.editorial import posts as editorial
from directory.errors import ListingNotFoundError
from directory.launches import earned_badges as badges
from directory.launches.badges import BadgeStyle
from directory.listings import alternatives, compare
from directory.listings.api.public import LISTING_PART, slug_of
from directory.listings.shapes.public import AlternativesOut
from directory.people import founders as people
from directory.people.shapes import (
    BadgesOut,
    BlogPostInFullOut,
    BlogPostOut,
    ComparisonOut,
    FounderInFullOut,
    FounderOut,
    InterviewQuestionsOut,
)
from directory.search.shapes import BadgesIn, CompareListingsIn, ListBlogPostsIn, ListFoundersIn
from directory.sites.lookup import current_site

LISTINGS = Public(stamps=("listings",))
COMPARED = Public(stamps=("listings", "categories"))
BLOG = Public(stamps=("blog",))
POST = Public(stamps=("blog", "listings"))
INTERVIEW = Public(stamps=("interview",))


class NeighbourViewSet(OperationViewSet):
    @operation(parts=LISTING_PART, returns=AlternativesOut, cache=LISTINGS)
    def get_alternatives(self, request: Request, *, slug: str) -> dict[str, Any]:
        """List alternatives to a listing.

        First those its owner approved (approved is true), then other live listings of the same primary
        category, most voted first; at most 20.
        """
        slug = slug_of(slug, missing=ListingNotFoundError)
        return {"items": alternatives.get_alternatives(site=current_site(request), slug=slug)}

    @operation(query=CompareListingsIn, returns=ComparisonOut, cache=COMPARED, codes=("listing_unknown",))
    def compare_listings(self, request: Request, *, query: dict[str, Any]) -> dict[str, Any]:
        """Compare two live listings side by side, by the attributes of their categories.

        A cell holds what the listing states, in its own words, and whether its website or its owner says so.
        An empty cell (null) means that the listing does not state the fact.
        """
        return compare.compare_listings(site=current_site(request), **query)

    @operation(parts=LISTING_PART, query=BadgesIn, returns=BadgesOut, cache=LISTINGS)
    def get_badges(self, request: Request, *, slug: str, query: dict[str, Any]) -> dict[str, Any]:
        """Get the badges a live or upcoming listing may show, with ready HTML and Markdown code and image addresses.

        Each of them counts as the badge of a free launch. Your own listing that waits has its code in queue.badge.html
        of get_my_listing.
        """
        slug = slug_of(slug, missing=ListingNotFoundError)
        return badges.get_badges(
            site=current_site(request), slug=slug, style=BadgeStyle(**query), at=timezone.now()
        )


class FounderViewSet(OperationViewSet):
    @operation(query=ListFoundersIn, returns=FounderOut, paged=True, policy="search", cache=LISTINGS)
    def list_founders(self, request: Request, *, query: dict[str, Any]) -> Page:
        """List the founders of live listings by name, all or those whose name or country fits."""
        return people.list_founders(site=current_site(request), **query)

    @operation(
        parts={"slug": "The founder's slug, as list_founders and get_listing give it."},
        returns=FounderInFullOut,
        cache=LISTINGS,
    )
    def get_founder(self, request: Request, *, slug: str) -> dict[str, Any]:
        """Get a founder: bio, socials, companies listed and published stories."""
        slug = slug_of(slug, missing=NotFoundError)
        return people.get_founder(site=current_site(request), slug=slug)


class BlogViewSet(OperationViewSet):
    @operation(query=ListBlogPostsIn, returns=BlogPostOut, paged=True, policy="search", cache=BLOG)
    def list_blog_posts(self, request: Request, *, query: dict[str, Any]) -> Page:
        """List published posts, newest first, or those that fit some words."""
        return editorial.list_posts(site=current_site(request), at=timezone.now(), **query)

    @operation(
        parts={"slug": "The post's slug, as list_blog_posts gives it."}, returns=BlogPostInFullOut, cache=POST
    )
    def get_blog_post(self, request: Request, *, slug: str) -> dict[str, Any]:
        """Get a post with its full Markdown text and its questions."""
        slug = slug_of(slug, missing=NotFoundError)
        return editorial.get_post(site=current_site(request), slug=slug, at=timezone.now())


class InterviewViewSet(OperationViewSet):
    @operation(returns=InterviewQuestionsOut, cache=INTERVIEW)
    def list_interview_questions(self, _request: Request) -> dict[str, Any]:
        """List the questions that the site asks founders; answer_interview takes the answers."""
        return {"items": interviews.interview_questions()}
