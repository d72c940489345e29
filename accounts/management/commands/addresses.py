"""`manage.py addresses [--give ID ADDRESS]`: accounts that nobody can sign in to, and what to do about each."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts import selectors, services
from accounts.models import User
from core.api.errors import ApiError
from core.email_addresses import AddressRefusedError, normal_or_blank


class Command(BaseCommand):
    help = "List accounts whose address nobody can sign in with; --give ID ADDRESS gives one another address."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--give", nargs=2, metavar=("ID", "ADDRESS"))

    def handle(self, *args: Any, **options: Any) -> None:
        if options["give"]:
            self._give(*options["give"])
            return
        users = selectors.unreachable_people()
        for user in users:
            self.stdout.write(self._line(user))
        self.stdout.write(f"{len(users)} with an address that nobody can sign in with.")

    @staticmethod
    def _line(user: User) -> str:
        normal = normal_or_blank(user.email)
        other = User.objects.with_address(normal) if normal else None
        why = f"account {other.pk} has {normal}" if other else "it has no form of its own"
        seen = f"{user.last_login:%Y-%m-%d}" if user.last_login else "never"
        return f"{user.pk}  {user.email!a}  {why}; last sign-in {seen}"

    def _give(self, key: str, address: str) -> None:
        user = User.objects.filter(pk=key).first() if key.isdecimal() else None
        if user is None:
            raise CommandError(f"There is no account {key}.")
        try:
            services.give_address(user=user, email=address)
        except AddressRefusedError as error:
            raise CommandError(f"{address!a} is not an e-mail address. {error}") from error
        except ApiError as error:
            raise CommandError(error.detail) from error
        self.stdout.write(f"Account {user.pk} has {user.email} now; a code or link mailed there opens it.")
