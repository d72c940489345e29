"""Stripe's hosted Checkout through Stripe's own SDK: cards and wallets, and PayPal where the account has it."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import httpx2
import stripe

from core.outages import Bulkhead, ServiceAwayError, in_request
from core.timed import timed_client
from orders.payments import signed
from orders.payments.base import (
    PAYPAL,
    TIMEOUT_SECONDS,
    GatewayRefusedError,
    GatewayUnclearError,
    Intent,
    KeyRefusedError,
    Kind,
    Method,
    Notification,
    PaymentEvent,
    PaymentRef,
    Provider,
    Redirect,
    RightMissingError,
)

CARD = Method("Card", "Also Apple Pay and Google Pay, on a device that has them")
UNCLEAR = (stripe.APIConnectionError, stripe.RateLimitError, stripe.APIError)
RETRIES = 2
SESSIONS = {
    "checkout.session.completed": None,  # whether money has come is in the session
    "checkout.session.async_payment_succeeded": Kind.PAID,
    "checkout.session.async_payment_failed": Kind.FAILED,
    "checkout.session.expired": Kind.EXPIRED,
}
DISPUTES = {
    "warning_needs_response": Kind.INQUIRY,
    "warning_under_review": Kind.INQUIRY,
    "warning_closed": Kind.DISPUTE_CLOSED,
    "prevented": Kind.DISPUTE_CLOSED,
    "won": Kind.DISPUTE_WON,
    "lost": Kind.DISPUTE_LOST,
}
DISPUTED = "charge.dispute."
DISPUTE_EVENTS = {"created", "updated", "closed", "funds_withdrawn", "funds_reinstated"}
REFUNDS = {
    "succeeded": Kind.REFUNDED,
    "failed": Kind.REFUND_FAILED,
    "canceled": Kind.REFUND_FAILED,
    "pending": Kind.REFUND_PENDING,
    "requires_action": Kind.REFUND_PENDING,
}


class Stripe(Provider):
    """One account. PayPal is left to PayPal's own client where that is set up."""

    position = 10
    code = "stripe"
    needs = ("STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET")
    reads = ("STRIPE_API_BASE", "STRIPE_PAYPAL")
    page_origins = ("https://checkout.stripe.com",)
    loggers = ("stripe",)
    bulkhead = Bulkhead("Stripe", in_jobs=True)

    def __init__(self, config: Mapping[str, Any]) -> None:
        secret_key, api_base = config["STRIPE_SECRET_KEY"], config["STRIPE_API_BASE"]
        self.methods = {"card": CARD, "paypal": PAYPAL} if config["STRIPE_PAYPAL"] else {"card": CARD}
        self.is_live = "_test_" not in secret_key
        self._webhook_secret = config["STRIPE_WEBHOOK_SECRET"]
        self._in_request = _client(secret_key, api_base, retries=0)
        self._in_job = _client(secret_key, api_base, retries=RETRIES)

    def start(self, intent: Intent) -> Redirect:
        """One line for the whole order: its VAT and discounts are computed and shown by us."""
        about = {"payment": intent.ref, "order": intent.number}
        params: dict[str, Any] = {
            "mode": "payment",
            "client_reference_id": intent.ref,
            "metadata": about,
            "payment_intent_data": {"metadata": about, "description": f"Order {intent.number}"},
            "line_items": [
                {
                    "quantity": 1,
                    "price_data": {
                        "currency": intent.currency.lower(),
                        "unit_amount": intent.amount_cents,
                        "product_data": {"name": f"Order {intent.number}"},
                    },
                }
            ],
            "adaptive_pricing": {"enabled": False},
            "expires_at": int(intent.expires_at.timestamp()),
            "success_url": intent.return_url,
            "cancel_url": intent.cancel_url,
        }
        if intent.email:
            params["customer_email"] = intent.email
        if intent.method == "paypal":
            params["payment_method_types"] = ["paypal"]
        with self._calling() as client:
            session = client.v1.checkout.sessions.create(
                params,  # type: ignore[arg-type]
                {"idempotency_key": f"start-{intent.ref}"},
            )
        return Redirect(provider_ref=session.id, redirect_url=session.url or "")

    def state(self, payment: PaymentRef) -> PaymentEvent:
        with self._calling() as client:
            session = client.v1.checkout.sessions.retrieve(
                payment.provider_ref, {"expand": ["payment_intent.latest_charge"]}
            )
        return _of_session(session.to_dict(), kind=None)

    def cancel(self, payment: PaymentRef) -> None:
        """Expire the session; one that is no longer open stays as it is."""
        try:
            with self._calling() as client:
                client.v1.checkout.sessions.expire(payment.provider_ref)
        except GatewayRefusedError:
            return

    def refund(self, payment: PaymentRef, *, key: str, amount_cents: int) -> PaymentEvent:
        with self._calling() as client:
            refund = client.v1.refunds.create(
                {
                    "payment_intent": payment.charge_ref,
                    "amount": amount_cents,
                    "metadata": {"payment": payment.ref, "refund": key},
                },
                {"idempotency_key": f"refund-{key}"},
            )
        return _of_refund(refund.to_dict())

    def refunds(self, payment: PaymentRef) -> list[PaymentEvent]:
        """Of the payment intent, those that somebody made in the dashboard too."""
        with self._calling() as client:
            page = client.v1.refunds.list({"payment_intent": payment.charge_ref, "limit": 100})
        return [_of_refund(refund.to_dict()) for refund in page.data]

    def parse(self, *, headers: Mapping[str, str], body: bytes, at: datetime) -> Notification | None:
        signed.verify(
            header=headers.get("Stripe-Signature", ""), body=body, secret=self._webhook_secret, at=at
        )
        message = signed.read(body)
        data = message.get("data")
        event = _of_event(
            signed.text(message, "type"), data.get("object") if isinstance(data, dict) else None
        )
        if event is None:
            return None
        created = message.get("created")
        return Notification(
            event_id=signed.text(message, "id"),
            event=event,
            is_live=message.get("livemode") is not False,
            happened_at=datetime.fromtimestamp(created, tz=UTC) if isinstance(created, int) else None,
        )

    @contextmanager
    def _calling(self) -> Iterator["stripe.StripeClient"]:  # as a text: the SDK loads its clients when named
        """The SDK, in a place of the bulkhead; its errors by what to do about them.

        Their texts may quote what we sent, so only their kind is kept.
        """
        try:
            with self.bulkhead.place():
                yield self._in_request if in_request() else self._in_job
        except stripe.AuthenticationError as error:
            raise KeyRefusedError(type(error).__name__) from error
        except stripe.PermissionError as error:
            raise RightMissingError(type(error).__name__) from error
        except (*UNCLEAR, ServiceAwayError) as error:
            raise GatewayUnclearError(type(error).__name__) from error
        except stripe.StripeError as error:
            at_fault = getattr(error, "param", None) or ""
            raise GatewayRefusedError(f"{error.code or type(error).__name__} {at_fault}".strip()) from error


