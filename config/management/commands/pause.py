"""`manage.py pause [queue]`: begin nothing more of a queue, or of all."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from config.celery import QUEUES
from core import jobs


class Command(BaseCommand):
    help = "Begin no job of a queue, or of any, and nothing periodic, until `manage.py resume`."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("queue", nargs="?", default=jobs.ALL, choices=[*QUEUES, jobs.ALL])
        parser.add_argument("--reason", default="by hand", help="for whoever finds it paused")

    def handle(self, *args: Any, **options: Any) -> None:
        is_new = jobs.pause(queue=options["queue"], reason=options["reason"][:200])
        word = "paused; what is under way ends" if is_new else "paused already"
        self.stdout.write(f"{options['queue']}: {word}.")
