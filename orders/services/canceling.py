"""Staff cancel what nobody has paid: an order whose price was wrong, or that its buyer asked them to end."""

from datetime import datetime

from django.db import transaction

from directory.wording import words_of
from orders import limits
from orders.errors import OrderCannotMoveError
from orders.models import Order
from orders.services import mails, paying
from orders.services.timeline import locked


@transaction.atomic
def cancel_unpaid(*, order_id: int, reason: str, staff_id: int, at: datetime) -> bool:
    """End a pending order and its payments, let places and code go, and mail the buyer why. False: it was cancelled.

    Raises OrderCannotMoveError for any other order. Money that comes all the same is put into review.
    """
    order = locked(order_id)
    if order.status == Order.Status.CANCELED:
        return False
    if order.status != Order.Status.PENDING:
        said = words_of(order.status).lower()
        raise OrderCannotMoveError(
            f"{order.number} is {said}: only an order that waits for its payment can be cancelled.",
            current=order.status,
            allowed=Order.MOVES[order.status],
        )
    text = f"Cancelled: {reason}"[: limits.NOTE]
    paying.end_order(order, to=Order.Status.CANCELED, text=text, by=f"staff:{staff_id}", at=at)
    mails.send_canceled(order=order, reason=reason)
    return True
