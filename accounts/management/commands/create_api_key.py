"""`manage.py create_api_key EMAIL [--scopes a,b] [--name N]`."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone

from accounts import services
from accounts.errors import TooManyKeysError, UnknownScopeError
from core.email_addresses import AddressRefusedError


class Command(BaseCommand):
    help = "Make an API key (and the person, if need be); prints the key alone."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email")
        parser.add_argument("--scopes", default=",".join(services.ALL_SCOPES), help="comma-separated")
        parser.add_argument("--name", default="Command line")

    @transaction.atomic
    def handle(self, *args: Any, **options: Any) -> str:
        try:
            user = services.create_user(email=options["email"])
            scopes = [scope.strip() for scope in options["scopes"].split(",") if scope.strip()]
            _, key = services.create_api_key(
                user=user, name=options["name"], scopes=scopes, at=timezone.now()
            )
        except AddressRefusedError as error:
            raise CommandError(f"{options['email']!a} is not an e-mail address. {error}") from error
        except (TooManyKeysError, UnknownScopeError) as error:
            raise CommandError(error.detail) from error
        return key