class TimedCalls(stripe.HTTPClient):
    """What the SDK asks with: each call ends in time, as a whole."""

    name = "timed"

    def request(  # type: ignore[override]
        self, method: str, url: str, headers: Mapping[str, str] | None, post_data: Any = None
    ) -> tuple[bytes, int, Mapping[str, str]]:
        """Body (in bytes, as the SDK's own clients have it), status, headers; APIConnectionError without an answer."""
        seconds = Stripe.bulkhead.seconds_left(in_job=TIMEOUT_SECONDS)
        try:
            with timed_client(seconds) as client:
                answer = client.request(method, url, headers=headers, content=post_data)
        except httpx2.HTTPError as error:
            raise stripe.APIConnectionError("Stripe gave no answer.", should_retry=True) from error
        return answer.content, answer.status_code, answer.headers

    def close(self) -> None:
        """Each call has a connection of its own, which ends with it."""


def _client(secret_key: str, api_base: str, *, retries: int) -> "stripe.StripeClient":
    return stripe.StripeClient(
        secret_key,
        base_addresses={"api": api_base.rstrip("/")} if api_base else {},
        max_network_retries=retries,
        http_client=TimedCalls(),
    )


def _of_event(kind: str, thing: Any) -> PaymentEvent | None:
    if not isinstance(thing, dict):
        return None
    if kind in SESSIONS:
        return _of_session(thing, kind=SESSIONS[kind])
    if kind in {"refund.created", "refund.updated", "refund.failed"}:
        return _of_refund(thing)
    if kind == "charge.refunded":
        return PaymentEvent(kind=Kind.REFUNDS_CHANGED, charge_ref=signed.text(thing, "payment_intent"))
    if kind.startswith(DISPUTED) and kind.removeprefix(DISPUTED) in DISPUTE_EVENTS:
        return _of_dispute(thing, is_back=kind.endswith("funds_reinstated"))
    return None


