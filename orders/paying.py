"""How a person begins to pay: places and promo are reserved first, then the provider is asked for its page."""

import logging
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q

from core import jobs
from core.outages import ServiceAwayError
from directory.wording import words_of
from orders import limits, mails, settle
from orders.cart import outdated
from orders.errors import OrderCannotMoveError, OrderOutdatedError, PaymentUnavailableError, TotalChangedError
from orders.models import Order, Payment
from orders.payments import (
    CLOSED,
    GatewayRefusedError,
    GatewayUnclearError,
    Intent,
    KeyRefusedError,
    Provider,
    RightMissingError,
    enabled,
    enabled_provider,
    offered,
)
from orders.places import release_reservations, reserve_for_payment
from orders.timeline import OPEN, end_payments, locked, move_order, note, ref_of

PAGE_LIVES = limits.RESERVED_FOR - timedelta(minutes=4)  # the provider's ends before the places are let go
STILL_GOOD, ONCE_MORE = timedelta(minutes=5), timedelta(minutes=1)
BUYER = "buyer"  # whoever holds the link; not always the person who made the order
FIRST_CHECK = timedelta(minutes=10)
KEY_REFUSED = "Paying this way is closed for now. The fault is ours, and our staff know of it."
REFUSED_LASTS = timedelta(days=1)
logger = logging.getLogger(__name__)


def start_payment(
    *, order_id: int, method: str, total_cents: int, return_url: str, cancel_url: str, at: datetime
) -> Payment:
    """Begin to pay an order whose total the person has seen. Call it outside of a transaction: it asks the provider.

    A total of 0 is settled at once. Pressed twice, it leads to the same page. Raises OrderCannotMoveError,
    OrderOutdatedError, TotalChangedError, what `reserve_for_payment` raises (nothing is held then), and
    PaymentUnavailableError.
    """
    gateway = offered().get(method)
    with transaction.atomic():
        order = locked(order_id)
        _refuse_unless_payable(order, total_cents=total_cents, at=at)
        if reason := outdated(order, at=at):
            raise OrderOutdatedError(reason, current=order.status, allowed=())
        reserve_for_payment(order=order, until=at + limits.RESERVED_FOR, at=at)
        if order.total_cents == 0:
            return settle.settle_free(order=order, by=BUYER, at=at)
        if gateway is None:
            words = f"{method} is not one of the ways to pay here." if offered() else CLOSED
            raise PaymentUnavailableError(words)
        payment = _attempt(order, gateway=gateway, method=method, at=at)
    if payment.redirect_url:
        return payment
    return _open(payment, gateway=gateway, return_url=return_url, cancel_url=cancel_url, at=at)


def _refuse_unless_payable(order: Order, *, total_cents: int, at: datetime) -> None:
    if order.status != Order.Status.PENDING or order.expires_at <= at:
        words = f"This order is {words_of(order.status).lower()} and can’t be paid."
        raise OrderCannotMoveError(words, current=order.status, allowed=())
    if order.total_cents != total_cents:
        raise TotalChangedError("The total has changed since it was shown.", total_cents=order.total_cents)


def _attempt(order: Order, *, gateway: Provider, method: str, at: datetime) -> Payment:
    """The attempt that is under way, or a new one, beside which the others end."""
    same = order.payments.filter(
        status=Payment.Status.STARTED, provider=gateway.code, method=method, amount_cents=order.total_cents
    )
    # one whose page is not known is asked for once more, with the same key, as long as the provider takes its times
    good = same.filter(expires_at__gt=at + STILL_GOOD).exclude(redirect_url="", created_at__lt=at - ONCE_MORE)
    payment = good.order_by("-created_at").first()
    end_payments(order=order, keeping=payment)
    return payment or _new(order, gateway=gateway, method=method, at=at)


def _new(order: Order, *, gateway: Provider, method: str, at: datetime) -> Payment:
    payment = Payment.objects.create(
        order=order,
        provider=gateway.code,
        method=method,
        amount_cents=order.total_cents,
        currency=order.currency,
        test_money=not gateway.is_live,
        created_at=at,
        expires_at=at + PAGE_LIVES,
        next_check_at=at + FIRST_CHECK,
    )
    text = f"Began to pay by {method}."
    note(order=order, kind="payment_started", text=text, by=BUYER, at=at, payment=str(payment.pk))
    return payment


def _open(payment: Payment, *, gateway: Provider, return_url: str, cancel_url: str, at: datetime) -> Payment:
    order = payment.order
    intent = Intent(
        ref=str(payment.pk),
        number=order.number,
        method=payment.method,
        amount_cents=payment.amount_cents,
        currency=payment.currency,
        email=order.billing_email,
        return_url=return_url,
        cancel_url=cancel_url,
        expires_at=payment.expires_at,
    )
    try:
        with gateway.bulkhead.place():
            redirect = gateway.start(intent)
    except (KeyRefusedError, RightMissingError) as error:
        _alert(gateway)
        raise PaymentUnavailableError(KEY_REFUSED) from error
    except (GatewayUnclearError, ServiceAwayError) as error:
        words = "The payment provider does not answer. Try again in a minute."
        raise PaymentUnavailableError(words) from error
    except GatewayRefusedError as error:
        logger.warning("%s refused a payment", gateway.code, extra={"reason": str(error)})
        _refused(payment, at=at)
        raise PaymentUnavailableError("The payment provider did not take this payment.") from error
    jobs.forget_heartbeat(_refusal_of(gateway.code))
    payment.provider_reference, payment.redirect_url = redirect.provider_ref, redirect.redirect_url
    payment.save(update_fields=["provider_reference", "redirect_url"])
    return payment


