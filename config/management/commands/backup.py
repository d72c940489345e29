"""`manage.py backup [--to FOLDER|s3://…]`: database, media and secret key, with sums."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import ProgrammingError

from config.backups.making import back_up, keep_last
from config.backups.manifest import BackupError, opened
from core import jobs
from core.clock import database_now


class Command(BaseCommand):
    help = "Back up database, media and secret key to a folder or an S3-compatible bucket."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--to", default=settings.BACKUP_TO, help="a folder or s3://bucket/prefix; else BACKUP_TO"
        )
        parser.add_argument("--keep", type=int, help="remove all but so many of the newest; else none goes")

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["to"]:
            raise CommandError("Say where to: --to FOLDER, --to s3://bucket/prefix, or BACKUP_TO.")
        if options["keep"] is not None and options["keep"] < 1:
            raise CommandError("--keep is at least 1.")
        at, place = database_now(), opened(options["to"])
        try:
            made = back_up(place=place, at=at, report=self.stdout.write)
        except (BackupError, OSError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{made.name} is complete.")
        try:
            jobs.note_heartbeat("backup")
        except ProgrammingError:  # before an upgrade from a release that knew no such thing
            self.stdout.write("Its age is not noted: that takes this release's schema (manage.py prepare).")
        if options["keep"]:
            for name in keep_last(options["keep"], place=place, at=at):
                self.stdout.write(f"{name} is removed.")
