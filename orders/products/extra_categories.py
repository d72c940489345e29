"""More categories for a listing."""

from datetime import datetime

from directory.services import paid
from orders.models import OrderLine
from orders.products.base import Product, listing_of


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

    def do(self, line: OrderLine, at: datetime) -> bool:
        slugs = line.options.get("categories", [])
        line.effect["categories"] = paid.add_extra_categories(listing_id=listing_of(line), slugs=slugs)
        return True

    def undo(self, line: OrderLine, at: datetime) -> None:
        slugs = line.effect.get("categories", [])
        paid.remove_extra_categories(listing_id=listing_of(line), slugs=slugs)
