"""Our own copy of a product's logo on its listing."""

from django.db import transaction

from directory.models import Listing
from directory.services import public_data


@transaction.atomic
def show_logo(*, listing_id: int, url: str, name: str) -> None:
    """Show this stored picture, if it is a copy of the one that the listing names; show none for a listing without."""
    listing = Listing.objects.select_for_update().filter(pk=listing_id).first()
    if listing is None or listing.logo_url not in {url, ""}:
        return
    wanted = name if listing.logo_url else ""
    if listing.logo.name != wanted:
        listing.logo.name = wanted
        listing.save(update_fields=["logo"])
        public_data.refresh(listing_ids=[listing.pk])
