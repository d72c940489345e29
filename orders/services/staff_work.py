"""What staff decide about orders: tasks done, money that did not fit, refunds that a provider finished elsewhere."""

from datetime import datetime

from django.db import transaction

from orders import limits
from orders.models import Order, Payment, Refund, StaffTask
from orders.payments import Kind, PaymentEvent
from orders.services import mails, refunding
from orders.services.attempts import Status
from orders.services.fulfilment import complete
from orders.services.settling import mark_paid
from orders.services.timeline import locked, note
from orders.wording import price


@transaction.atomic
def close_task(*, task_id: int, result: str, staff_id: int, at: datetime) -> StaffTask:
    """A task is done; its part of the line is fulfilled with it. Closed already is success."""
    locked(StaffTask.objects.values_list("line__order", flat=True).get(pk=task_id))
    rows = StaffTask.objects.select_for_update(of=("self",)).select_related("line__order__owner")
    task = rows.get(pk=task_id)
    if task.closed_at is None:
        task.closed_at, task.closed_by_id, task.result = at, staff_id, result[: limits.NOTE]
        task.save(update_fields=["closed_at", "closed_by", "result"])
        order = task.line.order
        note(
            order=order, kind="task_closed", text=f"{task.line.name}: {result}", by=f"staff:{staff_id}", at=at
        )
        mails.send_worked(task=task)
        complete(line_id=task.line_id, part=task.kind, at=at)
    return task


@transaction.atomic
def accept_review(*, order_id: int, staff_id: int, at: datetime) -> Order:
    """Staff take the money that came for what was asked, or have seen what a paid order was flagged for."""
    order = locked(order_id)
    by, reason = f"staff:{staff_id}", order.review_reason
    order.review_reason = ""
    order.save(update_fields=["review_reason"])
    note(order=order, kind="accepted", text=f"Accepted: {reason}"[: limits.NOTE], by=by, at=at)
    payment = order.payments.filter(status=Status.FLAGGED).order_by("settled_at").first()
    if order.status == Order.Status.REVIEW and payment is not None:
        payment.status = Payment.Status.PAID
        if payment.paid_cents is None:  # the provider could not say, and staff have looked
            payment.paid_cents, payment.paid_currency = payment.amount_cents, payment.currency
        payment.save(update_fields=["status", "paid_cents", "paid_currency"])
        mark_paid(order=order, is_test=payment.test_money, by=by, at=at)
    return order


@transaction.atomic
def confirm_refund(*, refund_id: str, staff_id: int, at: datetime) -> None:
    """Staff have seen that the buyer has the money, where the provider does not tell."""
    row = Refund.objects.select_related("payment__order").get(pk=refund_id)
    if row.status == Refund.Status.PENDING:
        text = f"Confirmed that {price(row.amount_cents, row.currency)} was given back."
        note(order=row.payment.order, kind="refund_confirmed", text=text, by=f"staff:{staff_id}", at=at)
        refunding.finish(refund_id=refund_id, event=PaymentEvent(kind=Kind.REFUNDED), at=at)
