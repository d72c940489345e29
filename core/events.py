"""Events: what happened to a person's things, sent to the addresses of their own programs (Standard Webhooks 1.0).

An area declares its types, and emits one in the transaction of the change. A delivery is a row for each endpoint that
wants the type; jobs send them, one endpoint at a time with whatever is due there, and few at a time for all. Workers
share a handful of threads between mail, payments and everything short, so events take two of them, and the endpoints
that hang take a third together: a server that never answers holds nobody's deliveries but its own.

A secret is made of the site's own key and a nonce: no table holds it.
"""

import base64
import logging
import secrets
import time
import uuid
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils.crypto import salted_hmac
from standardwebhooks import Webhook

from core import jobs, mail
from core.api.bodies import dumps
from core.api.links import absolute
from core.clock import database_now
from core.event_types import TEST, TYPES
from core.fetch import Fetched, Fetcher, FetchError
from core.models import Delivery, Endpoint, Job

SEND = "core.send_events"


def emit(name: str, *, user_id: int | None, thing: object) -> None:
    """Tell a person's endpoints what happened to a thing; it costs a look where there are none."""
    emit_each(name, things={} if user_id is None else {thing: (user_id,)})


def emit_each(name: str, *, things: Mapping[Any, Iterable[int]]) -> None:
    """The same for many things at once, each with the people it is told to."""
    people = {user_id for whose in things.values() for user_id in whose}
    if not people:
        return
    wanting = Endpoint.objects.filter(
        user__in=people, user__is_active=True, user__suspended_at=None, types__contains=[name], off_at=None
    )
    endpoints: dict[int, list[Endpoint]] = {}
    for endpoint in wanting.order_by("pk"):
        endpoints.setdefault(endpoint.user_id, []).append(endpoint)
    rows = []
    for thing, whose in things.items():
        for user_id in whose:
            event = uuid.uuid4()
            rows += [_row(endpoint, event, name, str(thing)) for endpoint in endpoints.get(user_id, ())]
    for row in Delivery.objects.bulk_create(rows, batch_size=1000):
        send_off(row)


def _row(endpoint: Endpoint, event: uuid.UUID, name: str, thing: str) -> Delivery:
    return Delivery(endpoint=endpoint, event=event, type=name, thing=thing, created_at=Now(), next_at=Now())


def send_off(row: Delivery) -> None:
    """Add the job that sends a waiting delivery, and whatever else is due at its endpoint."""
    jobs.add(SEND, key=f"{row.pk}-{uuid.uuid4().hex[:8]}", endpoint_id=row.endpoint_id)


SALT = "core.events.endpoint"
GRACE = timedelta(hours=24)  # so long a secret signs on after its successor was made
NONCE_BYTES, SECRET_BYTES = 16, 24
FORMER = 9  # secrets that may sign beside the newest: signatures of ten are half a kilobyte of a header


def new_nonce() -> bytes:
    return secrets.token_bytes(NONCE_BYTES)


def secret_of(nonce: bytes, *, key: str | None = None) -> str:
    """`whsec_…` of a nonce, by the site's key or one that it had before."""
    digest = salted_hmac(SALT, nonce.hex(), secret=key or settings.SECRET_KEY, algorithm="sha256").digest()
    return f"whsec_{base64.b64encode(digest[:SECRET_BYTES]).decode()}"


def former_nonces(endpoint: Endpoint, *, at: datetime) -> list[bytes]:
    """Those of the secrets that were replaced and still sign, the newest first."""
    if endpoint.former_nonce is None or endpoint.former_until is None or endpoint.former_until <= at:
        return []
    joined = bytes(endpoint.former_nonce)
    return [joined[start : start + NONCE_BYTES] for start in range(0, len(joined), NONCE_BYTES)]


def headers(endpoint: Endpoint, *, message: str, body: str, at: datetime) -> dict[str, str]:
    """What goes with a message: its id, the moment of this try, and a signature by every secret that holds now."""
    nonces = [bytes(endpoint.nonce), *former_nonces(endpoint, at=at)]
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    signatures = [
        Webhook(secret_of(nonce, key=key)).sign(msg_id=message, timestamp=at, data=body)
        for nonce in nonces
        for key in keys
    ]
    return {
        "Content-Type": "application/json",
        "webhook-id": message,
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": " ".join(signatures),
    }


