"""What a fresh installation sells, and carts to sell it with."""

from datetime import date, datetime, timedelta
from typing import Any

from django.utils import timezone

from accounts.models import User
from directory.models import Site
from orders.models import Order, OrderLine, ProductPrice, PromoCode
from tests.factories.listings import make_listing

PROMO = {"percent": 20}


def set_price(product: str, cents: int, *, at: datetime | None = None, **fields: Any) -> ProductPrice:
    """A price from now on, or from a moment."""
    now = timezone.now()
    return ProductPrice.objects.create(
        product=product, amount_cents=cents, effective_at=at or now, set_at=now, **fields
    )


def make_promo(code: str = "LAUNCH20", **fields: Any) -> PromoCode:
    """A code that takes 20 percent off, unless told otherwise."""
    return PromoCode.objects.create(code=code, created_at=timezone.now(), **(fields or PROMO))


def make_order(site: Site, *, owner: User, week: date | None = None, **fields: Any) -> Order:
    """A pending order for one launch, of a listing of its own if it is for a week."""
    now = timezone.now()
    money = dict.fromkeys(("discount_cents", "net_cents", "vat_cents"), 0)
    number = f"PL-{Order.objects.count():08d}"
    order = Order.objects.create(
        number=number,
        site=site,
        owner=owner,
        currency="EUR",
        subtotal_cents=0,
        total_cents=0,
        vat_rate=0,
        vat_treatment="assumed",
        vat_number_status="none",
        created_at=now,
        expires_at=now + timedelta(days=7),
        **money,
        **fields,
    )
    listing = week and make_listing(number.lower(), site=site, owner=owner, status="draft", launch_week=None)
    OrderLine.objects.create(
        order=order,
        position=1,
        product="launch",
        name="Launch",
        listing=listing,
        week=week,
        quantity=1,
        unit_cents=0,
        vat_rate=0,
        gross_cents=0,
        **money,
    )
    return order
