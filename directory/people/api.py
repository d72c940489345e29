from typing import Any

from django.utils import timezone
from rest_framework.request import Request

from core.api.caching import Public
from core.api.errors import NotFoundError
from core.api.operations import OperationViewSet, operation
from core.api.pagination import Page
from core.api.serializers import AnyValue, Bool, DictOf, Int, ListOf, Moment, OpenWord, Shape, Str, Url
from directory.editorial import interviews
from directory.editorial import posts as editorial
from directory.errors import ListingNotFoundError
from directory.launches import badges
from directory.launches.badges import CODES, BadgeStyle
from directory.listings import compare
from directory.listings.api import LISTING_PART, slug_of
from directory.listings.shapes.public import AlternativesOut, FaqOut, ListingSummaryOut
from directory.people import founders as people
from directory.search.shapes import BadgesIn, CompareListingsIn, ListBlogPostsIn, ListFoundersIn
from directory.sites.lookup import current_site

LISTINGS = Public(stamps=("listings",))
COMPARED = Public(stamps=("listings", "categories"))
BLOG = Public(stamps=("blog",))
POST = Public(stamps=("blog", "listings"))
INTERVIEW = Public(stamps=("interview",))


class FounderOut(Shape):
    """A founder in a list."""

    slug = Str("The founder's slug, for get_founder.")
    name = Str("The person's name.")
    title = Str("Their role.", null=True)
    country = Str("ISO 3166-1 alpha-2.", null=True)
    photo_url = Url("A picture of them.", null=True)
    companies_count = Int("Live listings.", min_value=0)
    page_url = Url("Their page on this site.")


class FounderCompanyOut(ListingSummaryOut):
    """A listing with the founder's part in it."""

    role = Str("The founder's role there.", null=True)


class FounderStoryOut(Shape):
    """A published story of a listing."""

    title = Str("The story's headline.")
    listing = Str("The listing's slug.")
    published_at = Moment("When it was published.")


class FounderInFullOut(FounderOut):
    """A founder with companies and stories."""

    bio = Str("About them.", null=True)
    socials = DictOf(Url(), "Links by platform.")
    companies = FounderCompanyOut.list_of("Live listings they founded.")
    stories = FounderStoryOut.list_of("Published stories; get_listing has the words.")


class BlogPostOut(Shape):
    """A post in a list."""

    slug = Str("The post's slug, for get_blog_post.")
    title = Str("The headline.")
    excerpt = Str("What it is about.")
    author = Str("Who wrote it.", null=True)
    published_at = Moment("When it was published.")
    updated_at = Moment("When it last changed.")
    reading_minutes = Int("How long reading takes.", min_value=1)
    cover_url = Url("The picture above it.", null=True)
    page_url = Url("Its page on this site.")


class BlogPostInFullOut(BlogPostOut):
    """A post."""

    markdown = Str("The text.")
    faqs = FaqOut.list_of("Questions and answers below it.")
    listings = ListOf(Str(), "Slugs of the listings it is about.")


class BadgeOut(Shape):
    """A badge with the code that shows it."""

    code = OpenWord("What it says.", values=CODES)
    title = Str("The same in words.")
    earned = Bool("While it is not, the image is a plain one.")
    svg_url = Url("The image.")
    width = Int("In CSS pixels.", min_value=1)
    height = Int("In CSS pixels.", min_value=1)
    html = Str("Code for a web page.")
    markdown = Str("Code for a README.")
    link_url = Url("Where the badge leads.")


class BadgesOut(Shape):
    """The badges of a listing in one look."""

    listing = Str("The listing's slug.")
    shape = Str("The outline that was asked for.")
    mode = Str("The colours that were asked for.")
    size = Str("The size that was asked for.")
    items = BadgeOut.list_of("Every badge there is, earned or not.")


class ComparedValueOut(Shape):
    """What one listing states, and who says so."""

    value = AnyValue(help_text="What it states: a text, a number, true or false, or a list of texts.")
    source = OpenWord("Who says so.", values=("website", "owner"))  # type: ignore[assignment]


class ComparedAttributeOut(Shape):
    """One attribute of both listings. Null: the listing does not state it."""

    attribute = Str("What is compared.")
    a = ComparedValueOut(allow_null=True, help_text="What listing a states; null if nothing.")
    b = ComparedValueOut(allow_null=True, help_text="What listing b states; null if nothing.")
    same = Bool("Both state the same; null unless both state it.", null=True)


class ComparedCategoryOut(Shape):
    """The attributes of one category."""

    category = Str("The category's name.")
    rows = ComparedAttributeOut.list_of("Its attributes, in the category's order.")


class ComparisonOut(Shape):
    """Two listings side by side."""

    a = ListingSummaryOut(help_text="The listing named a.")
    b = ListingSummaryOut(help_text="The listing named b.")
    groups = ComparedCategoryOut.list_of("What is compared, category by category.")
    page_url = Url("The same comparison on this site.")


class InterviewQuestionOut(Shape):
    """A question that the site asks founders."""

    id = Int("The question's id, for answer_interview.", min_value=1)
    question = Str("The question.")
    help = Str("What a good answer holds.", null=True)
    max_length = Int("How many characters an answer may have.", min_value=1)
    order = Int("Its place.", min_value=0)


class InterviewQuestionsOut(Shape):
    """Every question that is asked at present."""

    items = InterviewQuestionOut.list_of("The questions in their order.")


class NeighbourViewSet(OperationViewSet):
    @operation(parts=LISTING_PART, returns=AlternativesOut, cache=LISTINGS)
    def get_alternatives(self, request: Request, *, slug: str) -> dict[str, Any]:
        """List alternatives to a listing.

        First those its owner approved (approved is true), then other live listings of the same primary
        category, most voted first; at most 20.
        """
        slug = slug_of(slug, missing=ListingNotFoundError)
        return {"items": compare.get_alternatives(site=current_site(request), slug=slug)}

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
