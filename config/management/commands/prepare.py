"""`manage.py prepare`: everything between a new release and its start."""

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand

from directory.sites import catalogue

# what no page of ours names: packages' own pages, the admin's readable scripts and languages; most of the work
UNUSED = ["redoc", "rest_framework", "gis", "jquery.js", "xregexp.js", "select2.full.js", "*/i18n/[!e]*.js"]


class Command(BaseCommand):
    help = "Migrate, collect static files, load the site and its categories."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        """Do all of it, in the order in which one step needs the other."""
        call_command("migrate", interactive=False, verbosity=0, stdout=self.stdout)
        call_command(
            "collectstatic", interactive=False, verbosity=0, ignore_patterns=UNUSED, stdout=self.stdout
        )
        catalogue.ensure_default_site()
        catalogue.load_categories()
        self.stdout.write("Database and files are at this release.")
