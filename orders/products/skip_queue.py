"""An earlier week for a listing of the free queue."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime

from directory.launches import paid
from directory.listings.sellable import Sellable
from directory.models import Listing
from orders import places
from orders.errors import Refusal
from orders.models import OrderLine
from orders.products.base import (
    FREE,
    QUEUED,
    CartItem,
    Effect,
    Product,
    Spot,
    author,
    effect_in_week,
    listing_of,
)


class SkipQueue(Product):
    position = 20
    code, name = "skip_queue", "Skip the queue"
    description = "Moves a listing of the free queue to a week before its own. The badge is still needed."
    statuses = QUEUED
    plans = (FREE,)
    week = "required"
    only_for = "While it waits in the free queue."
    on_refund = "the week is given back, unless it has begun"

    def weeks_for(self, listing: Listing, places: Mapping[date, int]) -> list[date]:
        weeks, booked = super().weeks_for(listing, places), listing.launch_week
        return [week for week in weeks if booked is None or week < booked]

    def refuse_week(self, item: CartItem, listing: Sellable, week: date) -> Iterator[Refusal]:
        booked = listing.launch_week
        if booked and week >= booked:
            yield item.refuse_week(f"The listing launches in the week of {booked:%-d %B %Y} anyway.")

    def spots(self, listing: Listing) -> Sequence[Spot]:
        return [Spot(drawing="row", place="Launch week", where="an earlier one")]

    def effects(self, line: OrderLine) -> list[Effect]:
        return effect_in_week(line, line.week)

    def do(self, line: OrderLine, at: datetime) -> bool:
        if line.week is not None:
            paid.skip_queue(listing_id=listing_of(line), week=line.week, by=author(line), at=at)
        places.place(line=line)
        return True

    def undo(self, line: OrderLine, at: datetime) -> None:
        if line.week is not None:
            paid.take_place_back(listing_id=listing_of(line), week=line.week, at=at)