logger = logging.getLogger(__name__)
TRIES = tuple(timedelta(seconds=s) for s in (0, 5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400))
SWITCHED_OFF_AFTER = timedelta(days=5)
ANSWER_BYTES, ANSWER_SECONDS = 1024, 10.0
TURN_SECONDS = 20.0  # then others have theirs
LEASE_SECONDS = 10.0  # so long an endpoint waits for whoever is at it and died, until the same job goes on
DEATHS = 50  # of workers in the middle of one job: a buried one would leave its endpoint taken for minutes
WAIT = timedelta(seconds=2)
SLOW_SECONDS, SLOW_FOR = 3.0, timedelta(minutes=10)
QUICK_PLACES, SLOW_PLACES = 2, 1
OVERDUE = timedelta(minutes=1)
GONE = 410
BANNED = "The account was banned for more than a day."
Off, State = Endpoint.Off, Delivery.State


@jobs.job(SEND, lease_seconds=LEASE_SECONDS, attempts=DEATHS)
def send_events(lease: jobs.Lease, *, endpoint_id: int) -> None:
    """Send what is due at an endpoint, unless another job is at it, which looks again when it is through."""
    if not _due(endpoint_id).exists():
        return
    try:
        with jobs.place(f"endpoint:{endpoint_id}", places=1, holder=str(lease.job_id)):
            _take_turn(endpoint_id, lease=lease)
    except jobs.NotNowError:
        return
    if _due(endpoint_id).exists():
        _wake(endpoint_id, lease=lease)


@jobs.job("core.resume_events", every=300)
def resume_events() -> None:
    """Send off what should have been sent and was not, because its job died.

    What has waited behind a ban for longer than all tries take is of no use to its program: it goes by hand alone.
    """
    long_ago = Now() - TRIES[-1]
    of_banned = Delivery.objects.filter(state=State.WAITING, endpoint__user__suspended_at__lt=long_ago)
    of_banned.filter(created_at__lt=long_ago).update(state=State.FAILED, next_at=None, answer=BANNED)
    late = _waiting().filter(next_at__lt=Now() - OVERDUE)
    for row in late.order_by("endpoint", "pk").distinct("endpoint")[:1000]:
        send_off(row)


def _waiting() -> QuerySet[Delivery]:
    """What a banned person is to be sent waits until the ban is undone."""
    return Delivery.objects.filter(
        state=State.WAITING,
        endpoint__off_at=None,
        endpoint__user__is_active=True,
        endpoint__user__suspended_at=None,
    )


def _due(endpoint_id: int) -> QuerySet[Delivery]:
    return _waiting().filter(endpoint=endpoint_id, next_at__lte=Now()).order_by("next_at", "pk")


def _wake(endpoint_id: int, *, lease: jobs.Lease) -> None:
    """Go on a moment later, by one job whatever number of them waits."""
    key = f"rest-of-{endpoint_id}"
    waiting = Job.objects.filter(kind=SEND, key=key, state=Job.State.QUEUED)
    if lease.key != key and not waiting.exists():
        jobs.again(SEND, key=key, at=database_now() + WAIT, endpoint_id=endpoint_id)
    if lease.key == key or not waiting.exists():
        raise jobs.NotNowError(seconds=WAIT.total_seconds())


def _take_turn(endpoint_id: int, *, lease: jobs.Lease) -> None:
    endpoint = Endpoint.objects.get(pk=endpoint_id)
    is_slow = endpoint.slow_until is not None and endpoint.slow_until > database_now()
    name, places = ("slow-events", SLOW_PLACES) if is_slow else ("events", QUICK_PLACES)
    try:
        with (
            jobs.place(name, places=places, holder=str(lease.job_id)),
            Fetcher(user_agent=f"LaunchDirectory-Events/1.0 (+{settings.SITE_URL}/docs/events)") as fetcher,
        ):
            _send_due(endpoint, fetcher=fetcher, lease=lease)
    except jobs.NotNowError:
        return


def _send_due(endpoint: Endpoint, *, fetcher: Fetcher, lease: jobs.Lease) -> None:
    """One after the other, until the turn is over or one was slow."""
    ends = time.monotonic() + TURN_SECONDS
    while time.monotonic() < ends and (row := _due(endpoint.pk).first()) is not None:
        if not row.body and not _make_body(row, user_id=endpoint.user_id):
            continue
        began = time.monotonic()
        answer = _post(endpoint, row, fetcher=fetcher)
        is_slow = time.monotonic() - began > SLOW_SECONDS
        _record(row, answer=answer, is_slow=is_slow, lease=lease)
        if is_slow:
            return


