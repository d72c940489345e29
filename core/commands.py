"""What the commands for periodic work share."""

import logging
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Iterable
from datetime import datetime
from functools import partial
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from core.clock import database_now, read_time
from core.jobs import fault_of

logger = logging.getLogger(__name__)


def moment(text: str) -> datetime:
    """An RFC 3339 time with its offset."""
    try:
        return read_time(text)
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from error


class TimedCommand(BaseCommand):
    """A command that runs periodic work at once, as of `--at` or now."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--at", type=moment, default=None, help="RFC 3339 time; default: now")

    @staticmethod
    def at(options: dict[str, object]) -> datetime:
        text = options["at"]
        return text if isinstance(text, datetime) else database_now()

    def do_each(self, ids: Iterable[int], work: Callable[[int], Any], *, done: str) -> None:
        """Do the work for every id, whatever becomes of the others, and say how many it was done for.

        Raises CommandError at the end when some failed, naming each with its error.
        """
        failed, number = [], 0
        for pk in ids:
            if fault := fault_of(partial(work, pk)):
                logger.warning("command failed for one", exc_info=fault, extra={"id": pk})
                failed.append(f"{pk}: {type(fault).__name__}: {fault}")
            else:
                number += 1
        self.stdout.write(f"{number} {done}")
        if failed:
            raise CommandError("\n".join([f"{len(failed)} failed.", *failed]))
