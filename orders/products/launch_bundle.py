"""Launch, featured place and review for one price."""

from collections.abc import Mapping, Sequence
from typing import Any

from directory.models import Listing
from orders import limits
from orders.products import PRODUCTS
from orders.products.base import CartContext, CartItem, Spot
from orders.products.first_launch import FirstLaunch


class LaunchBundle(FirstLaunch):
    """What the installation cannot do is left out, and the description says so."""

    position = 50
    code, name = "launch_bundle", "Launch bundle"
    description = f"Launch, {limits.FEATURED_DAYS} days featured and an AI review, for one price."
    parts = ("launch", "featured", "ai_review")
    is_featured = True
    on_refund = "all that its parts gave is taken back"

    def offered_parts(self) -> tuple[str, ...]:
        return tuple(code for code in self.parts if not PRODUCTS[code].unavailable_reason())

    def describe(self, listing: Listing | None = None) -> str:
        words = self.description
        if self.offered_parts() != self.parts:
            words = (
                f"Launch and {limits.FEATURED_DAYS} days featured, for one price. The AI review is not part of it "
                "now: no language model is set up here."
            )
        return words.replace("Launch", "The paid plan", 1) if listing and listing.is_live else words

    def spots(self, listing: Listing) -> Sequence[Spot]:
        return [spot for code in self.offered_parts() for spot in PRODUCTS[code].spots(listing)]

    def stated(self, item: CartItem, context: CartContext) -> Mapping[str, Any]:
        parts = (PRODUCTS[code].stated(item, context) for code in self.offered_parts())
        return {name: value for part in parts for name, value in part.items()}
