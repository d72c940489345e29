"""What an operator watches, as Prometheus reads it: `config.gauges`, and what the web's processes counted."""

import hmac
import threading
import time
from functools import partial

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Gauge, generate_latest

from config import gauges
from core import counters
from core.clock import database_now

REFUSAL = "METRICS_TOKEN is wanted here, as a bearer token. Where it is not set, nobody beyond this machine may ask.\n"
CACHE_SECONDS = 5.0  # one process asks the database no more often than this
STALE_SECONDS = 30.0
WAIT_SECONDS = 1.0
_cached: list[tuple[float, bytes]] = []
_being_made = threading.Lock()


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Everything that can be said. While the database is away, that it is, and what needs no database."""
    if not _may_read(request):
        return HttpResponse(REFUSAL, status=401, content_type="text/plain")
    registry = CollectorRegistry()
    gauges.measure_machine(registry)
    try:
        text = _text()
    except DatabaseError:
        text = b""
    Gauge("database_up", "Whether the database answers", registry=registry).set(bool(text))
    own = generate_latest(counters.of_all_processes())
    return HttpResponse(text + generate_latest(registry) + own, content_type=CONTENT_TYPE_LATEST)


def _may_read(request: HttpRequest) -> bool:
    """With the token; without one that could be sent, whoever is on this machine, if nobody else reaches it."""
    if not settings.METRICS_TOKEN:
        return bool(settings.ON_LOOPBACK)
    header = request.META.get("HTTP_AUTHORIZATION", "")
    return hmac.compare_digest(header.encode(), f"Bearer {settings.METRICS_TOKEN}".encode())


def _text() -> bytes:
    """What was measured last; whoever meets somebody at it waits no longer than a moment for what comes of that."""
    if _age() >= CACHE_SECONDS and _being_made.acquire(timeout=WAIT_SECONDS):
        try:
            if _age() >= CACHE_SECONDS:
                _cached[:] = [(time.monotonic(), generate_latest(_measured()))]
        finally:
            _being_made.release()
    if _age() >= STALE_SECONDS:
        raise DatabaseError("Somebody else is waiting for the database.")
    return _cached[0][1]


def _age() -> float:
    return time.monotonic() - _cached[0][0] if _cached else STALE_SECONDS


def _measured() -> CollectorRegistry:
    """Every gauge that the database knows, as of now."""
    registry, at = CollectorRegistry(), database_now()
    for measure in gauges.OF_THE_DATABASE:
        partial(measure, registry, at=at)()
    return registry