def _alert(gateway: Provider) -> None:
    """Tell the operator, by the log and by `/metrics`, that nobody can pay by a provider until its key is mended."""
    logger.error("%s refuses our key", gateway.code, extra={"consequence": "Nobody can pay by it."})
    jobs.note_heartbeat(_refusal_of(gateway.code))


def _refusal_of(code: str) -> str:
    return f"key:{code}"[:20]  # as long as a heartbeat's name may be


def refused_keys(*, at: datetime) -> list[str]:
    """The providers that refused our key within a day, and that nobody has been led to since."""
    codes = {_refusal_of(code): code for code in enabled()}
    beats = jobs.heartbeats().items()
    return [codes[name] for name, moment in beats if name in codes and moment > at - REFUSED_LASTS]


@transaction.atomic
def _refused(payment: Payment, *, at: datetime) -> None:
    """Let go what was held for an attempt, unless another was begun while its provider was asked."""
    order = locked(payment.order_id)
    payment.refresh_from_db(fields=["status"])
    if payment.status != Payment.Status.STARTED:
        return
    payment.status, payment.next_check_at = Payment.Status.FAILED, None
    payment.save(update_fields=["status", "next_check_at"])
    release_reservations(order=order)
    by = f"provider:{payment.provider}"
    note(order=order, kind="payment_failed", text="The provider did not take the payment.", by=by, at=at)


def cancel_payment(*, payment_id: str) -> None:
    payment = Payment.objects.get(pk=payment_id)
    gateway = enabled_provider(payment.provider)
    if gateway is not None and payment.provider_reference:
        gateway.cancel(ref_of(payment))


@transaction.atomic
def check_payments(*, order_id: int, at: datetime) -> None:
    """Have the providers of an order's open payments asked soon; for the page that the person comes back to."""
    for payment in Payment.objects.filter(order=order_id, status__in=OPEN):
        jobs.add("orders.check_payment", key=f"{payment.pk}-{at:%Y%m%d%H%M}", payment_id=str(payment.pk))


@transaction.atomic
def cancel_order(*, order_id: int, by: str, at: datetime) -> Order:
    """Cancel an order that nobody has paid; canceled already is success. Raises OrderCannotMoveError."""
    order = locked(order_id)
    if order.status == Order.Status.PROCESSING:
        raise OrderCannotMoveError("Money for this order is on its way.", current=order.status)
    if order.status == Order.Status.REVIEW:
        raise OrderCannotMoveError("Money came for this order, and we look at it.", current=order.status)
    if order.status != Order.Status.CANCELED:
        end_order(order, to=Order.Status.CANCELED, text="Cancelled.", by=by, at=at)
    return order


@transaction.atomic
def expire_order(*, order_id: int, at: datetime) -> None:
    """End an order that was not paid in time, unless money is on its way."""
    order = locked(order_id)
    if order.status == Order.Status.PENDING and order.expires_at <= at:
        end_order(order, to=Order.Status.EXPIRED, text="Nobody paid in time.", by="system", at=at)


def end_order(order: Order, *, to: str, text: str, by: str, at: datetime) -> None:
    """End a locked order that is not paid: its payments at their providers, and what it keeps from others."""
    move_order(order=order, to=to, by=by, text=text, at=at)
    end_payments(order=order)
    release_reservations(order=order)


def orders_to_expire(*, at: datetime) -> list[int]:
    """Pending orders whose time is over and that nobody is paying at this moment."""
    due = Order.objects.filter(status=Order.Status.PENDING, expires_at__lte=at)
    paying = Q(payments__status__in=OPEN, payments__expires_at__gt=at - STILL_GOOD)
    return list(due.exclude(paying).order_by("expires_at", "pk").values_list("pk", flat=True)[:500])


@transaction.atomic
def cancel_unpaid(*, order_id: int, reason: str, staff_id: int, at: datetime) -> bool:
    """End a pending order and its payments, let places and code go, and mail the buyer why. False: it was cancelled.

    Raises OrderCannotMoveError for any other order. Money that comes all the same is put into review.
    """
    order = locked(order_id)
    if order.status == Order.Status.CANCELED:
        return False
    if order.status != Order.Status.PENDING:
        words = f"{order.number} is {words_of(order.status).lower()}"
        raise OrderCannotMoveError.of(
            order, f"{words}: only one that waits for its payment can be cancelled."
        )
    text = f"Cancelled: {reason}"[: limits.NOTE]
    end_order(order, to=Order.Status.CANCELED, text=text, by=f"staff:{staff_id}", at=at)
    mails.send_canceled(order=order, reason=reason)
    return True
