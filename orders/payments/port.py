"""What a way of being paid has to do: as much as orders need, and nothing that one vendor has named."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from core.bulkhead import Bulkhead

TIMEOUT_SECONDS = 10.0  # in jobs; a request has what its bulkhead gives it
STALE_SECONDS = 300


class Kind(StrEnum):
    """What a provider says about a payment."""

    OPEN = "open"
    APPROVED = "approved"  # the person has agreed, and the money can be collected
    PROCESSING = "processing"
    PAID = "paid"
    FAILED = "failed"
    EXPIRED = "expired"
    ODD = "odd"  # some money came, but not what was asked for, or too late; its amount is what came
    REFUND_PENDING = "refund_pending"
    REFUNDED = "refunded"
    REFUND_FAILED = "refund_failed"
    REFUNDS_CHANGED = "refunds_changed"  # ask which: `refunds` lists them
    REVERSED = "reversed"  # a bank took money back
    INQUIRY = "inquiry"  # a question before any dispute: no money moves
    INQUIRY_CLOSED = "inquiry_closed"
    DISPUTED = "disputed"
    DISPUTE_WON = "dispute_won"
    DISPUTE_LOST = "dispute_lost"


@dataclass(frozen=True, kw_only=True)
class Intent:
    """What is to be paid. `ref` is our payment's id: the provider hands it back, and it keys the call."""

    ref: str
    number: str
    method: str
    amount_cents: int
    currency: str
    email: str
    return_url: str
    cancel_url: str
    expires_at: datetime


@dataclass(frozen=True, kw_only=True)
class Started:
    """Where the person goes to pay, and what the provider calls it."""

    provider_ref: str
    redirect_url: str


@dataclass(frozen=True, kw_only=True)
class Known:
    """A payment as we know it: `charge_ref` is what disputes and refunds are about."""

    ref: str
    provider_ref: str
    charge_ref: str
    amount_cents: int
    currency: str


@dataclass(frozen=True, kw_only=True)
class Fact:
    """What a provider says. Where it leaves the amount out, its own state of the payment has to be read."""

    kind: Kind
    ref: str = ""
    provider_ref: str = ""
    charge_ref: str = ""
    refund_ref: str = ""
    refund_key: str = ""  # our own key of the refund, where the provider hands it back
    dispute_ref: str = ""
    amount_cents: int | None = None
    over_cents: int | None = 0  # what came above that; None where the provider cannot say how much
    currency: str = ""
    answer_by: str = ""  # until when a dispute can be answered, as ISO 8601 has it


@dataclass(frozen=True, kw_only=True)
class Notification:
    """A message whose signature was right. The same `event_id` is the same message."""

    event_id: str
    fact: Fact
    is_test: bool
    happened_at: datetime | None = None


class Gateway(Protocol):
    """One provider. It knows no database; whatever it raises is one of the errors below."""

    code: str
    methods: tuple[str, ...]
    is_test: bool
    bulkhead: Bulkhead

    def start(self, intent: Intent) -> Started:
        """Begin a payment. The same intent once more gives the same payment."""
        ...

    def state(self, known: Known) -> Fact:
        """What the provider has now."""
        ...

    def collect(self, known: Known) -> Fact:
        """Take the money of a payment that was approved; where nothing is to be taken, the state."""
        ...

    def cancel(self, known: Known) -> None:
        """See to it that it can no longer be paid, as far as the provider can."""
        ...

    def refund(self, known: Known, *, key: str, amount_cents: int) -> Fact:
        """Give money back. The same key once more gives the same refund."""
        ...

    def refunds(self, known: Known) -> list[Fact]:
        """Every refund of a payment, whoever made it; none where the provider keeps no list."""
        ...

    def parse(self, *, headers: Mapping[str, str], body: bytes, at: datetime) -> Notification | None:
        """A notification, its signature checked first; nothing for a kind of message that orders do not need."""
        ...


class GatewayUnclearError(Exception):
    """Nobody knows whether the provider did it: ask again with the same key."""


class GatewayRefusedError(Exception):
    """The provider said no, and will say so again."""


class BadNotificationError(Exception):
    """The message is not signed as it must be, too old, or cannot be read."""


def decimal(cents: int) -> str:
    """Cents as providers write them: 11781 is 117.81."""
    return f"{cents // 100}.{cents % 100:02d}"


def cents(amount: object) -> int:
    """`117.81` as cents. Raises BadNotificationError for what is no amount of whole cents."""
    whole, _, part = str(amount).strip().partition(".")
    part = part.rstrip("0").ljust(2, "0")
    if not (whole.isascii() and whole.isdigit() and part.isascii() and part.isdigit() and len(part) == 2):
        raise BadNotificationError("An amount that is none.")
    return int(whole) * 100 + int(part)
