"""PayPal's orders, over its REST interface: made, agreed to by the person on PayPal's page, captured by us."""

import base64
import time
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.utils.dateparse import parse_datetime

from core.outages import Bulkhead
from orders.payments import signed
from orders.payments.base import (
    PAYPAL,
    GatewayRefusedError,
    GatewayUnclearError,
    Intent,
    Kind,
    Method,
    Notification,
    PaymentEvent,
    PaymentRef,
    Provider,
    Redirect,
    Server,
    cents,
    decimal,
)
from orders.payments.paypal import signature

CAPTURES = {
    "COMPLETED": Kind.PAID,
    "PARTIALLY_REFUNDED": Kind.PAID,
    "REFUNDED": Kind.PAID,
    "PENDING": Kind.PROCESSING,
    "DECLINED": Kind.FAILED,
    "FAILED": Kind.FAILED,
}
REFUNDS = {"COMPLETED": Kind.REFUNDED, "PENDING": Kind.REFUND_PENDING}
BACK = {
    "PAYMENT.CAPTURE.REFUNDED": Kind.REFUNDED,
    "PAYMENT.CAPTURE.REVERSED": Kind.REVERSED,
    "PAYMENT.REFUND.PENDING": Kind.REFUND_PENDING,
    "PAYMENT.REFUND.FAILED": Kind.REFUND_FAILED,
}
DISPUTES = {"CUSTOMER.DISPUTE.CREATED", "CUSTOMER.DISPUTE.UPDATED", "CUSTOMER.DISPUTE.RESOLVED"}
EVENTS = {
    "PAYMENT.CAPTURE.COMPLETED": Kind.PAID,
    "PAYMENT.CAPTURE.PENDING": Kind.PROCESSING,
    "PAYMENT.CAPTURE.DENIED": Kind.FAILED,
    "PAYMENT.CAPTURE.DECLINED": Kind.FAILED,
}
LOST = dict.fromkeys(("RESOLVED_BUYER_FAVOUR", "ACCEPTED"), Kind.DISPUTE_LOST)
WON = dict.fromkeys(
    ("RESOLVED_SELLER_FAVOUR", "RESOLVED_WITH_PAYOUT", "CANCELED_BY_BUYER", "DENIED"), Kind.DISPUTE_WON
)


