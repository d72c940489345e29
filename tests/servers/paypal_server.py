"""PayPal on loopback: orders, captures, refunds, and events that it signs."""

import base64
import json
import uuid
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any, ClassVar

import pytest

from tests.servers.certificates import Key, signing_key
from tests.servers.payments import Answer, Call, Route, StandIn
from tests.servers.website import Website, plain

PAYPAL_WEBHOOK = "WHSTANDIN"
CERTIFICATES_HOST = "api.paypal.com"


@cache
def paypal_key() -> Key:
    """What PayPal signs with."""
    return signing_key("messageverificationcerts.paypal.com")


def value_of(thing: dict[str, Any]) -> int:
    """An amount in cents."""
    return round(float(thing["amount"]["value"]) * 100)


@dataclass
class PayPalServer(StandIn):
    """Orders v2, captures and refunds. `declines` refuses the next captures, as for a card without money."""

    orders: dict[str, dict[str, Any]] = field(default_factory=dict)
    refunds: list[dict[str, Any]] = field(default_factory=list)
    declines: bool = False
    refund_status: str = "COMPLETED"
    disputes: list[dict[str, Any]] = field(default_factory=list)
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
        if parts[0] not in self.orders:
            raise Answer(404, {"name": "RESOURCE_NOT_FOUND"})
        order = self.orders[parts[0]]
        for unit in order["purchase_units"]:
            for capture in unit.get("payments", {}).get("captures", ()):
                unit["payments"]["refunds"] = self.refunds_of(capture["id"])
        return order

    def capture(self, call: Call, parts: tuple[str, ...]) -> Any:
        order = self.orders[parts[0]]
        if order["status"] != "APPROVED":
            raise Answer(422, {"name": "UNPROCESSABLE_ENTITY"})
        if self.declines:
            issue = {"issue": "INSTRUMENT_DECLINED"}
            raise Answer(422, {"name": "UNPROCESSABLE_ENTITY", "details": [issue]})
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
        amount = round(float(call.body["amount"]["value"]) * 100)
        if amount > self.left(parts[0]):
            raise Answer(422, {"name": "UNPROCESSABLE_ENTITY"})
        made = self.refund(parts[0], amount, status=self.refund_status, custom_id=call.body["custom_id"])
        return {name: value for name, value in made.items() if name != "links"}

    def refund(self, capture: str, amount: int, *, status: str = "COMPLETED", **more: str) -> dict[str, Any]:
        """Money given back, on PayPal's page unless it bears our key."""
        up = {"rel": "up", "href": f"{self.url}/v2/payments/captures/{capture}"}
        refund = {
            "id": f"REF{uuid.uuid4().hex[:14].upper()}",
            "status": status,
            "amount": {"currency_code": "EUR", "value": f"{amount // 100}.{amount % 100:02d}"},
            "links": [{"rel": "self"}, up],
            **more,
        }
        self.refunds.append(refund)
        return refund

    def refunds_of(self, capture: str) -> list[dict[str, Any]]:
        return [row for row in self.refunds if row["links"][1]["href"].endswith(f"/{capture}")]

    def left(self, capture: str) -> int:
        """What the seller has of a capture."""
        units = [unit for order in self.orders.values() for unit in order["purchase_units"]]
        captures = [row for unit in units for row in unit.get("payments", {}).get("captures", ())]
        came = sum(value_of(row) for row in captures if row["id"] == capture)
        return came - sum(value_of(row) for row in self.refunds_of(capture) if row["status"] != "FAILED")

    routes: ClassVar[dict[str, Route]] = {
        r"POST /v1/oauth2/token": token,
        r"POST /v2/checkout/orders": create,
        r"GET /v2/checkout/orders/(\w+)": show,
        r"POST /v2/checkout/orders/(\w+)/capture": capture,
        r"POST /v2/payments/captures/(\w+)/refund": give_back,
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

    def signature(self, body: bytes, *, key: Key | None = None, **changes: str) -> dict[str, str]:
        """The headers that go with it, signed as PayPal signs."""
        key = key or paypal_key()
        transmission, sent = str(uuid.uuid4()), "2026-11-22T03:00:00Z"
        message = f"{transmission}|{sent}|{PAYPAL_WEBHOOK}|{zlib.crc32(body)}"
        return {
            "Paypal-Auth-Algo": "SHA256withRSA",
            "Paypal-Cert-Url": f"https://{CERTIFICATES_HOST}{key.path}",
            "Paypal-Transmission-Id": transmission,
            "Paypal-Transmission-Sig": base64.b64encode(key.sign(message.encode())).decode(),
            "Paypal-Transmission-Time": sent,
            **changes,
        }


@pytest.fixture
def paypal_certificates(settings: Any) -> Iterator[Website]:
    """Where PayPal's certificates are."""
    with Website({paypal_key().path: plain(paypal_key().pem)}) as running:
        settings.CRAWL_RESOLVE = settings.CRAWL_RESOLVE | running.at(CERTIFICATES_HOST)
        yield running


@pytest.fixture
def paypal_server(settings: Any, paypal_certificates: Website) -> Iterator[PayPalServer]:
    """PayPal, which the settings point at."""
    with PayPalServer() as running:
        settings.PAYPAL_CLIENT_ID, settings.PAYPAL_CLIENT_SECRET = "client", "secret"
        settings.PAYPAL_WEBHOOK_ID, settings.PAYPAL_API_BASE = PAYPAL_WEBHOOK, running.url
        yield running
