"""`manage.py create_user EMAIL [--staff] [--password P]`."""

import secrets
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts import selectors, services
from core.email_addresses import AddressRefusedError, normal_email


class Command(BaseCommand):
    """Make a person whose address counts as confirmed."""

    help = "Make a person whose address counts as confirmed; prints a password it made when none is given."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The address, and what the person may do."""
        parser.add_argument("email")
        parser.add_argument("--staff", action="store_true", help="may sign in to the admin")
        parser.add_argument("--password")

    def handle(self, *args: Any, **options: Any) -> None:
        """Make the person."""
        try:
            email = normal_email(options["email"])
        except AddressRefusedError as error:
            raise CommandError(f"{options['email']!a} is not an e-mail address. {error}") from error
        if not options["password"] and selectors.has_password(email=email):
            raise CommandError(
                f"{email} has a password already. Give --password to set another; nothing was changed."
            )
        password = options["password"] or secrets.token_urlsafe(12)
        services.create_user(email=email, password=password, is_staff=options["staff"])
        if not options["password"]:
            self.stdout.write(password)