class PayPal(Provider):
    position = 20
    code = "paypal"
    methods: Mapping[str, Method] = {"paypal": PAYPAL}
    needs = ("PAYPAL_CLIENT_ID", "PAYPAL_CLIENT_SECRET", "PAYPAL_WEBHOOK_ID")
    works_without = ("PAYPAL_WEBHOOK_ID",)  # PayPal is asked every ten minutes
    reads = ("PAYPAL_API_BASE",)
    page_origins = ("https://www.paypal.com", "https://www.sandbox.paypal.com")
    bulkhead = Bulkhead("PayPal", in_jobs=True)

    def __init__(self, config: Mapping[str, Any]) -> None:
        self.is_live = "sandbox" not in config["PAYPAL_API_BASE"]
        self._server = Server(config["PAYPAL_API_BASE"], bulkhead=self.bulkhead)
        login = f"{config['PAYPAL_CLIENT_ID']}:{config['PAYPAL_CLIENT_SECRET']}"
        self._login = base64.b64encode(login.encode()).decode()
        self._webhook_id = config["PAYPAL_WEBHOOK_ID"]
        self._token, self._token_ends = "", 0.0

    def start(self, intent: Intent) -> Redirect:
        """An order of one unit; the person agrees to it on PayPal's page."""
        body = {
            "intent": "CAPTURE",
            "purchase_units": [
                {
                    "custom_id": intent.ref,
                    "invoice_id": intent.ref,
                    "description": f"Order {intent.number}",
                    "amount": {"currency_code": intent.currency, "value": decimal(intent.amount_cents)},
                }
            ],
            "payment_source": {
                "paypal": {
                    "experience_context": {
                        "return_url": intent.return_url,
                        "cancel_url": intent.cancel_url,
                        "shipping_preference": "NO_SHIPPING",
                        "user_action": "PAY_NOW",
                    }
                }
            },
        }
        order = self._call("POST", "/v2/checkout/orders", key=f"start-{intent.ref}", json=body)
        links = {link.get("rel"): link.get("href") for link in order.get("links", [])}
        where = links.get("payer-action") or links.get("approve")
        if not where:
            raise GatewayRefusedError("no address to pay at")
        return Redirect(provider_ref=signed.text(order, "id"), redirect_url=str(where))

    def state(self, payment: PaymentRef) -> PaymentEvent:
        return _of_order(self._call("GET", f"/v2/checkout/orders/{payment.provider_ref}"))

    def collect(self, payment: PaymentRef) -> PaymentEvent:
        """Capture what the person agreed to. Captured already is in the order; a refusal is the end of the attempt."""
        path = f"/v2/checkout/orders/{payment.provider_ref}"
        try:
            captured = self._call("POST", f"{path}/capture", key=f"capture-{payment.ref}", json={})
        except GatewayRefusedError:
            # declined unless it was captured before; asking once more would be declined once more
            event = self.state(payment)
            return replace(event, kind=Kind.FAILED) if event.kind == Kind.APPROVED else event
        return _of_order(captured)

    def refund(self, payment: PaymentRef, *, key: str, amount_cents: int) -> PaymentEvent:
        refund = self._call(
            "POST",
            f"/v2/payments/captures/{payment.charge_ref}/refund",
            key=f"refund-{key}",
            json={
                "amount": {"currency_code": payment.currency, "value": decimal(amount_cents)},
                "custom_id": key,
            },
        )
        kind = REFUNDS.get(signed.text(refund, "status"), Kind.REFUND_FAILED)
        return PaymentEvent(kind=kind, refund_ref=signed.text(refund, "id"), amount_cents=amount_cents)

    def refunds(self, payment: PaymentRef) -> list[PaymentEvent]:
        """Of the order, those that somebody made on PayPal's page too."""
        unit = _first(self._call("GET", f"/v2/checkout/orders/{payment.provider_ref}").get("purchase_units"))
        payments = unit.get("payments")
        rows = payments.get("refunds") if isinstance(payments, dict) else None
        return [_of_refund(row, kind=Kind.REFUNDED) for row in rows or () if isinstance(row, dict)]

    def parse(self, *, headers: Mapping[str, str], body: bytes, at: datetime) -> Notification | None:
        """An event that PayPal signed for this webhook, which is found out here."""
        stated = signature.read(headers)
        message = signed.read(body)
        signature.verify(
            stated,
            body=body,
            webhook_id=self._webhook_id,
            is_live=self.is_live,
            at=at,
            bulkhead=self.bulkhead,
        )
        event = _of_event(signed.text(message, "event_type"), message.get("resource"))
        if event is None:
            return None
        return Notification(
            event_id=signed.text(message, "id"),
            event=event,
            is_live=self.is_live,
            happened_at=parse_datetime(signed.text(message, "create_time")),
        )

    def _call(self, method: str, path: str, *, key: str = "", **options: Any) -> Any:
        headers = {"Authorization": f"Bearer {self._access()}", "Content-Type": "application/json"}
        if key:
            headers["PayPal-Request-Id"] = key
            headers["Prefer"] = "return=representation"
        try:
            return self._server.call(method, path, headers=headers, **options)
        except GatewayUnclearError as error:
            self._token_ends = 0.0  # it may be the token that is not good any more, and not our key
            raise GatewayUnclearError(str(error)) from error

    def _access(self) -> str:
        if time.monotonic() >= self._token_ends:
            answer = self._server.call(
                "POST",
                "/v1/oauth2/token",
                headers={"Authorization": f"Basic {self._login}"},
                data={"grant_type": "client_credentials"},
            )
            try:
                token, seconds = str(answer["access_token"]), float(answer["expires_in"])
            except (KeyError, TypeError, ValueError) as error:
                raise GatewayUnclearError("no access token") from error
            self._token, self._token_ends = token, time.monotonic() + seconds - 60
        return self._token


