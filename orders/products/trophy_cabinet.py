"""The look of a listing's trophy cabinet and of its embed. It changes no vote, no place and no award."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from directory.models import Listing
from leaderboards.limits import CABINET_TITLE
from leaderboards.trophies import looks
from orders.errors import Refusal
from orders.models import OrderLine
from orders.products.base import PUBLIC, CartContext, CartItem, Effect, Option, Product, Spot, listing_of


class TrophyCabinet(Product):
    """The newest one that was bought is shown; a refund brings back the one before."""

    position = 100
    code, name = "trophy_cabinet", "Trophy cabinet"
    description = (
        "A finish of paper, oak, steel or glass for your trophy cabinet, with a title of your own, on its page and "
        "wherever you show it. It changes no vote and no rank."
    )
    statuses = PUBLIC
    is_once_a_listing = True
    only_for = "Once its launch is certain, or it’s live."
    options = (Option(key="finish", type="text", choices=looks.FINISHES), Option(key="title", type="text"))
    is_advertising = True
    on_refund = "the cabinet looks as it did before"

    def refuse(self, item: CartItem, context: CartContext) -> Iterator[Refusal]:
        title = item.options.get("title", "")
        if isinstance(title, str) and len(title.strip()) > CABINET_TITLE:
            message = f"This may have {CABINET_TITLE} characters at most."
            yield item.refuse("option_invalid", "options/title", message)

    def stated(self, item: CartItem, context: CartContext) -> Mapping[str, Any]:
        """The finish, also where none was chosen."""
        return {"finish": item.options.get("finish", looks.USUAL)}

    def spots(self, listing: Listing) -> Sequence[Spot]:
        return [Spot(drawing="page", place="Trophies", where="its page and its embed")]

    def effects(self, line: OrderLine) -> list[Effect]:
        if line.listing is None:
            return []
        words = f"Finish: {line.options.get('finish', looks.USUAL)}"
        return [Effect(page=f"/listings/{line.listing.slug}/trophies", name="The cabinet", words=words)]

    def do(self, line: OrderLine, at: datetime) -> bool:
        looks.give(
            listing_id=listing_of(line),
            reference=_reference(line),
            finish=line.options.get("finish", looks.USUAL),
            title=line.options.get("title", "").strip(),
            at=line.order.paid_at or at,  # shown again after a dispute, it is as old as it was
        )
        return True

    def undo(self, line: OrderLine, at: datetime) -> None:
        looks.take_back(reference=_reference(line))


def _reference(line: OrderLine) -> str:
    return f"{line.order.number}-{line.pk}"
