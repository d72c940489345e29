"""What a maker says of themselves on their own page."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from core.cache import changed
from directory.models import Founder, ListingFounder
from directory.search import public_data

EDITED = ("name", "title", "bio", "socials")


@transaction.atomic
def edit_profile(*, user_id: int, values: Mapping[str, Any]) -> None:
    """Write the person's own words on their founder page and beside their products; nothing without such a page."""
    founder = Founder.objects.select_for_update().filter(user=user_id).first()
    if founder is None:
        return
    for name in EDITED:
        setattr(founder, name, values[name])
    founder.save(update_fields=EDITED)
    listings = ListingFounder.objects.filter(founder=founder).values_list("listing", flat=True)
    public_data.refresh(listing_ids=set(listings))
    changed("listings")
