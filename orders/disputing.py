"""A buyer's bank takes the money back, for now or for good. What is shown for it is frozen meanwhile.

Each inquiry and dispute is a row that only moves on, so that its events may come in any order. An inquiry asks and
freezes nothing. While a dispute is open its order is `disputed`; lost is a refund that nobody here decided, and won, or
money that comes back later, takes that off the books again.
"""

from datetime import datetime

from django.db.models import Max, Min

from orders import books, mails
from orders.fulfil import MAY_WORK, plan_work, requeue, suspend
from orders.models import Dispute, Payment, Refund
from orders.payments import Kind, PaymentEvent
from orders.payments.base import moment
from orders.products import PRODUCTS
from orders.refund_outcomes import flag_for_review, record_loss, take_losses_back
from orders.timeline import note
from orders.wording import DISPUTED, price

FROZEN, LOST = "disputed", "The dispute was lost."
State = Dispute.State
MOVES: dict[str, set[str]] = {
    State.INQUIRY: {State.OPEN, State.CLOSED, State.WON, State.LOST},
    State.OPEN: {State.CLOSED, State.WON, State.LOST},
    State.LOST: {State.WON},
    State.CLOSED: set(),
    State.WON: set(),
}
UNDECIDED = (State.INQUIRY, State.OPEN)
ALREADY_REFUNDED = "The buyer disputes money that was given back already. Answer on the provider's page."
TAKEN = "The buyer disputed the payment, and it was decided for the buyer already."
TWICE = "A lost dispute took {} that had gone back already. Ask {} for it."


def inquired(payment: Payment, event: PaymentEvent, at: datetime) -> str:
    """Somebody asks about the payment. Nothing is frozen: an answer in time is all it takes."""
    dispute, is_new = _dispute(payment, event, state=State.INQUIRY, at=at)
    _save_answer_by(payment)
    if not is_new:
        return "Known already."
    text = "The buyer's bank asks about the payment. No money is withdrawn; answer on the provider's page."
    _tell_staff(payment, dispute, text=text, at=at)
    return "Staff were told."


def closed(payment: Payment, event: PaymentEvent, at: datetime) -> str:
    """It ended without a decision: settled, or merged into another. No money went; what was frozen is shown again."""
    dispute, is_new = _dispute(payment, event, state=State.CLOSED, at=at)
    was_open = dispute.state == State.OPEN
    if not is_new and not _move(dispute, to=State.CLOSED, at=at):
        return "Nothing to do."
    _save_answer_by(payment)
    by = f"provider:{payment.provider}"
    if was_open:
        _decided(payment, flag="", text="The dispute was closed without a decision.", at=at)
        return "Dispute closed."
    note(order=payment.order, kind="inquiry_closed", text="The bank's question was settled.", by=by, at=at)
    return "Inquiry closed."


def opened(payment: Payment, event: PaymentEvent, at: datetime) -> str:
    """Money under dispute buys no attention: waiting lines wait on, paid places are taken off the site."""
    dispute, is_new = _dispute(payment, event, state=State.OPEN, at=at)
    if not is_new and not _move(dispute, to=State.OPEN, at=at):
        _save_answer_by(payment)
        return "Known already."
    order, is_gone = payment.order, books.left_of(payment) <= 0
    text = ALREADY_REFUNDED if is_gone else TAKEN if event.kind == Kind.DISPUTE_LOST else DISPUTED
    _save_answer_by(payment)
    _tell_staff(payment, dispute, text=text, at=at)
    if is_gone or payment.status == Payment.Status.FLAGGED:
        order.review_reason = text
        order.save(update_fields=["review_reason"])
        note(order=order, kind="disputed", text=text, by=f"provider:{payment.provider}", at=at)
    if is_gone or payment.status != Payment.Status.PAID:
        return "Staff were told."
    _set(payment, status=Payment.Status.DISPUTED, flag="The buyer disputes this payment.")
    books.follow(order, kind="disputed", text=text, by=f"provider:{payment.provider}", at=at)
    for line in order.lines.select_for_update():
        line.order = order
        if parts := [part for part in line.parts_done if PRODUCTS[part].is_advertising]:
            suspend(line=line, parts=parts, reason=FROZEN, at=at)
    return "Disputed."


def won(payment: Payment, event: PaymentEvent, at: datetime) -> str:
    """The money stays, or has come back: what was frozen is shown again."""
    dispute, is_new = _dispute(payment, event, state=State.WON, at=at)
    if not is_new and not _move(dispute, to=State.WON, at=at):
        return "Known already."
    _save_answer_by(payment)
    take_losses_back(payment=payment, reference=event.refund_ref, since=_last_loss(dispute), at=at)
    text = "The dispute was decided for us."
    _decided(payment, flag="", text=text, at=at)
    return "Dispute won."


def _last_loss(dispute: Dispute) -> datetime | None:
    """When another dispute of the same payment was lost: what went until then is not this one's."""
    others = dispute.payment.disputes.filter(state=State.LOST).exclude(pk=dispute.pk)
    last: datetime | None = others.aggregate(last=Max("closed_at"))["last"]
    return last


