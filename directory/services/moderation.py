"""Staff's moves: reject, suspend, archive, put live."""

from datetime import datetime

from django.db import transaction

from directory import weeks
from directory.models import Listing
from directory.services import public_data
from directory.services.moves import locked, move


@transaction.atomic
def moderate(
    *, listing_id: int, to: str, staff_id: int, at: datetime, reason: str = "Decided by the site team."
) -> Listing:
    """Move a listing as staff decide. Already there is success. Raises ListingCannotMoveError."""
    listing = locked(listing_id)
    if listing.status == to:
        return listing
    if to == Listing.Status.LIVE:
        listing.launched_at = listing.launched_at or at
        listing.launch_week = listing.launch_week or weeks.week_of(at)
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
