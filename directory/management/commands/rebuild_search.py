"""`manage.py rebuild_search`: summaries, counts and search rows anew from the listings."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from directory.models import Listing
from directory.search.index.rebuilding import rebuild_from_scratch, rebuild_in_place

EVERY = 10_000


class Command(BaseCommand):
    """Needed after a release that builds rows differently; otherwise rows follow their listings."""

    help = "Build the summaries, counts and search rows of all listings anew."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--from-scratch",
            action="store_const",
            dest="rebuild",
            const=rebuild_from_scratch,
            default=rebuild_in_place,
            help="empty the rows first: much faster for very many listings, but readers wait",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        total, self.done = Listing.objects.count(), 0

        def progress(count: int) -> None:
            before, self.done = self.done, self.done + count
            if before // EVERY < self.done // EVERY:
                self.stdout.write(f"{self.done:,} of {total:,}")

        options["rebuild"](progress=progress)
        self.stdout.write(f"The rows of {self.done:,} listings are in step.")
