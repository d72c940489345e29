from typing import Any

from django.utils import timezone

from accounts.authentication import SignedInRequest
from core.api.errors import NotFoundError
from core.api.operations import OperationViewSet, operation
from core.api.pagination import Page, own_list_in
from core.api.scopes import Scope
from directory.editorial import interviews, updates
from directory.errors import ListingNotFoundError
from directory.launches import free_choice
from directory.launches.badge_check import Check
from directory.listings import editing, own
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
from directory.listings.shapes.public import MilestoneOut
from directory.models import Listing

ID_MAX = 2**63 - 1
LONGEST_BODY = 2 * 1024 * 1024  # every bound of a body at once, each character escaped
OWN_PART = {"listing_id": "The listing's id, as submit_draft and list_my_listings give it."}


MILESTONE_PARTS = {
    **OWN_PART,
    "milestone_id": "The milestone's id, as add_milestone and get_my_listing give it.",
}


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
