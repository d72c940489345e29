"""What to look at instead of a listing."""

from typing import Any

from django.db.models import OuterRef, Subquery

from directory.errors import ListingNotFoundError
from directory.models import Alternative, Listing, ListingCategory, Site
from directory.selectors.cards import summaries
from directory.selectors.listings import ALTERNATIVES_SHOWN


def get_alternatives(*, site: Site, slug: str) -> list[dict[str, Any]]:
    """The owner's own choice first, then live listings of the same primary category, most voted first.

    Raises ListingNotFoundError unless the listing is live or upcoming.
    """
    primary = ListingCategory.objects.filter(listing=OuterRef("pk"), position=0).values("category")
    row = (
        Listing.objects.public()
        .filter(site=site, slug=slug)
        .annotate(primary=Subquery(primary))
        .values_list("pk", "primary")
        .first()
    )
    if row is None:
        raise ListingNotFoundError("There is no such listing.")
    listing_id, category_id = row
    live = {"status": Listing.Status.LIVE, "site": site}
    approved = list(
        Alternative.objects.filter(
            listing=listing_id,
            approved=True,
            **{f"alternative__{name}": value for name, value in live.items()},
        )
        .order_by("-alternative__stats__votes", "alternative")
        .values_list("alternative", flat=True)[:ALTERNATIVES_SHOWN]
    )
    others = (
        ListingCategory.objects.filter(
            category=category_id, position=0, **{f"listing__{name}": value for name, value in live.items()}
        )
        .exclude(listing__in=[listing_id, *approved])
        .order_by("-listing__stats__votes", "listing")
        .values_list("listing", flat=True)[: ALTERNATIVES_SHOWN - len(approved)]
    )
    cards = summaries(listing_ids=[*approved, *others])
    return [{**card, "approved": place < len(approved)} for place, card in enumerate(cards)]
