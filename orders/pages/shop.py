"""What the page of add-ons shows of each product: in three cards, in rows, or folded away with the reason."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

from django.conf import settings

from directory.models import Category, Listing
from orders.pages.offering import PriceView, price_view_of
from orders.pricing import share
from orders.products import PRODUCTS, Price, Product, Spot
from orders.selectors import catalogue
from orders.wording import price


@dataclass(frozen=True, kw_only=True)
class Offer:
    """A product as it is offered for one listing; the price is with VAT where that is shown."""

    product: Product
    name: str
    description: str
    price: str
    weeks: list[date]
    has_starts: bool
    spots: Sequence[Spot]

    @property
    def is_open(self) -> bool:
        """Whether nothing more has to become free before it can be bought."""
        return bool(self.weeks) or self.product.week != "required"


@dataclass(frozen=True, kw_only=True)
class Shop:
    """Three cards, the rest in rows, and what is not for this listing now with the reason."""

    cards: list[Offer]
    rows: list[Offer]
    absent: list[tuple[str, str]]
    price_view: PriceView

    @property
    def first(self) -> str:
        return next((offer.product.code for offer in (*self.cards, *self.rows) if offer.is_open), "")


def shop_of(listing: Listing, *, user_id: int, at: datetime) -> Shop:
    """Everything on sale, sorted by what it is to this listing."""
    prices, visible = catalogue.prices(at=at), price_view_of(user_id, at=at)
    places = catalogue.places_left(site_id=listing.site_id, at=at)
    cards: dict[str, Offer] = {}
    rows: list[Offer] = []
    absent: list[tuple[str, str]] = []
    for code, product in PRODUCTS.items():
        if code not in prices or not product.is_offered(prices[code]):
            continue
        if not product.fits(listing):
            absent.append((product.name, product.why_not(listing)))
            continue
        offer = Offer(
            product=product,
            name=product.title(listing),
            description=product.describe(listing),
            price=_with_vat(prices[code], visible.rate),
            weeks=product.weeks_for(listing, places),
            has_starts=bool(product.starts_for(listing, list(places), at)),
            spots=product.spots(listing),
        )
        if product.card and product.card not in cards:
            cards[product.card] = offer
        else:
            rows.append(offer)
    return Shop(cards=list(cards.values()), rows=rows, absent=absent, price_view=visible)


def _with_vat(cost: Price, rate: Decimal) -> str:
    return price(cost.amount_cents + share(cost.amount_cents, rate), settings.CURRENCY)


@dataclass(frozen=True, kw_only=True)
class Group:
    """A category with those under it that a listing is not filed in yet."""

    name: str
    choices: list[Category]
    is_open: bool


def category_groups(*, filed: Sequence[str], chosen: Sequence[str]) -> list[Group]:
    """The tree of categories by parent, without those that have the listing already; open where one is chosen."""
    roots = Category.objects.filter(parent=None).order_by("position", "pk").prefetch_related("children")
    groups = []
    for root in roots:
        under = sorted(root.children.all(), key=lambda row: row.name)
        choices = [row for row in (root, *under) if row.name not in filed]
        if choices:
            is_open = any(row.slug in chosen for row in choices)
            groups.append(Group(name=root.name, choices=choices, is_open=is_open))
    return groups
