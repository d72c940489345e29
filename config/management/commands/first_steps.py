"""`manage.py first_steps`: the account and the API key with which an operator begins."""

import json
import secrets
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import transaction
from django.utils import timezone

from accounts import keys, services
from accounts.models import ApiKey, User
from config.embedded.welcome import FIRST_STEPS

EMAIL = "admin@example.com"
CHANGED = "(your password)"


class Command(BaseCommand):
    """Keep a first account and a working key in a private file of the data folder; `make up` prints them."""

    help = "Make sure of the first account and of a working API key, kept in the data folder."
    requires_system_checks: list[str] = []

    @transaction.atomic
    def handle(self, *args: Any, **options: Any) -> None:
        """Keep what still works, make what is missing."""
        path = settings.DATA_DIR / FIRST_STEPS
        known: dict[str, str] = json.loads(path.read_text()) if path.exists() else {}
        user, password = _account(known.get("password", ""))
        key = known.get("api_key", "")
        if not _works(key, user=user):
            _, key = services.create_api_key(user=user, name="First steps", at=timezone.now())
        found = {"email": user.email, "password": password, "api_key": key}
        if found != known:
            _keep(path, content=json.dumps(found, indent=2))


def _account(password: str) -> tuple[User, str]:
    user = User.objects.filter(email__iexact=EMAIL).first()
    if user is None:
        fresh = secrets.token_urlsafe(12)
        return services.create_user(email=EMAIL, password=fresh, is_staff=True), fresh
    return user, password if user.check_password(password) else CHANGED


def _works(key: str, *, user: User) -> bool:
    found = ApiKey.objects.filter(digest=keys.digest(key), user=user).first()
    return found is not None and found.is_valid(at=timezone.now())


def _keep(path: Path, *, content: str) -> None:
    fresh = path.with_suffix(".new")
    fresh.unlink(missing_ok=True)
    fresh.touch(mode=0o600)
    fresh.write_text(content)
    fresh.replace(path)
