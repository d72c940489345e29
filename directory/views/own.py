"""HTTP doors for owners of listings."""

from typing import Any

from django.utils import timezone

from accounts.requests import SignedInRequest
from core.operations import OperationViewSet, operation
from core.pagination import Page
from core.scopes import Scope
from directory.errors import ListingNotFoundError
from directory.selectors import own
from directory.serializers.own import OwnListingItemOut, OwnListingOut
from directory.services import queueing
from directory.services.badge_check import Check

ID_MAX = 2**63 - 1
OWN_PART = {"listing_id": "The listing's id, as submit_draft and list_my_listings give it."}


def listing_id_of(text: str) -> int:
    """The identifier in a path; one that cannot be is a listing that is not there."""
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= ID_MAX:
        raise ListingNotFoundError("There is no such listing.")
    return int(text)


def prepare_check(view: Any, request: SignedInRequest, *, listing_id: str) -> Check | None:
    """Check the homepage before the transaction begins."""
    return queueing.check_badge_at_once(owner_id=request.user.pk, listing_id=listing_id_of(listing_id))


class OwnListingViewSet(OperationViewSet):
    """A person's own listings."""

    @operation(scope=Scope.ACCOUNT_READ, returns=OwnListingItemOut, paged=True)
    def list_my_listings(self, request: SignedInRequest, *, query: dict[str, Any]) -> Page:
        """List all your listings, in any status."""
        return own.my_listings(owner_id=request.user.pk, **query)

    @operation(scope=Scope.ACCOUNT_READ, parts=OWN_PART, returns=OwnListingOut)
    def get_my_listing(self, request: SignedInRequest, *, listing_id: str) -> dict[str, Any]:
        """Get one of your listings with its status, queue, history and next actions."""
        return own.my_listing(owner_id=request.user.pk, listing_id=listing_id_of(listing_id))

    @operation(
        scope=Scope.LISTINGS_WRITE,
        parts=OWN_PART,
        returns=OwnListingOut,
        policy="write",
        prepare=prepare_check,
        codes=("invalid_state", "duplicate_listing"),
        opens_world=True,
    )
    def choose_free_listing(
        self, request: SignedInRequest, *, listing_id: str, prepared: Check | None
    ) -> dict[str, Any]:
        """Queue a saved listing for a free launch week.

        It goes live in that week once the site's badge is on the company's homepage; queue.badge.html is what to put
        there. A second call keeps the week.
        """
        number = listing_id_of(listing_id)
        queueing.choose_free_listing(
            owner_id=request.user.pk, listing_id=number, check=prepared, at=timezone.now()
        )
        return own.my_listing(owner_id=request.user.pk, listing_id=number)
