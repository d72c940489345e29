"""What a password costs: at most two hashes at a time, of 19 MiB each, and nobody waits for a place for ever."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.contrib.auth.hashers import Argon2PasswordHasher, check_password, make_password
from django.test import Client

from accounts import hashers
from accounts.hashers import BoundedArgon2PasswordHasher
from accounts.models import User
from accounts.services import create_user
from directory.models import Site
from tests import conftest
from tests.factories.oauth import register
from tests.waiting import LONG

ADDRESS, PASSWORD = "ines@brindle.example", "correct horse battery"
COST = "argon2$argon2id$v=19$m=19456,t=2,p=1$"


@pytest.fixture(autouse=True)
def as_dear_as_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cost that the other tests spare."""
    for name, cost in conftest.COST.items():
        monkeypatch.setattr(BoundedArgon2PasswordHasher, name, cost)


@pytest.fixture
def person(db: None, site: Site) -> User:
    """Somebody whose password was hashed at Django's own cost."""
    user = create_user(email=ADDRESS, password=PASSWORD)
    user.password = Argon2PasswordHasher().encode(PASSWORD, "saltsaltsaltsaltsaltsa")
    user.save()
    return user


def sign_in(password: str) -> int:
    """The status of trying to."""
    return Client().post("/accounts/login/", {"login": ADDRESS, "password": password}).status_code


def test_a_hash_of_the_former_cost_holds_and_is_renewed_at_sign_in(person: User) -> None:
    former = person.password
    assert former.startswith("argon2$argon2id$v=19$m=102400,t=2,p=8$")

    refused = sign_in("something else entirely")
    person.refresh_from_db()
    assert (refused, person.password) == (200, former)

    assert sign_in(PASSWORD) == 302
    person.refresh_from_db()
    renewed = person.password
    assert renewed.startswith(COST)

    assert sign_in(PASSWORD) == 302
    person.refresh_from_db()
    assert person.password == renewed


def test_two_hash_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    at_work, most, lock = 0, 0, threading.Lock()

    def encode(self: Argon2PasswordHasher, password: str, salt: str) -> str:
        nonlocal at_work, most
        with lock:
            at_work += 1
            most = max(most, at_work)
        try:
            return real(self, password, salt)
        finally:
            with lock:
                at_work -= 1

    real = Argon2PasswordHasher.encode
    monkeypatch.setattr(Argon2PasswordHasher, "encode", encode)
    monkeypatch.setattr(hashers, "WAIT_SECONDS", LONG)

    with ThreadPoolExecutor(8) as pool:
        encoded = list(pool.map(make_password, [PASSWORD] * 16))

    assert most == 2
    assert all(text.startswith(COST) and check_password(PASSWORD, text) for text in encoded)


def test_who_finds_no_place_is_told_to_come_again(person: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hashers, "WAIT_SECONDS", 0.05)
    monkeypatch.setattr(BoundedArgon2PasswordHasher, "places", threading.BoundedSemaphore(1))
    client = Client()
    with BoundedArgon2PasswordHasher()._place():
        page = client.post("/accounts/login/", {"login": ADDRESS, "password": PASSWORD})
        form = {"email": "new@brindle.example", "password1": PASSWORD}
        signing_up = client.post("/accounts/signup/", form)

    assert [(each.status_code, each["Retry-After"]) for each in (page, signing_up)] == [(503, "5")] * 2
    assert "Too many people sign in just now" in page.content.decode()
    assert "_auth_user_id" not in client.session
    assert User.objects.count() == 1
    assert sign_in(PASSWORD) == 302


def test_a_program_that_finds_no_place_is_told_so_in_its_own_words(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hashers, "WAIT_SECONDS", 0.05)
    monkeypatch.setattr(BoundedArgon2PasswordHasher, "places", threading.BoundedSemaphore(1))
    with BoundedArgon2PasswordHasher()._place():
        answer = register(token_endpoint_auth_method="client_secret_basic")

    assert (answer.status_code, answer["Retry-After"], answer.json()["code"]) == (503, "5", "unavailable")
