"""`manage.py create_user` and `create_api_key`: people from the shell, and nobody's password lost by the way."""

import re
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from accounts import services
from accounts.models import ApiKey, User
from tests.factories.oauth import me

EMAIL = "ada@people.example"


def made(*options: str, email: str = EMAIL) -> str:
    out = StringIO()
    call_command("create_user", email, *options, stdout=out)
    return out.getvalue().strip()


def test_it_prints_the_password_it_made(client: Any, db: None) -> None:
    password = made()

    assert len(password) >= 12
    assert client.login(username=EMAIL, password=password)
    assert not User.objects.get().is_staff


def test_a_given_password_is_set_and_not_printed(client: Any, db: None) -> None:
    assert made("--password", "correct horse battery", "--staff") == ""
    assert client.login(username=EMAIL, password="correct horse battery")
    assert User.objects.get().is_staff


def test_a_password_that_is_there_is_not_made_anew(client: Any, db: None) -> None:
    password = made()
    with pytest.raises(CommandError, match="has a password already"):
        made("--staff", email=EMAIL.upper())

    assert client.login(username=EMAIL, password=password)
    assert not User.objects.get().is_staff


def test_another_password_is_set_when_it_is_given(client: Any, db: None) -> None:
    made()
    made("--password", "correct horse battery")

    assert client.login(username=EMAIL, password="correct horse battery")
    assert User.objects.count() == 1


def test_somebody_who_has_only_keys_gets_a_password(client: Any, db: None) -> None:
    call_command("create_api_key", EMAIL, stdout=StringIO())

    assert client.login(username=EMAIL, password=made())


def test_a_strangers_password_of_before_the_proof_does_not_stay(client: Any, db: None) -> None:
    client.post("/accounts/signup/", {"email": EMAIL, "password1": "attacker-pw-123!"})
    user = User.objects.get()
    user.set_password("attacker-pw-123!")  # as a former release let it be set
    user.save(update_fields=["password"])

    services.create_user(email=EMAIL)

    user.refresh_from_db()
    assert not user.has_usable_password()
    assert not client.login(username=EMAIL, password="attacker-pw-123!")


def test_what_is_no_address_is_refused(db: None) -> None:
    with pytest.raises(CommandError, match="is not an e-mail address"):
        made(email="ada")
    assert not User.objects.exists()


def test_a_refused_key_makes_nobody(db: None) -> None:
    with pytest.raises(CommandError, match="Scopes are"):
        call_command("create_api_key", EMAIL, "--scopes", "everything")
    assert not User.objects.exists()


def test_a_key_from_the_shell_has_its_form_name_and_scopes_and_is_no_plain_text(db: None) -> None:
    out = StringIO()
    call_command("create_api_key", EMAIL, "--scopes", "account:read", "--name", "Reader", stdout=out)
    key = out.getvalue().strip()

    account, typo = (me(token).json() for token in (key, key[:-1] + ("1" if key[-1] == "0" else "0")))

    assert re.fullmatch(r"plk_[\w-]{43}[0-9A-Za-z]{6}", key)
    assert (account["email"], account["scopes"]) == (EMAIL, ["account:read"])
    assert account["key"]["name"] == "Reader"
    assert key.startswith(account["key"]["prefix"])
    assert typo["code"] == "invalid_token"
    assert key[4:] not in str(ApiKey.objects.values().get())
    with pytest.raises(CommandError, match="Scopes are account:read"):
        call_command("create_api_key", EMAIL, "--scopes", "bogus")
