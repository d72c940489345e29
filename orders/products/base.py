"""What is asked of a product: its facts, what refuses it, what is done once it is paid, and how that is taken back."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, ClassVar, Literal

from directory.launches.featuring import Span
from directory.listings.next_actions import seeing
from directory.listings.sellable import Sellable
from directory.models import Listing
from directory.wording import in_a_row
from orders.errors import Refusal
from orders.models import OrderLine

Status = Listing.Status
NOW = "now"
FREE, PAID = Listing.Plan.FREE.value, Listing.Plan.PAID.value
QUEUED = frozenset({Status.AWAITING_BADGE.value, Status.SCHEDULED.value})
EDITABLE = QUEUED | {Status.DRAFT.value, Status.LIVE.value}
PUBLIC = frozenset({Status.LIVE.value, Status.SCHEDULED.value})


@dataclass(frozen=True, kw_only=True)
class Option:
    """A further choice: `type` is text or url. One that takes a week is `now` or a Monday of those on sale."""

    key: str
    type: str
    required: bool = False
    choices: tuple[str, ...] | None = None
    takes_week: bool = False


@dataclass(frozen=True, kw_only=True)
class Price:
    amount_cents: int
    is_on_sale: bool


@dataclass(frozen=True, kw_only=True)
class CartContext:
    """What items are checked against: prices, the buyer's listings, free places, and what listings have already."""

    site_id: int
    prices: Mapping[str, Price]
    listings: Mapping[int, Sellable]
    launching: Mapping[int, str]  # the week of a launch in this cart by listing, empty for one at once
    featured: Mapping[int, list[Span]]
    places: Mapping[int, Mapping[date, int]]
    categories: frozenset[str]
    at: datetime


@dataclass(frozen=True, kw_only=True)
class CartItem:
    """One item of a cart, as it was sent, with its product and listing."""

    index: int
    data: Mapping[str, Any]
    product: "Product"
    listing: Sellable | None

    @property
    def options(self) -> Mapping[str, Any]:
        options: Mapping[str, Any] = self.data.get("options", {})
        return options

    def refuse(self, code: str, where: str, message: str, **more: Any) -> Refusal:
        return Refusal(code=code, pointer=f"/items/{self.index}/{where}", message=message, **more)

    def refuse_week(self, message: str) -> Refusal:
        return self.refuse("week_unavailable", "week", message)

    def refuse_state(self, words: str, current: str, allowed: Sequence[str] = (), **more: Any) -> Refusal:
        """The listing is in a state in which the product means nothing."""
        extras = {"current": current, "allowed": sorted(allowed), **more}
        if self.listing:
            extras["next_actions"] = [seeing(self.listing.pk)]
        return self.refuse("invalid_state", "listing_id", f"{self.product.name} {words}.", extras=extras)

    def places(self, context: CartContext) -> Mapping[date, int]:
        """The weeks on sale of its site with the places left."""
        return context.places[self.listing.site_id if self.listing else context.site_id]


@dataclass(frozen=True, kw_only=True)
class Spot:
    """Where something bought will be seen, as pages draw it (parts/spot.html): the place, and where on it."""

    drawing: Literal["home", "week_aside", "category", "row", "page", "board", "order"]
    place: str
    where: str


@dataclass(frozen=True, kw_only=True)
class Effect:
    """Where something bought is seen: a page, what a link to it says, and words that stand there because of it."""

    page: str
    name: str
    words: str

    @property
    def is_private(self) -> bool:
        """Whether only the account that bought it can open the page."""
        return self.page.startswith("/account/")


