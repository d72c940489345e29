"""The account pages: keys are shown once, replaced with an overlap, and revoked only after a question."""

import re
from datetime import timedelta
from typing import Any
from urllib.parse import unquote

import pytest
import time_machine
from allauth.mfa.totp.internal.auth import TOTP
from django.core.mail import EmailMessage
from django.test import Client
from django.utils import timezone

from accounts import limits, services
from accounts.limits import KEY_PATTERN
from accounts.models import ApiKey
from core import jobs
from tests.conftest import Caller, People, signed_in

PASSWORD = "correct horse battery"


@pytest.fixture
def owner(people: People) -> Client:
    services.create_user(email=people.owner.email, password=PASSWORD)
    client = Client()
    client.post("/accounts/login/", {"login": people.owner.email, "password": PASSWORD})
    return client


def fill_in(**changes: Any) -> dict[str, Any]:
    return {"name": "Agent", "scopes": ["account:read"], "expires": "90", "after": "0", **changes}


def shown_key(response: Any) -> str:
    found = re.search(rf'<output id="the-key">({KEY_PATTERN})</output>', response.content.decode())
    return found[1] if found else ""


def newest(people: People) -> ApiKey:
    return ApiKey.objects.filter(user=people.owner).latest("pk")


@pytest.mark.parametrize("address", ["/account", "/account/keys"])
def test_account_pages_are_for_signed_in_people(db: None, client: Client, address: str) -> None:
    assert client.get(address)["Location"] == f"/accounts/login/?next={address}"


def test_a_person_says_what_to_be_called(people: People, owner: Client) -> None:
    refused = owner.post("/account", {"name": "x" * (limits.NAME + 1)})
    assert (refused.status_code, people.owner.get_short_name()) == (400, "owner")

    assert owner.post("/account", {"name": " Imogen Hale "})["Location"] == "/account"
    people.owner.refresh_from_db()
    assert people.owner.name == "Imogen Hale"
    assert '<span class="who">Imogen Hale</span>' in owner.get("/account").content.decode()


@pytest.mark.parametrize("name", ["An\u202ena", "\u200b", "An\x01na"])
def test_nobody_is_called_what_cannot_be_seen(people: People, owner: Client, name: str) -> None:
    answer = owner.post("/account", {"name": name})

    people.owner.refresh_from_db()
    assert (answer.status_code, people.owner.name) == (400, "")


def test_a_name_is_one_line(people: People, owner: Client) -> None:
    owner.post("/account", {"name": "Anna\n\nYour account is closed."})

    people.owner.refresh_from_db()
    assert people.owner.name == "Anna Your account is closed."


def test_a_key_is_shown_once_and_works(people: People, owner: Client) -> None:
    response = owner.post("/account/keys", fill_in())
    key = shown_key(response)

    assert response["Cache-Control"] == "private, no-store"
    assert Caller(key).get("/api/v1/me").json()["scopes"] == ["account:read"]
    assert key not in owner.get("/account/keys").content.decode()


def test_a_key_made_long_after_signing_in_takes_the_password_again(people: People, owner: Client) -> None:
    with time_machine.travel(timezone.now() + timedelta(minutes=6)):
        asked = owner.post("/account/keys", fill_in())
        wrong = owner.post(asked["Location"], {"password": "not it at all"})
        made_meanwhile = ApiKey.objects.filter(user=people.owner).count()
        made = owner.post(asked["Location"], {"password": PASSWORD})

    assert asked["Location"] == "/accounts/reauthenticate/?next=%2Faccount%2Fkeys"
    assert (wrong.status_code, made_meanwhile) == (200, 0)
    assert Caller(shown_key(made)).get("/api/v1/me").status_code == 200


CODE_PAGE = "/accounts/reauthenticate/code/?next=%2Faccount%2Fkeys"


def mailed_code(mailoutbox: list[EmailMessage]) -> str:
    jobs.run_due()
    return str(mailoutbox[-1].subject).rpartition(" ")[2]


def test_without_a_password_a_mailed_code_lets_the_form_through(
    people: People, client: Client, mailoutbox: list[EmailMessage]
) -> None:
    client.force_login(people.stranger)

    assert client.post("/account/keys", fill_in())["Location"] == CODE_PAGE
    assert "E-mail me a code" in client.get(CODE_PAGE).content.decode()
    assert mailoutbox == []
    assert client.post(CODE_PAGE, {"action": "send"})["Location"] == CODE_PAGE
    code = mailed_code(mailoutbox)
    assert mailoutbox[-1].to == [people.stranger.email]

    wrong = client.post(CODE_PAGE, {"code": "WRONG1"})
    assert (wrong.status_code, ApiKey.objects.count()) == (200, 0)
    made = client.post(CODE_PAGE, {"code": code})

    assert Caller(shown_key(made)).get("/api/v1/me").json()["scopes"] == ["account:read"]
    assert ApiKey.objects.get().user == people.stranger
    assert client.post("/account/keys", fill_in()).status_code in {200, 302}  # and no code is asked for again
    assert "reauthenticate" not in client.post("/account/keys", fill_in()).get("Location", "")


