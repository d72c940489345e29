"""Is the process alive, and is it ready."""

import time
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

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
        if not _fully_migrated and not _pending():
            _fully_migrated.append(settings.DATABASES["default"]["NAME"])
    except DatabaseError:
        return False, False
    return True, bool(_fully_migrated)


def _pending() -> set[tuple[str, str]]:
    """The migrations that have not run, by app and name: Django's executor would load them, 6 MB in each process."""
    here = {
        (app.label, file.stem)
        for app in apps.get_app_configs()
        for file in Path(app.path).glob("migrations/[!_~]*.py")
    }
    return here - MigrationRecorder(connection).applied_migrations().keys()


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
