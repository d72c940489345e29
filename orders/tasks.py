"""The queue's doors to orders."""

from typing import Any

from core import jobs
from core.clock import database_now
from orders import fulfil, notifications, paying, places, refunding
from orders.documents import files
from orders.products import ai_review


@jobs.job("orders.act_on_event", queue="payments", attempts=8)
def act_on_event(lease: jobs.Lease, *, event_id: int, fact: dict[str, Any]) -> None:
    notifications.act_on_event(event_id=event_id, fact=fact, at=lease.at)


@jobs.job("orders.fulfil_line", queue="payments", attempts=8)
def fulfil_line(lease: jobs.Lease, *, line_id: int) -> None:
    """What one line of a paid order is for."""
    fulfil.fulfil_line(line_id=line_id, at=lease.at)


def leave_review_to_staff(*, error: str, line_id: int, **_: str) -> None:
    """What becomes of a review that could not be written."""
    ai_review.leave_to_staff(error=error, line_id=line_id, at=database_now())


@jobs.job("orders.write_review", queue="ai", attempts=3, on_dead=leave_review_to_staff)
def write_review(lease: jobs.Lease, *, line_id: int) -> None:
    ai_review.write_review(line_id=line_id, at=lease.at)


@jobs.job("orders.refund", queue="payments", attempts=8)
def refund(lease: jobs.Lease, *, refund_id: str) -> None:
    refunding.carry_out(refund_id=refund_id, at=lease.at)


@jobs.job(files.MAKE, queue="mail", attempts=6)
def make_document(lease: jobs.Lease, *, document_id: int) -> None:
    files.make(document_id=document_id, at=lease.at)


@jobs.job(files.HAND_OVER, queue="payments", attempts=12)
def hand_over(lease: jobs.Lease, *, document_id: int) -> None:
    files.hand_over(document_id=document_id, at=lease.at)


@jobs.job("orders.cancel_payment", queue="payments", attempts=5)
def cancel_payment(lease: jobs.Lease, *, payment_id: str) -> None:
    paying.cancel_payment(payment_id=payment_id)


@jobs.job("orders.check_payment", queue="payments", attempts=3)
def check_payment(lease: jobs.Lease, *, payment_id: str) -> None:
    notifications.check_payment(payment_id=payment_id, at=lease.at)


@jobs.job("orders.check_payments", queue="payments", every=120)
def check_payments(lease: jobs.Lease) -> None:
    """Open payments that have been silent for a while."""
    notifications.plan_checks(at=lease.at)


@jobs.job("orders.expire_orders", queue="payments", every=300)
def expire_orders(lease: jobs.Lease) -> None:
    for order_id in paying.orders_to_expire(at=lease.at):
        paying.expire_order(order_id=order_id, at=lease.at)


@jobs.job("orders.open_weeks", every=6 * 3600)
def open_weeks(lease: jobs.Lease) -> None:
    """Bring the weeks that come on sale into the back office."""
    places.open_weeks(at=lease.at)
