"""What providers tell us: the signature first, stored once, acted on by a job. And what we ask when they are silent."""

import logging
import uuid
from collections.abc import Mapping
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q

from core import jobs
from core.api.errors import NotFoundError
from orders import limits, mails
from orders.books import left_of
from orders.models import Order, Payment, ProviderEvent, Refund
from orders.payments import (
    BadNotificationError,
    GatewayRefusedError,
    GatewayUnclearError,
    Kind,
    PaymentEvent,
    enabled_provider,
)
from orders.refund_outcomes import apply_refund_event
from orders.settle import settle
from orders.timeline import HAS_MONEY, OPEN, ref_of

logger = logging.getLogger(__name__)
REFUNDS = (Kind.REFUNDED, Kind.REFUND_FAILED, Kind.REFUND_PENDING, Kind.REVERSED)
MONEY_GOES = (Kind.REFUNDED, Kind.REVERSED, Kind.DISPUTED, Kind.DISPUTE_LOST)
NEEDS_AMOUNT = (Kind.PAID, Kind.APPROVED, Kind.ODD)
PAYMENT_MAY_COME = timedelta(minutes=30)
ASK_EVERY, ASK_FOR = timedelta(minutes=10), timedelta(days=4)
GRACE = timedelta(minutes=5)
AT_ONCE = 500


def receive(*, provider: str, headers: Mapping[str, str], body: bytes, at: datetime) -> None:
    """Store a notification and the job that acts on it; the same one once more is nothing new.

    Raises NotFoundError for a provider that is not on, BadNotificationError for what it did not sign, and
    GatewayUnclearError when that cannot be found out now.
    """
    gateway = enabled_provider(provider)
    if gateway is None:
        raise NotFoundError("There is nothing at this address.")
    notification = gateway.parse(headers=headers, body=body, at=at)
    if notification is None or (gateway.is_live and not notification.is_live):
        return
    if not notification.event_id:
        raise BadNotificationError("It has no id.")
    event = notification.event
    try:
        with transaction.atomic():
            row = ProviderEvent.objects.create(
                provider=provider,
                event_id=notification.event_id,
                kind=event.kind.value,
                reference=event.ref or event.provider_ref or event.charge_ref or event.refund_ref,
                amount_cents=event.amount_cents,
                currency=event.currency[:3],
                happened_at=notification.happened_at,
                received_at=at,
            )
            jobs.add("orders.act_on_event", key=str(row.pk), event_id=row.pk, fact=asdict(event))
    except IntegrityError:
        if not ProviderEvent.objects.filter(provider=provider, event_id=notification.event_id).exists():
            raise


def act_on_event(*, event_id: int, fact: Mapping[str, Any], at: datetime) -> None:
    """Find the payment that a notification is about, and bring it up to date."""
    row = ProviderEvent.objects.get(pk=event_id)
    if row.outcome:
        return
    event = PaymentEvent(**{**fact, "kind": Kind(fact["kind"])})
    payment = _payment(provider=row.provider, event=event)
    if payment is None:
        if not event.ref and at < row.received_at + PAYMENT_MAY_COME:
            raise jobs.NotNowError(seconds=30)  # the payment's own notification may still be to come
        outcome = "It names no payment of ours."
        logger.warning("notification of nobody", extra={"provider": row.provider, "event": row.event_id})
    elif event.kind == Kind.REFUNDS_CHANGED:
        outcome = _read_refunds(payment, heard_at=row.received_at, at=at)
    elif event.kind in REFUNDS:
        _hear_failures_first(payment, event, heard_at=row.received_at, at=at)
        outcome = apply_refund_event(payment_id=str(payment.pk), event=event, heard_at=row.received_at, at=at)
    else:
        _hear_failures_first(payment, event, heard_at=row.received_at, at=at)
        outcome = apply(payment=payment, event=event, at=at)
    row.payment, row.outcome = payment, outcome[: limits.NOTE]
    row.save(update_fields=["payment", "outcome"])


def _read_refunds(payment: Payment, *, heard_at: datetime, at: datetime) -> str:
    """Ask for all refunds of a payment, as the notification names none, and bring each to the books once."""
    gateway = enabled_provider(payment.provider)
    events = gateway.refunds(ref_of(payment)) if gateway is not None else []
    events.sort(key=lambda event: event.kind != Kind.REFUND_FAILED)  # which makes room for the others
    outcomes = [
        apply_refund_event(payment_id=str(payment.pk), event=event, heard_at=heard_at, at=at)
        for event in events
    ]
    return " ".join(dict.fromkeys(outcomes)) or "It has no refunds."


