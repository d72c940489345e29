"""How a listing changes its status: locked, looked at again, recorded."""

from datetime import datetime

from directory.errors import ListingCannotMoveError
from directory.models import Listing, ListingMove


def move(
    *, listing: Listing, to: str, by: str, reason: str, at: datetime, saving: tuple[str, ...] = ()
) -> None:
    """Move a locked listing and record it. `saving` names what else the caller has set on it.

    Raises ListingCannotMoveError for a move that is not one of `Listing.MOVES`.
    """
    if not listing.can_become(to):
        raise ListingCannotMoveError(
            f"A listing that is {listing.status} cannot become {to}.",
            current=listing.status,
            allowed=listing.MOVES[listing.status],
        )
    ListingMove.objects.create(
        listing=listing, from_status=listing.status, to_status=to, by=by, reason=reason[:300], at=at
    )
    listing.status, listing.status_reason, listing.updated_at = to, reason[:300], at
    listing.save(update_fields=["status", "status_reason", "updated_at", *saving])


def locked(listing_id: int) -> Listing:
    """The listing, held until the transaction ends."""
    return Listing.objects.select_for_update().get(pk=listing_id)