def _make_body(row: Delivery, *, user_id: int) -> bool:
    """The body of every try, written down before the first; False for what is nobody's any more, which goes."""
    made: list[bytes] = []

    def make() -> None:
        data = TYPES[row.type].data(user_id=user_id, thing=row.thing)
        if data is not None:
            made.append(dumps({"type": row.type, "timestamp": row.created_at, "data": data}))

    if fault := jobs.fault_of(make):
        logger.error("event not made", exc_info=fault, extra={"type": row.type, "delivery": row.pk})
        why = "We could not make this event. We have been told."
        Delivery.objects.filter(pk=row.pk).update(state=State.FAILED, next_at=None, answer=why)
        return False
    if not made:
        row.delete()
        return False
    row.body = made[0].decode()
    Delivery.objects.filter(pk=row.pk).update(body=row.body)
    return True


def _post(endpoint: Endpoint, row: Delivery, *, fetcher: Fetcher) -> Fetched | FetchError:
    now = database_now()
    message = f"msg_{row.event.hex}"
    try:
        return fetcher.post(
            endpoint.url,
            body=row.body.encode(),
            headers=headers(endpoint, message=message, body=row.body, at=now),
            max_bytes=ANSWER_BYTES,
            timeout=ANSWER_SECONDS,
        )
    except FetchError as error:
        return error


@transaction.atomic
def _record(row: Delivery, *, answer: Fetched | FetchError, is_slow: bool, lease: jobs.Lease) -> None:
    """Write down what came of a try, and when the next one is."""
    lease.guard()
    endpoint = Endpoint.objects.select_for_update(no_key=True).filter(pk=row.endpoint_id).first()
    if endpoint is None:
        return
    now, status = database_now(), answer.status if isinstance(answer, Fetched) else None
    failing_since = _failing_since(endpoint, at=now)
    row.attempt, row.tries, row.tried_at = row.attempt + 1, row.tries + 1, now
    row.http_status, row.answer = status, _words(answer)
    is_delivered = status is not None and 200 <= status < 300
    row.state, row.next_at = (State.DELIVERED, None) if is_delivered else _next(row, endpoint, at=now)
    row.save(update_fields=["attempt", "tries", "tried_at", "http_status", "answer", "state", "next_at"])
    endpoint.slow_until = now + SLOW_FOR if is_slow else endpoint.slow_until
    endpoint.failing_since = None if is_delivered else failing_since
    endpoint.save(update_fields=["slow_until", "failing_since"])
    if row.state == State.WAITING:
        jobs.add(SEND, key=f"{row.pk}-{row.tries}", run_after=row.next_at, endpoint_id=endpoint.pk)
    _end_hopeless(endpoint, status=status, at=now)


def _failing_since(endpoint: Endpoint, *, at: datetime) -> datetime:
    """Since when it fails, if it does now: what failed last before days without any try says nothing of them."""
    tries = endpoint.deliveries.filter(tried_at__gt=at - SWITCHED_OFF_AFTER)
    return endpoint.failing_since if endpoint.failing_since is not None and tries.exists() else at


def _next(row: Delivery, endpoint: Endpoint, *, at: datetime) -> tuple[Delivery.State, datetime | None]:
    """Nothing waits at an endpoint that was switched off while this try was under way."""
    if row.type == TEST or row.attempt >= len(TRIES) or endpoint.off_at is not None:
        return State.FAILED, None
    return State.WAITING, at + TRIES[row.attempt] - TRIES[row.attempt - 1]


def _words(answer: Fetched | FetchError) -> str:
    """How the answer begins, as text that a table takes, or why there was none."""
    text = answer.body.decode(errors="replace") if isinstance(answer, Fetched) else answer.detail
    return "".join(c for c in text if c.isprintable() or c in "\n\t")[:ANSWER_BYTES]


def _end_hopeless(endpoint: Endpoint, *, status: int | None, at: datetime) -> None:
    """Switch off what says that it is gone, or has failed for days without a success."""
    since = endpoint.failing_since
    if since is None or endpoint.off_at is not None:
        return
    if status != GONE and at - since < SWITCHED_OFF_AFTER:
        return
    endpoint.off_at, endpoint.off_reason = at, Off.GONE if status == GONE else Off.FAILING
    endpoint.save(update_fields=["off_at", "off_reason"])
    endpoint.deliveries.filter(state=State.WAITING).update(state=State.FAILED, next_at=None)
    mail.send(
        template="mail/endpoint_off",
        to=endpoint.user.email,
        key=f"endpoint-off-{endpoint.pk}-{at.isoformat()}",
        context={
            "endpoint": endpoint,
            "is_gone": status == GONE,
            "page_url": absolute(f"/account/webhooks/{endpoint.pk}"),
        },
        envelope=mail.Envelope(person_id=endpoint.user_id),
    )
