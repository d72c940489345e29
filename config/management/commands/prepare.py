"""`manage.py prepare`: everything between a new release and its start."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper

from directory.sites import catalogue

# what no page of ours names: packages' own pages, the admin's readable scripts and languages; most of the work
UNUSED = ["redoc", "rest_framework", "gis", "jquery.js", "xregexp.js", "select2.full.js", "*/i18n/[!e]*.js"]
TURN, GLANCE = 0x50726570, 1.0  # the key of the lock of who prepares, and how often the next one asks for it


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Of machines that are upgraded at one moment the first one migrates; two at a time would make a table twice.

    The lock ends with a transaction on a connection of its own: a pooler gives each transaction another session.
    """
    turn = connection.copy()
    try:
        while not _is_mine(turn):
            turn.rollback()
            time.sleep(GLANCE)
        yield
    finally:
        turn.close()


def _is_mine(turn: BaseDatabaseWrapper) -> bool:
    turn.set_autocommit(False)
    with turn.cursor() as cursor:
        cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [TURN])
        return bool(cursor.fetchone()[0])


class Command(BaseCommand):
    help = "Migrate, collect static files, load the site and its categories."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        """Do all of it, in the order in which one step needs the other."""
        with one_at_a_time():
            call_command("migrate", interactive=False, verbosity=0, stdout=self.stdout)
            catalogue.ensure_default_site()
            catalogue.load_categories()
        call_command(
            "collectstatic", interactive=False, verbosity=0, ignore_patterns=UNUSED, stdout=self.stdout
        )
        self.stdout.write("Database and files are at this release.")
