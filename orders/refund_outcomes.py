"""What providers say of refunds, brought to the books: done, failed (after it was done too), or made by somebody there.

What was taken back stays taken back when its refund fails: the buyer was told, and places may be sold to others. The
order is in review, and staff give the money back again or the work (`blocked.work_again`).
"""

import uuid
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Q

from core import events, jobs
from orders import books, invoices, limits, mails
from orders.fulfil import reverse
from orders.models import Dispute, Order, OrderLine, Payment, Refund, StaffTask
from orders.payments import Kind, PaymentEvent
from orders.products import PRODUCTS
from orders.timeline import HAS_MONEY, locked, move_order, note
from orders.wording import price

Status = Refund.Status
ANSWERS_WITHIN = timedelta(minutes=30)
CAME_BACK = "The refund of {} failed after it was done: the money came back. Give it back again, or the work."
FAILED = "A refund of {} failed."
TOO_MUCH = "{} more went back than came: a refund was done beside a dispute. Ask {} for it."
RETURNED = (
    "{} that a dispute had taken came back, and what was bought had ended. Give it back, or the work again."
)
OUTCOMES = {
    Kind.REFUNDED: Status.DONE,
    Kind.REVERSED: Status.DONE,
    Kind.REFUND_PENDING: Status.PENDING,
    Kind.REFUND_FAILED: Status.FAILED,
}


@transaction.atomic
def finish(*, refund_id: str, event: PaymentEvent, at: datetime, detail: str = "") -> str:
    """Bring a refund in line with what its provider says of it. What has failed stays so, whatever is told later."""
    row = _locked_row(refund_id)
    others = row.payment.refunds.exclude(pk=row.pk)
    if event.refund_ref and others.filter(provider_reference=event.refund_ref).exists():
        event = PaymentEvent(kind=Kind.REFUND_FAILED)
        detail = "It is on the books already, as made at the provider."
    row.provider_reference = row.provider_reference or event.refund_ref
    row.detail = detail[: limits.NOTE] or row.detail
    row.save(update_fields=["provider_reference", "detail"])
    if event.kind == Kind.REFUND_FAILED and row.status != Status.FAILED:
        return _failed(row, at=at)
    if OUTCOMES.get(event.kind) == Status.DONE and row.status == Status.PENDING:
        _done(row, at=at)
        return "Refunded."
    return "Nothing to do."


def _locked_row(refund_id: str) -> Refund:
    order = locked(Refund.objects.filter(pk=refund_id).values("payment__order_id")[:1])
    row = Refund.objects.select_for_update(of=("self",)).select_related("payment", "line").get(pk=refund_id)
    row.payment.order = order
    return row


@transaction.atomic
def apply_refund_event(*, payment_id: str, event: PaymentEvent, heard_at: datetime, at: datetime) -> str:
    """A provider's word on a refund: of one of ours, or of one that somebody made on the provider's own page.

    Raises NotNowError while it may be of one of ours whose own answer has not come, or of money that has not come.
    """
    order = locked(Payment.objects.filter(pk=payment_id).values("order_id")[:1])
    payment = Payment.objects.select_for_update().get(pk=payment_id)
    payment.order = order
    row = _row_of(payment, event)
    if row is not None:
        return finish(refund_id=str(row.pk), event=event, at=at)
    in_flight = payment.refunds.filter(
        status=Status.PENDING, provider_reference="", amount_cents=event.amount_cents or 0
    ).first()
    may_wait = at < heard_at + ANSWERS_WITHIN
    if may_wait and (in_flight is not None or payment.status not in HAS_MONEY):
        raise jobs.NotNowError(seconds=30)
    if in_flight is not None:
        return finish(refund_id=str(in_flight.pk), event=event, at=at)
    return _book(payment, event, at=at)


def _row_of(payment: Payment, event: PaymentEvent) -> Refund | None:
    """By our own key, which some providers hand back, or by the provider's reference."""
    rows = payment.refunds.all()
    try:
        ours = rows.filter(pk=uuid.UUID(event.refund_key)).first()
    except ValueError:
        ours = None
    if ours is None and event.refund_ref:
        ours = rows.filter(provider_reference=event.refund_ref).first()
    if ours is None and event.kind in (Kind.REVERSED, Kind.REFUNDED):
        # the money of a dispute that was lost, where its provider tells of that too
        lost = rows.filter(kind=Refund.Kind.LOSS, status=Status.DONE, provider_reference="")
        ours = lost.filter(amount_cents=event.amount_cents or 0).first()
        if ours is None and event.kind == Kind.REVERSED and books.left_of(payment) <= 0:
            ours = lost.order_by("-created_at").first()  # it took more than was left
    return ours


