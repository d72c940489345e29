"""The cause of each alert of deploy/prometheus/rules.yml, made and taken away, with what `/metrics` says meanwhile."""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml
from django.db import connection
from django.http import HttpResponse
from django.test import Client, RequestFactory, override_settings
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from accounts.models import User
from config import asgi, metrics
from core import jobs, logs, replica
from core.api.handler import UnavailableError
from core.jobs.reaping import forget_heartbeat, note_heartbeat
from core.models import Heartbeat, Job, Mail
from directory.models import Listing, Site
from leaderboards.closing import close_due_weeks
from orders.models import OrderLine, Payment
from tests.factories.listings import make_listing
from tests.factories.orders import make_order

RULES = Path(__file__).parents[2] / "deploy" / "prometheus" / "rules.yml"
KEEPERS = ("beat", "reaper", "backup")
NOWHERE = "redis://127.0.0.1:9/0"
Labels = tuple[tuple[str, str], ...]


def rules() -> dict[str, dict[str, Any]]:
    """Every alert by its name."""
    (group,) = yaml.safe_load(RULES.read_text())["groups"]
    return {rule["alert"]: rule for rule in group["rules"]}


@dataclass(frozen=True)
class Scrape:
    """What a Prometheus would store of one look at /metrics; times as seconds from now."""

    values: dict[tuple[str, Labels], float]
    counters: frozenset[str]


@dataclass
class World:
    """The service, as one scrape job sees it."""

    patch: pytest.MonkeyPatch
    site: Site
    owner: User
    client: Client = field(default_factory=lambda: Client(raise_request_exception=False))

    def scrape(self) -> Scrape:
        """Look at /metrics; an answer other than 200 is none."""
        answer = self.client.get("/metrics")
        values: dict[tuple[str, Labels], float] = {
            ("up", (("job", "launch"),)): float(answer.status_code == 200)
        }
        counted, now = set(), time.time()
        families = text_string_to_metric_families(
            answer.content.decode() if answer.status_code == 200 else ""
        )
        for family in families:
            for sample in family.samples:
                is_time = sample.name.endswith("_timestamp_seconds")
                key = sample.name, tuple(sorted(sample.labels.items()))
                values[key] = sample.value - now if is_time else sample.value
                if family.type in {"counter", "histogram"}:
                    counted.add(sample.name)
        return Scrape(values, frozenset(counted))


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch, site: Site, django_user_model: type[User]) -> World:
    """A service that is well: nothing cached, workers seen just now, one mail sent."""
    monkeypatch.setattr(metrics, "CACHE_SECONDS", 0.0)
    monkeypatch.setattr(metrics, "_cached", [])
    for name in KEEPERS:
        note_heartbeat(name)
    owner = django_user_model.objects.create(email="owner@people.example")
    return World(patch=monkeypatch, site=site, owner=owner)


@contextmanager
def changed(world: World, owner: Any, name: str, value: Any) -> Iterator[None]:
    with world.patch.context() as patch:
        patch.setattr(owner, name, value)
        yield


@contextmanager
def job(world: World, *, kind: str, queue: str, **fields: Any) -> Iterator[None]:
    """A job that is overdue by an hour, or as said."""
    now = timezone.now()
    given = {"key": "cause", "created_at": now, "run_after": now - timedelta(hours=1)} | fields
    row = Job.objects.create(kind=kind, queue=queue, **given)
    yield
    row.delete()


def put_back_mail(world: World) -> AbstractContextManager[None]:
    """One that comes again in a minute, as for an hour: its server hangs."""
    now = timezone.now()
    times = {"created_at": now - timedelta(hours=1), "run_after": now + timedelta(minutes=1)}
    return job(world, kind="core.send_mail", queue="mail", **times)


def mail_in_vain(world: World) -> AbstractContextManager[None]:
    """One that its server has refused for an hour, and no address is why."""
    now = timezone.now()
    times = {"created_at": now - timedelta(hours=1), "run_after": now + timedelta(minutes=10)}
    refusal = "SMTPAuthenticationError: (535, b'bad password')"
    return job(world, kind="core.send_mail", queue="mail", attempt=5, last_error=refusal, **times)


@contextmanager
def not_since(name: str, ago: timedelta) -> Iterator[None]:
    """Somebody was last at work so long ago, until the next time."""
    Heartbeat.objects.filter(name=name).update(beat_at=timezone.now() - ago)
    yield
    note_heartbeat(name)


@contextmanager
def database_away(world: World) -> Iterator[None]:
    """Refuse every statement."""

    def refuse(*_: Any) -> None:
        raise metrics.DatabaseError("away")

    world.patch.setattr(metrics, "_cached", [])
    with connection.execute_wrapper(refuse):
        yield


@contextmanager
def faults(world: World) -> Iterator[None]:
    """A page that fails."""
    with connection.execute_wrapper(lambda *_: 1 / 0):
        assert world.client.get("/categories").status_code == 500
    yield


@contextmanager
def no_thread(world: World) -> Iterator[None]:
    """A request that no thread answered."""
    assert asgi.refusal(UnavailableError("All of us are busy."), path="/search").status == 503
    yield


@contextmanager
def slowness(world: World) -> Iterator[None]:
    """Requests of which some took long."""
    request = RequestFactory().get("/")
    for seconds in (0.01, 0.7, 2.0):
        logs.count_request(request, HttpResponse(), seconds=seconds, operation=None)
    yield


@contextmanager
def hint_refused(world: World) -> Iterator[None]:
    """A hint that Redis does not take."""
    with changed(world, jobs.hints, "_publishers", lambda _: Refusing()):
        assert jobs.hints.room(["default"]) == {}
    yield
    jobs.hints.room(["default"])


