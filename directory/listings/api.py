import re
from typing import Any

from django.utils import timezone
from rest_framework.request import Request

from accounts.authentication import SignedInRequest
from core.api.caching import Public
from core.api.errors import NotFoundError
from core.api.operations import OperationViewSet, operation
from core.api.pagination import Page, PageIn, envelope, own_list_in
from core.api.scopes import Scope
from directory import limits
from directory.categories import tree as categories
from directory.editorial import interviews, updates
from directory.errors import ListingNotFoundError
from directory.launches import calendar as launches
from directory.launches import free_choice
from directory.launches.badge_check import Check
from directory.launches.race import race_week
from directory.listings import editing, own
from directory.listings import profile as listings
from directory.listings.shapes.inputs import (
    AnswerInterviewIn,
    MilestoneIn,
    PostListingUpdateIn,
    SetFounderStoryIn,
    UpdateMyListingIn,
)
from directory.listings.shapes.own import (
    DeletedMilestoneOut,
    EditedListingOut,
    InterviewAnswersOut,
    OwnListingItemOut,
    OwnListingOut,
    PostedUpdateOut,
)
from directory.listings.shapes.public import ListingOut, ListingSummaryOut, MilestoneOut, SearchListingOut
from directory.models import Listing
from directory.search.cards import with_summaries
from directory.search.query.finding import search_listings
from directory.search.shapes import ListCategoriesIn, ListLaunchesIn, SearchListingsIn, WeekIn
from directory.sites import lookup as sites
from directory.sites.shapes import CategoryInFullOut, CategoryTreeOut, LaunchWeekOut, SiteOut

SLUG = re.compile(limits.SLUG_PATTERN.replace("$", r"\Z"))
LISTINGS = Public(stamps=("listings",))
TREE = Public(stamps=("listings", "categories"))
LISTING_PART = {"slug": "The listing's slug, as search_listings gives it."}
CATEGORY_PART = {"slug": "The category's slug, as list_categories gives it."}
ID_MAX = 2**63 - 1
LONGEST_BODY = 2 * 1024 * 1024  # every bound of a body at once, each character escaped
OWN_PART = {"listing_id": "The listing's id, as submit_draft and list_my_listings give it."}


MILESTONE_PARTS = {
    **OWN_PART,
    "milestone_id": "The milestone's id, as add_milestone and get_my_listing give it.",
}


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


def number_of(text: str) -> int:
    """The identifier in a path; 0, which nothing has, for what cannot be one."""
    is_number = text.isascii() and text.isdigit() and len(text) < 20 and int(text) <= ID_MAX
    return int(text) if is_number else 0


def listing_id_of(text: str) -> int:
    """The identifier in a path; one that cannot be is a listing that is not there."""
    if not (number := number_of(text)):
        raise ListingNotFoundError("There is no such listing.")
    return number


def called_for(request: SignedInRequest, listing_id: str) -> dict[str, Any]:
    """Who calls, for which of their listings, and when."""
    return {"owner_id": request.user.pk, "listing_id": listing_id_of(listing_id), "at": timezone.now()}


def edited(result: editing.EditedListing) -> dict[str, Any]:
    return {
        "listing": own.view_of(result.listing, at=timezone.now()),
        "changes": result.edit.changes,
        "version_id": result.edit.version_id,
        "applied_to": result.applied_to,
    }


def prepare_check(view: Any, request: SignedInRequest, *, listing_id: str) -> Check | None:
    """Check the homepage before the transaction begins."""
    return free_choice.check_badge_at_once(owner_id=request.user.pk, listing_id=listing_id_of(listing_id))


def site_rules(_request: SignedInRequest, *, body: dict[str, Any]) -> None:
    """What is wrong with apply_to beside its shape."""
    editing.refuse_unknown_sites(body.get("apply_to") or ())


def question_rules(request: SignedInRequest, *, body: dict[str, Any]) -> None:
    """What is wrong with the questions beside the shape of their answers."""
    interviews.refuse_unknown(body.get("answers") or (), user_id=request.user.pk)


