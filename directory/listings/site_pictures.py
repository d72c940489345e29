"""The picture that a product's website gives of itself: the one that every listing shows until it has its own."""

from datetime import datetime
from functools import partial
from typing import Any

from django.db import transaction

from directory.images import files
from directory.images.files import store_picture
from directory.images.pictures import Made
from directory.models import Listing
from directory.search import public_data

LEAST_WIDTH = 600  # narrower ones are logos and icons more often than not
NARROW = f"It is less than {LEAST_WIDTH} pixels wide."


def is_missing(listing: Listing, *, url: str) -> bool:
    """Whether this picture is to be fetched: its owner has not taken the site's picture down, and it is not shown."""
    stored = listing.site_picture or {}
    return bool(url) and not stored.get("is_down") and (stored.get("source") != url or not stored.get("file"))


@transaction.atomic
def show_site_picture(*, listing_id: int, source: str, made: Made | None, problem: str, at: datetime) -> None:
    """Show a fetched picture, or note why there is none. What was taken down meanwhile stays down."""
    listing = Listing.objects.select_for_update().filter(pk=listing_id).first()
    if listing is None or not is_missing(listing, url=source):
        return
    if made is not None and made.width < LEAST_WIDTH:
        made, problem = None, NARROW
    if made is not None:
        row = store_picture(made, folder=f"{files.PICTURES}/{listing_id}")
        _write(listing, {"source": source, **row}, at=at)
    elif not (listing.site_picture or {}).get("file"):  # one that was good is better than none
        _write(listing, {"source": source, "problem": problem}, at=at)


@transaction.atomic
def take_down_site_picture(*, owner_id: int, listing_id: int, at: datetime) -> None:
    """Take it off the listing, for good. Raises ListingNotFoundError."""
    listing = Listing.objects.locked_own(owner_id, listing_id)
    take_down(listing, at=at)


def take_down(listing: Listing, *, at: datetime) -> None:
    """The same for a locked listing: its owner, staff, or nobody's any more."""
    if listing.site_picture:
        _write(listing, {"source": listing.site_picture.get("source", ""), "is_down": True}, at=at)


def _write(listing: Listing, row: dict[str, Any], *, at: datetime) -> None:
    gone = files.names_of(listing.site_picture or {})
    listing.site_picture, listing.updated_at = row, at
    listing.save(update_fields=["site_picture", "updated_at"])
    public_data.refresh_locked(listing_ids=[listing.pk])
    if gone:
        transaction.on_commit(partial(files.drop, gone), robust=True)
