"""Is the process alive, and is it ready."""

import time
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.cache import cache
from django.db import Error, close_old_connections, connection
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, HttpResponse, JsonResponse

from core.api import throttling
from core.methods import require_safe

ALIVE = {"status": "ok"}
NOT_READY = {"status": "not_ready", "checks": {"requests": "failed"}}  # no thread answered in time
PROBE = "readyz"
_fully_migrated: list[str] = []


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """The process answers. Nothing else is looked at, or an outage would become a restart storm.

    `config.asgi` says so itself, without a thread; this is for other servers.
    """
    return JsonResponse(ALIVE)


def _database_is_ready() -> tuple[bool, bool]:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        if not _fully_migrated and not _pending():
            _fully_migrated.append(settings.DATABASES["default"]["NAME"])
    except Error:
        return False, bool(_fully_migrated)
    return True, bool(_fully_migrated)


def _pending() -> set[tuple[str, str]]:
    """The migrations that have not run, by app and name: Django's executor would load them, 6 MB in each process."""
    here = {
        (app.label, file.stem)
        for app in apps.get_app_configs()
        for file in Path(app.path).glob("migrations/[!_~]*.py")
    }
    return here - MigrationRecorder(connection).applied_migrations().keys()


def _redis_is_ready() -> bool:
    """Whether requests are counted and cached by Redis: asked through the same doors as theirs."""
    _, version = throttling.count_and_read("page", caller=PROBE, stamps=(cache.make_key(PROBE),))
    mark = f"{time.time()}"
    cache.set(PROBE, mark, 10)
    return version is not None and cache.get(PROBE) == mark


@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """For other servers than `config.asgi`, which shares one check among all who ask within a second."""
    status, body = check()
    return JsonResponse(body, status=status)


def check_apart() -> tuple[int, dict[str, Any]]:
    """The check outside of a request, on a connection that a restart of the database has not cut."""
    close_old_connections()
    return check()


def check() -> tuple[int, dict[str, Any]]:
    """Database, Redis and migrations, as requests meet them. Without Redis the service is degraded but ready."""
    database, migrations = _database_is_ready()
    is_ready = database and migrations
    body = {
        "status": "ready" if is_ready else "not_ready",
        "checks": {
            "database": "ok" if database else "failed",
            "redis": "ok" if _redis_is_ready() else "degraded",
            "migrations": "ok" if migrations else "pending",
        },
    }
    return 200 if is_ready else 503, body