class Product:
    """One product. What a subclass leaves out is the safe answer."""

    position: ClassVar[int]  # in the interface's order
    code: ClassVar[str]
    name: ClassVar[str]
    description: ClassVar[str]
    price_kind: ClassVar[Literal["fixed", "per_unit", "amount"]] = "fixed"
    week: ClassVar[Literal["required", "optional", "none"]] = "none"
    needs_listing: ClassVar[bool] = True
    instead_of_listing: ClassVar[str] = ""  # the option that does without one
    statuses: ClassVar[frozenset[str]] = EDITABLE  # of listings that it can be bought for
    plans: ClassVar[tuple[str, ...]] = (FREE, PAID)
    is_first_launch: ClassVar[bool] = False
    is_once_a_listing: ClassVar[bool] = False  # a cart has it once for a listing
    is_advertising: ClassVar[bool] = (
        False  # marked as paid, and taken off the site while the money is disputed
    )
    is_featured: ClassVar[bool] = False  # the line states the dates of a featured place
    is_on_listing_page: ClassVar[bool] = True
    is_done_by_staff: ClassVar[bool] = False
    staff_task: ClassVar[str] = "{}"  # the line's name, as staff's work
    options: ClassVar[tuple[Option, ...]] = ()
    card: ClassVar[Literal["", "launch", "featured", "billboard"]] = (
        ""  # of the add-ons page; else it has a row
    )
    only_for: ClassVar[str] = "Not for this listing as it stands."  # what its statuses mean to a buyer
    parts: ClassVar[tuple[str, ...]] = ()  # codes of what a bundle consists of
    on_refund: ClassVar[str] = "what was done stays"  # what giving the money back ends

    def unavailable_reason(self) -> str:
        """Why this installation cannot do what the product is for, or nothing."""
        return ""

    def offered_parts(self) -> tuple[str, ...]:
        """The codes of what a line of it consists of beside itself."""
        return ()

    # -- on pages

    def title(self, listing: Listing) -> str:
        return self.name

    def describe(self, listing: Listing | None = None) -> str:
        return self.description

    def fits(self, listing: Listing) -> bool:
        is_for_sale = self.is_on_listing_page and not self.unavailable_reason()
        return is_for_sale and listing.status in self.statuses and listing.plan in self.plans

    def is_offered(self, price: Price) -> bool:
        return price.is_on_sale and self.is_on_listing_page and not self.unavailable_reason()

    def why_not(self, listing: Listing) -> str:
        """Why it does not fit a listing, in a sentence."""
        return self.only_for if listing.plan in self.plans else "It has the paid plan already."

    def spots(self, listing: Listing) -> Sequence[Spot]:
        """Where a listing of this buyer will be seen with it."""
        return [Spot(drawing="order", place="Your order", where="for you alone")]

    def weeks_for(self, listing: Listing, places: Mapping[date, int]) -> list[date]:
        return [] if self.week == "none" else [week for week, left in places.items() if left]

    def starts_for(
        self, listing: Listing, mondays: Sequence[date], at: datetime
    ) -> list[tuple[str, Span, bool]]:
        """When a place can begin: value, dates, whether that is from the launch on."""
        return []

    # -- in a cart

    @property
    def needed_status(self) -> str:
        """Which statuses of a listing it is for, in words; nothing where all that can be edited will do."""
        if self.statuses == EDITABLE:
            return ""
        launched = ", or that the same order launches" if self.week == "none" else ""
        return f"for a listing that is {in_a_row(sorted(self.statuses), last='or')}{launched}"

    def refuse_listing(
        self, item: CartItem, listing: Sellable | None, context: CartContext
    ) -> Iterator[Refusal]:
        """What is wrong with a listing whose status and plan fit, or with having none where none is needed."""
        yield from ()

    def refuse_week(self, item: CartItem, listing: Sellable, week: date) -> Iterator[Refusal]:
        """What is wrong with a week on sale for a listing whose status fits."""
        yield from ()

    def refuse(self, item: CartItem, context: CartContext) -> Iterator[Refusal]:
        """What else is wrong with an item."""
        yield from ()

    def stated(self, item: CartItem, context: CartContext) -> Mapping[str, Any]:
        """What the line states among its options beside what was chosen."""
        return {}

    # -- once it is paid

    def detail(self, line: OrderLine) -> str:
        """What its order says of a line beside its listing, week, categories and dates."""
        return ""

    def effects(self, line: OrderLine) -> list[Effect]:
        """Where a line that is done is seen. A product without any is not to be sold: a test buys each and looks."""
        return []

    def do(self, line: OrderLine, at: datetime) -> bool:
        """Do it: True when that is all, False when somebody finishes it later by `fulfilment.complete`."""
        raise NotImplementedError(self.code)

    def undo(self, line: OrderLine, at: datetime) -> None:
        """Take back what can be taken back, for a line that still has its listing."""

    def refund_part(self, line: OrderLine, *, refund_id: str, at: datetime) -> None:
        """Some of the money of a line that is done went back."""


def listing_of(line: OrderLine) -> int:
    if line.listing_id is None:
        raise ValueError(f"line {line.pk} has no listing")
    return line.listing_id


def effect_in_week(line: OrderLine, week: date | None) -> list[Effect]:
    if line.listing is None or week is None:
        return []
    return [Effect(page=f"/weeks/{week}", name="Its launch week", words=line.listing.name)]


def effect_on_order(line: OrderLine, words: str) -> Effect:
    """What only the order itself says."""
    return Effect(page=f"/account/orders/{line.order.number}", name="Your order", words=words)


def author(line: OrderLine) -> str:
    return f"order:{line.order.number}"
