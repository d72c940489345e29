"""Another launch week for a live listing."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime

from directory import weeks
from directory.launches import paid
from directory.listings.sellable import Sellable
from directory.models import Launch, Listing
from orders import limits, places
from orders.errors import Refusal
from orders.models import OrderLine
from orders.products.base import (
    CartContext,
    CartItem,
    Effect,
    Product,
    Spot,
    Status,
    effect_in_week,
    listing_of,
)


class Relaunch(Product):
    """Bought once in a while; the votes of its week begin at nothing."""

    position = 70
    code, name = "relaunch", "Relaunch"
    description = "Puts a live listing into another launch week, with votes from zero."
    statuses = frozenset({Status.LIVE.value})
    week = "required"
    card = "launch"
    only_for = "Once it’s live."
    on_refund = "the week is given back, unless it has begun"

    def refuse_listing(
        self, item: CartItem, listing: Sellable | None, context: CartContext
    ) -> Iterator[Refusal]:
        since = _since(context.at)
        launches = listing.launches if listing else ()
        if listing and any(kind == Launch.Kind.RELAUNCH and week > since for week, kind in launches):
            yield item.refuse_state(f"is for once in {limits.RELAUNCH_AFTER.days} days", listing.status)

    def refuse_week(self, item: CartItem, listing: Sellable, week: date) -> Iterator[Refusal]:
        if week in {launched for launched, _ in listing.launches}:
            yield item.refuse_week(f"The listing is in the week of {week:%-d %B %Y} already.")

    def spots(self, listing: Listing) -> Sequence[Spot]:
        return [Spot(drawing="row", place="Launch week", where="ranked by votes, like all others")]

    def effects(self, line: OrderLine) -> list[Effect]:
        return effect_in_week(line, line.week)

    def do(self, line: OrderLine, at: datetime) -> bool:
        if line.week is not None:
            paid.relaunch(listing_id=listing_of(line), week=line.week, not_since=_since(at), at=at)
        places.place(line=line)
        return True

    def undo(self, line: OrderLine, at: datetime) -> None:
        if line.week is not None:
            paid.take_place_back(listing_id=listing_of(line), week=line.week, at=at)


def _since(at: datetime) -> date:
    """The week after which one relaunch is all there may be."""
    return weeks.week_of(at - limits.RELAUNCH_AFTER)
