"""What can be bought for a listing of one's own and what it comes to: makes an order as create_checkout does."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone

from accounts.sessions import signed_in, signed_in_form, user_of
from core.api import throttling
from core.api.errors import ApiError, RateLimitedError
from core.methods import require_safe
from directory.errors import ListingNotFoundError
from directory.launches.featuring import featured as featured_now
from directory.launches.free_choice import tells_paid_launch
from directory.listings.profile import covers
from directory.models import Category, Listing
from directory.search.cards import summaries
from directory.sites.lookup import current_site
from orders import limits, links
from orders.amounts import hundredths
from orders.checkout import checkout_once
from orders.models import Order
from orders.payments import CLOSED, offered
from orders.pricing import share
from orders.products import PRODUCTS, Price, Product, Spot
from orders.products.featured import Featured
from orders.products.launch import Launch
from orders.promos import Caller
from orders.quoting import decide_vat, quote_order
from orders.selectors import catalogue
from orders.selectors.catalogue import places_left
from orders.selectors.orders import beside
from orders.selectors.payers import number_of
from orders.seller import day_of
from orders.vat import NO_NUMBER, NOTHING, Decision
from orders.wording import country_name, percent, price


@dataclass(frozen=True, kw_only=True)
class Sums:
    """What a product comes to for a person, with VAT or without, and a sentence that says of it what is not there."""

    lines: list[tuple[str, str]]
    total: str
    is_taxed: bool
    note: str


@dataclass(frozen=True, kw_only=True)
class PaidLaunch(Sums):
    """What a launch comes to, and the weeks that have a place left."""

    nothing: str
    weeks: list[tuple[date, int]]
    product: str = Launch.code


@dataclass(frozen=True, kw_only=True)
class PriceView:
    """How prices are shown to a person, as far as the newest order tells who that is."""

    country: str
    is_business: bool
    vat: Decision | None

    @property
    def is_taxed(self) -> bool:
        """Consumers see prices with VAT once their country is known, businesses without; unless a setting says."""
        if settings.SHOWN_PRICES == "by_buyer":
            return bool(self.country) and not self.is_business
        return settings.SHOWN_PRICES == "with_vat"

    @property
    def rate(self) -> Decimal:
        return self.vat.rate if self.vat and self.is_taxed else NOTHING

    @property
    def word(self) -> str:
        if self.is_taxed:
            return "with VAT"
        return "without VAT" if self.is_business else "plus VAT"

    @property
    def note(self) -> str:
        if self.is_taxed and self.country and self.vat:
            return f"{self.vat.reason} Your country is from your last order. You can change it at checkout."
        if self.is_taxed:
            return (
                f"With the VAT of {country_name(settings.SELLER_COUNTRY)}. Choose your country at checkout."
            )
        if self.is_business:
            return "Without VAT, since your last order had a VAT number. Checkout shows what is added."
        return "VAT is added at checkout." if self.country else "VAT is added when we know your country."


def sums_of(
    product: str, *, name: str, listing: Listing, user_id: int, currency: str, at: datetime
) -> Sums | None:
    """A product for this listing as it would be quoted; None when it cannot be ordered."""
    sums = price_view_of(user_id, at=at)
    item = {"product": product, "listing_id": listing.pk}
    try:
        quote = quote_order(
            buyer=Caller(user_id=user_id, network=""),
            site=listing.site,
            cart={"items": [item]},
            number=NO_NUMBER,
            at=at,
        )
    except ApiError:
        return None
    net, vat = quote.cart.net_cents, share(quote.cart.net_cents, sums.rate)
    place = country_name(sums.country or settings.SELLER_COUNTRY)
    rows = [(name, net), *([(f"VAT {percent(sums.rate)}, {place}", vat)] if sums.is_taxed else [])]
    return Sums(
        lines=[(words, price(cents, currency)) for words, cents in rows],
        total=price(net + vat, currency),
        is_taxed=sums.is_taxed,
        note=sums.note,
    )


def price_view_of(user_id: int, *, at: datetime) -> PriceView:
    """How prices are shown to a person: by the country and the VAT number of the newest order that names a country."""
    orders = Order.objects.filter(owner_id=user_id).exclude(billing_country="")
    last = orders.order_by("-created_at", "-pk").first()
    where = {"country": last.billing_country, "postcode": last.billing_postcode} if last else {"country": ""}
    number = number_of(last) if last else NO_NUMBER
    return PriceView(
        country=where["country"],
        is_business=number.status in ("valid", "unavailable"),
        vat=decide_vat(**where, number=number, on=day_of(at)),
    )


@tells_paid_launch
def paid_launch(listing: Listing, user_id: int, at: datetime) -> PaidLaunch | None:
    """A launch of this listing as it would be quoted; None when it cannot be ordered."""
    currency = settings.CURRENCY
    sums = sums_of(Launch.code, name=Launch.name, listing=listing, user_id=user_id, currency=currency, at=at)
    if sums is None:
        return None
    places = places_left(site_id=listing.site_id, at=at)
    weeks = [(week, left) for week, left in places.items() if left]
    return PaidLaunch(**vars(sums), nothing=price(0, currency), weeks=weeks)


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


@signed_in_form
def buy(request: HttpRequest, listing_id: int) -> HttpResponse:
    at = timezone.now()
    rows = Listing.objects.owned_by(user_of(request).pk).filter(pk=listing_id)
    listing = ListingNotFoundError.unless(rows.first(), "listing")
    if request.method != "POST":
        return _page(request, listing, at=at)
    throttling.enforce("write", caller=f"user:{user_of(request).pk}")
    try:
        item = _item(request, listing_id=listing.pk)
    except ValidationError as wrong:
        return _page(request, listing, at=at, refusal=wrong.messages)
    try:
        order = checkout_once(
            buyer=Caller(user_id=user_of(request).pk, network=throttling.network_caller(request)),
            site=current_site(request),
            cart={"items": [item]},
            number=NO_NUMBER,
            at=at,
        )
    except ApiError as error:
        if isinstance(error, RateLimitedError):
            raise
        details = [entry.message for entry in error.errors] or [error.detail]
        return _page(request, listing, at=at, refusal=details)
    response = HttpResponseRedirect(links.checkout_url(order))
    response.status_code = 303
    return response


def _item(request: HttpRequest, *, listing_id: int) -> dict[str, Any]:
    """The posted form as an item of an order; what does not fit is for the order's own rules to refuse.

    Raises ValidationError for an amount that cannot be read.
    """
    posted = request.POST
    item: dict[str, Any] = {"product": posted.get("product", "")[: limits.PRODUCT], "listing_id": listing_id}
    if posted.get("week"):
        item["week"] = posted["week"][: limits.WEEK]
    if categories := posted.getlist("categories")[: limits.CATEGORIES_SENT]:
        item["categories"] = categories
    if options := {
        key: posted[key][:length]
        for key, length in (
            ("start", limits.WEEK),
            ("finish", limits.OPTION_TEXT),
            ("title", limits.OPTION_TEXT),
        )
        if posted.get(key)
    }:
        item["options"] = options
    if posted.get("amount"):
        item["amount_cents"] = hundredths(posted["amount"])
    return item


def _page(
    request: HttpRequest, listing: Listing, *, at: datetime, refusal: list[str] | None = None
) -> HttpResponse:
    chosen = request.POST.getlist("categories")
    filed = [row.category.name for row in listing.filed.select_related("category").order_by("position")]
    context = {
        "listing": listing,
        "shop": shop_of(listing, user_id=user_of(request).pk, at=at),
        "refusal": refusal,
        "closed": "" if offered() else CLOSED,
        "currency": settings.CURRENCY,
        "extra": limits.EXTRA_CATEGORIES,
        "filed": filed,
        "groups": category_groups(filed=filed, chosen=chosen),
        "chosen": chosen,
        "amount": request.POST.get("amount", ""),
    }
    return render(request, "orders/account/buy.html", context, status=400 if refusal else 200)


@require_safe
@signed_in
def featured(request: HttpRequest, listing_id: int) -> HttpResponse:
    """`/account/listings/<id>/buy/featured`; its form is the shop's."""
    user_id, at = user_of(request).pk, timezone.now()
    listing = Listing.objects.owned_by(user_id).filter(pk=listing_id).select_related("site").first()
    product = PRODUCTS[Featured.code]
    price = catalogue.prices(at=at).get(product.code)
    if listing is None or price is None or not price.is_on_sale or not product.fits(listing):
        raise ListingNotFoundError("There is no such listing, or it cannot be featured now.")
    mondays = list(catalogue.places_left(site_id=listing.site_id, at=at))
    starts = product.starts_for(listing, mondays, at)
    name = f"Featured, {limits.FEATURED_DAYS} days"
    context = {
        "listing": listing,
        "starts": [
            (value, span, is_launch, beside(listing=listing, begins=span[0], ends=span[1]))
            for value, span, is_launch in starts
        ],
        "sums": sums_of(
            product.code, name=name, listing=listing, user_id=user_id, currency=settings.CURRENCY, at=at
        ),
        "days": limits.FEATURED_DAYS,
        "spots": product.spots(listing),
        "preview": summaries(listing_ids=[listing.pk]),
        "covers": covers(site=listing.site, slugs=[listing.slug]),
        "standing": featured_now(site_id=listing.site_id, at=at),
        "closed": "" if offered() else CLOSED,
    }
    return render(request, "orders/account/featured.html", context)
