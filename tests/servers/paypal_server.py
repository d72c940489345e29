"""PayPal on loopback: orders, captures, refunds, and whether an event is its own."""

import base64
import json
import uuid
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

import pytest

from tests.servers.payments import Answer, Call, Route, StandIn

PAYPAL_WEBHOOK = "WH-STAND-IN"


@dataclass
class PayPalServer(StandIn):
    """Orders v2, captures, refunds, and the question whether an event is its own."""

    orders: dict[str, dict[str, Any]] = field(default_factory=dict)
    refunds: list[dict[str, Any]] = field(default_factory=list)
    key_header: ClassVar[str] = "paypal-request-id"

    def token(self, call: Call, _: tuple[str, ...]) -> Any:
        if call.headers["authorization"] != "Basic " + base64.b64encode(b"client:secret").decode():
            raise Answer(401, {"error": "invalid_client"})
        return {"access_token": "A21-stand-in", "expires_in": 32400}

    def create(self, call: Call, _: tuple[str, ...]) -> Any:
        number = f"PP{uuid.uuid4().hex[:15].upper()}"
        unit = call.body["purchase_units"][0]
        order = {
            "id": number,
            "status": "PAYER_ACTION_REQUIRED",
            "purchase_units": [unit],
            "links": [{"rel": "payer-action", "href": f"https://paypal.test/checkoutnow?token={number}"}],
        }
        self.orders[number] = order
        return order

    def show(self, call: Call, parts: tuple[str, ...]) -> Any:
        return self.orders[parts[0]]

    def capture(self, call: Call, parts: tuple[str, ...]) -> Any:
        order = self.orders[parts[0]]
        if order["status"] != "APPROVED":
            raise Answer(422, {"name": "UNPROCESSABLE_ENTITY"})
        unit = order["purchase_units"][0]
        order["status"] = "COMPLETED"
        made = {
            "id": f"CAP{uuid.uuid4().hex[:14].upper()}",
            "status": "COMPLETED",
            "amount": unit["amount"],
            "custom_id": unit["custom_id"],
        }
        unit["payments"] = {"captures": [made]}
        return order

    def give_back(self, call: Call, parts: tuple[str, ...]) -> Any:
        refund = {"id": f"REF{uuid.uuid4().hex[:14].upper()}", "status": "COMPLETED", **call.body}
        self.refunds.append(refund)
        return refund

    def verify(self, call: Call, _: tuple[str, ...]) -> Any:
        raw = call.raw[call.raw.index(b'"webhook_event": ') + len(b'"webhook_event": ') : -1]
        is_ours = call.body["webhook_id"] == PAYPAL_WEBHOOK and call.body["transmission_sig"] == seal(raw)
        return {"verification_status": "SUCCESS" if is_ours else "FAILURE"}

    routes: ClassVar[dict[str, Route]] = {
        r"POST /v1/oauth2/token": token,
        r"POST /v2/checkout/orders": create,
        r"GET /v2/checkout/orders/(\w+)": show,
        r"POST /v2/checkout/orders/(\w+)/capture": capture,
        r"POST /v2/payments/captures/(\w+)/refund": give_back,
        r"POST /v1/notifications/verify-webhook-signature": verify,
    }

    def event(self, kind: str, resource: dict[str, Any]) -> bytes:
        """The body of an event."""
        event = {
            "id": f"WH-{uuid.uuid4().hex}",
            "event_type": kind,
            "create_time": "2026-11-22T03:00:00Z",
            "resource": resource,
        }
        return json.dumps(event, indent=1).encode()

    @staticmethod
    def signature(body: bytes) -> dict[str, str]:
        """The headers that go with it."""
        return {
            "Paypal-Auth-Algo": "SHA256withRSA",
            "Paypal-Cert-Url": "https://api.paypal.com/v1/notifications/certs/CERT",
            "Paypal-Transmission-Id": str(uuid.uuid4()),
            "Paypal-Transmission-Sig": seal(body),
            "Paypal-Transmission-Time": "2026-11-22T03:00:00Z",
        }


def seal(raw: bytes) -> str:
    """What stands for PayPal's signature: like it, it rests on a checksum of the very bytes."""
    return f"seal-{zlib.crc32(raw)}"


@pytest.fixture
def paypal_server(settings: Any) -> Iterator[PayPalServer]:
    """PayPal, which the settings point at."""
    with PayPalServer() as running:
        settings.PAYPAL_CLIENT_ID, settings.PAYPAL_CLIENT_SECRET = "client", "secret"
        settings.PAYPAL_WEBHOOK_ID, settings.PAYPAL_API_BASE = PAYPAL_WEBHOOK, running.url
        yield running
