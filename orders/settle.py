"""The one door to `paid`: what a provider says of a payment, brought to its order. Saying it twice changes nothing."""

from collections.abc import Callable
from datetime import datetime
from itertools import chain

from django.db import transaction
from django.db.models import Prefetch, prefetch_related_objects

from core import events
from core.api.errors import ApiError
from orders import books, disputing, evidence, invoices, limits, mails
from orders.errors import OrderCannotMoveError
from orders.fulfil import block, plan_work
from orders.models import Dispute, Order, Payment, Refund
from orders.payments import Kind, PaymentEvent
from orders.places import confirm_reservations, prolong_reservations, release_reservations
from orders.selectors.orders import what_came
from orders.timeline import HAS_MONEY, OPEN, end_payments, locked, move_order, note
from orders.wording import DISPUTED, price

Status = Payment.Status
BANK_DECIDES = "The buyer disputes this money: its bank decides first."
ODD = "Money came in part or late: look at the provider's own page."
CAME = ("status", "next_check_at", "settled_at", "flag", "paid_cents", "paid_currency")
UNPAID = (Order.Status.PENDING, Order.Status.PROCESSING, Order.Status.EXPIRED, Order.Status.CANCELED)


@transaction.atomic
def settle(*, payment_id: str, event: PaymentEvent, at: datetime) -> str:
    """Apply what a provider says. Returns what that changed, in words for the record."""
    order = locked(Payment.objects.filter(pk=payment_id).values("order_id")[:1])
    prefetch_related_objects([order], Prefetch("payments", queryset=Payment.objects.select_for_update()))
    payment = next(row for row in order.payments.all() if str(row.pk) == payment_id)
    act = ACTS.get(event.kind)
    if act is None:
        return "Nothing to do."
    return act(payment, event, at)


def _paid(payment: Payment, event: PaymentEvent, at: datetime) -> str:
    if payment.status in HAS_MONEY:
        return "Known already."
    order = payment.order
    payment.paid_cents, payment.paid_currency = event.amount_cents, event.currency
    if event.amount_cents is not None and event.over_cents:
        payment.paid_cents = event.amount_cents + event.over_cents
    payment.provider_reference = payment.provider_reference or event.provider_ref or None
    payment.charge_reference = event.charge_ref or payment.charge_reference
    payment.settled_at, payment.next_check_at = at, None
    payment.flag = _misfit(payment, event)
    payment.flag = payment.flag or _too_late(order)
    order.place_evidence = evidence.collected(order, stated=event.places)
    unclear = "" if payment.flag else evidence.doubt(order)
    payment.flag = payment.flag or unclear
    payment.status = Status.FLAGGED if payment.flag else Status.PAID
    payment.save(update_fields=[*CAME, "provider_reference", "charge_reference"])
    if unclear:
        mails.send_where(order=order)
    if payment.flag:
        return _review(payment, at=at)
    by = f"provider:{payment.provider}"
    mark_paid(order=order, is_test=payment.test_money, by=by, at=at, saving=("place_evidence",))
    if event.over_cents != 0:
        flag_surplus(payment, over_cents=event.over_cents, at=at)
    return "Paid."


def flag_surplus(payment: Payment, *, over_cents: int | None, at: datetime) -> None:
    """More came than was asked for: the order is paid, and staff give the rest back."""
    order = payment.order
    much = price(over_cents, payment.paid_currency) if over_cents else "the provider's page says how much"
    payment.flag = f"Money to give back: more came than was asked for ({much})."
    payment.save(update_fields=["flag"])
    order.review_reason = payment.flag
    order.save(update_fields=["review_reason"])
    note(order=order, kind="review", text=payment.flag, by=f"provider:{payment.provider}", at=at)
    mails.send_to_staff(order=order, reason=payment.flag, about=payment.pk)


def _too_late(order: Order) -> str:
    """Why money that fits its payment is nobody's to take without a look, or nothing."""
    if order.status == Order.Status.CANCELED:
        return "The order had been cancelled when this money came."
    if order.owner is not None and order.owner.is_erased:
        return "The account of its buyer had been erased when this money came."
    return "" if order.status in UNPAID else "The order had been paid already: this money came a second time."


