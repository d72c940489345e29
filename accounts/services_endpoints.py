"""The addresses that people have events sent to: added, tested, rotated, switched off and on, deleted."""

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models.functions import Now

from accounts import limits
from accounts.errors import EndpointRefusedError
from accounts.models import User
from core import events
from core.api.bodies import dumps
from core.api.errors import NotFoundError
from core.fetch import check_url
from core.models import Delivery, Endpoint

COLUMNS = ("url", "types", "created_at", "failing_since", "off_at", "off_reason")
DELIVERY_COLUMNS = (
    "endpoint__url", "type", "body", "created_at", "state", "tries", "tried_at", "http_status", "answer",
)  # fmt: skip
TEST_WORDS = "This is a test. Nothing happened."


def endpoint_of(*, user_id: int, endpoint_id: int) -> Endpoint:
    """One endpoint of a person. Raises NotFoundError for anybody else's."""
    return NotFoundError.unless(Endpoint.objects.filter(user=user_id, pk=endpoint_id).first(), "webhook")


def _locked(*, user_id: int, endpoint_id: int) -> Endpoint:
    endpoint_of(user_id=user_id, endpoint_id=endpoint_id)
    return Endpoint.objects.select_for_update(no_key=True).get(pk=endpoint_id)


@transaction.atomic
def add_endpoint(*, user: User, url: str, types: Sequence[str], at: datetime) -> tuple[Endpoint, str]:
    """A new endpoint and its secret, which is shown this once.

    Raises InvalidUrlError and UrlNotPublicError, and EndpointRefusedError for http, an address that the person has
    already, and one endpoint too many.
    """
    canonical = check_url(url)
    if not canonical.startswith("https://"):
        raise EndpointRefusedError("Events are sent by https only.")
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    existing = Endpoint.objects.filter(user=user)
    if existing.filter(url=canonical).exists():
        raise EndpointRefusedError("You have a webhook with this address already.")
    if existing.count() >= limits.ENDPOINTS:
        raise EndpointRefusedError(f"You can have {limits.ENDPOINTS} webhooks. Delete one first.")
    nonce = events.new_nonce()
    row = Endpoint.objects.create(user=user, url=canonical, types=sorted(types), nonce=nonce, created_at=at)
    return row, events.secret_of(nonce)


@transaction.atomic
def choose_types(*, user: User, endpoint_id: int, types: Sequence[str]) -> Endpoint:
    row = _locked(user_id=user.pk, endpoint_id=endpoint_id)
    row.types = sorted(types)
    row.save(update_fields=["types"])
    return row


@transaction.atomic
def rotate_secret(*, user: User, endpoint_id: int, at: datetime) -> tuple[Endpoint, str]:
    """A new secret, shown this once; those before sign beside it until a day has passed without another.

    A page that is sent again makes one more, and what a program has in use must not end with that.
    """
    row = _locked(user_id=user.pk, endpoint_id=endpoint_id)
    former = [bytes(row.nonce), *events.former_nonces(row, at=at)]
    row.former_nonce, row.former_until = b"".join(former[: events.FORMER]), at + events.GRACE
    row.nonce = events.new_nonce()
    row.save(update_fields=["nonce", "former_nonce", "former_until"])
    return row, events.secret_of(row.nonce)


@transaction.atomic
def send_test(*, user: User, endpoint_id: int, at: datetime) -> Delivery:
    """Send an event of the type `test`, once. Raises EndpointRefusedError while it is switched off."""
    row = _switched_on(user=user, endpoint_id=endpoint_id)
    body = dumps({"type": events.TEST, "timestamp": at, "data": {"message": TEST_WORDS}}).decode()
    return _sent_off(
        Delivery(endpoint=row, event=uuid.uuid4(), type=events.TEST, thing="", body=body, created_at=at)
    )


@transaction.atomic
def redeliver(*, user: User, endpoint_id: int, delivery_id: int) -> Delivery:
    """Send an event again, with the same id and body, and from its first try.

    Raises NotFoundError for one that is not of this endpoint, EndpointRefusedError while it is switched off.
    """
    endpoint = _switched_on(user=user, endpoint_id=endpoint_id)
    rows = Delivery.objects.select_for_update(no_key=True).filter(endpoint=endpoint, pk=delivery_id)
    row = NotFoundError.unless(rows.first(), "delivery")
    row.attempt, row.state = 0, Delivery.State.WAITING
    return _sent_off(row)


def _switched_on(*, user: User, endpoint_id: int) -> Endpoint:
    row = _locked(user_id=user.pk, endpoint_id=endpoint_id)
    if row.off_at is not None:
        raise EndpointRefusedError("It is switched off. Switch it on first.")
    return row


def _sent_off(row: Delivery) -> Delivery:
    row.next_at = Now()
    row.save(update_fields=None if row.pk is None else ["attempt", "state", "next_at"])
    events.send_off(row)
    return row


@transaction.atomic
def switch(*, user: User, endpoint_id: int, is_on: bool, at: datetime) -> Endpoint:
    """Send nothing more to it, or send again from now on. What waited stays in the list, to be sent again by hand."""
    row = _locked(user_id=user.pk, endpoint_id=endpoint_id)
    if is_on == (row.off_at is None):
        return row
    row.off_at, row.off_reason = (None, "") if is_on else (at, Endpoint.Off.BY_OWNER)
    row.failing_since = row.slow_until = None
    row.save(update_fields=["off_at", "off_reason", "failing_since", "slow_until"])
    row.deliveries.filter(state=Delivery.State.WAITING).update(state=Delivery.State.FAILED, next_at=None)
    return row


@transaction.atomic
def delete_endpoint(*, user: User, endpoint_id: int) -> Endpoint:
    row = _locked(user_id=user.pk, endpoint_id=endpoint_id)
    Endpoint.objects.filter(pk=row.pk).delete()
    return row


def export(*, user_id: int) -> dict[str, Any]:
    """What the site holds of a person here, without what signs."""
    deliveries = Delivery.objects.filter(endpoint__user=user_id).order_by("pk")
    return {
        "webhooks": list(Endpoint.objects.filter(user=user_id).order_by("pk").values(*COLUMNS)),
        "webhook_deliveries": list(deliveries.values(*DELIVERY_COLUMNS)),
    }
