"""`manage.py doctor`: what is not well in this installation, and what to do about it."""

from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError

from config.doctor import (
    Finding,
    Level,
    check_data,
    check_machine,
    check_names,
    check_settings,
    check_without_database,
    check_work,
)
from core.clock import database_now

CHECKS = (check_machine, check_settings, check_work, check_data, check_names)


class Command(BaseCommand):
    help = (
        "Look at versions, migrations, clocks, disk, workers, jobs, backups, search, counters, DNS and mail."
    )
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        """One line for each thing looked at."""
        bad = 0
        for finding in _findings():
            self.stdout.write(str(finding))
            bad += finding.level == Level.WRONG
        if bad:
            raise CommandError(f"{bad} {'thing is' if bad == 1 else 'things are'} wrong.")


def _findings() -> Iterator[Finding]:
    try:
        at = database_now()
    except OperationalError as error:
        yield from check_without_database(error)
        return
    for check in CHECKS:
        yield from check(at=at)
