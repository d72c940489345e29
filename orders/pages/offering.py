"""What a product comes to for an owner: a paid launch where one chooses how to launch, a featured place on its page."""

from dataclasses import dataclass
from datetime import date, datetime

from django.conf import settings

from core.api.errors import ApiError
from directory.launches.launch_choice import tells_paid_launch
from directory.models import Listing
from orders.models import Order
from orders.products.launch import Launch
from orders.promos import Caller
from orders.quoting import decide_vat, quote_order
from orders.selectors.catalogue import places_left
from orders.vat import NO_NUMBER, Decision
from orders.wording import country_name, price


@dataclass(frozen=True, kw_only=True)
class PaidLaunch:
    """The sums of the quote as people read them, and the weeks that have a place left."""

    lines: list[tuple[str, str]]
    total: str
    nothing: str
    is_taxed: bool
    weeks: list[tuple[date, int]]
    product: str = Launch.code


@dataclass(frozen=True, kw_only=True)
class Sums:
    """What a product comes to for a person: with VAT once a former order tells the country."""

    lines: list[tuple[str, str]]
    total: str
    taxed_in: str


def sums_of(
    product: str, *, name: str, listing: Listing, user_id: int, currency: str, at: datetime
) -> Sums | None:
    """A product for this listing as it would be quoted; None when it cannot be ordered."""
    country = _country_of(user_id)
    item = {"product": product, "listing_id": listing.pk}
    try:
        quote = quote_order(
            buyer=Caller(user_id=user_id, network=""),
            site=listing.site,
            cart={"items": [item], "billing_country": country},
            number=NO_NUMBER,
            at=at,
        )
    except ApiError:
        return None
    cart, orders = quote.cart, country_name(country) if country else ""
    vat = (f"VAT {quote.vat.rate.normalize():f}%, {orders}", cart.vat_cents)
    rows = [(name, cart.net_cents), *([vat] if country else [])]
    return Sums(
        lines=[(words, price(cents, currency)) for words, cents in rows],
        total=price(cart.total_cents if country else cart.net_cents, currency),
        taxed_in=orders,
    )


def vat_of(user_id: int, *, at: datetime) -> Decision | None:
    """The VAT of a person's purchases as far as former orders tell it; None before the first."""
    country = _country_of(user_id)
    if not country:
        return None
    return decide_vat(country=country, number=NO_NUMBER, on=at.date())


@tells_paid_launch
def paid_launch(listing: Listing, user_id: int, at: datetime) -> PaidLaunch | None:
    """A launch of this listing as it would be quoted; None when it cannot be ordered."""
    currency = settings.CURRENCY
    sums = sums_of(Launch.code, name=Launch.name, listing=listing, user_id=user_id, currency=currency, at=at)
    if sums is None:
        return None
    places = places_left(site_id=listing.site_id, at=at)
    return PaidLaunch(
        lines=sums.lines,
        total=sums.total,
        nothing=price(0, currency),
        is_taxed=bool(sums.taxed_in),
        weeks=[(week, left) for week, left in places.items() if left],
    )


def _country_of(user_id: int) -> str:
    """The country that a person's newest order was made out to."""
    orders = Order.objects.filter(owner_id=user_id).exclude(billing_country="")
    return orders.order_by("-created_at", "-pk").values_list("billing_country", flat=True).first() or ""
