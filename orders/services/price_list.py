"""Prices are set for a moment and never changed after; the database sees to it."""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from core.cache import changed
from orders.errors import PriceStaysError
from orders.models import ProductPrice


@dataclass(frozen=True, kw_only=True)
class NewPrice:
    """A price as staff want it, from `begins_at` on."""

    product: str
    amount_cents: int
    is_on_sale: bool
    begins_at: datetime
    note: str = ""


@transaction.atomic
def set_price(*, wanted: NewPrice, staff_id: int, at: datetime) -> ProductPrice:
    """Give a product another price from now on or from a moment to come. Raises PriceStaysError for one gone by."""
    if wanted.begins_at < at:
        raise PriceStaysError("A price cannot begin in the past: what was sold stays sold at what it cost.")
    row = ProductPrice.objects.create(
        product=wanted.product,
        amount_cents=wanted.amount_cents,
        is_on_sale=wanted.is_on_sale,
        effective_at=wanted.begins_at,
        note=wanted.note,
        set_by_id=staff_id,
        set_at=at,
    )
    changed("products")
    return row
