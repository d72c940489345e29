"""Signing in, resetting, confirming, signing out; and what none of them gives away."""

import re
import time
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.core import mail as outbox
from django.test import Client, override_settings
from django.utils import timezone

from accounts import services
from accounts.adapter import digest
from accounts.models import User
from core import jobs
from core.api import throttling
from core.cache import FailSoftRedisCache
from core.models import Job, Mail
from tests.conftest import People
from tests.factories.oauth import Agent, me, site

PASSWORD = "correct horse battery"


@pytest.fixture
def person(db: None) -> User:
    return services.create_user(email="Ines@Brindle.example", password=PASSWORD)


def mails() -> Any:
    jobs.run_due()
    return outbox.outbox


def sign_in(
    client: Client, password: str = PASSWORD, email: str = "ines@brindle.example", **extra: str
) -> Any:
    return client.post("/accounts/login/", {"login": email, "password": password, **extra})


def test_a_made_person_signs_in_with_the_password_at_once(person: User, client: Client) -> None:
    response = sign_in(client)

    assert (response.status_code, response["Location"]) == (302, "/account")
    assert "ines@brindle.example" in client.get("/account").content.decode().lower()


def test_sign_in_leads_back_to_where_it_was_asked_for(person: User, client: Client) -> None:
    response = client.get("/account/keys")
    assert response["Location"] == "/accounts/login/?next=/account/keys"

    assert sign_in(client, next="/account/keys")["Location"] == "/account/keys"
    assert sign_in(Client(), next="https://evil.example/")["Location"] == "/account"


def test_a_wrong_password_and_an_unknown_address_look_the_same(person: User, client: Client) -> None:
    wrong = sign_in(client, password="not it at all")
    unknown = sign_in(Client(), email="nobody@brindle.example", password="not it at all")

    def words(response: Any) -> str:
        text = re.sub(r'name="csrfmiddlewaretoken" value="[^"]*"', "", response.content.decode())
        return re.sub(r'value="[^"]*@brindle.example"', "", text)

    assert (wrong.status_code, unknown.status_code) == (200, 200)
    assert words(wrong) == words(unknown)
    assert "Error: Sign in" in wrong.content.decode()


def test_guessing_is_stopped_after_five_tries_even_with_the_right_password(
    person: User, client: Client
) -> None:
    for _ in range(5):
        sign_in(client, password="not it at all")

    response = sign_in(client)

    assert response.status_code == 200
    assert "Too many failed login attempts" in response.content.decode()
    assert client.get("/account").status_code == 302