class Refusing:
    """Connections to a Redis that is away."""

    def acquire(self, **_: Any) -> Any:
        raise ConnectionRefusedError


@contextmanager
def refused_mails(world: World) -> Iterator[None]:
    """A mail server that refuses everybody, sign-in codes included."""
    lines = [
        Mail(
            key=f"cause-{number}",
            address=f"{number}@people.example",
            state="bounced",
            is_repeatable=False,
            queued_at=timezone.now(),
        )
        for number in range(21)
    ]
    Mail.objects.bulk_create(lines)
    yield
    Mail.objects.update(queued_at=timezone.now() - timedelta(hours=2))


@contextmanager
def late_launch(world: World) -> Iterator[None]:
    """A listing whose week began three weeks ago."""
    listing = make_listing("late", status="scheduled", at=timezone.now() - timedelta(days=21))
    yield
    Listing.objects.filter(pk=listing.pk).update(status=Listing.Status.LIVE, launched_at=timezone.now())


@contextmanager
def open_week(world: World) -> Iterator[None]:
    """A week with a launch that is over."""
    make_listing("open", at=timezone.now() - timedelta(days=21))
    yield
    close_due_weeks(at=timezone.now())


@contextmanager
def silent_payment(world: World) -> Iterator[None]:
    """An open payment that should have been asked about two hours ago."""
    now = timezone.now()
    payment = Payment.objects.create(
        order=make_order(world.site, owner=world.owner),
        provider="stripe",
        method="card",
        amount_cents=100,
        currency="EUR",
        created_at=now,
        expires_at=now,
        next_check_at=now - timedelta(hours=2),
    )
    yield
    Payment.objects.filter(pk=payment.pk).update(status=Payment.Status.PAID)


@contextmanager
def refused_key(world: World) -> Iterator[None]:
    """A provider that did not take our key, until somebody is led to its page."""
    with override_settings(STRIPE_SECRET_KEY="sk_test_x", STRIPE_WEBHOOK_SECRET="w"):
        note_heartbeat("key:stripe")
        yield
        forget_heartbeat("key:stripe")


@contextmanager
def blocked_line(world: World) -> Iterator[None]:
    """Paid work that could not be done."""
    order = make_order(world.site, owner=world.owner)
    lines = OrderLine.objects.filter(order=order)
    lines.update(fulfilment_status="blocked")
    yield
    lines.update(fulfilment_status="done")


@contextmanager
def replica_cut_off(world: World) -> Iterator[None]:
    """An installation with a replica that has passed nothing of what the primary wrote for a minute."""
    follower = replica.Follower()
    follower.lag, follower._next_check = 60.0, float("inf")
    with changed(world, replica, "is_there", lambda: True), changed(world, replica, "FOLLOWER", follower):
        yield


FULL_REDIS = {"used_memory": 95, "maxmemory": 100}
FULL_DISK = SimpleNamespace(total=100, free=5)
ROOM_FOR_ONE = metrics.CONNECTIONS.replace(
    "current_setting('max_connections')::int", "current_setting('superuser_reserved_connections')::int + 1"
)
Cause = Callable[[World], AbstractContextManager[None]]
CAUSES: dict[str, Cause] = {
    "ServiceAway": lambda world: override_settings(METRICS_TOKEN="another one"),
    "DatabaseAway": database_away,
    "ServerErrors": faults,
    "ManyServerErrors": no_thread,
    "SlowAnswers": slowness,
    "ConnectionsShort": lambda world: changed(world, metrics, "CONNECTIONS", ROOM_FOR_ONE),
    "JobsWait": lambda world: job(world, kind="drafts.write_from_website", queue="crawl"),
    "WorkersDie": lambda world: job(
        world, kind="core.send_mail", queue="mail", state="running", lease_until=timezone.now()
    ),
    "DeadLetters": lambda world: job(world, kind="directory.launch_one", queue="default", state="dead"),
    "NothingBegins": lambda world: not_since("beat", timedelta(minutes=10)),
    "NothingIsFound": lambda world: not_since("reaper", timedelta(minutes=10)),
    "RedisAway": lambda world: override_settings(REDIS_URL=NOWHERE),
    "HintsRefused": hint_refused,
    "RedisFull": lambda world: changed(world, metrics, "redis_memory", lambda: FULL_REDIS),
    "MailsWait": put_back_mail,
    "MailsRefused": mail_in_vain,
    "MailsFailed": lambda world: job(world, kind="core.send_mail", queue="mail", state="dead"),
    "MailsBounce": refused_mails,
    "LaunchesLate": late_launch,
    "WeekOpen": open_week,
    "PaymentsUnreconciled": silent_payment,
    "PaymentsRefused": refused_key,
    "PaidNotDone": lambda world: job(world, kind="orders.fulfil_line", queue="payments"),
    "OrdersToLookAt": blocked_line,
    "DiskShort": lambda world: changed(world, metrics.psutil, "disk_usage", lambda _: FULL_DISK),
    "ReplicaAway": replica_cut_off,
    "BackupOld": lambda world: not_since("backup", timedelta(hours=27)),
}


@dataclass(frozen=True)
class Story:
    """Three looks: all is well, the cause is there, it is gone again."""

    before: Scrape
    during: Scrape
    after: Scrape


def story_of(world: World, name: str) -> Story:
    """Play the cause of an alert."""
    before = world.scrape()
    with CAUSES[name](world):
        during = world.scrape()
    return Story(before, during, world.scrape())