def _misfit(payment: Payment, event: PaymentEvent) -> str:
    """Why money does not fit the payment, or nothing."""
    requested, order = (payment.amount_cents, payment.currency), payment.order
    if (event.amount_cents, event.currency) != requested:
        return f"{price(event.amount_cents or 0, event.currency)} came; {price(*requested)} was asked for."
    if event.provider_ref and payment.provider_reference not in {None, "", event.provider_ref}:
        return "The provider names another payment than the one that was started."
    if order.status in UNPAID and requested != (order.total_cents, order.currency):
        return "The order's total is no longer what was asked for."
    return ""


def _review(payment: Payment, *, at: datetime) -> str:
    """Money that does not fit is never ignored: staff look. A paid order stays paid."""
    order, by = payment.order, f"provider:{payment.provider}"
    order.review_reason, saving = payment.flag, ("review_reason", "place_evidence")
    if order.can_become(Order.Status.REVIEW):
        move_order(order=order, to=Order.Status.REVIEW, by=by, text=payment.flag, at=at, saving=saving)
        end_payments(order=order)
    else:
        order.save(update_fields=saving)
        note(order=order, kind="review", text=payment.flag, by=by, at=at)
    mails.send_to_staff(order=order, reason=payment.flag, about=payment.pk)
    return "In review."


def settle_free(*, order: Order, by: str, at: datetime) -> Payment:
    """A locked order whose total is 0 needs no provider."""
    payment = Payment.objects.create(
        order=order,
        provider="none",
        method="none",
        status=Status.PAID,
        amount_cents=0,
        currency=order.currency,
        paid_cents=0,
        paid_currency=order.currency,
        created_at=at,
        expires_at=at,
        settled_at=at,
    )
    mark_paid(order=order, is_test=False, by=by, at=at)
    return payment


def mark_paid(*, order: Order, is_test: bool, by: str, at: datetime, saving: tuple[str, ...] = ()) -> None:
    """Everything that being paid means, in one transaction: places, promo, invoice, mail, a job for each line.

    `saving` names what else the caller has set on the order.
    """
    order.paid_at, order.test_money = at, is_test
    saving = ("paid_at", "test_money", *saving)
    move_order(order=order, to=Order.Status.PAID, by=by, text="Paid.", at=at, saving=saving)
    end_payments(order=order)
    full = confirm_reservations(order=order, at=at)
    invoice = invoices.issue_invoice(order=order, at=at)
    for line in full:
        detail = f"The week of {line.week:%-d %B %Y} was full when your payment came."
        block(line=line, reason="week_full", detail=detail, at=at)
    plan_work(order=order, at=at)
    mails.send_receipt(order=order, invoice=invoice)
    events.emit("order.paid", user_id=order.owner_id, thing=order.pk)


def _processing(payment: Payment, event: PaymentEvent, at: datetime) -> str:
    order = payment.order
    if payment.status != Status.STARTED or order.status != Order.Status.PENDING:
        return "Nothing to do."
    payment.status = Status.PROCESSING
    payment.charge_reference = event.charge_ref or payment.charge_reference
    payment.save(update_fields=["status", "charge_reference"])
    by, to, text = f"provider:{payment.provider}", Order.Status.PROCESSING, "The money is on its way."
    move_order(order=order, to=to, by=by, text=text, at=at)
    try:
        prolong_reservations(order=order, until=at + limits.PROCESSING_FOR, at=at)
    except ApiError:
        return "On its way; a place had lapsed and is not held any more."
    return "On its way."


def _ended(payment: Payment, event: PaymentEvent, at: datetime) -> str:
    """Failed or expired: the person may try again, with places free for everybody meanwhile."""
    if payment.status not in OPEN:
        return "Nothing to do."
    order = payment.order
    text = "The payment failed." if event.kind == Kind.FAILED else "The payment was not made in time."
    payment.status = Status.FAILED if event.kind == Kind.FAILED else Status.EXPIRED
    payment.next_check_at = None
    payment.save(update_fields=["status", "next_check_at"])
    by = f"provider:{payment.provider}"
    note(order=order, kind="payment_ended", text=text, by=by, at=at, payment=str(payment.pk))
    if order.status == Order.Status.PROCESSING:
        move_order(order=order, to=Order.Status.PENDING, by=by, text=text, at=at)
    if order.status == Order.Status.PENDING:
        release_reservations(order=order)
    return text


