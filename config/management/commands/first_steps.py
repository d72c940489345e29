"""`manage.py first_steps`: the demo data, the account and the API key with which an operator begins."""

import json
import secrets
from typing import Any

from django.conf import settings
from django.core.management import call_command, get_commands
from django.core.management.base import BaseCommand
from django.utils import timezone

from accounts import services
from accounts.models import ApiKey, User, key_digest
from config import environment as env
from config.embedded import output
from directory.models import Listing

EMAIL = "admin@example.com"
DEMO = "load_demo"


class Command(BaseCommand):
    help = "Load demo data once, and make sure of the first account and of a working API key."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        self._load_demo()
        path = settings.DATA_DIR / output.FIRST_STEPS
        existing: dict[str, str] = json.loads(path.read_text()) if path.exists() else {}
        user, password = _account(existing.get("password", ""))
        key = existing.get("api_key", "")
        if not _works(key, user=user):
            _, key = services.create_api_key(user=user, name="First steps", at=timezone.now())
        first_password = {"password": password} if password else {}
        output.keep(settings.DATA_DIR, contents={"email": user.email, "api_key": key, **first_password})

    def _load_demo(self) -> None:
        """Load demo data into a directory that has never had any: what an operator deleted stays deleted."""
        mark = settings.DATA_DIR / "demo-loaded"
        state = mark.read_text() if mark.exists() else ""
        if state == "done" or (not state and Listing.objects.exists()) or not env.flag("DEMO_DATA", "on"):
            return
        if DEMO not in get_commands():
            self.stdout.write("This release has no demo data.")
            return
        self.stdout.write("Loading demo data, once.")
        mark.write_text("begun")
        call_command(DEMO, stdout=self.stdout)
        mark.write_text("done")


def _account(password: str) -> tuple[User, str]:
    """The first account, and its password until `make up` has shown it, which it does once."""
    user = User.objects.with_address(EMAIL)
    if user is not None:
        return user, password if user.check_password(password) else ""
    fresh = secrets.token_urlsafe(12)
    return services.create_user(email=EMAIL, password=fresh, is_staff=True), fresh


def _works(key: str, *, user: User) -> bool:
    row = ApiKey.objects.filter(digest=key_digest(key), user=user).first()
    return row is not None and row.is_valid(at=timezone.now())
