import uuid
from contextlib import suppress
from functools import partial
from typing import Any

from django.utils import timezone

from accounts.authentication import SignedInRequest
from core.api.errors import NotFoundError, check_all
from core.api.operations import OperationViewSet, operation
from core.api.pagination import Page, own_list_in, paginate_own
from core.api.scopes import Scope
from directory.categories.naming import refuse_unknown
from directory.listings.from_draft import Saved
from directory.sites.lookup import current_site
from drafts import selectors
from drafts.editing import updating
from drafts.facts.fitting import public_address
from drafts.invites import inviting
from drafts.models import Draft, Invite
from drafts.publishing import saving
from drafts.requests import submitting
from drafts.shapes.drafts import DraftItemOut, DraftOut, SubmittedDraftOut
from drafts.shapes.inputs import InviteCofounderIn, SubmitListingIn, UpdateDraftIn
from drafts.shapes.parts import InviteOut

WRITE = Scope.LISTINGS_WRITE
EXAMPLE = {"id": "3f6c1f0e-7d0b-4f8e-9a55-0d8f1c2b7a10"}
PART = {"id": "The draft's id, as submit_listing and list_my_drafts give it."}


def draft_id_of(text: str) -> uuid.UUID:
    """The identifier in a path, as we write it, in any case; one that cannot be is a draft that is not there."""
    with suppress(ValueError):
        if str(draft_id := uuid.UUID(text)) == text.lower():
            return draft_id
    raise NotFoundError("There is no such draft.")


def draft_item(*, user_id: int, thing: str) -> dict[str, Any] | None:
    """What an event about a draft carries: the draft as list_my_drafts gives it."""
    row = selectors.my_drafts(owner_id=user_id).filter(pk=thing).first()
    return None if row is None else DraftItemOut.render(row)


def url_rules(_request: SignedInRequest, *, body: dict[str, Any]) -> None:
    """What is wrong with the address beside its shape."""
    if url := body.get("url"):
        public_address(url, pointer="/url")


def edit_rules(_request: SignedInRequest, *, body: dict[str, Any]) -> None:
    """What is wrong with categories and the competitor's address beside their shape."""
    check_all(partial(refuse_unknown, None, body=body), partial(updating.refuse_address, body))


class DraftViewSet(OperationViewSet):
    max_body_bytes = 4 * 1024 * 1024  # every bound of update_draft at once, each character escaped

    @operation(scope=Scope.ACCOUNT_READ, query=own_list_in(Draft.Status), returns=DraftItemOut, paged=True)
    def list_my_drafts(self, request: SignedInRequest, *, query: dict[str, Any]) -> Page:
        """List your drafts, newest first, with status and completeness."""
        return paginate_own(selectors.my_drafts(owner_id=request.user.pk), **query)

    @operation(
        scope=WRITE,
        body=SubmitListingIn,
        rules=url_rules,
        returns=DraftOut,
        status=201,
        location="/drafts/{id}",
        policy="write",
        codes=("invalid_url", "url_not_public", "duplicate_listing"),
        opens_world=True,
    )
    def submit_listing(self, request: SignedInRequest, *, body: dict[str, Any]) -> selectors.DraftView:
        """Submit a product by its public website and get a draft written from it.

        Drafting takes about a minute: poll get_draft every few seconds until it is ready. Nothing is published
        or charged. robots.txt is respected, and what the site does not say stays blank.
        """
        draft = submitting.submit_listing(
            owner=request.user,
            site=current_site(request),
            url=body["url"],
            at=timezone.now(),
            request_id=getattr(request, "request_id", ""),
        )
        return selectors.new_draft_view(draft)

    @operation(scope=Scope.ACCOUNT_READ, parts=PART, returns=DraftOut)
    def get_draft(self, request: SignedInRequest, id: str) -> selectors.DraftView:
        """Get a draft with every field, its evidence, its completeness and what is missing."""
        return selectors.draft_view(owner_id=request.user.pk, draft_id=draft_id_of(id))

    @operation(
        scope=WRITE,
        parts=PART,
        body=UpdateDraftIn,
        rules=edit_rules,
        returns=DraftOut,
        policy="write",
        replaces=True,
        codes=(
            *("field_locked", "category_unknown", "draft_not_ready", "duplicate_listing", "regenerate_limit"),
            *("invalid_url", "url_not_public"),
        ),
    )
    def update_draft(self, request: SignedInRequest, *, id: str, body: dict[str, Any]) -> selectors.DraftView:
        """Edit a draft: send only what changes.

        Values you give are marked as your own; null removes one. Lists are replaced, not added to: faqs, founders,
        milestones and every list in fields need all their entries, so read the draft first. Links, story and seo keep
        what you leave out. lock_fields keeps fields from being written again, regenerate has them written again from
        the website's evidence within seconds (poll get_draft while poll_after_seconds is given), restore puts the
        original values back. A draft that is a listing already updates its listing too, and takes only what a listing
        can hold. A failed draft becomes ready with the first value you give.
        """
        draft_id = draft_id_of(id)
        updating.update_draft(owner_id=request.user.pk, draft_id=draft_id, changes=body, at=timezone.now())
        return selectors.draft_view(owner_id=request.user.pk, draft_id=draft_id)

    @operation(
        scope=WRITE,
        parts=PART,
        body=InviteCofounderIn,
        returns=InviteOut,
        status=201,
        policy="write",
        codes=("draft_not_ready", "invite_limit"),
        opens_world=True,
    )
    def invite_cofounder(self, request: SignedInRequest, *, id: str, body: dict[str, Any]) -> Invite:
        """Invite a co-founder by e-mail to add their own profile to a draft.

        Only from a draft that is ready. Up to 10 invitations a draft, 20 a person and 3 an address a day. The link
        works once, for 14 days. The same address is mailed once.
        """
        return inviting.invite_cofounder(
            owner=request.user, draft_id=draft_id_of(id), email=body["email"], at=timezone.now()
        )

    @operation(
        scope=WRITE,
        parts=PART,
        returns=SubmittedDraftOut,
        policy="write",
        replaces=True,
        codes=("draft_not_ready",),
    )
    def submit_draft(self, request: SignedInRequest, *, id: str) -> Saved:
        """Save a ready draft as a listing, without publishing it.

        Running it again after edits updates the same listing. Where you have a listing of the product's address
        already, the draft goes into that one (created is false).
        """
        return saving.submit_draft(owner_id=request.user.pk, draft_id=draft_id_of(id), at=timezone.now())
