"""`manage.py prepare`: everything between a new release and its start."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from config import environment as env
from config.embedded.checks import check_database
from config.embedded.paths import CannotRunError
from directory.sites import catalogue

# what no page of ours names: packages' own pages, the admin's readable scripts and languages; most of the work
UNUSED = ["redoc", "rest_framework", "gis", "jquery.js", "xregexp.js", "select2.full.js", "*/i18n/[!e]*.js"]
TURN = 0x50726570  # the key of the lock of who prepares
LIMITS = ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout")


@contextmanager
def in_turn(tell: Callable[[str], object]) -> Iterator[None]:
    """Of machines that are upgraded at one moment the first one migrates; two at a time would make a table twice.

    The lock ends with a transaction on a connection of its own: a pooler gives each transaction another session.
    """
    turn = connection.copy()
    turn.set_autocommit(False)
    try:
        with turn.cursor() as cursor:
            for name in LIMITS:
                cursor.execute(f"SET LOCAL {name} = 0")
            cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [TURN])
            if not cursor.fetchone()[0]:
                tell("Another machine prepares this database; waiting for it.")
                cursor.execute("SELECT pg_advisory_xact_lock(%s)", [TURN])
        yield
    finally:
        turn.close()


class Command(BaseCommand):
    help = "Migrate, collect static files, load the site and its categories."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        """Do all of it, in the order in which one step needs the other."""
        try:
            if url := env.text("DATABASE_URL"):
                check_database(url)
        except CannotRunError as error:
            raise CommandError(str(error)) from error
        with in_turn(self.stdout.write):
            call_command("migrate", interactive=False, verbosity=0, stdout=self.stdout)
            catalogue.ensure_default_site()
            catalogue.load_categories()
        call_command(
            "collectstatic", interactive=False, verbosity=0, ignore_patterns=UNUSED, stdout=self.stdout
        )
        self.stdout.write("Database and files are at this release.")
