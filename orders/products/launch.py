"""A launch on the paid plan."""

from collections.abc import Sequence
from datetime import datetime

from directory.launches import paid
from directory.models import Listing
from leaderboards.boards.billboard import rank_contributions
from orders import limits, places
from orders.models import OrderLine
from orders.products.base import Effect, Spot, author, effect_in_week, listing_of
from orders.products.first_launch import FirstLaunch


class Launch(FirstLaunch):
    """Publishes a listing at once, or in a week of its own."""

    position = 10
    code, name = "launch", "Launch"
    card = "launch"
    description = (
        "Publishes your listing on the paid plan: at once, or in a week you choose. No badge needed. "
        f"Categories of the draft that wait are filed, up to {1 + limits.EXTRA_CATEGORIES} in all."
    )
    on_refund = "the paid plan ends: what has not launched is saved again, what is live stays live, free"

    def describe(self, listing: Listing | None = None) -> str:
        if listing is None or not listing.is_live:
            return self.description
        return "Adds story, milestones and gallery to your page, and up to four categories. It stays live as it is."

    def spots(self, listing: Listing) -> Sequence[Spot]:
        page = Spot(drawing="page", place="Its page", where="with story, milestones and gallery")
        week = Spot(drawing="row", place="Launch week", where="ranked by votes, like all others")
        return [page] if listing.is_live else [week, page]

    def effects(self, line: OrderLine) -> list[Effect]:
        if line.listing is None:
            return []
        own = f"/account/listings/{line.listing.pk}"
        plan = [Effect(page=own, name="Its plan", words="Paid plan.")] if line.listing.is_live else []
        return [*effect_in_week(line, line.listing.launch_week), *plan]

    def do(self, line: OrderLine, at: datetime) -> bool:
        listing_id = listing_of(line)
        line.effect["filed"] = paid.launch_paid(listing_id=listing_id, week=line.week, by=author(line), at=at)
        rank_contributions(listing_id=listing_id, at=at)
        places.place(line=line)
        return True

    def undo(self, line: OrderLine, at: datetime) -> None:
        paid.take_launch_back(listing_id=listing_of(line), at=at)
