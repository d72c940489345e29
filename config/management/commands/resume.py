"""`manage.py resume [queue]`: go on with what is paused."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from config.celery import QUEUES
from core import jobs


class Command(BaseCommand):
    help = "Go on with a paused queue, or with everything; a restored copy begins its work by this."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which; without a name, everything that is paused."""
        parser.add_argument("queue", nargs="?", choices=[*QUEUES, jobs.ALL])

    def handle(self, *args: Any, **options: Any) -> None:
        """Say what goes on, and what still does not."""
        requested = options["queue"]
        for queue in [requested] if requested else list(jobs.pauses()):
            self.stdout.write(f"{queue}: {'goes on' if jobs.resume(queue=queue) else 'was not paused'}.")
        for queue, row in jobs.pauses().items():
            self.stdout.write(f"{queue}: still paused since {row.paused_at:%FT%TZ} ({row.reason}).")
