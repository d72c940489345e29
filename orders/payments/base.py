"""What a way of being paid has to do: as much as orders need, and nothing that one vendor has named."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from http import HTTPStatus
from typing import Any, ClassVar

import httpx2
from django.core.exceptions import ImproperlyConfigured

from core.fetch import split_url
from core.outages import Bulkhead, ServiceAwayError
from core.timed import timed_client

UNCLEAR = frozenset({408, 409, 425, 429})
TIMEOUT_SECONDS = 10.0  # in jobs; a request has what its bulkhead gives it
STALE_SECONDS = 300


class Kind(StrEnum):
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
    DISPUTED = "disputed"
    DISPUTE_CLOSED = "dispute_closed"  # an inquiry or a dispute, without a decision: no money went
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
class Redirect:
    provider_ref: str
    redirect_url: str


@dataclass(frozen=True, kw_only=True)
class PaymentRef:
    """A payment of ours, to name it to its provider: `charge_ref` is what disputes and refunds are about."""

    ref: str
    provider_ref: str
    charge_ref: str
    amount_cents: int
    currency: str


def moment(text: str) -> datetime | None:
    """A moment as a provider writes it; nothing for what is none."""
    try:
        result = datetime.fromisoformat(text)
    except ValueError:
        return None
    return result if result.tzinfo else None


@dataclass(frozen=True, kw_only=True)
class PaymentEvent:
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
    opened_at: str = ""  # when a dispute was opened, or a refund made, there: as ISO 8601 has it
    answer_by: str = ""  # until when it can be answered
    places: dict[str, str] = field(default_factory=dict)  # countries of the payer: billing, card

    def began_at(self, at: datetime) -> datetime:
        """When it began there; `at`, when it is heard of, where the provider says nothing or later."""
        return min(at, moment(self.opened_at) or at)


@dataclass(frozen=True, kw_only=True)
class Notification:
    """A message whose signature was right. The same `event_id` is the same message."""

    event_id: str
    event: PaymentEvent
    is_live: bool
    happened_at: datetime | None = None


@dataclass(frozen=True)
class Method:
    label: str
    hint: str


PAYPAL = Method("PayPal", "You confirm on PayPal and come back here")


class Provider(ABC):
    """One payment provider, made of its settings. It knows no database; whatever it raises is one of the errors below.

    Browsers let a form lead to `page_origins` only if the page that holds it says so: without them nobody could pay.
    """

    position: ClassVar[int]  # in the order in which people choose
    code: ClassVar[str]
    needs: ClassVar[tuple[str, ...]]  # settings; the first says that it is wanted
    works_without: ClassVar[tuple[str, ...]] = ()  # of these, what only makes it slower
    reads: ClassVar[tuple[str, ...]] = ()  # further settings
    loggers: ClassVar[tuple[str, ...]] = ()  # of its SDK, which say too much
    is_stand_in: ClassVar[bool] = False  # on while no other is
    methods: Mapping[str, Method]
    page_origins: tuple[str, ...]
    is_live: bool  # real money moves
    bulkhead: ClassVar[Bulkhead]

    @abstractmethod
    def __init__(self, config: Mapping[str, Any]) -> None:
        """From the settings that it `needs` and `reads`."""

    @abstractmethod
    def start(self, intent: Intent) -> Redirect:
        """Begin a payment. The same intent once more gives the same payment."""

    @abstractmethod
    def state(self, payment: PaymentRef) -> PaymentEvent:
        """What the provider has now."""

    def collect(self, payment: PaymentRef) -> PaymentEvent:
        """Take the money of a payment that was approved; where nothing is to be taken, the state."""
        return self.state(payment)

    def cancel(self, payment: PaymentRef) -> None:  # noqa: B027  (where nothing is paid without our collecting it)
        """See to it that it can no longer be paid, as far as the provider can."""

    @abstractmethod
    def refund(self, payment: PaymentRef, *, key: str, amount_cents: int) -> PaymentEvent:
        """Give money back. The same key once more gives the same refund."""

    def refunds(self, payment: PaymentRef) -> list[PaymentEvent]:
        """Every refund of a payment, whoever made it; none where the provider keeps no list."""
        return []

    @abstractmethod
    def parse(self, *, headers: Mapping[str, str], body: bytes, at: datetime) -> Notification | None:
        """A notification, its signature checked first; nothing for a kind of message that orders do not need."""


class GatewayUnclearError(Exception):
    """Nobody knows whether the provider did it: ask again with the same key."""


class KeyRefusedError(GatewayUnclearError):
    """It does not take our key: that stays so until the operator sets another, and says nothing of the payment."""


class GatewayRefusedError(Exception):
    """The provider said no, and will say so again."""


class RightMissingError(GatewayRefusedError):
    """It knows our key, which may not do this: where a payment begins, as good as a key that it does not take."""


class BadNotificationError(Exception):
    """The message is not signed as it must be, too old, or cannot be read."""


def origin_of(url: str) -> str:
    """Scheme, host and port of an address. Raises ImproperlyConfigured for what is none."""
    parts = split_url(url)
    if not parts.scheme or not parts.netloc:
        raise ImproperlyConfigured(
            f"{url!r} is not the address of a payment page: it has no https:// and host."
        )
    return f"{parts.scheme}://{parts.netloc}"


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


class Server:
    """A provider's server, named by the operator. Proxy variables are ignored, redirects are not followed."""

    def __init__(self, base: str, *, bulkhead: Bulkhead) -> None:
        self._base = base.rstrip("/")
        self._bulkhead = bulkhead

    def call(self, method: str, path: str, *, headers: Mapping[str, str], **options: Any) -> Any:
        """The JSON of a successful answer. Raises one of the errors above with the status alone."""
        answer = self._answer(method, path, headers=dict(headers), **options)
        if answer.status_code == HTTPStatus.UNAUTHORIZED:
            raise KeyRefusedError(f"{method}: status 401")
        if answer.status_code == HTTPStatus.FORBIDDEN:
            raise RightMissingError(f"{method}: status 403")
        if answer.status_code >= 500 or answer.status_code in UNCLEAR:
            raise GatewayUnclearError(f"{method}: status {answer.status_code}")
        if not answer.is_success:
            raise GatewayRefusedError(f"{method}: status {answer.status_code}")
        if not answer.content:
            return {}
        try:
            return answer.json()
        except ValueError as error:
            raise GatewayUnclearError(f"{method}: no JSON") from error

    def _answer(self, method: str, path: str, **options: Any) -> httpx2.Response:
        try:
            with self._bulkhead.place():
                seconds = self._bulkhead.seconds_left(in_job=TIMEOUT_SECONDS)
                with timed_client(seconds) as client:
                    return client.request(method, f"{self._base}{path}", **options)
        except (httpx2.HTTPError, ServiceAwayError) as error:
            raise GatewayUnclearError(f"{method}: {type(error).__name__}") from error
