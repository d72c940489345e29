"""How an order and its payments move, and the record of what happened to it."""

from datetime import datetime
from typing import Any

from django.db.models import Prefetch, Q, QuerySet, prefetch_related_objects

from core import events, jobs
from orders import limits
from orders.errors import OrderCannotMoveError
from orders.models import Order, OrderEvent, OrderLine, Payment
from orders.payments import PaymentRef


def locked(order_id: int | QuerySet[Any, Any]) -> Order:
    """The order of an id, or of a query for one, held until the transaction ends. Whoever locks more locks it first."""
    return Order.objects.select_related("site", "owner").select_for_update(of=("self",)).get(Q(pk=order_id))


def lines_of(order: Order) -> list[OrderLine]:
    """Its lines with their listings, read once for all that ask this object."""
    lines = OrderLine.objects.select_related("listing").order_by("position")
    prefetch_related_objects([order], Prefetch("lines", queryset=lines))
    return list(order.lines.all())


def note(*, order: Order, kind: str, text: str, by: str, at: datetime, **data: Any) -> None:
    OrderEvent.objects.create(order=order, kind=kind, text=text[: limits.NOTE], by=by, at=at, data=data)


def move_order(
    *, order: Order, to: str, by: str, text: str, at: datetime, saving: tuple[str, ...] = ()
) -> None:
    """Move a locked order and record it. `saving` names what else the caller has set on it.

    Raises OrderCannotMoveError for a move that is not one of `Order.MOVES`.
    """
    if not order.can_become(to):
        raise OrderCannotMoveError.of(
            order, f"This order is {_words(order.status)}, so it can’t become {_words(to)}."
        )
    before, order.status = order.status, to
    order.save(update_fields=["status", *saving])
    note(order=order, kind="moved", text=text, by=by, at=at, **{"from": before, "to": to})
    if to == Order.Status.DISPUTED:
        events.emit("order.disputed", user_id=order.owner_id, thing=order.pk)


def _words(status: str) -> str:
    return status.replace("_", " ")


Status = Payment.Status
OPEN = (Status.STARTED, Status.PROCESSING)
HAS_MONEY = (Status.PAID, Status.FLAGGED, Status.DISPUTED)


def ref_of(payment: Payment) -> PaymentRef:
    return PaymentRef(
        ref=str(payment.pk),
        provider_ref=payment.provider_reference or "",
        charge_ref=payment.charge_reference,
        amount_cents=payment.amount_cents,
        currency=payment.currency,
    )


def end_payments(*, order: Order, keeping: Payment | None = None) -> None:
    """Attempts that nobody waits for any more; a job tells their providers, and money that comes still counts."""
    for payment in order.payments.all():
        if payment.status != Status.STARTED or payment == keeping:
            continue
        payment.status, payment.next_check_at = Status.CANCELED, None
        payment.save(update_fields=["status", "next_check_at"])
        jobs.add("orders.cancel_payment", key=str(payment.pk), payment_id=str(payment.pk))
