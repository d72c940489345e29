"""`manage.py close_week [--week DATE] [--at TIME] [--verify]`."""

from argparse import ArgumentParser, ArgumentTypeError
from datetime import date
from typing import Any

from django.core.management.base import CommandError

from core.commands import TimedCommand
from directory import weeks
from directory.models import Site
from leaderboards import ballots, closing
from leaderboards.errors import WeekStillRunningError
from leaderboards.models import WeekClose


def day(text: str) -> date:
    if (value := weeks.day_of(text)) is None:
        raise ArgumentTypeError(f"{text!r} is not a date of the form YYYY-MM-DD.")
    return value


class Command(TimedCommand):
    help = "Close a launch week on every site and give its awards; default: the last week that is over."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--week", type=day, help="any date of the week, YYYY-MM-DD")
        parser.add_argument(
            "--verify", action="store_true", help="only recompute closed weeks from the votes"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        at = self.at(options)
        week = weeks.monday(options["week"]) if options["week"] else weeks.week_of(at) - weeks.WEEK
        if not weeks.FIRST <= week <= weeks.LAST:
            raise CommandError(f"The calendar ends in {week.year}: choose another week.")
        if options["verify"]:
            self._verify(week)
            return
        for site in Site.objects.order_by("pk"):
            try:
                close = closing.close_week(site=site, week=week, at=at)
            except WeekStillRunningError as error:
                raise CommandError(error.detail) from error
            self.stdout.write(
                f"{site.key}: week of {week} closed, {close.listings} launches, {close.votes} votes."
            )

        ballots.write_missing()

    def _verify(self, week: date) -> None:
        closed = [
            close.site
            for close in WeekClose.objects.filter(week=week).select_related("site").order_by("site")
        ]
        wrong = {site.key: faults for site in closed if (faults := ballots.faults_of(site=site, week=week))}
        if wrong:
            named = ", ".join(f"{key} ({', '.join(faults)})" for key, faults in wrong.items())
            raise CommandError(f"Week of {week}: the result does not follow from the votes on {named}.")
        checked = sum(ballots.file_of(site=site, week=week) is not None for site in closed)
        self.stdout.write(
            f"Week of {week}: {len(closed)} results follow from the votes, {checked} with file, chain and head."
        )