def _odd(payment: Payment, event: PaymentEvent, at: datetime) -> str:
    """Some money came, but not as it was asked for: too little, or too late for the provider."""
    came = event.amount_cents
    has_more = came is not None and came > (payment.paid_cents or 0)
    if payment.status in HAS_MONEY and not has_more:
        return "Known already."
    if payment.status not in HAS_MONEY:
        payment.status, payment.next_check_at, payment.settled_at = Status.FLAGGED, None, at
    if has_more:
        payment.paid_cents, payment.paid_currency = came, event.currency
    payment.flag = ODD if came is None else what_came(payment)
    payment.save(update_fields=CAME)
    return _review(payment, at=at)


ACTS: dict[Kind, Callable[[Payment, PaymentEvent, datetime], str]] = {
    Kind.PAID: _paid,
    Kind.PROCESSING: _processing,
    Kind.FAILED: _ended,
    Kind.EXPIRED: _ended,
    Kind.ODD: _odd,
    Kind.INQUIRY: disputing.inquired,
    Kind.DISPUTE_CLOSED: disputing.closed,
    Kind.DISPUTED: disputing.opened,
    Kind.DISPUTE_WON: disputing.won,
    Kind.DISPUTE_LOST: disputing.lost,
}


@transaction.atomic
def accept_review(*, order_id: int, staff_id: int, at: datetime, seen: str | None = None) -> Order:
    """Staff take the money that came for what was asked, or have seen what a paid order was flagged for.

    Raises OrderCannotMoveError when it is in review no more, or for something else than they have `seen`, and while a
    bank decides about what it is in review for.
    """
    order = locked(order_id)
    by, reason = f"staff:{staff_id}", order.review_reason
    # browsers send CRLF for each line break
    is_seen = seen is None or seen.splitlines() == reason.splitlines()
    if not is_seen or not (reason or order.status == Order.Status.REVIEW):
        raise OrderCannotMoveError.of(order, "It is not in review for this any more. Look again.")
    if order.status != Order.Status.REVIEW and reason == DISPUTED and _is_with_bank(order):
        raise OrderCannotMoveError.of(order, BANK_DECIDES)
    order.review_reason = ""
    order.save(update_fields=["review_reason"])
    note(order=order, kind="accepted", text=f"Accepted: {reason}"[: limits.NOTE], by=by, at=at)
    payment = money_in_review(order)
    if order.status == Order.Status.REVIEW and payment is not None:
        accept(order=order, payment=payment, by=by, at=at)
    return order


def _is_with_bank(order: Order) -> bool:
    """Whether some of the money that did not fit is still here and disputed."""
    flagged = order.payments.filter(status=Payment.Status.FLAGGED, disputes__state=Dispute.State.OPEN)
    return any((row.paid_cents or 0) > books.gone_of(row) for row in flagged)


def money_in_review(order: Order) -> Payment | None:
    """What would be accepted: the first money that did not fit of which some is still here, else the first."""
    flagged = list(order.payments.filter(status=Payment.Status.FLAGGED).order_by("settled_at"))
    here = (row for row in flagged if row.paid_cents is None or row.paid_cents > books.gone_of(row))
    return next(chain(here, flagged), None)


def accept(*, order: Order, payment: Payment, by: str, at: datetime) -> None:
    """Let the money of a locked order in review be what it was asked for.

    Raises OrderCannotMoveError while it is disputed, or on its way back.
    """
    if payment.disputes.filter(state=Dispute.State.OPEN).exists():
        raise OrderCannotMoveError.of(order, BANK_DECIDES)
    if payment.refunds.filter(status=Refund.Status.PENDING).exists():
        raise OrderCannotMoveError.of(order, "This money is on its way back to the buyer.")
    payment.status = Payment.Status.PAID
    if payment.paid_cents is None:  # the provider could not say, and staff have looked
        payment.paid_cents, payment.paid_currency = payment.amount_cents, payment.currency
    payment.save(update_fields=["status", "paid_cents", "paid_currency"])
    mark_paid(order=order, is_test=payment.test_money, by=by, at=at)
    books.update_review(order)
