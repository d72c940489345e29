"""`manage.py close_programme [--slug SLUG] [--at TIME] [--verify]`."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from core.commands import TimedCommand
from leaderboards.models import Programme
from leaderboards.trophies import programmes


class Command(TimedCommand):
    help = "Close programmes whose voting is over and give their awards; default: all of them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--slug", default="", help="only this programme")
        parser.add_argument(
            "--verify", action="store_true", help="only recompute closed programmes from the votes"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        at, slug = self.at(options), options["slug"]
        rows = Programme.objects.select_related("site").order_by("pk")
        if slug:
            rows = rows.filter(slug=slug)
            if not rows:
                raise CommandError(f"There is no programme {slug}.")
        if options["verify"]:
            self._verify(list(rows.exclude(closed_at=None)))
            return
        for row in rows.filter(closed_at=None):
            if row.votes_until > at and slug:
                raise CommandError(
                    f"Voting for {row.slug} runs until {row.votes_until:%-d %B %Y, %H:%M} UTC."
                )
            if row.votes_until <= at:
                programmes.close_programme(programme_id=row.pk, at=at)
                self.stdout.write(f"{row.site.key}: {row.slug} closed, {row.entries.count()} entries.")

    def _verify(self, closed: list[Programme]) -> None:
        wrong = [row.slug for row in closed if not programmes.verify_programme(row)]
        if wrong:
            raise CommandError(f"The result does not follow from the votes: {', '.join(wrong)}.")
        self.stdout.write(f"{len(closed)} results follow from the votes.")
