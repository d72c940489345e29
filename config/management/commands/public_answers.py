"""`manage.py public_answers`: what `restore_drill` compares, asked in a process of its own."""

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from config.backups.drill import ask


class Command(BaseCommand):
    help = "Read a JSON list of paths, write the status and SHA-256 of each answer. For restore_drill."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--snapshot", default="", help="one of PostgreSQL's that somebody holds")

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(json.dumps(ask(json.load(sys.stdin), snapshot=options["snapshot"])))
