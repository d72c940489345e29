"""What the commands for periodic work share."""

from argparse import ArgumentParser, ArgumentTypeError
from datetime import datetime

from django.core.management.base import BaseCommand
from django.utils import timezone
from django.utils.dateparse import parse_datetime


def moment(text: str) -> datetime:
    """An RFC 3339 time with its offset."""
    try:
        found = parse_datetime(text)
    except ValueError as error:
        raise ArgumentTypeError(f"{text!r} is not a time.") from error
    if found is None or found.tzinfo is None:
        raise ArgumentTypeError(f"{text!r} is not an RFC 3339 time such as 2026-11-23T00:00:00Z.")
    return found


class TimedCommand(BaseCommand):
    """A command that runs periodic work at once, as of `--at` or now."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The moment to act as of."""
        parser.add_argument("--at", type=moment, default=None, help="RFC 3339 time; default: now")

    @staticmethod
    def at(options: dict[str, object]) -> datetime:
        """The moment to act as of."""
        given = options["at"]
        return given if isinstance(given, datetime) else timezone.now()
