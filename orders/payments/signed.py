"""Signatures with a time in them, by Stripe's rules, and reading what was signed."""

import json
from datetime import datetime
from enum import StrEnum
from typing import Any, TypeVar

import stripe

from orders.payments.base import STALE_SECONDS, BadNotificationError

Word = TypeVar("Word", bound=StrEnum)


def verify(*, header: str, body: bytes, secret: str, at: datetime) -> None:
    """Raise BadNotificationError unless the body was signed within the last minutes.

    The SDK looks back only, so what claims to come from the future is refused here. It would take an empty secret,
    with which anybody can sign.
    """
    if not secret:
        raise BadNotificationError("There is no secret to check a signature with.")
    try:
        stripe.WebhookSignature.verify_header(body, header, secret, tolerance=STALE_SECONDS)
        sent = next(int(part[2:]) for part in header.split(",") if part.startswith("t="))
    except (stripe.SignatureVerificationError, ValueError, StopIteration) as error:
        raise BadNotificationError("The signature is wrong, missing or stale.") from error
    if sent > at.timestamp() + STALE_SECONDS:
        raise BadNotificationError("The signature is of the future.")


def header(*, body: bytes, secret: str, at: datetime) -> str:
    made: str = stripe.WebhookSignature.generate_signature_header(
        body.decode(), secret, timestamp=int(at.timestamp())
    )
    return made


def read(body: bytes) -> dict[str, Any]:
    try:
        message = json.loads(body)
    except ValueError as error:
        raise BadNotificationError("No JSON.") from error
    if not isinstance(message, dict):
        raise BadNotificationError("No object.")
    return message


def text(holder: Any, name: str) -> str:
    """A text of at most 120 characters, or nothing."""
    value = holder.get(name) if isinstance(holder, dict) else None
    return value[:120] if isinstance(value, str) else ""


def whole(holder: dict[str, Any], name: str) -> int:
    """A whole number. Raises BadNotificationError for anything else."""
    value = holder.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise BadNotificationError(f"{name} is no whole number.")
    return value


def word(words: type[Word], value: Any) -> Word:
    """One of these words. Raises BadNotificationError for anything else."""
    try:
        return words(value)
    except ValueError as error:
        raise BadNotificationError("A word that is not known.") from error
