"""What public reads are made of, kept in step with listings in the transaction that changes them."""

from collections.abc import Collection

from core.cache import changed
from directory.models import Listing, ListingStats


def refresh(*, listing_ids: Collection[int]) -> None:
    """Bring counters, category counts and search rows in line with these listings; call it after every change."""
    for listing in Listing.objects.filter(pk__in=listing_ids):
        ListingStats.objects.update_or_create(
            listing=listing, defaults={"site_id": listing.site_id, "is_live": listing.is_live}
        )
    changed("listings")
