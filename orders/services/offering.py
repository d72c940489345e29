"""What a paid launch costs, for the page on which its owner chooses how to launch."""

from dataclasses import dataclass
from datetime import date, datetime

from core.errors import ApiError
from directory.countries import country_names
from directory.models import Listing
from directory.services.launch_choice import tells_paid_launch
from orders.models import Order
from orders.products.launch import Launch
from orders.selectors.catalogue import places_left
from orders.services.promos import Guesser
from orders.services.quoting import quote_order
from orders.vat import NO_NUMBER
from orders.wording import price


@dataclass(frozen=True, kw_only=True)
class PaidLaunch:
    """The sums of the quote as people read them, and the weeks that have a place left."""

    lines: list[tuple[str, str]]
    total: str
    nothing: str
    is_taxed: bool
    weeks: list[tuple[date, int]]
    product: str = Launch.code


@tells_paid_launch
def paid_launch(listing: Listing, user_id: int, at: datetime) -> PaidLaunch | None:
    """A launch of this listing as it would be quoted; None when it cannot be ordered."""
    country = _country_of(user_id)
    item = {"product": Launch.code, "listing_id": listing.pk}
    try:
        quote = quote_order(
            buyer=Guesser(user_id=user_id, network=""),
            site=listing.site,
            asked={"items": [item], "billing_country": country},
            number=NO_NUMBER,
            at=at,
        )
    except ApiError:
        return None
    cart, currency = quote.cart, quote.currency
    vat = (
        f"VAT {quote.vat.rate.normalize():f}%, {country_names().get(country, [country])[0]}",
        cart.vat_cents,
    )
    sums = [(Launch.name, cart.net_cents), *([vat] if country else [])]
    places = places_left(site_id=listing.site_id, at=at)
    return PaidLaunch(
        lines=[(name, price(cents, currency)) for name, cents in sums],
        total=price(cart.total_cents if country else cart.net_cents, currency),
        nothing=price(0, currency),
        is_taxed=bool(country),
        weeks=[(week, left) for week, left in places.items() if left],
    )


def _country_of(user_id: int) -> str:
    """The country that a person's newest order was made out to."""
    known = Order.objects.filter(owner_id=user_id).exclude(billing_country="")
    return known.order_by("-created_at", "-pk").values_list("billing_country", flat=True).first() or ""
