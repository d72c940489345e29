"""What a proof of ownership changes on a listing. The claims area decides; nothing else may call this.

Plan, paid sections, votes, orders and launches stay with the listing, whoever owns it.
"""

from datetime import datetime

from django.db import transaction

from directory.launches.moves import locked
from directory.models import Listing, ListingMove
from directory.reviews import rating
from directory.search import public_data


@transaction.atomic
def hand_over(*, listing_id: int, owner_id: int, by: str, reason: str, at: datetime) -> Listing:
    """Give a listing to another owner, and record it beside its moves."""
    listing = locked(listing_id)
    ListingMove.objects.create(
        listing=listing,
        from_status=listing.status,
        to_status=listing.status,
        by=by,
        reason=reason[:300],
        at=at,
    )
    listing.owner_id, listing.updated_at = owner_id, at
    listing.save(update_fields=["owner", "updated_at"])
    listing.co_owners.remove(owner_id)
    rating.recount([listing.pk])
    return listing


@transaction.atomic
def show_proof(*, listing_id: int, method: str, checked_at: datetime | None) -> None:
    """Show by which method a listing is claimed and when that was last seen; no method: it is not claimed."""
    listing = locked(listing_id)
    listing.claimed_by_method, listing.claim_checked_at = method, checked_at
    listing.save(update_fields=["claimed_by_method", "claim_checked_at"])
    public_data.refresh(listing_ids=[listing_id])
