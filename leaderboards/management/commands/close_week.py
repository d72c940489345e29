"""`manage.py close_week [--week DATE] [--at TIME]`."""

from argparse import ArgumentParser
from datetime import date
from typing import Any

from django.core.management.base import CommandError

from core.commands import TimedCommand
from directory import weeks
from directory.models import Site
from leaderboards import services
from leaderboards.errors import WeekStillRunningError


class Command(TimedCommand):
    """Freeze a week and give its awards."""

    help = "Close a launch week on every site and give its awards; default: the last week that is over."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which week, and when."""
        super().add_arguments(parser)
        parser.add_argument("--week", type=date.fromisoformat, help="any date of the week, YYYY-MM-DD")

    def handle(self, *args: Any, **options: Any) -> None:
        """Close it."""
        at = self.at(options)
        week = weeks.monday(options["week"]) if options["week"] else weeks.week_of(at) - weeks.WEEK
        for site in Site.objects.order_by("pk"):
            try:
                close = services.close_week(site=site, week=week, at=at)
            except WeekStillRunningError as error:
                raise CommandError(error.detail) from error
            self.stdout.write(
                f"{site.key}: week of {week} closed, {close.listings} launches, {close.votes} votes."
            )