def _book(payment: Payment, event: PaymentEvent, *, at: datetime) -> str:
    """Somebody gave money back at the provider, or a bank took it: the same documents and rules as for ours."""
    order, amount = payment.order, price(event.amount_cents or 0, event.currency or payment.currency)
    if not event.amount_cents or payment.status not in HAS_MONEY:
        text = f"A refund that nobody here knows: {amount} at {payment.provider}."
        return flag_for_review(order, text=text, by=payment, about=event.refund_ref, at=at)
    is_reversal = event.kind == Kind.REVERSED
    row = Refund.objects.create(
        payment=payment,
        line=only_line(order),
        kind=Refund.Kind.REVERSAL if is_reversal else Refund.Kind.REFUND,
        amount_cents=event.amount_cents,
        currency=payment.paid_currency or payment.currency,
        provider_reference=event.refund_ref,
        reason="The bank took the money back." if is_reversal else f"Made at {payment.provider}.",
        status=Status.FAILED if event.kind == Kind.REFUND_FAILED else Status.PENDING,
        created_at=at if is_reversal else event.began_at(at),  # of before a dispute, it is none of its money
    )
    if row.status == Status.FAILED:
        row.finished_at = at
        row.save(update_fields=["finished_at"])
        return "A refund that was made there failed there."
    is_done = OUTCOMES.get(event.kind) == Status.DONE
    what = "The bank took back" if is_reversal else f"A refund was {'made' if is_done else 'begun'}"
    then = "It is on the books." if is_done else "It goes on the books once it is done."
    text = f"{what} at {payment.provider}: {amount}. {then}"
    flag_for_review(order, text=text, by=payment, about=row.pk, at=at)
    if is_done:
        _done(row, at=at)
    return "Booked."


def only_line(order: Order) -> OrderLine | None:
    """The line that money of an order is of, where that is certain."""
    lines = list(order.lines.all()[:2])
    return lines[0] if len(lines) == 1 else None


def flag_for_review(order: Order, *, text: str, by: Payment, about: object, at: datetime) -> str:
    order.review_reason = text[: limits.NOTE]
    order.save(update_fields=["review_reason"])
    note(order=order, kind="review", text=text, by=f"provider:{by.provider}", at=at)
    mails.send_to_staff(order=order, reason=text, about=about)
    return "In review."


def record_loss(*, payment: Payment, cents: int, reference: str, reason: str, at: datetime) -> None:
    """Money of a payment of a locked order is gone without our doing; the reference is the provider's, if any."""
    row = Refund.objects.create(
        payment=payment,
        line=only_line(payment.order),
        kind=Refund.Kind.LOSS,
        amount_cents=cents,
        currency=payment.paid_currency,
        provider_reference=reference,
        reason=reason,
        created_at=at,
    )
    _done(row, at=at)


def take_losses_back(*, payment: Payment, reference: str, since: datetime | None, at: datetime) -> None:
    """What a dispute that is won had taken has come back: what bears its reference, or went since the last loss."""
    taken = (Refund.Kind.LOSS, Refund.Kind.REVERSAL)
    rows = payment.refunds.filter(kind__in=taken, status=Status.DONE).select_related("line")
    if reference:
        rows = rows.filter(provider_reference__in=("", reference))
    if since is not None:
        rows = rows.filter(Q(provider_reference=reference or None) | Q(created_at__gt=since))
    for row in rows:
        row.payment = payment
        _undo(row, at=at)
        lines = payment.order.lines.filter(fulfilment_status=OrderLine.Fulfilment.REVERSED)
        if any(not line.effect.get("frozen") and line.refunded_cents < line.gross_cents for line in lines):
            text = RETURNED.format(price(row.amount_cents, row.currency))
            flag_for_review(payment.order, text=text, by=payment, about=row.pk, at=at)


def _failed(row: Refund, *, at: datetime) -> str:
    """It can be made again. If it had been done, a document takes its credit note back."""
    order, was_done = row.payment.order, row.status == Status.DONE
    amount = price(row.amount_cents, row.currency)
    if was_done:
        _undo(row, at=at)
        mails.send_refund_failed(refund=row)
    else:
        row.status, row.finished_at = Status.FAILED, at
        row.save(update_fields=["status", "finished_at"])
    text = (CAME_BACK if was_done else FAILED).format(amount)
    order.review_reason = text
    order.save(update_fields=["review_reason"])
    note(order=order, kind="refund_failed", text=text, by=f"provider:{row.payment.provider}", at=at)
    mails.send_to_staff(order=order, reason=text, about=row.pk)
    return "The refund failed."


