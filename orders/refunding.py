"""Money given back by staff: asked of the provider by a job, and on record until the provider has done it.

Buyers may ask for it: staff decide, and the buyer reads at once that the wish came.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from core import jobs
from orders import books, limits, mails
from orders.books import SETTLED, sum_of
from orders.errors import OrderCannotMoveError, RefundRefusedError
from orders.models import Dispute, Order, OrderLine, Payment, Refund, StaffTask
from orders.payments import GatewayRefusedError, Kind, PaymentEvent, enabled_provider
from orders.pricing import spread
from orders.refund_outcomes import finish, only_line
from orders.timeline import locked, note, ref_of
from orders.vat import NumberCheck
from orders.wording import price

Status = Refund.Status


@transaction.atomic
def refund(
    *,
    payment_id: str,
    reason: str,
    staff_id: int,
    at: datetime,
    line_id: int | None = None,
    amount_cents: int | None = None,
) -> Refund:
    """Give back a line, an amount, or with neither all that is left of a payment.

    Raises RefundRefusedError for more than came, refunds that are under way counted, and in a dispute.
    """
    order = locked(Payment.objects.filter(pk=payment_id).values("order_id")[:1])
    payment = Payment.objects.select_for_update().get(pk=payment_id)
    line = order.lines.get(pk=line_id) if line_id is not None else None
    if line is None and amount_cents is not None and payment.paid_cents == order.total_cents:
        line = only_line(order) if payment.status == Payment.Status.PAID else None
    if payment.disputes.filter(state=Dispute.State.OPEN).exists():
        raise RefundRefusedError("The buyer disputes this money: its bank decides first.", left_cents=0)
    there = left(payment, line=line)
    cents = there if amount_cents is None else amount_cents
    if payment.status not in (Payment.Status.PAID, Payment.Status.FLAGGED) or not 0 < cents <= there:
        raise RefundRefusedError(
            f"Of this payment, {price(max(0, there), payment.currency)} can be given back.", left_cents=there
        )
    row = Refund(payment=payment, line=line, amount_cents=cents, reason=reason, by_id=staff_id, created_at=at)
    return _begin(row, order=order)


def _begin(row: Refund, *, order: Order) -> Refund:
    """Store a refund of a locked order, with the job that asks its provider."""
    row.currency = row.payment.paid_currency or row.payment.currency
    row.reason = row.reason[: limits.NOTE]
    Refund.objects.bulk_create([row])
    by, cents = f"staff:{row.by_id}", row.amount_cents
    note(order=order, kind="refund_began", text=row.reason, by=by, at=row.created_at, cents=cents)
    jobs.add("orders.refund", key=str(row.pk), refund_id=str(row.pk))
    return row


@transaction.atomic
def give_vat_back(
    *, order_id: int, number: NumberCheck, reason: str, staff_id: int, at: datetime
) -> list[Refund]:
    """Give back the VAT that is left of a paid order, line by line; what was bought stays bought.

    `number` was found out before, outside of any transaction; a valid one becomes the order's. Raises
    RefundRefusedError when there is no VAT to be given back, or while another refund is under way.
    """
    order = locked(order_id)
    payment, parts = vat_left(order)
    if payment is None or not parts:
        raise RefundRefusedError("No VAT of this order can be given back now.", left_cents=0)
    if number.status == "valid":
        values = number.columns()
        for name, value in values.items():
            setattr(order, name, value)
        order.save(update_fields=[*values])
    about = {
        "payment": payment,
        "kind": Refund.Kind.VAT,
        "reason": reason,
        "by_id": staff_id,
        "created_at": at,
    }
    rows = [Refund(line=line, amount_cents=cents, **about) for line, cents in parts]
    return [_begin(row, order=order) for row in rows]


def vat_left(order: Order) -> tuple[Payment | None, list[tuple[OrderLine, int]]]:
    """The payment of an order, and the VAT of each line that can be given back of it; nothing during a refund."""
    payment = order.payments.filter(status=Payment.Status.PAID).first()
    is_busy = Refund.objects.filter(payment__order=order, status=Status.PENDING).exists()
    if payment is None or is_busy:
        return payment, []
    lines = list(order.lines.order_by("position"))
    vats = [max(0, books.left_of_line(line).vat_cents) for line in lines]
    all_of_it = min(books.left(order).vat_cents, sum(vats), left(payment, line=None))
    parts = zip(lines, spread(max(0, all_of_it), vats), strict=True)
    return payment, [(line, cents) for line, cents in parts if 0 < cents <= left(payment, line=line)]


def left(payment: Payment, *, line: OrderLine | None) -> int:
    """What can still be given back of a payment, or of a line with it."""
    there = (payment.paid_cents or 0) - books.gone_of(payment)
    if line is None:
        return there
    return min(there, line.gross_cents - sum_of(line.refunds.exclude(status=Status.FAILED)))


def lock_left(payment: Payment, *, cents: int) -> None:
    """Lock an order of which staff read how much is left. Raises RefundRefusedError when it is less by now."""
    locked(payment.order_id)
    remaining = left(payment, line=None)
    if remaining != cents:
        raise RefundRefusedError("Money was given back just now. Look again.", left_cents=remaining)


def carry_out(*, refund_id: str, at: datetime) -> None:
    """Ask the provider, outside of any transaction. Unclear answers are asked for again with the same key."""
    row = Refund.objects.select_related("payment").get(pk=refund_id)
    gateway = enabled_provider(row.payment.provider)
    if row.status != Status.PENDING or row.provider_reference:
        return
    if gateway is None:
        raise jobs.PermanentError(f"{row.payment.provider} is not configured any more.")
    try:
        event = gateway.refund(ref_of(row.payment), key=refund_id, amount_cents=row.amount_cents)
    except GatewayRefusedError as error:
        event = PaymentEvent(kind=Kind.REFUND_FAILED)
        finish(refund_id=refund_id, event=event, at=at, detail=str(error))
        return
    finish(refund_id=refund_id, event=event, at=at)


@transaction.atomic
def confirm_refund(*, refund_id: str, staff_id: int, at: datetime) -> None:
    """Staff have seen that the buyer has the money, where the provider does not tell."""
    row = Refund.objects.select_related("payment__order").get(pk=refund_id)
    if row.status == Refund.Status.PENDING:
        text = f"Confirmed that {price(row.amount_cents, row.currency)} was given back."
        note(order=row.payment.order, kind="refund_confirmed", text=text, by=f"staff:{staff_id}", at=at)
        finish(refund_id=refund_id, event=PaymentEvent(kind=Kind.REFUNDED), at=at)


KIND = StaffTask.REFUND


@dataclass(frozen=True, kw_only=True)
class Askable:
    """A line, what of its money can be asked for, and since when that was asked."""

    line: OrderLine
    cents: int
    requested_at: datetime | None


def askable(order: Order) -> list[Askable]:
    """The lines of a paid order whose money is here; nothing while a bank decides about it."""
    payment = order.payments.filter(status=Payment.Status.PAID).order_by("settled_at").last()
    if payment is None or order.status not in SETTLED or order.status == Order.Status.DISPUTED:
        return []
    rest = left(payment, line=None)
    rows = []
    for line in order.lines.order_by("position"):
        cents = min(rest, left(payment, line=line))
        wish = line.tasks.filter(kind__in=StaffTask.WISHES, closed_at=None).order_by("opened_at").first()
        if cents > 0:
            rows.append(Askable(line=line, cents=cents, requested_at=wish.opened_at if wish else None))
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
    new = [row for row in rows if row.requested_at is None]
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
    mails.send_refund_request(order=order, cents=cents, names=names, at=at)
    mails.send_to_staff(order=order, reason=text, about=at)
