"""BTCPay's invoices, over its Greenfield interface. Nobody between the buyer's coins and the operator's wallet."""

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from math import floor
from typing import Any

from core.outages import Bulkhead
from orders.payments import signed
from orders.payments.base import (
    BadNotificationError,
    GatewayRefusedError,
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
    origin_of,
)

EVENTS = {
    "InvoiceProcessing": Kind.PROCESSING,
    "InvoiceSettled": Kind.PAID,
    "InvoiceExpired": Kind.EXPIRED,
    "InvoiceInvalid": Kind.FAILED,
}
STATES = {
    "New": Kind.OPEN,
    "Processing": Kind.PROCESSING,
    "Settled": Kind.PAID,
    "Expired": Kind.EXPIRED,
    "Invalid": Kind.FAILED,
}
ENDED, PARTLY = {Kind.EXPIRED, Kind.FAILED}, {"PaidPartial", "PaidLate"}


class BTCPay(Provider):
    """One store. A refund is a claim that the buyer picks up, since coins have no way back."""

    position = 30
    code = "btcpay"
    methods: Mapping[str, Method] = {
        "crypto": Method("Crypto", "The exact amount is shown next. Confirmed within about an hour")
    }
    needs = ("BTCPAY_URL", "BTCPAY_API_KEY", "BTCPAY_STORE_ID", "BTCPAY_WEBHOOK_SECRET")
    is_live = True
    bulkhead = Bulkhead("BTCPay", in_jobs=True)

    def __init__(self, config: Mapping[str, Any]) -> None:
        self.page_origins = (origin_of(config["BTCPAY_URL"]),)
        self._server = Server(config["BTCPAY_URL"], bulkhead=self.bulkhead)
        self._headers = {"Authorization": f"token {config['BTCPAY_API_KEY']}"}
        self._store = f"/api/v1/stores/{config['BTCPAY_STORE_ID']}"
        self._secret = config["BTCPAY_WEBHOOK_SECRET"].encode()

    def start(self, intent: Intent) -> Redirect:
        """The invoice of this payment, made unless there is one: the server knows no idempotency keys."""
        rows = self._call("GET", "/invoices", params={"orderId": intent.ref})
        invoice = rows[0] if isinstance(rows, list) and rows else None
        if invoice is None:
            minutes = max(5, int((intent.expires_at - datetime.now(UTC)).total_seconds() // 60))
            invoice = self._call(
                "POST",
                "/invoices",
                json={
                    "amount": decimal(intent.amount_cents),
                    "currency": intent.currency,
                    "metadata": {"orderId": intent.ref, "itemDesc": f"Order {intent.number}"},
                    "checkout": {
                        "redirectURL": intent.return_url,
                        "redirectAutomatically": True,
                        "expirationMinutes": minutes,
                    },
                },
            )
        link = signed.text(invoice, "id") and invoice.get("checkoutLink")
        if not link:
            raise GatewayRefusedError("no address to pay at")
        return Redirect(provider_ref=signed.text(invoice, "id"), redirect_url=str(link))

    def state(self, payment: PaymentRef) -> PaymentEvent:
        """The invoice as it is now. Coins that came late or in part leave it expired: staff decide."""
        invoice = self._call("GET", f"/invoices/{payment.provider_ref}")
        metadata = invoice.get("metadata")
        kind = STATES.get(str(invoice.get("status")), Kind.OPEN)
        event = PaymentEvent(
            kind=kind,
            ref=signed.text(metadata, "orderId"),
            provider_ref=signed.text(invoice, "id"),
            amount_cents=cents(invoice.get("amount")),
            currency=signed.text(invoice, "currency"),
        )
        if kind in ENDED and invoice.get("additionalStatus") in PARTLY:
            return replace(event, kind=Kind.ODD, amount_cents=self._came(payment, event.amount_cents or 0))
        if kind == Kind.PAID and invoice.get("additionalStatus") == "PaidOver":
            came = self._came(payment, event.amount_cents or 0) or 0
            return replace(event, over_cents=max(0, came - (event.amount_cents or 0)) or None)
        return event

    def _came(self, payment: PaymentRef, requested_cents: int) -> int | None:
        """What came, in cents of the invoice's currency, by the rate it was paid at; None where that is not to be read.

        A part of a cent is no cent.
        """
        rows = self._call("GET", f"/invoices/{payment.provider_ref}/payment-methods")
        try:
            above = [
                (Decimal(row["totalPaid"]) - Decimal(row["amount"])) * Decimal(row["rate"]) * 100
                for row in rows
                if Decimal(row["paymentMethodPaid"]) > 0
            ]
            return max(0, requested_cents + floor(max(above))) or None
        except (ArithmeticError, KeyError, TypeError, ValueError):
            return None

    def cancel(self, payment: PaymentRef) -> None:
        """Mark it invalid; one that is being paid stays as it is."""
        try:
            self._call("POST", f"/invoices/{payment.provider_ref}/status", json={"status": "Invalid"})
        except GatewayRefusedError:
            return

    def refund(self, payment: PaymentRef, *, key: str, amount_cents: int) -> PaymentEvent:
        """A pull payment of that amount, pending until the buyer has taken it and staff say so."""
        name = f"Refund {key}"
        made = next((row for row in self._call("GET", "/pull-payments") if row.get("name") == name), None)
        if made is None:
            made = self._call(
                "POST",
                f"/invoices/{payment.provider_ref}/refund",
                json={
                    "name": name,
                    "payoutMethodId": "BTC-CHAIN",
                    "refundVariant": "Custom",
                    "customAmount": decimal(amount_cents),
                    "customCurrency": payment.currency,
                },
            )
        return PaymentEvent(
            kind=Kind.REFUND_PENDING, refund_ref=signed.text(made, "id"), amount_cents=amount_cents
        )

    def parse(self, *, headers: Mapping[str, str], body: bytes, at: datetime) -> Notification | None:
        """A delivery. It bears no time and no amount: its id guards against replays, the invoice has the rest."""
        if not self._secret:
            raise BadNotificationError("BTCPAY_WEBHOOK_SECRET is not set.")
        expected = "sha256=" + hmac.new(self._secret, body, hashlib.sha256).hexdigest()
        if not hmac.compare_digest(expected.encode(), headers.get("Btcpay-Sig", "").encode()):
            raise BadNotificationError("The signature is wrong or missing.")
        event = signed.read(body)
        kind = _kind_of(event)
        if kind is None:
            return None
        stamp: Any = event.get("timestamp")
        return Notification(
            event_id=signed.text(event, "originalDeliveryId") or signed.text(event, "deliveryId"),
            event=PaymentEvent(
                kind=kind,
                ref=signed.text(event.get("metadata"), "orderId"),
                provider_ref=signed.text(event, "invoiceId"),
            ),
            is_live=True,
            happened_at=datetime.fromtimestamp(stamp, tz=UTC) if isinstance(stamp, int) else None,
        )

    def _call(self, method: str, path: str, **options: Any) -> Any:
        return self._server.call(method, f"{self._store}{path}", headers=self._headers, **options)


def _kind_of(event: Mapping[str, Any]) -> Kind | None:
    kind = EVENTS.get(signed.text(event, "type"))
    is_late = event.get("type") == "InvoicePaymentSettled" and event.get("afterExpiration")
    return Kind.ODD if is_late or (kind == Kind.EXPIRED and event.get("partiallyPaid")) else kind
