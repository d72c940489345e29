"""Stripe on loopback: Checkout Sessions, refunds, and events signed by the SDK's rules."""

import json
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

import pytest
import stripe

from tests.servers.payments import Answer, Call, Route, StandIn

STRIPE_SECRET = "whsec_stand_in"
GONE_BACK = {"failed", "canceled"}  # refunds whose money came back


@dataclass
class StripeServer(StandIn):
    """Checkout Sessions, refunds, and events signed by the SDK's rules."""

    sessions: dict[str, dict[str, Any]] = field(default_factory=dict)
    refunds: list[dict[str, Any]] = field(default_factory=list)
    disputes: list[dict[str, Any]] = field(default_factory=list)
    refund_status: str = "succeeded"
    key_header: ClassVar[str] = "idempotency-key"

    def create(self, call: Call, _: tuple[str, ...]) -> Any:
        price = call.body["line_items"]["0"]["price_data"]
        if int(call.body["expires_at"]) < time.time() + 1800:
            error = {"type": "invalid_request_error", "message": "too soon", "param": "expires_at"}
            raise Answer(400, {"error": error})
        session = {
            "id": f"cs_test_{uuid.uuid4().hex}",
            "object": "checkout.session",
            "status": "open",
            "payment_status": "unpaid",
            "amount_total": int(price["unit_amount"]),
            "currency": price["currency"],
            "client_reference_id": call.body["client_reference_id"],
            "metadata": call.body["metadata"],
            "payment_intent": None,
            "customer_email": call.body.get("customer_email"),
            "url": "https://checkout.stripe.test/pay",
        }
        session["url"] += f"/{session['id']}"
        self.sessions[session["id"]] = session
        return session

    def retrieve(self, call: Call, parts: tuple[str, ...]) -> Any:
        if parts[0] not in self.sessions:
            raise Answer(404, {"error": {"type": "invalid_request_error", "message": "no such session"}})
        return self.sessions[parts[0]]

    def expire(self, call: Call, parts: tuple[str, ...]) -> Any:
        session = self.retrieve(call, parts)
        if session["status"] != "open":
            raise Answer(400, {"error": {"type": "invalid_request_error", "message": "not open"}})
        session["status"] = "expired"
        return session

    def give_back(self, call: Call, _: tuple[str, ...]) -> Any:
        intent, amount = call.body["payment_intent"], int(call.body["amount"])
        paid = next((s for s in self.sessions.values() if s["payment_intent"] == intent), None)
        if paid is None or amount > self.left(intent):
            raise Answer(400, {"error": {"type": "invalid_request_error", "message": "greater than charge"}})
        return self.refund(intent, amount, status=self.refund_status, metadata=call.body.get("metadata"))

    def list_refunds(self, call: Call, _: tuple[str, ...]) -> Any:
        rows = [row for row in self.refunds if row["payment_intent"] == call.query["payment_intent"]]
        return {"object": "list", "url": "/v1/refunds", "has_more": False, "data": rows[::-1]}

    routes: ClassVar[dict[str, Route]] = {
        r"POST /v1/checkout/sessions": create,
        r"GET /v1/checkout/sessions/(\w+)": retrieve,
        r"POST /v1/checkout/sessions/(\w+)/expire": expire,
        r"POST /v1/refunds": give_back,
        r"GET /v1/refunds": list_refunds,
    }

    def refund(
        self, intent: str, amount: int, *, status: str = "succeeded", metadata: Any = None
    ) -> dict[str, Any]:
        """Money given back, in the dashboard unless its metadata name our refund."""
        refund = {
            "id": f"re_{uuid.uuid4().hex}",
            "object": "refund",
            "amount": amount,
            "currency": "eur",
            "payment_intent": intent,
            "status": status,
            "metadata": metadata or {},
        }
        self.refunds.append(refund)
        return refund

    def charge(self, intent: str) -> dict[str, Any]:
        """A charge as `charge.refunded` shows it: how much was refunded, but not by which refunds."""
        rows = [row for row in self.refunds if row["payment_intent"] == intent]
        gone = sum(row["amount"] for row in rows if row["status"] not in GONE_BACK)
        return {"id": f"ch_{intent}", "object": "charge", "payment_intent": intent, "amount_refunded": gone}

    def dispute(self, intent: str, amount: int, *, status: str = "needs_response") -> dict[str, Any]:
        """A buyer's bank asks (`warning_…`) or takes the money."""
        dispute = {
            "id": f"dp_{uuid.uuid4().hex}",
            "object": "dispute",
            "payment_intent": intent,
            "amount": amount,
            "currency": "eur",
            "status": status,
        }
        self.disputes.append(dispute)
        return dispute

    def left(self, intent: str) -> int:
        """What the seller has of a payment, with what an open dispute withholds."""
        paid = sum(row["amount_total"] for row in self.sessions.values() if row["payment_intent"] == intent)
        refunds = [row for row in self.refunds if row["status"] not in GONE_BACK]
        lost = [row for row in self.disputes if row["status"] == "lost"]
        return paid - sum(row["amount"] for row in [*refunds, *lost] if row["payment_intent"] == intent)

    def pay(self, session_id: str, *, is_settled: bool = True) -> dict[str, Any]:
        """The person pays on Stripe's page."""
        session = self.sessions[session_id]
        session["status"], session["payment_intent"] = "complete", f"pi_{uuid.uuid4().hex}"
        session["payment_status"] = "paid" if is_settled else "unpaid"
        return session

    def event(self, kind: str, thing: dict[str, Any], **changes: Any) -> bytes:
        """The body of an event about a thing as it is now."""
        event = {
            "id": f"evt_{uuid.uuid4().hex}",
            "object": "event",
            "api_version": stripe.api_version,
            "type": kind,
            "created": int(time.time()),
            "livemode": False,
            "data": {"object": dict(thing)},
        }
        return json.dumps(event | changes, indent=2).encode()

    @staticmethod
    def signature(body: bytes, *, secret: str = STRIPE_SECRET, age: float = 0) -> dict[str, str]:
        """The header that goes with it."""
        at = int(time.time() - age)
        return {
            "Stripe-Signature": stripe.WebhookSignature.generate_signature_header(
                body.decode(), secret, timestamp=at
            )
        }


@pytest.fixture
def stripe_server(settings: Any) -> Iterator[StripeServer]:
    """Stripe, which the settings point at."""
    with StripeServer() as running:
        settings.STRIPE_SECRET_KEY, settings.STRIPE_API_BASE = "sk_test_stand_in", running.url
        settings.STRIPE_WEBHOOK_SECRET = STRIPE_SECRET
        yield running
