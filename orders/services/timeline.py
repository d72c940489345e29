"""How an order moves, and the record of what happened to it."""

from datetime import datetime
from typing import Any

from orders import limits
from orders.errors import OrderCannotMoveError
from orders.models import Order, OrderEvent


def locked(order_id: int) -> Order:
    """The order, held until the transaction ends. Whoever locks more locks the order first."""
    return Order.objects.select_for_update().get(pk=order_id)


def note(*, order: Order, kind: str, text: str, by: str, at: datetime, **data: Any) -> None:
    """Add to an order's timeline."""
    OrderEvent.objects.create(order=order, kind=kind, text=text[: limits.NOTE], by=by, at=at, data=data)


def move_order(
    *, order: Order, to: str, by: str, text: str, at: datetime, saving: tuple[str, ...] = ()
) -> None:
    """Move a locked order and record it. `saving` names what else the caller has set on it.

    Raises OrderCannotMoveError for a move that is not one of `Order.MOVES`.
    """
    if not order.can_become(to):
        raise OrderCannotMoveError(
            f"This order is {_words(order.status)}, so it can’t become {_words(to)}.",
            current=order.status,
            allowed=Order.MOVES[order.status],
        )
    before, order.status = order.status, to
    order.save(update_fields=["status", *saving])
    note(order=order, kind="moved", text=text, by=by, at=at, **{"from": before, "to": to})


def _words(status: str) -> str:
    return status.replace("_", " ")
