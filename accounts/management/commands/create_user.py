"""`manage.py create_user EMAIL [--staff | --role R …] [--password P]`."""

import secrets
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from accounts import selectors, services
from accounts.staff.rights import ROLES
from core.api.errors import ApiError
from core.email_addresses import AddressRefusedError, normal_email


class Command(BaseCommand):
    help = "Make a person whose address counts as confirmed; prints a password it made when none is given."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email")
        rights_group = parser.add_mutually_exclusive_group()
        rights_group.add_argument("--staff", action="store_true", help="a superuser, who may do everything")
        rights_group.add_argument(
            "--role",
            action="append",
            choices=list(ROLES.values()),
            default=None,
            help="staff in this role, beside those the person has; may be given more than once",
        )
        parser.add_argument("--password")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            email = normal_email(options["email"])
        except AddressRefusedError as error:
            raise CommandError(f"{options['email']!a} is not an e-mail address. {error}") from error
        if not options["password"] and selectors.has_password(email=email):
            raise CommandError(
                f"{email} has a password already. Give --password to set another; nothing was changed."
            )
        password = options["password"] or secrets.token_urlsafe(12)
        try:
            with transaction.atomic():
                person = services.create_user(email=email, password=password, is_staff=options["staff"])
                if options["role"]:
                    services.set_roles(person_id=person.pk, roles={*person.roles, *options["role"]})
        except ApiError as error:
            raise CommandError(f"{error.detail} Nothing was changed.") from error
        if not options["password"]:
            self.stdout.write(password)
