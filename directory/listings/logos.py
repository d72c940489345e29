"""Our own copy of a product's logo on its listing: fetched from its website, or sent by its owner."""

from datetime import datetime

from django.db import transaction

from directory.images import files, uploads
from directory.images.files import address_of, named
from directory.images.pictures import Made
from directory.listings import editing, own
from directory.models import Listing, Upload
from directory.search import public_data


def send_logo(*, owner_id: int, listing_id: int, body: bytes, at: datetime) -> None:
    """Have a logo prepared, in place of one that is being prepared. What is none is told beside the field."""
    own.own_row(owner_id=owner_id, listing_id=listing_id)
    uploads.receive_only(use=Upload.Use.LOGO, by_id=owner_id, body=body, at=at, listing_id=listing_id)


@uploads.finishes(Upload.Use.LOGO)
def use_logo(upload: Upload, made: Made, at: datetime) -> None:
    """A prepared logo becomes the listing's. It is an edit like others, which its draft follows."""
    if upload.listing_id is None:
        return
    name, content = named(made)
    files.store(name, content)
    upload.file.name = name
    lock = editing.ListingEditor(owner_id=upload.by_id, listing_ids=[upload.listing_id])
    lock.state(upload.listing_id, {"logo_url": address_of(name)}, at=at)


@transaction.atomic
def show_logo(*, listing_id: int, url: str, name: str) -> None:
    """Show this stored picture, if it is a copy of the one that the listing names; show none for a listing without."""
    listing = Listing.objects.select_for_update().filter(pk=listing_id).first()
    if listing is None or listing.logo_url not in {url, ""}:
        return
    file = name if listing.logo_url else ""
    if listing.logo.name != file:
        listing.logo.name = file
        listing.save(update_fields=["logo"])
        public_data.refresh_locked(listing_ids=[listing.pk])