def lost(payment: Payment, event: PaymentEvent, at: datetime) -> str:
    """The money is gone, which is a refund that nobody here decided."""
    dispute = _dispute(payment, event, state=State.INQUIRY, at=at)[0]
    if State.LOST not in MOVES[dispute.state]:
        return "Known already."
    if dispute.state == State.INQUIRY and books.left_of(payment) > 0:
        opened(payment, event, at)
        dispute.refresh_from_db()
    there, went = max(0, books.left_of(payment)), _lost_cents(dispute, payment, event)
    _move(dispute, to=State.LOST, at=at)
    _save_answer_by(payment)
    if cents := min(there, went):
        record_loss(payment=payment, cents=cents, reference=event.refund_ref, reason=LOST, at=at)
    _decided(payment, flag=LOST, text=LOST, at=at)
    if went > there:
        more = price(went - there, payment.paid_currency or payment.currency)
        text = TWICE.format(more, payment.provider)
        flag_for_review(payment.order, text=text, by=payment, about=dispute.pk, at=at)
    return "Dispute lost."


def _lost_cents(dispute: Dispute, payment: Payment, event: PaymentEvent) -> int:
    """What the dispute took, without what was heard of as a refund of its own already."""
    is_same = event.currency in {"", payment.paid_currency}
    cents = event.amount_cents if event.amount_cents is not None and is_same else books.left_of(payment)
    if not event.refund_ref:
        apart = payment.refunds.filter(by=None, status=Refund.Status.DONE, created_at__gte=dispute.opened_at)
        cents -= books.sum_of(apart.exclude(kind=Refund.Kind.LOSS))
    return max(0, cents)


def _decided(payment: Payment, *, flag: str, text: str, at: datetime) -> None:
    """Once no other dispute of it is open, a payment with something left is paid again, and its work goes on."""
    order = payment.order
    if (
        order.review_reason in {ALREADY_REFUNDED, DISPUTED, TAKEN}
        and not payment.disputes.filter(state__in=UNDECIDED).exists()
    ):
        books.update_review(order)
    lost = payment.disputes.filter(state=State.LOST).exists()  # this one, or another before it
    if payment.status == Payment.Status.DISPUTED and not payment.disputes.filter(state=State.OPEN).exists():
        is_gone = lost and books.left_of(payment) <= 0
        status = Payment.Status.DISPUTED if is_gone else Payment.Status.PAID
        _set(payment, status=status, flag=LOST if lost else flag)
    elif payment.flag == LOST and not lost:
        _set(payment, status=payment.status, flag="")  # its money came back later
    books.follow(order, kind="dispute_decided", text=text, by=f"provider:{payment.provider}", at=at)
    if order.status in MAY_WORK:
        for line in order.lines.filter(effect__frozen=FROZEN).select_for_update():
            requeue(line=line)
        plan_work(order=order, at=at)


def _dispute(payment: Payment, event: PaymentEvent, *, state: str, at: datetime) -> tuple[Dispute, bool]:
    """The row of a dispute of a locked payment, which is made in this state unless there is one."""
    rows = Dispute.objects.filter(payment=payment)
    row = rows.filter(reference=event.dispute_ref).first()
    if row is None and event.dispute_ref:  # of a former release, or heard of without its name
        row = rows.filter(reference="", state__in=UNDECIDED).first()
    is_over = row is not None and row.state not in UNDECIDED
    if row is not None and is_over and not event.dispute_ref and state in UNDECIDED:
        row.state, row.opened_at = State.INQUIRY, at  # a provider that names none can only mean a new one
    if row is None:
        is_open = state in UNDECIDED
        row = Dispute.objects.create(
            payment=payment,
            reference=event.dispute_ref,
            state=state,
            amount_cents=event.amount_cents,
            answer_by=moment(event.answer_by),
            opened_at=event.began_at(at),  # what it took may be heard of before it
            closed_at=None if is_open else at,
        )
        return row, True
    row.reference = row.reference or event.dispute_ref
    row.amount_cents = row.amount_cents if event.amount_cents is None else event.amount_cents
    row.answer_by = moment(event.answer_by) or row.answer_by
    row.save(update_fields=["reference", "amount_cents", "answer_by"])
    return row, False


def _move(dispute: Dispute, *, to: str, at: datetime) -> bool:
    """Whether it moved; what has been told already, or is older than what is known, moves nothing."""
    if to not in MOVES[dispute.state]:
        return False
    dispute.state, dispute.closed_at = to, None if to in UNDECIDED else at
    dispute.save(update_fields=["state", "closed_at"])
    return True


def _tell_staff(payment: Payment, dispute: Dispute, *, text: str, at: datetime) -> None:
    by = f"provider:{payment.provider}"
    if dispute.state == State.INQUIRY:
        note(order=payment.order, kind="inquiry", text=text, by=by, at=at)
    mails.send_to_staff(order=payment.order, reason=text, about=f"{payment.pk}{dispute.reference}")


def _set(payment: Payment, *, status: str, flag: str) -> None:
    payment.status, payment.flag = status, flag
    payment.save(update_fields=["status", "flag"])


def _save_answer_by(payment: Payment) -> None:
    """The first deadline of those that are undecided, where staff look for it."""
    undecided = payment.disputes.filter(state__in=UNDECIDED)
    payment.answer_by = undecided.aggregate(first=Min("answer_by"))["first"]
    payment.save(update_fields=["answer_by"])
