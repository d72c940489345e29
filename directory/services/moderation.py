"""Staff's moves: reject, suspend, archive, put live."""

from datetime import datetime

from django.db import transaction

from directory.models import Listing
from directory.services import public_data, queueing
from directory.services.moves import locked, move
from directory.services.publishing import enter_week


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