@pytest.mark.parametrize(
    ("page", "form"),
    [
        ("/accounts/email/", {"email": "thief@people.example", "action_add": ""}),
        ("/accounts/password/set/", {"password1": PASSWORD, "password2": PASSWORD}),
        ("/accounts/2fa/totp/activate/", {"code": "123456"}),
    ],
)
def test_a_new_way_into_the_account_takes_a_mailed_code_too(
    people: People, client: Client, mailoutbox: list[EmailMessage], page: str, form: dict[str, str]
) -> None:
    client.force_login(people.stranger)

    asked = client.post(page, form)["Location"]
    jobs.run_due()
    assert (unquote(asked), mailoutbox) == (f"/accounts/reauthenticate/code/?next={page}", [])
    people.stranger.refresh_from_db()
    assert not people.stranger.has_usable_password()
    assert PASSWORD not in str(dict(client.session))

    client.post(asked, {"action": "send"})
    client.post(asked, {"code": mailed_code(mailoutbox)})
    assert client.get(page).status_code == 200


def test_a_code_for_a_fresh_sign_in_is_guessed_at_three_times_and_works_once_for_its_person(
    people: People, client: Client, mailoutbox: list[EmailMessage]
) -> None:
    client.force_login(people.stranger)
    client.post("/account/keys", fill_in())
    client.post(CODE_PAGE, {"action": "send"})
    code = mailed_code(mailoutbox)
    answers = [client.post(CODE_PAGE, {"code": "WRONG1"}).status_code for _ in range(3)]
    assert answers == [200, 200, 302]

    client.post(CODE_PAGE, {"code": code})
    assert not ApiKey.objects.exists()

    other = signed_in(people.owner)
    other.post(CODE_PAGE, {"code": code})
    assert not ApiKey.objects.exists()


def test_whoever_has_a_second_factor_is_asked_for_that(people: People, client: Client) -> None:
    TOTP.activate(people.stranger, "JBSWY3DPEHPK3PXP")
    client.force_login(people.stranger)

    assert client.get(CODE_PAGE)["Location"].startswith("/accounts/2fa/reauthenticate/")


def test_a_new_key_is_told_by_mail(people: People, owner: Client, mailoutbox: list[EmailMessage]) -> None:
    owner.post("/account/keys", fill_in())
    first = newest(people)
    owner.post(f"/account/keys/{first.pk}/rotate", {"after": first.pk})
    jobs.run_due()

    assert [message.to for message in mailoutbox] == [[people.owner.email]] * 2
    for message, key in zip(mailoutbox, (first, newest(people)), strict=True):
        assert message.subject.startswith("An API key was made")
        assert f"({key.prefix}…{key.last4})" in str(message.body)


def test_sending_the_form_again_makes_no_second_key(people: People, owner: Client) -> None:
    owner.post("/account/keys", fill_in())
    again = owner.post("/account/keys", fill_in(), follow=True)

    assert ApiKey.objects.filter(user=people.owner).count() == 1
    assert "a key is shown only once" in again.content.decode()


@pytest.mark.parametrize(("expires", "days"), [("90", 90), ("365", 365), ("never", None)])
def test_a_key_ends_when_it_was_told_to(people: People, owner: Client, expires: str, days: str) -> None:
    owner.post("/account/keys", fill_in(expires=expires))

    ends = newest(people).expires_at
    assert (ends is None) if days is None else (ends - timezone.now()).days in {days - 1, days}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"name": ""}, "Give the key a name."),
        ({"name": "x" * 81}, "at most 80 characters"),
        ({"scopes": []}, "Choose at least one thing it may do."),
        ({"scopes": ["everything"]}, "Select a valid choice"),
        ({"expires": "soon"}, "Select a valid choice"),
    ],
)
def test_a_bad_form_comes_back_with_its_values_and_makes_nothing(
    people: People, owner: Client, changes: str, words: str
) -> None:
    response = owner.post("/account/keys", fill_in(**changes))

    assert response.status_code == 400
    assert words in response.content.decode()
    assert "<title>Error: API keys" in response.content.decode()
    assert ApiKey.objects.count() == 0


