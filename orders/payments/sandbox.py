"""Test money: nothing is charged. Its notifications are signed and come in by the same door as everybody's."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from django.core import signing
from django.utils.crypto import salted_hmac

from core.api.links import absolute
from core.bulkhead import Bulkhead
from orders.payments import signed
from orders.payments.port import Fact, Intent, Kind, Known, Notification, Started

SALT = "orders.payments.sandbox"
HEADER = "Sandbox-Signature"


class Sandbox:
    """On whenever no provider is configured. What the person chooses on its page becomes a notification."""

    code = "sandbox"
    methods: tuple[str, ...] = ("test",)
    is_test = True
    bulkhead = Bulkhead("Test money")

    def start(self, intent: Intent) -> Started:
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
        return Started(provider_ref=f"test_{intent.ref}", redirect_url=absolute(f"/pay/test/{token}"))

    def state(self, known: Known) -> Fact:
        """It has no memory: what it did, it has told."""
        return Fact(kind=Kind.OPEN, ref=known.ref, provider_ref=known.provider_ref)

    collect = state

    def cancel(self, known: Known) -> None:
        """Nothing to do."""

    def refund(self, known: Known, *, key: str, amount_cents: int) -> Fact:
        """At once."""
        return Fact(kind=Kind.REFUNDED, ref=known.ref, refund_ref=f"test_{key}", amount_cents=amount_cents)

    def refunds(self, known: Known) -> list[Fact]:
        """It has no memory."""
        return []

    def parse(self, *, headers: Mapping[str, str], body: bytes, at: datetime) -> Notification | None:
        """What its page sent."""
        signed.verify(header=headers.get(HEADER, ""), body=body, secret=secret(), at=at)
        event = signed.read(body)
        return Notification(
            event_id=signed.text(event, "id"),
            fact=Fact(
                kind=signed.word(Kind, event.get("kind")),
                ref=signed.text(event, "ref"),
                provider_ref=f"test_{signed.text(event, 'ref')}",
                amount_cents=signed.whole(event, "amount_cents"),
                currency=signed.text(event, "currency"),
            ),
            is_test=True,
            happened_at=datetime.fromtimestamp(signed.whole(event, "created"), tz=UTC),
        )


def secret() -> str:
    """What its notifications are signed with."""
    return salted_hmac(SALT, "notifications", algorithm="sha256").hexdigest()


def about(token: str) -> dict[str, Any] | None:
    """What an address of its page says; None when it is not ours."""
    try:
        found: dict[str, Any] = signing.loads(token, salt=SALT)
    except signing.BadSignature:
        return None
    return found


def message(*, event_id: str, kind: Kind, about: Mapping[str, Any], at: datetime) -> tuple[bytes, str]:
    """A notification's body and its signature."""
    stated = {name: about[name] for name in ("ref", "amount_cents", "currency")}
    created = int(at.timestamp())
    body = json.dumps({"id": event_id, "kind": kind.value, "created": created, **stated}).encode()
    return body, signed.header(body=body, secret=secret(), at=at)
