"""`manage.py import_domain_ratings FILE.csv`."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from leaderboards.errors import RatingFileError
from leaderboards.ratings import read, store_ratings


class Command(BaseCommand):
    help = "Store the ratings of a CSV file (header domain,domain_rating; optional date, source)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        """Store them all, or none."""
        now = timezone.now()
        try:
            stored = store_ratings(ratings=read(options["file"], today=now.date()), at=now)
        except RatingFileError as error:
            raise CommandError(error.detail) from error
        self.stdout.write(f"{stored} ratings stored.")