def _of_order(order: Any) -> PaymentEvent:
    unit = _first(order.get("purchase_units"))
    captures = unit.get("payments")
    capture = _first(captures.get("captures") if isinstance(captures, dict) else None)
    ref, provider_ref = signed.text(unit, "custom_id"), signed.text(order, "id")
    if not capture:
        is_approved = order.get("status") == "APPROVED"
        kinds = {"APPROVED": Kind.APPROVED, "VOIDED": Kind.EXPIRED}
        amount = _amount(unit) if is_approved else {}
        return PaymentEvent(
            kind=kinds.get(str(order.get("status")), Kind.OPEN), ref=ref, provider_ref=provider_ref, **amount
        )
    return PaymentEvent(
        kind=CAPTURES.get(str(capture.get("status")), Kind.PROCESSING),
        ref=signed.text(capture, "custom_id") or ref,
        provider_ref=provider_ref,
        charge_ref=signed.text(capture, "id"),
        places=_places(order),
        **_amount(capture),
    )


def _places(order: Mapping[str, Any]) -> dict[str, str]:
    payer = order.get("payer")
    address = payer.get("address") if isinstance(payer, Mapping) else None
    country = signed.text(address, "country_code")
    return {"billing": country} if country else {}


def _of_event(kind: str, thing: Any) -> PaymentEvent | None:
    if not isinstance(thing, dict):
        return None
    if kind == "CHECKOUT.ORDER.APPROVED":
        return _of_order({**thing, "status": "APPROVED"})
    if kind in EVENTS:
        return PaymentEvent(
            kind=EVENTS[kind],
            ref=signed.text(thing, "custom_id"),
            charge_ref=signed.text(thing, "id"),
            **_amount(thing),
        )
    if kind in BACK:
        return _of_refund(thing, kind=BACK[kind])
    if kind in DISPUTES:
        return _of_dispute(thing, is_resolved=kind.endswith("RESOLVED"))
    return None


def _of_refund(thing: Mapping[str, Any], *, kind: Kind) -> PaymentEvent:
    """A refund or a reversal, both with an id of their own; `custom_id` is our key of a refund, or the payment's."""
    status = signed.text(thing, "status")
    if kind == Kind.REFUNDED and status in {"PENDING", "FAILED", "CANCELLED"}:
        kind = Kind.REFUND_PENDING if status == "PENDING" else Kind.REFUND_FAILED
    ours = signed.text(thing, "custom_id")
    return PaymentEvent(
        kind=kind,
        ref=ours,
        charge_ref=_refunded_capture(thing),
        refund_ref=signed.text(thing, "id"),
        refund_key=ours,
        opened_at=signed.text(thing, "create_time"),
        **_amount(thing),
    )


def _of_dispute(thing: Mapping[str, Any], *, is_resolved: bool) -> PaymentEvent:
    """By its stage: an inquiry is between buyer and seller, and PayPal decides about nothing yet."""
    outcome = thing.get("dispute_outcome")
    is_inquiry = signed.text(thing, "dispute_life_cycle_stage") == "INQUIRY"
    kind = Kind.INQUIRY if is_inquiry else Kind.DISPUTED
    if is_resolved:
        # NONE is a dispute that was merged into another; what PayPal does not call lost took no money
        kind = (LOST | WON).get(signed.text(outcome, "outcome_code"), Kind.DISPUTE_CLOSED)
    returned = outcome.get("amount_refunded") if isinstance(outcome, dict) else None
    disputed = _first(thing.get("disputed_transactions"))
    return PaymentEvent(
        kind=kind,
        charge_ref=signed.text(disputed, "seller_transaction_id"),
        dispute_ref=signed.text(thing, "dispute_id"),
        opened_at=signed.text(thing, "create_time"),
        answer_by=signed.text(thing, "seller_response_due_date"),
        **_amount({"amount": returned or thing.get("dispute_amount")}),
    )


def _refunded_capture(refund: Mapping[str, Any]) -> str:
    """A refund links to what it is of; what links to no capture is one itself, as some reversals are."""
    links = refund.get("links")
    up = [link for link in links if link.get("rel") == "up"] if isinstance(links, list) else []
    parent, _, capture = signed.text(_first(up), "href").rpartition("/")
    return capture if parent.endswith("/captures") else signed.text(refund, "id")


def _first(rows: Any) -> dict[str, Any]:
    first = rows[0] if isinstance(rows, list) and rows else None
    return first if isinstance(first, dict) else {}


def _amount(holder: Mapping[str, Any]) -> dict[str, Any]:
    amount = holder.get("amount")
    if not isinstance(amount, dict):
        return {}
    return {"amount_cents": cents(amount.get("value")), "currency": signed.text(amount, "currency_code")}
