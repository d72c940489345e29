from datetime import datetime

from core.clock import database_now
from core.jobs import does, job
from orders import fulfil, notifications, paying, places, refunding
from orders.documents import files
from orders.products import ai_review

does("orders.act_on_event", notifications.act_on_event, queue="payments", attempts=8)
does("orders.fulfil_line", fulfil.fulfil_line, queue="payments", attempts=8)
does("orders.refund", refunding.carry_out, queue="payments", attempts=8)
does(files.MAKE, files.make, queue="mail", attempts=6)
does(files.HAND_OVER, files.hand_over, queue="payments", attempts=12)
does("orders.hand_over_waiting", files.hand_over_waiting, queue="payments", every=3600)
does("orders.cancel_payment", paying.cancel_payment, queue="payments")
does("orders.check_payment", notifications.check_payment, queue="payments", attempts=3)
does("orders.check_payments", notifications.plan_checks, queue="payments", every=120)
does("orders.open_weeks", places.open_weeks, every=6 * 3600)


def leave_review_to_staff(*, error: str, line_id: int, **_: str) -> None:
    ai_review.leave_to_staff(error=error, line_id=line_id, at=database_now())


does("orders.write_review", ai_review.write_review, queue="ai", attempts=3, on_dead=leave_review_to_staff)


@job("orders.expire_orders", queue="payments", every=300)
def expire_orders(*, at: datetime) -> None:
    for order_id in paying.orders_to_expire(at=at):
        paying.expire_order(order_id=order_id, at=at)
