"""Prices are set for a moment and never changed after; one that is mistyped is withdrawn, and its row stays."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from core.cache import changed
from orders.checkout import reprice_from_order
from orders.errors import OrderCannotMoveError, PriceStaysError
from orders.models import Order, ProductPrice, VatRate
from orders.paying import cancel_unpaid
from orders.places import release_reservations
from orders.selectors.price_list import NAMED, named, priced_by, taxed_by
from orders.timeline import end_payments, locked


@dataclass(frozen=True, kw_only=True)
class NewPrice:
    """A price as staff want it, from `begins_at` on."""

    product: str
    amount_cents: int
    is_on_sale: bool
    begins_at: datetime
    note: str = ""


@transaction.atomic
def set_price(*, price: NewPrice, staff_id: int, at: datetime) -> ProductPrice:
    """Give a product another price from now on or from a moment to come. Raises PriceStaysError for one gone by."""
    if price.begins_at < at:
        raise PriceStaysError("A price cannot begin in the past: what was sold stays sold at what it cost.")
    row = ProductPrice.objects.create(
        product=price.product,
        amount_cents=price.amount_cents,
        is_on_sale=price.is_on_sale,
        effective_at=price.begins_at,
        note=price.note,
        set_by_id=staff_id,
        set_at=at,
    )
    changed("products")
    return row


MISTYPED = "Its price was set by mistake."


@dataclass(frozen=True, kw_only=True)
class Withdrawn:
    """What was withdrawn, and how many orders were canceled or worked out again for it."""

    row: ProductPrice | VatRate
    touched: int


@transaction.atomic
def withdraw_price(*, price_id: int, staff_id: int, at: datetime) -> Withdrawn:
    """Withdraw a price by which nobody has bought; orders made at it that are not paid are cancelled.

    Raises PriceStaysError for any other.
    """
    row = ProductPrice.objects.select_for_update().get(pk=price_id)
    refuse_withdrawn(row)
    orders = priced_by(row, at=at)
    refuse_sold(orders.bought[: NAMED + 1])
    canceled = 0
    for order_id in orders.pending.values_list("pk", flat=True):
        try:
            canceled += cancel_unpaid(order_id=order_id, reason=MISTYPED, staff_id=staff_id, at=at)
        except OrderCannotMoveError as moved:
            raise PriceStaysError("Somebody is paying at this price at this moment. Look again.") from moved
    _save(row, at=at)
    return Withdrawn(row=row, touched=canceled)


def refuse_sold(bought: Iterable[Order]) -> None:
    """Raise PriceStaysError, with what to do instead, if somebody paid."""
    orders = list(bought)
    if orders:
        raise PriceStaysError(
            f"Somebody bought at this price ({named(orders)}), so it stays. Set another price from now on; what was "
            "paid too much is given back on the page of the order, and what is not paid yet is cancelled there."
        )


def refuse_withdrawn(row: ProductPrice | VatRate) -> None:
    if row.withdrawn_at is not None:
        raise PriceStaysError("This was withdrawn already.")


@transaction.atomic
def withdraw_rate(*, rate_id: int, at: datetime) -> Withdrawn:
    """Tax nothing by a rate any more. Pending orders are worked out again; what was paid stays, with its documents.

    Raises PriceStaysError for one that is withdrawn.
    """
    row = VatRate.objects.select_for_update().get(pk=rate_id)
    refuse_withdrawn(row)
    _save(row, at=at)
    touched = 0
    for order_id in taxed_by(row, at=at).pending.values_list("pk", flat=True):
        order = locked(order_id)
        if order.status == Order.Status.PENDING and reprice_from_order(order=order, at=at):
            end_payments(order=order)
            release_reservations(order=order)
            touched += 1
    return Withdrawn(row=row, touched=touched)


def _save(row: ProductPrice | VatRate, *, at: datetime) -> None:
    row.withdrawn_at = at
    row.save(update_fields=["withdrawn_at"])
    changed("products")
