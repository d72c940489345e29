"""Buyers who ask for their money: staff decide, and the buyer reads at once that the wish came."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from orders import limits
from orders.errors import OrderCannotMoveError
from orders.models import Order, OrderLine, Payment, StaffTask
from orders.services import mails
from orders.services.books import SETTLED
from orders.services.refunding import left
from orders.services.timeline import locked, note
from orders.wording import price

KIND = StaffTask.REFUND


@dataclass(frozen=True, kw_only=True)
class Askable:
    """A line, what of its money can be asked for, and since when that was asked."""

    line: OrderLine
    cents: int
    asked_at: datetime | None


def askable(order: Order) -> list[Askable]:
    """The lines of a paid order whose money is here; nothing while a bank decides about it."""
    payment = order.payments.filter(status=Payment.Status.PAID).order_by("settled_at").last()
    if payment is None or order.status not in SETTLED or order.status == Order.Status.DISPUTED:
        return []
    rest = left(payment, line=None)
    rows = []
    for line in order.lines.order_by("position"):
        cents = min(rest, left(payment, line=line))
        asked = line.tasks.filter(kind__in=StaffTask.WISHES, closed_at=None).order_by("opened_at").first()
        if cents > 0:
            rows.append(Askable(line=line, cents=cents, asked_at=asked.opened_at if asked else None))
    return rows


@transaction.atomic
def ask_for_refund(*, order_id: int, line_ids: Collection[int], why: str, by: str, at: datetime) -> int:
    """Open a row for staff for each of these lines; asked twice is asked once. The cents asked for now, or before.

    Raises OrderCannotMoveError when nothing of them can be asked for.
    """
    order = locked(order_id)
    rows = [row for row in askable(order) if row.line.pk in line_ids]
    if not rows:
        raise OrderCannotMoveError("There is nothing to refund for this.", current=order.status)
    new = [row for row in rows if row.asked_at is None]
    for row in new:
        amount = price(row.cents, order.currency)
        StaffTask.objects.update_or_create(
            line=row.line,
            kind=KIND,
            defaults={
                "detail": f"Asks for {amount}. {why}".strip()[: limits.NOTE],
                "opened_at": at,
                "closed_at": None,
                "closed_by": None,
                "result": "",
            },
        )
    if new:
        _tell(order, new, why=why, by=by, at=at)
    return sum(row.cents for row in rows)


def _tell(order: Order, rows: list[Askable], *, why: str, by: str, at: datetime) -> None:
    cents = sum(row.cents for row in rows)
    names = ", ".join(row.line.name for row in rows)
    text = f"The buyer asks for {price(cents, order.currency)} back: {names}."
    note(order=order, kind="refund_asked", text=f"{text} {why}".strip(), by=by, at=at, cents=cents)
    mails.send_refund_asked(order=order, cents=cents, names=names, at=at)
    mails.send_to_staff(order=order, reason=text, about=at.isoformat())
