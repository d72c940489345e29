"""What products have in common that put a listing into its first launch, which no other listing of the address had."""

from collections.abc import Iterator, Mapping
from datetime import date

from directory.launches.queueing import claim_instead, live_already
from directory.listings.sellable import Sellable
from directory.models import Listing
from directory.wording import in_a_row, words_of
from orders.errors import Refusal
from orders.products.base import FREE, CartContext, CartItem, Product


class FirstLaunch(Product):
    """Bought for a listing on the free plan; one that is live already gets the paid plan as it is."""

    plans = (FREE,)
    week = "optional"
    is_first_launch = True

    def title(self, listing: Listing) -> str:
        return self.name.replace("Launch", "Paid plan") if listing.is_live else self.name

    def weeks_for(self, listing: Listing, places: Mapping[date, int]) -> list[date]:
        return [] if listing.is_live else super().weeks_for(listing, places)

    def refuse_listing(
        self, item: CartItem, listing: Sellable | None, context: CartContext
    ) -> Iterator[Refusal]:
        """A listing that lacks what a launch needs, or whose address is live as another listing."""
        if listing is None or listing.is_live:
            return
        if listing.missing:
            words = f"needs a listing with {in_a_row([words_of(name).lower() for name in listing.missing])}"
            yield item.refuse_state(words, listing.status, missing=list(listing.missing))
        if listing.twin:
            slug, name = listing.twin
            extras = claim_instead(slug)
            yield item.refuse("duplicate_listing", "listing_id", live_already(name), extras=extras)

    def refuse_week(self, item: CartItem, listing: Sellable, week: date) -> Iterator[Refusal]:
        if listing.is_live:
            yield item.refuse_week("The listing is live already. For another week buy a relaunch.")
