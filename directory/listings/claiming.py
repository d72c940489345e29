"""What a proof of ownership changes on a listing. The claims area decides; nothing else may call this.

Plan, paid sections, votes, orders and launches stay with the listing, whoever owns it.
"""

from datetime import datetime

from accounts.models import User
from directory.models import Listing, ListingMove
from directory.reviews import rating
from directory.search import public_data


def hand_over(listing: Listing, *, owner: User, by: str, reason: str, at: datetime) -> None:
    """Give a locked listing to another owner, and record it beside its moves."""
    ListingMove.objects.create(
        listing=listing,
        from_status=listing.status,
        to_status=listing.status,
        by=by,
        reason=reason[:300],
        at=at,
    )
    listing.owner, listing.updated_at = owner, at
    listing.save(update_fields=["owner", "updated_at"])
    rating.recount([listing.pk])


def show_proof(listing: Listing, *, method: str, checked_at: datetime | None) -> None:
    """Show by which method a locked listing is claimed and when that was last seen; no method: it is not claimed."""
    listing.claimed_by_method, listing.claim_checked_at = method, checked_at
    listing.save(update_fields=["claimed_by_method", "claim_checked_at"])
    public_data.refresh_facts(listing_ids=[listing.pk], names=())