def _hear_failures_first(payment: Payment, event: PaymentEvent, *, heard_at: datetime, at: datetime) -> None:
    """More went than is here by our books: then a refund has failed there, and nobody has told us yet."""
    went = event.amount_cents if event.kind in MONEY_GOES else None
    if went is not None and payment.status in HAS_MONEY and went > left_of(payment):
        _read_refunds(payment, heard_at=heard_at, at=at)


def _payment(*, provider: str, event: PaymentEvent) -> Payment | None:
    """By our own reference, or by what the provider calls the payment, the charge or the refund."""
    mine = Payment.objects.filter(provider=provider)
    if event.ref:
        try:
            ref = uuid.UUID(event.ref)
            return mine.filter(Q(pk=ref) | Q(refunds=ref)).distinct().first()
        except ValueError:
            return None
    named = Q()
    if event.provider_ref:
        named |= Q(provider_reference=event.provider_ref)
    if event.charge_ref:
        named |= Q(charge_reference=event.charge_ref)
    if event.refund_ref:
        named |= Q(pk__in=Refund.objects.filter(provider_reference=event.refund_ref).values("payment"))
    return mine.filter(named).first() if named else None


def apply(*, payment: Payment, event: PaymentEvent, at: datetime) -> str:
    """Settle a event, after asking the provider for what it leaves out or for money that waits to be collected."""
    gateway = enabled_provider(payment.provider)
    if gateway is not None and event.kind in NEEDS_AMOUNT:
        if event.kind == Kind.APPROVED:
            if not _may_collect(payment, at=at):
                return "Not collected: the attempt had ended."
            event = gateway.collect(_named(payment, event))
        elif event.amount_cents is None:
            now = gateway.state(_named(payment, event))
            event = event if event.kind == Kind.ODD and now.kind not in (Kind.ODD, Kind.PAID) else now
    return settle(payment_id=str(payment.pk), event=event, at=at)


def _named(payment: Payment, event: PaymentEvent) -> Any:
    """The payment, known by the provider's word for it even if the answer of `start` never came."""
    ref = ref_of(payment)
    return ref if ref.provider_ref else replace(ref, provider_ref=event.provider_ref)


def _may_collect(payment: Payment, *, at: datetime) -> bool:
    return (
        payment.status == Payment.Status.STARTED
        and payment.order.status == Order.Status.PENDING
        and at < payment.expires_at + GRACE
    )


# -- what is asked by the clock ---------------------------------------------------------------------------


def plan_checks(*, at: datetime) -> int:
    """Add a job for each open payment that has been silent for a while."""
    due = Payment.objects.filter(status__in=OPEN, next_check_at__lte=at).order_by("next_check_at")[:AT_ONCE]
    for payment in due:
        key = f"{payment.pk}-{payment.next_check_at:%Y%m%d%H%M}"
        jobs.add("orders.check_payment", key=key, payment_id=str(payment.pk))
    return len(due)


def check_payment(*, payment_id: str, at: datetime) -> str:
    """Ask the provider how an open payment stands: a notification may have been lost.

    What the provider does not know any more ends at its time; while it does not answer, nothing ends.
    """
    payment = Payment.objects.select_related("order").get(pk=payment_id)
    if payment.status not in OPEN:
        return "Nothing to do."
    is_over = payment.created_at + ASK_FOR < at
    pause = max(ASK_EVERY, (at - payment.created_at) / 4)  # ever more rarely
    try:
        event = _state(payment)
    except GatewayUnclearError as error:
        logger.warning("provider not to be asked", extra={"payment": payment_id, "reason": str(error)})
        Payment.objects.filter(pk=payment_id).update(next_check_at=at + pause)
        return "The provider does not answer."
    Payment.objects.filter(pk=payment_id).update(next_check_at=None if is_over else at + pause)
    has_lapsed = payment.expires_at + GRACE < at
    if event.kind in (Kind.OPEN, Kind.APPROVED) and has_lapsed:
        jobs.add("orders.cancel_payment", key=payment_id, payment_id=payment_id)
        event = PaymentEvent(kind=Kind.EXPIRED)
    if is_over:
        words = "A payment has been on its way for four days."
        mails.send_to_staff(order=payment.order, reason=words, about=payment_id)
    return apply(payment=payment, event=event, at=at)


def _state(payment: Payment) -> PaymentEvent:
    """The payment as its provider has it. Money that was on its way stays so where the provider refuses to say."""
    gateway = enabled_provider(payment.provider)
    if gateway is None or not payment.provider_reference:
        return PaymentEvent(kind=Kind.OPEN)
    try:
        return gateway.state(ref_of(payment))
    except GatewayRefusedError as error:
        logger.warning("provider refuses to say", extra={"payment": str(payment.pk), "reason": str(error)})
        is_on_its_way = payment.status == Payment.Status.PROCESSING
        return PaymentEvent(kind=Kind.PROCESSING if is_on_its_way else Kind.OPEN)
