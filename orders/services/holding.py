"""What an order keeps from others while it is being paid: places in launch weeks and the use of its code."""

from datetime import datetime

from django.db import transaction

from orders.models import Order, OrderLine
from orders.services import promos, slots
from orders.services.repricing import items_of


@transaction.atomic
def hold_for_payment(*, order: Order, until: datetime, at: datetime) -> None:
    """Hold everything for a locked order, or prolong it.

    Raises WeekUnavailableError or PromoRefusedError, and then nothing is held.
    """
    promos.hold(order=order, items=items_of(list(order.lines.all())), until=until, at=at)
    slots.hold(order=order, until=until, at=at)


@transaction.atomic
def release_holds(*, order: Order) -> None:
    """Give everything back: the payment failed or lapsed, or the order was canceled."""
    promos.release(order=order)
    slots.release(order=order)


@transaction.atomic
def take_holds(*, order: Order, at: datetime) -> list[OrderLine]:
    """Keep everything for good: the order is paid. Lines whose week is full by now come back, to be blocked."""
    promos.use(order=order, at=at)
    return slots.take(order=order, at=at)
