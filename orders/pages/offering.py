"""What a product comes to for an owner: a paid launch where one chooses how to launch, a featured place on its page."""

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

from django.conf import settings

from core.api.errors import ApiError
from directory.launches.free_choice import tells_paid_launch
from directory.models import Listing
from orders.models import Order
from orders.pricing import share
from orders.products.launch import Launch
from orders.promos import Caller
from orders.quoting import decide_vat, quote_order
from orders.selectors.catalogue import places_left
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
