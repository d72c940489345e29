"""`manage.py rebuild_search`: summaries, counts and search rows anew from the listings."""

from typing import Any

from django.core.management.base import BaseCommand

from directory.models import Listing
from directory.search.rebuilding import rebuild

EVERY = 10_000


class Command(BaseCommand):
    help = "Build the summaries, counts and search rows of all listings anew."

    def handle(self, *args: Any, **options: Any) -> None:
        total, self.done = Listing.objects.count(), 0

        def progress(count: int) -> None:
            before, self.done = self.done, self.done + count
            if before // EVERY < self.done // EVERY:
                self.stdout.write(f"{self.done:,} of {total:,}")

        rebuild(progress=progress)
        self.stdout.write(f"The rows of {self.done:,} listings are in step.")