def _undo(row: Refund, *, at: datetime) -> None:
    """Take a refund that was done off the books: by a document, and with its money to be given back anew."""
    order = row.payment.order
    row.status, row.finished_at = Status.FAILED, at
    row.save(update_fields=["status", "finished_at"])
    if row.line is not None:
        OrderLine.objects.filter(pk=row.line.pk).update(refunded_cents=F("refunded_cents") - row.amount_cents)
    payment, open_ones = row.payment, row.payment.disputes.filter(state=Dispute.State.OPEN)
    if payment.status == Payment.Status.DISPUTED and not open_ones.exists():
        payment.status = Payment.Status.PAID  # it has something to be given back again
        payment.save(update_fields=["status"])
    by = f"provider:{payment.provider}"
    text = f"{price(row.amount_cents, row.currency)} came back: {row.reason}"[: limits.NOTE]
    if row.payment.status != Payment.Status.FLAGGED:
        invoices.issue_correction(refund=row, at=at)
        books.follow(order, kind="refund_undone", text=text, by=by, at=at)
    elif order.status == Order.Status.REFUNDED:
        books.update_review(order)
        move_order(order=order, to=Order.Status.REVIEW, by=by, text=text, at=at)


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
    events.emit("order.refunded", user_id=row.payment.order.owner_id, thing=row.payment.order_id)
    _flag_if_too_much(row, at=at)


def _flag_if_too_much(row: Refund, *, at: datetime) -> None:
    """A refund that was under way when a dispute took its money."""
    payment, over = row.payment, -books.left_of(row.payment)
    if payment.paid_cents is not None and over > 0 and payment.disputes.exists():
        text = TOO_MUCH.format(price(min(over, row.amount_cents), row.currency), payment.provider)
        flag_for_review(payment.order, text=text, by=payment, about=row.pk, at=at)


def _flagged_gone(row: Refund, *, at: datetime) -> None:
    """Money that did not fit went back; nothing was ever done for it."""
    order, text = row.payment.order, "Money that did not fit was given back."
    if books.left_of(row.payment) > 0:
        return
    books.update_review(order)
    if order.status == Order.Status.REVIEW and not order.review_reason:
        move_order(order=order, to=Order.Status.REFUNDED, by="system", text=text, at=at)
    else:
        note(order=order, kind="refunded", text=text, by="system", at=at)


def _paid_gone(row: Refund, *, at: datetime) -> None:
    order = row.payment.order
    credit_note = invoices.issue_credit_note(refund=row, at=at)
    is_all = not books.left(order).total_cents
    is_surplus = credit_note is None and order.review_reason == row.payment.flag
    if is_surplus or _is_made_again(row, is_all=is_all):
        books.update_review(order)
    text = f"{price(row.amount_cents, row.currency)} went back: {row.reason}"[: limits.NOTE]
    books.follow(order, kind="refunded", text=text, by="system", at=at)
    for line in order.lines.select_for_update():
        line.order = order
        is_gone = is_all or (line.pk == row.line_id and line.refunded_cents >= line.gross_cents)
        if is_gone or (line.pk == row.line_id and row.kind == Refund.Kind.REFUND):
            _end_wishes(line, row, at=at)
        if is_gone and (line.fulfilment_status != OrderLine.Fulfilment.REVERSED or line.effect.get("frozen")):
            reverse(line=line, at=at)
        elif line.pk == row.line_id and row.kind != Refund.Kind.VAT and line.is_done:
            PRODUCTS[line.product].refund_part(line, refund_id=str(row.pk), at=at)


def _is_made_again(row: Refund, *, is_all: bool) -> bool:
    """Whether the order is in review for a refund that failed, and now that amount, or all there was, went back."""
    failed = row.payment.refunds.filter(status=Status.FAILED)
    again = failed if is_all else failed.filter(amount_cents=row.amount_cents)
    amounts = {price(each.amount_cents, each.currency) for each in again}
    words = {form.format(amount) for form in (CAME_BACK, FAILED, RETURNED) for amount in amounts}
    return row.payment.order.review_reason in words


def _end_wishes(line: OrderLine, row: Refund, *, at: datetime) -> None:
    """The buyer has what was asked for, or what staff decided on."""
    result = f"{price(row.amount_cents, row.currency)} refunded."
    line.tasks.filter(kind__in=StaffTask.WISHES, closed_at=None).update(closed_at=at, result=result)
