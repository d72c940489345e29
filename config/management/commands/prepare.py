"""`manage.py prepare`: everything between a new release and its start."""

from typing import Any

from django.conf import settings
from django.core.management import call_command, get_commands
from django.core.management.base import BaseCommand

from config import environment as env
from directory.models import Listing
from directory.services import catalogue

DEMO = "load_demo"


class Command(BaseCommand):
    """Bring database and files up to this release; a second run changes nothing."""

    help = "Migrate, collect static files, load categories, the first demo data, and the first account."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        """Do all of it, in the order in which one step needs the other."""
        call_command("migrate", interactive=False, verbosity=0, stdout=self.stdout)
        self.stdout.write("The database is at this release.")
        call_command("collectstatic", interactive=False, verbosity=0, stdout=self.stdout)
        catalogue.ensure_default_site()
        catalogue.load_categories()
        self._load_demo()
        call_command("first_steps", stdout=self.stdout)

    def _load_demo(self) -> None:
        """Load demo data into a directory that has never had any: what an operator deleted stays deleted."""
        mark = settings.DATA_DIR / "demo-loaded"
        if mark.exists() or Listing.objects.exists() or not env.flag("DEMO_DATA", "on"):
            return
        if DEMO not in get_commands():
            self.stdout.write("This release has no demo data.")
            return
        self.stdout.write("Loading demo data, once.")
        call_command(DEMO, stdout=self.stdout)
        mark.touch()