class OwnListingViewSet(OperationViewSet):
    max_body_bytes = LONGEST_BODY

    @operation(
        scope=Scope.ACCOUNT_READ, query=own_list_in(Listing.Status), returns=OwnListingItemOut, paged=True
    )
    def list_my_listings(self, request: SignedInRequest, *, query: dict[str, Any]) -> Page:
        """List all your listings, in any status."""
        return own.my_listings(owner_id=request.user.pk, **query)

    @operation(scope=Scope.ACCOUNT_READ, parts=OWN_PART, returns=OwnListingOut)
    def get_my_listing(self, request: SignedInRequest, *, listing_id: str) -> dict[str, Any]:
        """Get one of your listings with its status, queue, history and next actions."""
        return own.my_listing(**called_for(request, listing_id))

    @operation(
        scope=Scope.LISTINGS_WRITE,
        parts=OWN_PART,
        returns=OwnListingOut,
        prepare=prepare_check,
        codes=("invalid_state", "duplicate_listing"),
        opens_world=True,
    )
    def choose_free_listing(
        self, request: SignedInRequest, *, listing_id: str, prepared: Check | None
    ) -> dict[str, Any]:
        """Queue a saved listing for a free launch week.

        It goes live in that week once the site's badge is on the company's homepage; queue.badge.html is what to put
        where its visitors see it. The free queue begins some weeks ahead; skip_queue and launch, which cost money, come
        earlier. A second call, with another idempotency key or none, keeps the week and looks for the badge at once.
        """
        free_choice.choose_free_listing(**called_for(request, listing_id), check=prepared)
        return own.my_listing(**called_for(request, listing_id))

    @operation(
        scope=Scope.LISTINGS_WRITE,
        parts=OWN_PART,
        body=UpdateMyListingIn,
        rules=site_rules,
        returns=EditedListingOut,
        replaces=True,
    )
    def update_my_listing(
        self, request: SignedInRequest, *, listing_id: str, body: dict[str, Any]
    ) -> dict[str, Any]:
        """Change facts, links or questions of your listing; it is public at once.

        Each edit is kept in the listing's versions with what was there before, and the site team sees both. A value
        that you state loses its quote from the website. Name, categories, tags, stage and logo are changed through the
        draft (update_draft), which updates the listing too.
        """
        return edited(editing.update_my_listing(**called_for(request, listing_id), changes=body))

    @operation(
        scope=Scope.LISTINGS_WRITE,
        parts=OWN_PART,
        body=PostListingUpdateIn,
        returns=PostedUpdateOut,
        status=201,
        codes=("invalid_state",),
    )
    def post_listing_update(
        self, request: SignedInRequest, *, listing_id: str, body: dict[str, Any]
    ) -> dict[str, Any]:
        """Post news of your listing. It stands on its page and in its feed, and its followers are told by mail."""
        return own.posted_update(updates.post_listing_update(**called_for(request, listing_id), **body))

    @operation(scope=Scope.LISTINGS_WRITE, parts=OWN_PART, body=MilestoneIn, returns=MilestoneOut, status=201)
    def add_milestone(
        self, request: SignedInRequest, *, listing_id: str, body: dict[str, Any]
    ) -> dict[str, Any]:
        """Add a dated step. Everybody sees it on paid listings or once the section is unlocked; see visible."""
        return own.own_milestone(editing.add_milestone(**called_for(request, listing_id), step=body))

    @operation(scope=Scope.LISTINGS_WRITE, parts=MILESTONE_PARTS, returns=DeletedMilestoneOut)
    def delete_milestone(
        self, request: SignedInRequest, *, listing_id: str, milestone_id: str
    ) -> dict[str, Any]:
        """Delete a milestone of your listing. The version that is kept has it still."""
        number = number_of(milestone_id)
        if not number:
            raise NotFoundError("There is no such milestone.")
        editing.delete_milestone(**called_for(request, listing_id), milestone_id=number)
        return {"deleted": True, "id": number}

    @operation(
        scope=Scope.LISTINGS_WRITE,
        parts=OWN_PART,
        body=SetFounderStoryIn,
        returns=EditedListingOut,
        replaces=True,
    )
    def set_founder_story(
        self, request: SignedInRequest, *, listing_id: str, body: dict[str, Any]
    ) -> dict[str, Any]:
        """Set the founder story of your listing; what you send takes the place of the whole story before.

        It is published with the listing, on paid listings or once the section is unlocked.
        """
        return edited(editing.set_founder_story(**called_for(request, listing_id), story=body))


class OwnInterviewViewSet(OperationViewSet):
    max_body_bytes = LONGEST_BODY

    @operation(
        scope=Scope.LISTINGS_WRITE,
        body=AnswerInterviewIn,
        rules=question_rules,
        returns=InterviewAnswersOut,
        replaces=True,
    )
    def answer_interview(self, request: SignedInRequest, *, body: dict[str, Any]) -> dict[str, Any]:
        """Save interview answers; send "" to delete one. Answers you do not send stay."""
        user_id = request.user.pk
        interviews.answer_interview(user_id=user_id, answers=body["answers"], at=timezone.now())
        return {"items": interviews.interview_answers(user_id=user_id)}
