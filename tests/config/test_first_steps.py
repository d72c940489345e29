"""`manage.py first_steps` gives a newcomer a way in that keeps working."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from accounts import services
from accounts.models import ApiKey, User
from config.embedded import output
from config.embedded.address import Address

pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of its own, and no demo data."""
    settings.DATA_DIR = tmp_path
    monkeypatch.setenv("DEMO_DATA", "off")
    return tmp_path


def take(folder: Path) -> dict[str, str]:
    """Run the command and read what it keeps."""
    call_command("first_steps")
    found: dict[str, str] = json.loads((folder / "first-steps.json").read_text())
    return found


def status(key: str) -> int:
    return Client().get("/api/v1/me", headers={"Authorization": f"Bearer {key}"}).status_code


def test_the_account_may_enter_the_admin_and_the_key_opens_the_api(folder: Path) -> None:
    found = take(folder)
    user = User.objects.get(email=found["email"])

    assert (user.is_staff, user.check_password(found["password"])) == (True, True)
    assert status(found["api_key"]) == 200
    assert (folder / "first-steps.json").stat().st_mode & 0o777 == 0o600


def test_a_second_run_changes_nothing(folder: Path) -> None:
    assert take(folder) == take(folder)
    assert (User.objects.count(), ApiKey.objects.count()) == (1, 1)


def test_a_revoked_key_gets_a_successor(folder: Path) -> None:
    before = take(folder)
    row = ApiKey.objects.get()
    services.revoke_api_key(user=row.user, key_id=row.pk, at=timezone.now())
    after = take(folder)

    assert (status(before["api_key"]), status(after["api_key"])) == (401, 200)


def test_the_password_is_shown_once_and_kept_nowhere(folder: Path) -> None:
    found, address = take(folder), Address(host="127.0.0.1", port=8000)

    first = output.text(folder, address=address)
    output.forget_password(folder)
    again = take(folder)
    later = output.text(folder, address=address)

    assert f"{found['email']}   {found['password']}" in first
    assert again == {"email": found["email"], "api_key": found["api_key"]}
    assert f"{found['email']}   (password shown at the first start; for another: manage.py" in later
    assert found["password"] not in later
    assert found["api_key"] in later
    assert (folder / "first-steps.json").stat().st_mode & 0o777 == 0o600
    assert User.objects.get().check_password(found["password"])


def test_a_start_that_broke_off_before_it_was_shown_still_shows_it(folder: Path) -> None:
    assert take(folder)["password"] == take(folder)["password"]
