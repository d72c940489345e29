"""Is the process alive, is it ready, and how is it doing."""

import time
from datetime import timedelta

from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Gauge, generate_latest

from core.models import Job

READY_CHECK_TIMEOUT_MS = 1000
_fully_migrated: list[str] = []


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """The process answers. Nothing else is looked at, or an outage would become a restart storm."""
    return JsonResponse({"status": "ok"})


def _database_is_ready() -> tuple[bool, bool]:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        if not _fully_migrated:
            executor = MigrationExecutor(connection)
            if not executor.migration_plan(executor.loader.graph.leaf_nodes()):
                _fully_migrated.append(settings.DATABASES["default"]["NAME"])
    except DatabaseError:
        return False, False
    return True, bool(_fully_migrated)


@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """Database, Redis and migrations. Without Redis the service is degraded but ready."""
    database, migrations = _database_is_ready()
    mark = f"{time.time()}"
    cache.set("readyz", mark, 10)
    redis = cache.get("readyz") == mark
    is_ready = database and migrations
    body = {
        "status": "ready" if is_ready else "not_ready",
        "checks": {
            "database": "ok" if database else "failed",
            "redis": "ok" if redis else "degraded",
            "migrations": "ok" if migrations else "pending",
        },
    }
    return JsonResponse(body, status=200 if is_ready else 503)


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Prometheus text: the queue of record, as the database has it."""
    registry = CollectorRegistry()
    jobs = Gauge("jobs", "Jobs by kind and state", ["kind", "state"], registry=registry)
    oldest = Gauge("jobs_oldest_due_seconds", "Age of the oldest job that is due", registry=registry)
    now = timezone.now()
    recent = Job.objects.exclude(state=Job.State.DONE, finished_at__lt=now - timedelta(days=1))
    for kind, state in recent.values_list("kind", "state").order_by("kind", "state"):
        jobs.labels(kind=kind, state=state).inc()
    first = Job.objects.filter(state=Job.State.QUEUED, run_after__lte=now).order_by("run_after").first()
    oldest.set((now - first.run_after).total_seconds() if first else 0)
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)
