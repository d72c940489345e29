"""BTCPay on loopback: invoices, pull payments, and deliveries signed with HMAC."""

import hashlib
import hmac
import json
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, ClassVar

import pytest

from tests.servers.payments import Call, Route, StandIn

BTCPAY_SECRET = "btcpay-stand-in"


@dataclass
class BTCPayServer(StandIn):
    """Greenfield invoices, pull payments, and deliveries signed with HMAC."""

    invoices: dict[str, dict[str, Any]] = field(default_factory=dict)
    pulls: list[dict[str, Any]] = field(default_factory=list)

    def find(self, call: Call, _: tuple[str, ...]) -> Any:
        wanted = call.query.get("orderId")
        return [one for one in self.invoices.values() if one["metadata"]["orderId"] == wanted]

    def create(self, call: Call, _: tuple[str, ...]) -> Any:
        number = uuid.uuid4().hex[:22]
        invoice = {
            "id": number,
            "status": "New",
            "additionalStatus": "None",
            "amount": str(Decimal(call.body["amount"])),
            "currency": call.body["currency"],
            "metadata": call.body["metadata"],
            "checkoutLink": f"https://btcpay.test/i/{number}",
        }
        self.invoices[number] = invoice
        return invoice

    def show(self, call: Call, parts: tuple[str, ...]) -> Any:
        return self.invoices[parts[0]]

    def methods(self, call: Call, parts: tuple[str, ...]) -> Any:
        """Coins at 50,000 each; `paid` of an invoice says what came, where it was not the amount."""
        invoice = self.invoices[parts[0]]
        asked = Decimal(invoice["amount"]) / 50000
        paid = Decimal(invoice.get("paid", invoice["amount"])) / 50000
        coins = {"amount": str(asked), "totalPaid": str(paid), "paymentMethodPaid": str(paid)}
        return [{"paymentMethodId": "BTC-CHAIN", "rate": "50000", **coins}]

    def mark(self, call: Call, parts: tuple[str, ...]) -> Any:
        self.invoices[parts[0]]["status"] = call.body["status"]
        return self.invoices[parts[0]]

    def give_back(self, call: Call, parts: tuple[str, ...]) -> Any:
        self.pulls.append({"id": f"pull{len(self.pulls)}", **call.body})
        return self.pulls[-1]

    def list_pulls(self, call: Call, _: tuple[str, ...]) -> Any:
        return self.pulls

    routes: ClassVar[dict[str, Route]] = {
        r"GET /api/v1/stores/store/invoices": find,
        r"POST /api/v1/stores/store/invoices": create,
        r"GET /api/v1/stores/store/invoices/(\w+)": show,
        r"GET /api/v1/stores/store/invoices/(\w+)/payment-methods": methods,
        r"POST /api/v1/stores/store/invoices/(\w+)/status": mark,
        r"POST /api/v1/stores/store/invoices/(\w+)/refund": give_back,
        r"GET /api/v1/stores/store/pull-payments": list_pulls,
    }

    def event(self, kind: str, invoice_id: str, **more: Any) -> bytes:
        """The body of a delivery."""
        delivery = f"del{uuid.uuid4().hex}"
        stated = {"deliveryId": delivery, "originalDeliveryId": delivery, "isRedelivery": False}
        metadata = self.invoices[invoice_id]["metadata"]
        about = {"type": kind, "timestamp": 1795400000, "invoiceId": invoice_id, "metadata": metadata}
        return json.dumps(stated | about | more).encode()

    @staticmethod
    def signature(body: bytes, *, secret: str = BTCPAY_SECRET) -> dict[str, str]:
        """The header that goes with it."""
        return {"BTCPay-Sig": "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()}


@pytest.fixture
def btcpay_server(settings: Any) -> Iterator[BTCPayServer]:
    """BTCPay, which the settings point at."""
    with BTCPayServer() as running:
        settings.BTCPAY_URL, settings.BTCPAY_API_KEY = running.url, "token"
        settings.BTCPAY_STORE_ID, settings.BTCPAY_WEBHOOK_SECRET = "store", BTCPAY_SECRET
        yield running