def test_replacing_a_key_leaves_the_old_one_a_day(people: People, owner: Client) -> None:
    old, old_key = services.create_api_key(
        user=people.owner, name="CI", scopes=["account:read"], at=timezone.now()
    )
    response = owner.post(f"/account/keys/{old.pk}/rotate", {"after": old.pk})
    fresh = shown_key(response)

    old.refresh_from_db()
    assert [Caller(key).get("/api/v1/me").status_code for key in (old_key, fresh)] == [200, 200]
    assert timedelta(hours=23) < old.expires_at - timezone.now() <= timedelta(hours=24)
    assert (newest(people).name, newest(people).scopes) == ("CI", ["account:read"])

    owner.post(f"/account/keys/{old.pk}/rotate", {"after": old.pk})
    assert ApiKey.objects.count() == 2


def test_replacing_a_key_that_ends_soon_prolongs_nothing(people: People, owner: Client) -> None:
    ends = timezone.now() + timedelta(hours=1)
    old, _ = services.create_api_key(user=people.owner, name="CI", at=timezone.now(), expires_at=ends)

    assert owner.post(f"/account/keys/{old.pk}/rotate", {"after": old.pk}).status_code == 200

    old.refresh_from_db()
    assert newest(people) != old
    assert (old.expires_at, newest(people).expires_at) == (ends, ends)


def test_replacing_a_key_that_ends_later_leaves_its_end_to_the_successor(
    people: People, owner: Client
) -> None:
    ends = timezone.now() + timedelta(days=30)
    old, _ = services.create_api_key(user=people.owner, name="CI", at=timezone.now(), expires_at=ends)

    owner.post(f"/account/keys/{old.pk}/rotate", {"after": old.pk})

    old.refresh_from_db()
    assert newest(people).expires_at == ends
    assert timedelta(hours=23) < old.expires_at - timezone.now() <= timedelta(hours=24)


@pytest.mark.parametrize("act", ["rotate", "revoke"])
def test_a_strangers_key_is_not_there(people: People, owner: Client, act: str) -> None:
    theirs, _ = services.create_api_key(user=people.stranger, name="CI", at=timezone.now())

    for after in ("0", str(theirs.pk), ""):
        assert owner.post(f"/account/keys/{theirs.pk}/{act}", {"after": after}).status_code == 404

    theirs.refresh_from_db()
    assert (theirs.revoked_at, theirs.expires_at, ApiKey.objects.count()) == (None, None, 1)


def test_an_account_holds_so_many_working_keys_and_no_more(people: People, owner: Client) -> None:
    for _ in range(limits.KEYS - 1):
        services.create_api_key(user=people.owner, name="CI", at=timezone.now())
    assert owner.post("/account/keys", fill_in(after=str(newest(people).pk))).status_code == 200
    last = newest(people)

    refused = owner.post("/account/keys", fill_in(after=str(last.pk)))
    rotated = owner.post(f"/account/keys/{last.pk}/rotate", {"after": last.pk})

    assert (refused.status_code, rotated.status_code, ApiKey.objects.count()) == (400, 400, limits.KEYS)
    last.refresh_from_db()
    assert last.expires_at is None or last.expires_at > timezone.now() + timedelta(days=2)
    services.revoke_api_key(user=people.owner, key_id=last.pk, at=timezone.now())
    assert owner.post("/account/keys", fill_in(after=str(last.pk))).status_code == 200


def test_revoking_asks_first(people: People, owner: Client) -> None:
    row, key = services.create_api_key(user=people.owner, name="CI", at=timezone.now())
    page = owner.get(f"/account/keys/{row.pk}/revoke")
    assert "It was never used" in page.content.decode()
    assert Caller(key).get("/api/v1/me").status_code == 200

    response = owner.post(f"/account/keys/{row.pk}/revoke", follow=True)

    assert "“CI” no longer works." in response.content.decode()
    assert Caller(key).get("/api/v1/me").status_code == 401
    assert owner.get(f"/account/keys/{row.pk}/revoke").status_code == 404


@pytest.mark.parametrize("act", ["revoke", "rotate"])
def test_other_peoples_keys_are_not_there(people: People, owner: Client, act: str) -> None:
    row, key = services.create_api_key(user=people.stranger, name="Theirs", at=timezone.now())

    response = owner.post(f"/account/keys/{row.pk}/{act}", {"after": 0})

    assert response.status_code == 404
    assert Caller(key).get("/api/v1/me").status_code == 200
    assert ApiKey.objects.count() == 1


@pytest.mark.parametrize("address", ["/account/keys", "/account/keys/1/rotate", "/account/keys/1/revoke"])
def test_every_change_needs_its_token(people: People, address: str) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(people.owner)

    assert client.post(address, fill_in()).status_code == 403
    assert ApiKey.objects.count() == 0
