"""Test money: nothing is charged. Its notifications are signed and come in by the same door as everybody's."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from django.core import signing
from django.utils.crypto import salted_hmac

from core.api.links import absolute
from core.outages import Bulkhead
from orders.payments import signed
from orders.payments.base import (
    Intent,
    Kind,
    Method,
    Notification,
    PaymentEvent,
    PaymentRef,
    Provider,
    Redirect,
    origin_of,
)

SALT = "orders.payments.sandbox"
HEADER = "Sandbox-Signature"


class Sandbox(Provider):
    """On whenever no provider is configured. What the person chooses on its page becomes a notification."""

    position = 40
    code = "sandbox"
    methods: Mapping[str, Method] = {
        "test": Method("Test money", "Nothing is charged. You choose what a bank would answer")
    }
    needs = ("TEST_MONEY",)
    reads = ("SITE_URL",)
    is_stand_in = True
    is_live = False
    bulkhead = Bulkhead("Test money")

    def __init__(self, config: Mapping[str, Any]) -> None:
        self.page_origins = (origin_of(config["SITE_URL"]),)

    def start(self, intent: Intent) -> Redirect:
        """Its page is ours; the address says what it needs to know."""
        about = {
            "ref": intent.ref,
            "number": intent.number,
            "amount_cents": intent.amount_cents,
            "currency": intent.currency,
            "return_url": intent.return_url,
            "cancel_url": intent.cancel_url,
        }
        token = signing.dumps(about, salt=SALT)
        return Redirect(provider_ref=f"test_{intent.ref}", redirect_url=absolute(f"/pay/test/{token}"))

    def state(self, payment: PaymentRef) -> PaymentEvent:
        """It has no memory: what it did, it has told."""
        return PaymentEvent(kind=Kind.OPEN, ref=payment.ref, provider_ref=payment.provider_ref)

    def refund(self, payment: PaymentRef, *, key: str, amount_cents: int) -> PaymentEvent:
        return PaymentEvent(
            kind=Kind.REFUNDED, ref=payment.ref, refund_ref=f"test_{key}", amount_cents=amount_cents
        )

    def parse(self, *, headers: Mapping[str, str], body: bytes, at: datetime) -> Notification | None:
        signed.verify(header=headers.get(HEADER, ""), body=body, secret=secret(), at=at)
        message = signed.read(body)
        return Notification(
            event_id=signed.text(message, "id"),
            event=PaymentEvent(
                kind=signed.word(Kind, message.get("kind")),
                ref=signed.text(message, "ref"),
                provider_ref=f"test_{signed.text(message, 'ref')}",
                amount_cents=signed.whole(message, "amount_cents"),
                currency=signed.text(message, "currency"),
            ),
            is_live=False,
            happened_at=datetime.fromtimestamp(signed.whole(message, "created"), tz=UTC),
        )


def secret() -> str:
    return salted_hmac(SALT, "notifications", algorithm="sha256").hexdigest()


def about(token: str) -> dict[str, Any] | None:
    """What an address of its page says; None when it is not ours."""
    try:
        payment: dict[str, Any] = signing.loads(token, salt=SALT)
    except signing.BadSignature:
        return None
    return payment


def message(*, event_id: str, kind: Kind, about: Mapping[str, Any], at: datetime) -> tuple[bytes, str]:
    stated = {name: about[name] for name in ("ref", "amount_cents", "currency")}
    body = json.dumps({"id": event_id, "kind": kind.value, "created": int(at.timestamp()), **stated}).encode()
    return body, signed.header(body=body, secret=secret(), at=at)
