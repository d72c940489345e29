"""`manage.py rotate_signing_key [--at TIME]`."""

from typing import Any

from core import signing
from core.commands import TimedCommand


class Command(TimedCommand):
    help = "Sign with a new key from now on; former keys stay published and what they signed stays valid."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(signing.rotate(at=self.at(options)))
