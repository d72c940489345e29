"""`manage.py check_search`: whether summaries, counts and search rows still say what the listings say."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from directory.search.rebuilding import drift, recount_listings

SAMPLE = 1000


class Command(BaseCommand):
    help = "Compare a sample of the prepared rows with their listings."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--sample", type=int, default=SAMPLE, help="how many listings to look at")

    def handle(self, *args: Any, **options: Any) -> None:
        """Compare, report, and put wrong counts right at once."""
        result = drift(sample=options["sample"])
        wrong_counts = recount_listings()
        if wrong_counts:
            self.stdout.write(f"{wrong_counts} counts were wrong and are right now.")
        if not result.is_none:
            raise CommandError(
                f"{result.looked_at} listings looked at. Summaries differ: {_named(result.cards)}."
                f" Search rows differ: {_named(result.documents)}. Run rebuild_search."
            )
        self.stdout.write(f"{result.looked_at} listings looked at, all in step.")


def _named(slugs: list[str]) -> str:
    return ", ".join(slugs[:20]) or "none"
