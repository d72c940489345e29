"""Staff write and launch the listing with its buyer."""

from collections.abc import Iterator

from directory.listings.sellable import Sellable
from orders.errors import Refusal
from orders.products.base import CartContext, CartItem, Option
from orders.products.by_staff import DoneByStaff

WEBSITE = "website"


class DoneForYou(DoneByStaff):
    """For people who have no listing yet, or one that they leave to staff."""

    position = 40
    code, name = "done_for_you", "Done for you"
    description = (
        "We write and launch your listing with you. Name your listing, or the address of your website."
    )
    needs_listing, instead_of_listing = False, WEBSITE
    is_on_listing_page = False
    options = (Option(key=WEBSITE, type="url"), Option(key="note", type="text"))

    def refuse_listing(
        self, item: CartItem, listing: Sellable | None, context: CartContext
    ) -> Iterator[Refusal]:
        if listing is None and WEBSITE not in item.options:
            words = f"{self.name} needs a listing_id, or the address of a website in options.website."
            yield item.refuse("listing_required", "listing_id", words)
