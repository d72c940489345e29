"""`manage.py restore_drill [BACKUP]`: prove that backups can be restored, beside the running service."""

import time
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from config.backups.drill import drill, drill_of
from config.backups.manifest import BackupError, opened
from config.embedded.paths import CannotRunError
from core import jobs
from core.clock import database_now

LISTED = 10


class Command(BaseCommand):
    help = "Back up, restore beside and compare public answers and media; or restore a backup that is there."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "backup", nargs="?", help="one that is there; without it, a fresh one is compared"
        )
        parser.add_argument(
            "--from", dest="place", default=settings.BACKUP_TO, help="a folder or s3://bucket/prefix"
        )
        parser.add_argument("--answers", type=int, default=200, help="how many public addresses are asked")

    def handle(self, *args: Any, **options: Any) -> None:
        began, how = time.monotonic(), {"number": options["answers"], "report": self.stdout.write}
        try:
            if options["backup"]:
                result = drill_of(opened(options["place"]), options["backup"], **how)
            else:
                result = drill(at=database_now(), **how)
        except (BackupError, CannotRunError) as error:
            raise CommandError(str(error)) from error
        seconds = time.monotonic() - began
        self.stdout.write(
            f"Compared {result.answers} answers and {result.media} media files in {seconds:.0f} s."
        )
        if result.wrong:
            text = "\n".join(f"  {path}" for path in result.wrong[:LISTED])
            raise CommandError(f"{len(result.wrong)} are not as they were:\n{text}")
        jobs.note_heartbeat("restore_drill")
        self.stdout.write("All as they were.")
