"""What to look at instead of a listing."""

from collections.abc import Collection
from typing import Any

from django.db.models import OuterRef, Subquery

from directory.errors import ListingNotFoundError
from directory.models import Alternative, Listing, ListingCategory, Site
from directory.selectors.cards import summaries
from directory.selectors.listings import ALTERNATIVES_SHOWN
from directory.selectors.search import browse_ids

LOOKED_AT = 60


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
    others = _others(site, category_id, but={listing_id, *approved})[: ALTERNATIVES_SHOWN - len(approved)]
    cards = summaries(listing_ids=[*approved, *others])
    return [{**card, "approved": place < len(approved)} for place, card in enumerate(cards)]


def _others(site: Site, category_id: int | None, *, but: Collection[int]) -> list[int]:
    """Live listings whose primary category this is, most voted first: among the first of the category, else of all."""
    if category_id is None:
        return []
    first = browse_ids(site=site, sort="votes", category_id=category_id, page=1, per_page=LOOKED_AT)
    filed = ListingCategory.objects.filter(category=category_id, position=0).exclude(listing__in=but)
    primary = set(filed.filter(listing__in=first.items).values_list("listing", flat=True))
    if len(primary) >= ALTERNATIVES_SHOWN or first.total <= LOOKED_AT:
        return [listing_id for listing_id in first.items if listing_id in primary]
    live = filed.filter(listing__stats__site=site, listing__stats__is_live=True)
    ordered = live.order_by("-listing__stats__votes", "listing").values_list("listing", flat=True)
    return list(ordered[:ALTERNATIVES_SHOWN])