@pytest.fixture
def without_redis(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cache forgets everything, and each process counts for itself."""
    limiter = throttling.Limiter(url="redis://127.0.0.1:1/0")
    monkeypatch.setattr(throttling, "limiter", lambda: limiter)
    monkeypatch.setattr(FailSoftRedisCache, "_away_until", time.monotonic() + 3600)


def test_guessing_from_one_network_keeps_the_owner_in_from_another(person: User) -> None:
    buyer, owner = Client(REMOTE_ADDR="192.0.2.1"), Client(REMOTE_ADDR="192.0.2.2")
    for _ in range(5):
        sign_in(buyer, password="not it at all")

    assert "Too many failed login attempts" in sign_in(buyer).content.decode()
    assert sign_in(owner)["Location"] == "/account"


@pytest.mark.parametrize("redis", ["there", "away"])
def test_guessing_one_account_from_many_networks_is_stopped(
    person: User, request: pytest.FixtureRequest, redis: str
) -> None:
    if redis == "away":
        request.getfixturevalue("without_redis")
    throttling.count("sign_in_anywhere", caller=f"account:{digest(person.email)}", cost=98)

    tried = [sign_in(Client(REMOTE_ADDR=f"192.0.2.{n}"), password="not it at all") for n in range(2)]
    response = sign_in(Client(REMOTE_ADDR="192.0.2.99"))

    assert ["Too many" in answer.content.decode() for answer in (*tried, response)] == [False, False, True]
    assert response.wsgi_request.user.is_anonymous


@pytest.mark.usefixtures("without_redis")
def test_guessing_many_accounts_is_stopped_while_redis_is_away(person: User, client: Client) -> None:
    for number in range(30):
        sign_in(client, email=f"maker{number}@brindle.example", password="not it at all")

    assert "Too many failed login attempts" in sign_in(client).content.decode()
    assert sign_in(Client(REMOTE_ADDR="192.0.2.1")).status_code == 302


@pytest.mark.usefixtures("without_redis")
def test_signing_in_rightly_is_not_counted(person: User) -> None:
    statuses = [sign_in(Client()).status_code for _ in range(40)]

    assert statuses == [302] * 40


@pytest.mark.usefixtures("without_redis")
def test_codes_are_mailed_ten_times_a_day_while_redis_is_away(person: User) -> None:
    asked = [Client().post("/accounts/login/code/", {"email": person.email}).status_code for _ in range(11)]

    assert (asked, len(mails())) == ([302] * 10 + [429], 10)


@pytest.mark.parametrize(
    ("path", "life"),
    [("login/code/", timedelta(minutes=10)), ("password/reset/", timedelta(hours=1))],
)
def test_a_code_or_link_whose_time_is_over_is_not_mailed(
    person: User, client: Client, path: str, life: timedelta
) -> None:
    for address in ("ines@brindle.example", "Ines@brindle.example"):
        client.post(f"/accounts/{path}", {"email": address})
    late, soon = Mail.objects.order_by("pk")
    assert late.ends_at - late.queued_at == life  # both by the database: a web server's clock may be wrong

    for line, passed in ((late, life), (soon, life - timedelta(minutes=1))):
        line.ends_at -= passed
        line.save()
        Job.objects.filter(key=line.key).update(created_at=line.queued_at - passed)

    assert len(mails()) == 1
    assert [Mail.objects.get(pk=line.pk).state for line in (late, soon)] == ["failed", "sent"]


def test_a_mailed_code_signs_in_once(person: User, client: Client) -> None:
    client.post("/accounts/login/code/", {"email": "ines@brindle.example"})
    message = mails()[0]
    code = re.search(r"^(\S+)$", message.body.split("\n\n")[1], re.M)[1]
    assert code in message.subject
    assert code in message.alternatives[0][0]

    assert client.post("/accounts/login/code/confirm/", {"code": "WRONG1"}).status_code == 200
    response = client.post("/accounts/login/code/confirm/", {"code": code})

    assert (response.status_code, response["Location"]) == (302, "/account")
    assert client.get("/account").status_code == 200


def test_asking_for_a_code_looks_the_same_for_an_unknown_address(person: User, client: Client) -> None:
    known = client.post("/accounts/login/code/", {"email": "ines@brindle.example"})
    unknown = Client().post("/accounts/login/code/", {"email": "nobody@brindle.example"})

    assert (known.status_code, known["Location"]) == (unknown.status_code, unknown["Location"])


def test_a_reset_link_changes_the_password_once_and_comes_from_our_address(
    person: User, client: Client
) -> None:
    client.post("/accounts/password/reset/", {"email": "ines@brindle.example"}, HTTP_HOST="localhost")
    link = re.search(r"https?://\S+/accounts/password/reset/key/\S+", mails()[0].body)[0]
    assert link.startswith(f"{settings.SITE_URL}/accounts/")

    form = client.get("/" + link.split("/", 3)[3], follow=True)
    body = {"password1": "a brand new secret", "password2": "a brand new secret"}
    response = client.post(form.redirect_chain[-1][0], body)

    assert response.status_code == 302
    assert sign_in(Client()).status_code == 200
    assert sign_in(Client(), password="a brand new secret").status_code == 302
    again = Client().get("/" + link.split("/", 3)[3], follow=True)
    assert "This link no longer works" in again.content.decode()


@pytest.mark.parametrize(("ticked", "status"), [({}, 200), ({"end_programs": "on"}, 401)])
def test_a_reset_says_what_goes_on_and_ends_it_when_asked(
    person: User, client: Client, ticked: dict[str, str], status: int
) -> None:
    _, key = services.create_api_key(user=person, name="Agent", at=timezone.now())
    agent = Agent(person)
    tokens = agent.tokens(resource=site("/api/v1"))
    client.post("/accounts/password/reset/", {"email": "ines@brindle.example"})
    link = re.search(r"/accounts/password/reset/key/\S+", mails()[0].body)[0]

    form = client.get(link, follow=True)
    body = {"password1": "a brand new secret", "password2": "a brand new secret", **ticked}
    done = client.post(form.redirect_chain[-1][0], body, follow=True)

    assert "2 programs can act for you" in form.content.decode()
    assert "API keys and connected apps keep working unless you ended them" in done.content.decode()
    assert [me(token).status_code for token in (key, tokens["access_token"])] == [status, status]
    assert agent.browser.get("/account").status_code == 302


def test_a_reset_looks_the_same_for_an_unknown_address(person: User, client: Client) -> None:
    known = client.post("/accounts/password/reset/", {"email": "ines@brindle.example"})
    unknown = Client().post("/accounts/password/reset/", {"email": "nobody@brindle.example"})

    assert (known.status_code, known["Location"]) == (unknown.status_code, unknown["Location"])


def test_a_new_account_needs_its_address_confirmed_first(db: None, client: Client) -> None:
    body = {"email": "new@brindle.example", "password1": PASSWORD}
    response = client.post("/accounts/signup/", body)
    assert response["Location"] == "/accounts/confirm-email/"
    assert (
        "open the link that we e-mailed you" in sign_in(client, email="new@brindle.example").content.decode()
    )
    assert client.get("/account").status_code == 302

    link = re.search(r"/accounts/confirm-email/\S+", mails()[0].body)[0]
    assert "Is new@brindle.example yours?" in client.get(link).content.decode()
    client.post(link)

    assert sign_in(Client(), email="new@brindle.example").url == "/account"


def test_signing_up_with_a_taken_address_gives_nothing_away(person: User, client: Client) -> None:
    fresh = Client().post("/accounts/signup/", {"email": "other@brindle.example", "password1": PASSWORD})
    taken = client.post("/accounts/signup/", {"email": "ines@brindle.example", "password1": PASSWORD})

    assert (taken.status_code, taken["Location"]) == (fresh.status_code, fresh["Location"])
    assert User.objects.count() == 2
    assert any("You already have an account" in message.subject for message in mails())


@pytest.mark.parametrize("address", ["ines@brindle.example", "other@brindle.example"])
def test_signing_up_costs_one_hash_whether_the_address_has_an_account_or_not(
    person: User, client: Client, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    hashed: list[str] = []

    def encode(self: Argon2PasswordHasher, password: str, salt: str) -> str:
        hashed.append(password)
        return real(self, password, salt)

    real = Argon2PasswordHasher.encode
    monkeypatch.setattr(Argon2PasswordHasher, "encode", encode)

    client.post("/accounts/signup/", {"email": address, "password1": PASSWORD})

    assert hashed == [PASSWORD]


def test_signing_out_takes_a_post(person: User, client: Client) -> None:
    client.force_login(person)
    assert "Sign out?" in client.get("/accounts/logout/").content.decode()
    assert client.get("/account").status_code == 200

    assert client.post("/accounts/logout/")["Location"] == "/"
    assert client.get("/account").status_code == 302


def test_a_suspended_account_gets_no_further_than_a_page_that_says_so(person: User, client: Client) -> None:
    client.force_login(person)
    User.objects.filter(pk=person.pk).update(suspended_at="2026-11-18T09:00Z")

    assert sign_in(Client())["Location"] == "/accounts/inactive/"
    assert "This account is closed" in client.get("/accounts/inactive/").content.decode()


def test_staff_sign_in_to_the_admin_where_everybody_does(people: People, client: Client) -> None:
    assert client.get("/admin/login/?next=/admin/")["Location"] == "/accounts/login/?next=%2Fadmin%2F"

    client.force_login(people.owner)
    assert client.get("/admin/login/").status_code == 403

    client.force_login(people.staff)
    assert client.get("/admin/").status_code == 200


def test_a_changed_password_is_told_by_mail(person: User, client: Client) -> None:
    sign_in(client)
    body = {"oldpassword": PASSWORD, "password1": "a brand new secret", "password2": "a brand new secret"}
    client.post("/accounts/password/change/", body)

    assert [message.subject for message in mails()] == ["Your password was changed on Launch Directory"]


@override_settings(ACCOUNT_RATE_LIMITS={"signup": "1/m/ip"})
def test_too_many_tries_are_told_in_words(db: None, client: Client) -> None:
    client.post("/accounts/signup/", {"email": "one@brindle.example", "password1": PASSWORD})
    response = client.post("/accounts/signup/", {"email": "two@brindle.example", "password1": PASSWORD})

    assert response.status_code == 429
    assert "Too many tries" in response.content.decode()
