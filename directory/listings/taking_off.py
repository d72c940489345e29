"""What owners do themselves about a listing being on the site: take it off, and put back what they took off."""

from datetime import datetime

from django.db import transaction
from django.db.models import F

from directory.errors import ListingCannotMoveError, ListingNotFoundError
from directory.launches import queueing
from directory.launches.queueing import move
from directory.models import Listing
from directory.search import public_data

Status = Listing.Status
TAKEN_OFF = "Unpublished by its owner."


def was_taken_off_by_owner(listing: Listing) -> bool:
    """Whether an owner took it off: what staff archived, staff put back, also once it has changed hands since."""
    newest = listing.moves.exclude(to_status=F("from_status")).order_by("-at", "-pk").first()
    return listing.status == Status.ARCHIVED and newest is not None and newest.by.startswith("user:")


@transaction.atomic
def take_off(*, owner_id: int, listing_id: int, at: datetime) -> Listing:
    """Take a live listing off the site; its votes, awards and text are kept. A second call changes nothing.

    Raises ListingCannotMoveError for one that is not live.
    """
    listing = _own(owner_id=owner_id, listing_id=listing_id)
    if listing.status == Status.ARCHIVED:
        return listing
    if listing.status != Status.LIVE:
        raise ListingCannotMoveError.of(
            listing, "Only a live listing is taken off by its owner. Write to the site team about this one."
        )
    move(listing=listing, to=Status.ARCHIVED, by=f"user:{owner_id}", reason=TAKEN_OFF, at=at)
    public_data.refresh_locked(listing_ids=[listing.pk])
    return listing


@transaction.atomic
def put_back(*, owner_id: int, listing_id: int, at: datetime) -> Listing:
    """Put a listing live again that its owner took off.

    Raises ListingCannotMoveError for any other, and what `refuse_unless_launchable` raises.
    """
    listing = _own(owner_id=owner_id, listing_id=listing_id)
    if listing.is_live:
        return listing
    if not was_taken_off_by_owner(listing):
        raise ListingCannotMoveError(
            "The site team took this listing off, so only they put it back.",
            current=listing.status,
            allowed=(),
        )
    queueing.refuse_unless_launchable(listing)
    move(
        listing=listing, to=Status.LIVE, by=f"user:{owner_id}", reason="Published again by its owner.", at=at
    )
    public_data.refresh_locked(listing_ids=[listing.pk])
    return listing


def _own(*, owner_id: int, listing_id: int) -> Listing:
    """The listing, held until the transaction ends. Who shares it may edit it, not take it off."""
    rows = Listing.objects.select_for_update().filter(pk=listing_id, owner=owner_id)
    return ListingNotFoundError.unless(rows.first(), "listing")
