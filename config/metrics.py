"""What an operator watches: Prometheus text, made from the database at most once every few seconds."""

import threading
import time
import tomllib
from collections import Counter
from datetime import datetime, timedelta
from functools import lru_cache

from django.conf import settings
from django.db import DatabaseError
from django.db.models import Count, Exists, Min, OuterRef, Q
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Gauge, generate_latest

from core import jobs
from core.clock import database_now
from core.models import Job
from directory import weeks
from directory.models import Launch, Listing
from leaderboards.models import WeekClose

CACHE_SECONDS = 5.0  # anybody may ask: one process asks the database no more often than this
STALE_SECONDS = 30.0
WAIT_SECONDS = 1.0
State = Job.State
_cached: list[tuple[float, bytes]] = []
_being_made = threading.Lock()


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """The queue of record and the calendar; 503 while the database is away."""
    try:
        text = _text()
    except DatabaseError:
        return HttpResponse(
            "The database does not answer.\n",
            content_type="text/plain",
            status=503,
            headers={"Retry-After": "5"},
        )
    return HttpResponse(text, content_type=CONTENT_TYPE_LATEST)


def _text() -> bytes:
    """What was measured last; whoever meets somebody at it waits no longer than a moment for what comes of that."""
    if _age() >= CACHE_SECONDS and _being_made.acquire(timeout=WAIT_SECONDS):
        try:
            if _age() >= CACHE_SECONDS:
                _cached[:] = [(time.monotonic(), generate_latest(measured(at=database_now())))]
        finally:
            _being_made.release()
    if _age() >= STALE_SECONDS:
        raise DatabaseError("Somebody else is waiting for the database.")
    return _cached[0][1]


def _age() -> float:
    return time.monotonic() - _cached[0][0] if _cached else STALE_SECONDS


def measured(*, at: datetime) -> CollectorRegistry:
    """Every gauge, as of a moment."""
    registry = CollectorRegistry()
    _measure_jobs(registry, at=at)
    _measure_calendar(registry, at=at)
    beats = jobs.heartbeats()
    for name, words in (
        ("beat", "When a worker last looked for periodic jobs"),
        ("reaper", "When a worker last looked for lost jobs"),
    ):
        beat_at = beats.get(name)
        _gauge(registry, f"{name}_last_seen_timestamp_seconds", words, beat_at.timestamp() if beat_at else 0)
    build = Gauge("build_info", "What runs", ["version"], registry=registry)
    build.labels(version=version()).set(1)
    return registry


def _gauge(registry: CollectorRegistry, name: str, words: str, value: float) -> None:
    Gauge(name, words, registry=registry).set(value)


def _measure_jobs(registry: CollectorRegistry, *, at: datetime) -> None:
    by_kind = Gauge(
        "jobs", "Jobs by kind and state; done ones of a day", ["kind", "state"], registry=registry
    )
    recent = Q(state=State.DONE, finished_at__gte=at - timedelta(days=1))
    rows = Job.objects.filter(recent | Q(state__in=[State.QUEUED, State.RUNNING, State.DEAD]))
    counted = rows.values_list("kind", "state").annotate(number=Count("pk")).order_by("kind", "state")
    totals: Counter[str] = Counter()
    waiting_mails = 0
    for kind, state, number in counted:
        by_kind.labels(kind=kind, state=state).set(number)
        totals[state] += number
        if kind == "core.send_mail" and state == State.QUEUED:
            waiting_mails = number
    since = Job.objects.aggregate(
        due=Min("run_after", filter=Q(state=State.QUEUED, run_after__lte=at)),
        lapsed=Min("lease_until", filter=Q(state=State.RUNNING, lease_until__lte=at)),
    )
    oldest = max((at - moment).total_seconds() if moment else 0 for moment in since.values())
    lapsed = Job.objects.filter(state=State.RUNNING, lease_until__lte=at).count()
    _gauge(registry, "jobs_oldest_due_seconds", "How long the oldest due or orphaned job has waited", oldest)
    _gauge(registry, "jobs_leases_lapsed", "Running jobs whose worker is gone", lapsed)
    _gauge(registry, "jobs_dead", "Dead letters: look at them in the admin", totals[State.DEAD])
    _gauge(registry, "mails_waiting", "Mails that are not sent yet", waiting_mails)


def _measure_calendar(registry: CollectorRegistry, *, at: datetime) -> None:
    week = weeks.week_of(at)
    due = Listing.objects.filter(status=Listing.Status.SCHEDULED, launch_week__lte=week).count()
    closed = WeekClose.objects.filter(site=OuterRef("site"), week=OuterRef("week"))
    over = Launch.objects.filter(~Exists(closed), week__lt=week, launched_at__isnull=False)
    still_open = over.values("site", "week").distinct().count()
    _gauge(registry, "launches_due", "Listings whose week has begun and that are not live", due)
    _gauge(registry, "weeks_not_closed", "Weeks that are over and have no result yet", still_open)


@lru_cache(maxsize=1)
def version() -> str:
    """The release, as pyproject.toml names it."""
    found: str = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text())["project"]["version"]
    return found
