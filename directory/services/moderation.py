"""Staff's moves: reject, suspend, archive, put live, and put back."""

from datetime import datetime

from django.db import transaction

from directory.errors import ListingCannotMoveError
from directory.models import Listing
from directory.services import public_data, queueing
from directory.services.moves import locked, move
from directory.services.publishing import enter_week

OUT = (Listing.Status.REJECTED, Listing.Status.SUSPENDED)


@transaction.atomic
def moderate(
    *, listing_id: int, to: str, staff_id: int, at: datetime, reason: str = "Decided by the site team."
) -> Listing:
    """Move a listing as staff decide. Already there is success.

    Raises ListingCannotMoveError, and for what must not go live as it is also DuplicateListingError.
    """
    listing = locked(listing_id)
    if listing.status == to:
        return listing
    if to == Listing.Status.LIVE:
        queueing.refuse_unless_launchable(listing)
        enter_week(listing, at=at)
    move(
        listing=listing,
        to=to,
        by=f"staff:{staff_id}",
        reason=reason,
        at=at,
        saving=("launched_at", "launch_week"),
    )
    public_data.refresh(listing_ids=[listing.pk])
    return listing


@transaction.atomic
def put_back(*, listing_id: int, staff_id: int, at: datetime) -> Listing:
    """Take a rejection or suspension back: the listing is where it was before, with the week it had booked.

    Raises ListingCannotMoveError for a listing that is neither, and what `moderate` raises.
    """
    listing = locked(listing_id)
    before = (
        listing.moves.filter(to_status__in=OUT).exclude(from_status__in=OUT).order_by("-at", "-pk").first()
    )
    if listing.status not in OUT or before is None:
        raise ListingCannotMoveError(
            f"A listing that is {listing.status} has nowhere to be put back to.", current=listing.status
        )
    return moderate(
        listing_id=listing_id,
        to=before.from_status,
        staff_id=staff_id,
        at=at,
        reason=f"Put back by the site team: it is no longer {listing.status}.",
    )
