"""Money given back by staff: asked of the provider by a job, and on record until the provider has done it."""

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet, Sum

from core import jobs
from orders import limits
from orders.errors import RefundRefusedError
from orders.models import Order, OrderLine, Payment, Refund
from orders.payments import Fact, GatewayRefusedError, Kind, gateway
from orders.services import invoices, mails
from orders.services.attempts import known
from orders.services.fulfilment import contribute_less, reverse
from orders.services.timeline import locked, move_order, note
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

    Raises RefundRefusedError for more than came, refunds that are under way counted.
    """
    order = locked(Payment.objects.values_list("order_id", flat=True).get(pk=payment_id))
    payment = Payment.objects.select_for_update().get(pk=payment_id)
    line = order.lines.get(pk=line_id) if line_id is not None else None
    there = left(payment, line=line)
    cents = there if amount_cents is None else amount_cents
    if payment.status not in (Payment.Status.PAID, Payment.Status.FLAGGED) or not 0 < cents <= there:
        raise RefundRefusedError(
            f"Of this payment, {price(max(0, there), payment.currency)} can be given back.", left_cents=there
        )
    row = Refund.objects.create(
        payment=payment,
        line=line,
        amount_cents=cents,
        currency=payment.paid_currency or payment.currency,
        reason=reason[: limits.NOTE],
        by_id=staff_id,
        created_at=at,
    )
    text, by = reason[: limits.NOTE], f"staff:{staff_id}"
    note(order=order, kind="refund_began", text=text, by=by, at=at, cents=cents)
    jobs.add("orders.refund", key=str(row.pk), refund_id=str(row.pk))
    return row


def left(payment: Payment, *, line: OrderLine | None) -> int:
    """What can still be given back of a payment, or of a line with it."""
    there = (payment.paid_cents or 0) - _sum(payment.refunds.exclude(status=Status.FAILED))
    if line is None:
        return there
    return min(there, line.gross_cents - _sum(line.refunds.exclude(status=Status.FAILED)))


def _sum(refunds: QuerySet[Refund]) -> int:
    return refunds.aggregate(sum=Sum("amount_cents"))["sum"] or 0


def given_back(order: Order) -> int:
    """What has been given back of the payments that paid an order."""
    done = Refund.objects.filter(payment__order=order, status=Status.DONE)
    return _sum(done.exclude(payment__status=Payment.Status.FLAGGED))


def carry_out(*, refund_id: str, at: datetime) -> None:
    """Ask the provider, outside of any transaction. Unclear answers are asked for again with the same key."""
    row = Refund.objects.select_related("payment").get(pk=refund_id)
    one = gateway(row.payment.provider)
    if row.status != Status.PENDING or row.provider_reference:
        return
    if one is None:
        raise jobs.PermanentError(f"{row.payment.provider} is not configured any more.")
    try:
        fact = one.refund(known(row.payment), key=refund_id, amount_cents=row.amount_cents)
    except GatewayRefusedError as error:
        fact = Fact(kind=Kind.REFUND_FAILED)
        finish(refund_id=refund_id, fact=fact, at=at, detail=str(error))
        return
    finish(refund_id=refund_id, fact=fact, at=at)


@transaction.atomic
def finish(*, refund_id: str, fact: Fact, at: datetime, detail: str = "") -> str:
    """Bring a refund in line with what its provider says of it."""
    order_id = Refund.objects.values_list("payment__order_id", flat=True).get(pk=refund_id)
    order = locked(order_id)
    row = Refund.objects.select_for_update(of=("self",)).select_related("payment", "line").get(pk=refund_id)
    row.payment.order = order
    row.provider_reference = row.provider_reference or fact.refund_ref
    row.detail = detail[: limits.NOTE] or row.detail
    row.save(update_fields=["provider_reference", "detail"])
    if fact.kind == Kind.REFUND_FAILED and row.status != Status.FAILED:
        return _failed(row, at=at)
    if fact.kind == Kind.REFUNDED and row.status == Status.PENDING:
        _done(row, at=at)
        return "Refunded."
    return "Nothing to do."


def _failed(row: Refund, *, at: datetime) -> str:
    """Staff look at it; what was taken back stays so until they have decided."""
    order = row.payment.order
    row.status, row.finished_at = Status.FAILED, at
    row.save(update_fields=["status", "finished_at"])
    order.review_reason = f"A refund of {price(row.amount_cents, row.currency)} failed."
    order.save(update_fields=["review_reason"])
    by = f"provider:{row.payment.provider}"
    note(order=order, kind="refund_failed", text=order.review_reason, by=by, at=at)
    mails.send_to_staff(order=order, reason=order.review_reason)
    return "The refund failed."


def _done(row: Refund, *, at: datetime) -> None:
    row.status, row.finished_at = Status.DONE, at
    row.save(update_fields=["status", "finished_at"])
    if row.line is not None:
        row.line.refunded_cents += row.amount_cents
        row.line.save(update_fields=["refunded_cents"])
    if row.payment.status == Payment.Status.FLAGGED:
        _flagged_gone(row, at=at)
    else:
        _paid_gone(row, at=at)
    mails.send_refunded(refund=row)


def _flagged_gone(row: Refund, *, at: datetime) -> None:
    """Money that did not fit went back; nothing was ever done for it."""
    order = row.payment.order
    if left(row.payment, line=None) > 0:
        return
    order.review_reason, text = "", "Money that did not fit was given back."
    if order.status == Order.Status.REVIEW:
        _move(order, to=Order.Status.REFUNDED, text=text, at=at)
    else:
        order.save(update_fields=["review_reason"])
        note(order=order, kind="refunded", text=text, by="system", at=at)


def _paid_gone(row: Refund, *, at: datetime) -> None:
    order = row.payment.order
    is_all = given_back(order) >= order.total_cents
    to = Order.Status.REFUNDED if is_all else Order.Status.PARTIALLY_REFUNDED
    if order.can_become(to):
        _move(
            order,
            to=to,
            text=f"{price(row.amount_cents, row.currency)} was given back: {row.reason}"[: limits.NOTE],
            at=at,
        )
    invoices.issue_credit_note(refund=row, at=at)
    for line in order.lines.exclude(fulfilment_status=OrderLine.Fulfilment.REVERSED).select_for_update():
        line.order = order
        if is_all or (line.pk == row.line_id and line.refunded_cents >= line.gross_cents):
            reverse(line=line, at=at)
        elif line.pk == row.line_id:
            contribute_less(line=line, refund_id=str(row.pk), cents=row.amount_cents, at=at)


def _move(order: Order, *, to: str, text: str, at: datetime) -> None:
    move_order(order=order, to=to, by="system", text=text, at=at, saving=("review_reason",))


def record_loss(*, payment: Payment, reason: str, at: datetime) -> None:
    """What is left of a payment of a locked order is gone without our doing."""
    there = left(payment, line=None)
    if there > 0:
        row = Refund.objects.create(
            payment=payment, amount_cents=there, currency=payment.paid_currency, reason=reason, created_at=at
        )
        _done(row, at=at)


@transaction.atomic
def told_of_refund(*, payment_id: str, fact: Fact, at: datetime) -> str:
    """A provider's word on a refund: of one of ours, or of one that somebody made on the provider's own page."""
    payment = Payment.objects.get(pk=payment_id)
    order = locked(payment.order_id)
    rows = payment.refunds.all()
    row = rows.filter(provider_reference=fact.refund_ref).first()
    # ours may be told before its own answer has come
    row = (
        row
        or rows.filter(
            provider_reference="", status=Status.PENDING, amount_cents=fact.amount_cents or 0
        ).first()
    )
    if row is not None:
        return finish(refund_id=str(row.pk), fact=fact, at=at)
    text = f"A refund that was not made here: {price(fact.amount_cents or 0, payment.currency)} at {payment.provider}."
    order.review_reason = text
    order.save(update_fields=["review_reason"])
    note(order=order, kind="review", text=text, by=f"provider:{payment.provider}", at=at)
    mails.send_to_staff(order=order, reason=text)
    return "In review."
