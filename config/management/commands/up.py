"""`manage.py up`: run everything, as `make up` does."""

import os
import sys
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    """Hand over to the supervisor, which does without Django and so stays small beside the service."""

    help = (
        "Run PostgreSQL and Redis unless given, the web server, the worker and the clock; Ctrl-C stops all."
    )
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        os.chdir(settings.BASE_DIR)
        os.execv(sys.executable, [sys.executable, "-m", "config.embedded"])  # noqa: S606
