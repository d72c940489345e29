"""`manage.py export_openapi [--check]`: the OpenAPI file as the repository keeps it."""

import json
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from config.docs.pages import schema

PATH = settings.BASE_DIR / "docs" / "openapi.json"


class Command(BaseCommand):
    help = "Write docs/openapi.json; with --check, fail when it is not what the code says."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        text = json.dumps(schema(), indent=1, sort_keys=True, ensure_ascii=False, default=str) + "\n"
        text = text.replace(settings.SITE_URL, "")
        if not options["check"]:
            PATH.write_text(text)
            self.stdout.write(f"{PATH.relative_to(settings.BASE_DIR)} is written.")
        elif not PATH.exists() or PATH.read_text() != text:
            raise CommandError(
                "The API has moved away from docs/openapi.json. Look at why, then run: make openapi"
            )
