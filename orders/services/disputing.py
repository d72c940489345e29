"""A buyer's bank takes the money back, for now or for good. What is shown for it is frozen meanwhile."""

from datetime import datetime

from orders.models import Order, Payment, Product
from orders.payments import Fact
from orders.services import mails, refunding
from orders.services.fulfilment import freeze, plan_work, wait_again
from orders.services.timeline import move_order

SHOWN_FOR_MONEY = (Product.FEATURED, Product.BILLBOARD_MIN)
FROZEN = "disputed"


def opened(payment: Payment, fact: Fact, at: datetime) -> str:
    """Money under dispute buys no attention: waiting lines wait on, paid places are taken off the site."""
    order, text = payment.order, "The buyer disputes the payment. Answer on the provider's page."
    if payment.status == Payment.Status.DISPUTED:
        return "Known already."
    mails.send_to_staff(order=order, reason=text)
    if payment.status != Payment.Status.PAID or not order.can_become(Order.Status.DISPUTED):
        return "Staff were told."
    payment.answer_by = _moment(fact.answer_by)
    _set(payment, status=Payment.Status.DISPUTED, flag="The buyer disputes this payment.")
    by = f"provider:{payment.provider}"
    move_order(order=order, to=Order.Status.DISPUTED, by=by, text=text, at=at)
    for line in order.lines.select_for_update():
        line.order = order
        if shown := [product for product in line.parts_done if product in SHOWN_FOR_MONEY]:
            freeze(line=line, parts=shown, why=FROZEN, at=at)
    return "Disputed."


def won(payment: Payment, _fact: Fact, at: datetime) -> str:
    """The money stays: what was frozen is shown again."""
    order = payment.order
    if payment.status != Payment.Status.DISPUTED:
        return "Nothing to do."
    payment.answer_by = None
    _set(payment, status=Payment.Status.PAID, flag="")
    back = Order.Status.PARTIALLY_REFUNDED if refunding.given_back(order) else Order.Status.PAID
    by = f"provider:{payment.provider}"
    move_order(order=order, to=back, by=by, text="The dispute was decided for us.", at=at)
    for line in order.lines.filter(effect__frozen=FROZEN).select_for_update():
        wait_again(line=line)
    plan_work(order=order, at=at)
    return "Dispute won."


def lost(payment: Payment, fact: Fact, at: datetime) -> str:
    """The money is gone, which is a refund that nobody here decided."""
    if payment.status == Payment.Status.PAID:
        opened(payment, fact, at)
    if payment.status != Payment.Status.DISPUTED:
        return "Nothing to do."
    payment.answer_by = None
    _set(payment, status=Payment.Status.DISPUTED, flag="The dispute was lost.")
    refunding.record_loss(payment=payment, reason="The dispute was lost.", at=at)
    return "Dispute lost."


def _set(payment: Payment, *, status: str, flag: str) -> None:
    payment.status, payment.flag = status, flag
    payment.save(update_fields=["status", "flag", "answer_by"])


def _moment(text: str) -> datetime | None:
    """A moment as a provider writes it; nothing for what is none."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo else None