def _of_dispute(thing: Mapping[str, Any], *, is_back: bool) -> PaymentEvent:
    """By its state: events come in any order. Money that is reinstated is won, whatever the state says yet."""
    kind = DISPUTES.get(signed.text(thing, "status"), Kind.DISPUTED)
    amount = thing.get("amount")
    return PaymentEvent(
        kind=Kind.DISPUTE_WON if is_back else kind,
        charge_ref=signed.text(thing, "payment_intent"),
        dispute_ref=signed.text(thing, "id"),
        refund_ref=signed.text(thing, "id"),  # what it takes has no other name
        amount_cents=amount if isinstance(amount, int) else None,
        currency=signed.text(thing, "currency").upper(),
        answer_by=_answer_by(thing.get("evidence_details")),
    )


def _answer_by(details: Any) -> str:
    due = details.get("due_by") if isinstance(details, dict) else None
    return datetime.fromtimestamp(due, tz=UTC).isoformat() if isinstance(due, int) else ""


def _of_session(session: Mapping[str, Any], *, kind: Kind | None) -> PaymentEvent:
    if kind is None:
        kind = _kind_of(session)
    amount, intent = session.get("amount_total"), session.get("payment_intent")
    return PaymentEvent(
        kind=kind,
        ref=signed.text(session, "client_reference_id"),
        provider_ref=signed.text(session, "id"),
        charge_ref=_at(intent, "id") or signed.text(session, "payment_intent"),
        places=_places(session),
        amount_cents=amount if isinstance(amount, int) else None,
        currency=signed.text(session, "currency").upper(),
    )


def _places(session: Mapping[str, Any]) -> dict[str, str]:
    """The country of the billing address, and of the card where the charge was read along."""
    billing = _at(session, "customer_details", "address", "country")
    card = _at(session, "payment_intent", "latest_charge", "payment_method_details", "card", "country")
    return {name: country for name, country in (("billing", billing), ("card", card)) if country}


def _at(thing: Any, *path: str) -> str:
    for name in path:
        thing = thing.get(name) if isinstance(thing, Mapping) else None
    return thing if isinstance(thing, str) else ""


def _kind_of(session: Mapping[str, Any]) -> Kind:
    if session.get("payment_status") in {"paid", "no_payment_required"}:
        return Kind.PAID
    by_status = {"complete": Kind.PROCESSING, "expired": Kind.EXPIRED}
    return by_status.get(str(session.get("status")), Kind.OPEN)


def _of_refund(refund: Mapping[str, Any]) -> PaymentEvent:
    amount = refund.get("amount")
    return PaymentEvent(
        kind=REFUNDS.get(signed.text(refund, "status"), Kind.REFUND_PENDING),
        charge_ref=signed.text(refund, "payment_intent"),
        refund_ref=signed.text(refund, "id"),
        refund_key=signed.text(refund.get("metadata"), "refund"),
        amount_cents=amount if isinstance(amount, int) else None,
        currency=signed.text(refund, "currency").upper(),
    )
