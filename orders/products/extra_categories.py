"""More categories for a listing."""

from collections.abc import Sequence
from datetime import datetime

from directory.launches import paid
from directory.models import Category, Listing
from orders.models import OrderLine
from orders.products.base import Effect, Product, Spot, listing_of


class ExtraCategories(Product):
    """Beside those of the listing's plan; the price is for each."""

    position = 60
    code, name = "extra_categories", "Extra categories"
    description = (
        "Shows your listing in up to three more categories beside those of its plan: "
        "one on the free plan, four on the paid plan. The price is for each."
    )
    price_kind = "per_unit"
    is_once_a_listing = True
    on_refund = "it is taken out of these categories"

    def spots(self, listing: Listing) -> Sequence[Spot]:
        return [Spot(drawing="row", place="Each category", where="in its list, ranked like all others")]

    def effects(self, line: OrderLine) -> list[Effect]:
        if line.listing is None:
            return []
        categories = Category.objects.filter(slug__in=line.effect.get("categories", [])).order_by("name")
        page, listing = f"/listings/{line.listing.slug}", line.listing
        if not listing.is_live:
            return [Effect(page=page, name=f"See {listing.name}", words=row.name) for row in categories]
        return [
            Effect(page=f"/categories/{row.slug}", name=row.name, words=listing.name) for row in categories
        ]

    def do(self, line: OrderLine, at: datetime) -> bool:
        slugs = line.options.get("categories", [])
        line.effect["categories"] = paid.add_extra_categories(listing_id=listing_of(line), slugs=slugs)
        return True

    def undo(self, line: OrderLine, at: datetime) -> None:
        paid.remove_extra_categories(listing_id=listing_of(line), slugs=line.effect.get("categories", []))
