"""From an address typed before signing in to its draft: nothing typed is lost, and nobody signs in twice."""

import re
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from allauth.account.models import EmailAddress
from django.core import mail as outbox
from django.test import Client
from django.utils import timezone

from accounts import services
from accounts.models import User
from core import jobs
from drafts.models import Draft

WEBSITE = "lanternfold.com"
NEW, KNOWN = "mira@lanternfold.com", "ines@brindle.example"
PASSWORD = "correct horse battery"
SUBMIT = f"/submit?url={WEBSITE}"

pytestmark = pytest.mark.django_db


@pytest.fixture
def known(db: None) -> User:
    return services.create_user(email=KNOWN, password=PASSWORD)


def next_of(response: Any) -> str:
    return parse_qs(urlsplit(response["Location"]).query)["next"][0]


def last_mail(to: str) -> Any:
    jobs.run_due()
    return [message for message in outbox.outbox if message.to == [to]][-1]


def code_for(to: str) -> str:
    return str(last_mail(to).subject).rpartition(" ")[2]


def link_for(to: str) -> str:
    found = re.search(r"https?://[^/\s]+(/accounts/confirm-email/\S+)", last_mail(to).body)
    assert found, last_mail(to).body
    return found[1]


def ask_for_code(client: Client, email: str, **extra: str) -> Any:
    return client.post("/accounts/login/code/", {"email": email, **extra})


def enter(client: Client, code: str, **extra: str) -> Any:
    return client.post("/accounts/login/code/confirm/", {"code": code, **extra})


def test_who_signs_in_to_vote_reads_that_the_way_leads_back_to_the_product(site: Any, client: Client) -> None:
    asked = client.get("/listings/acme/vote")
    page = client.get(asked["Location"]).content.decode()

    assert "you’re back at the product, where one press votes for it" in page
    assert 'name="next" value="/listings/acme/vote"' in page


@pytest.mark.parametrize("email", [NEW, KNOWN])
def test_a_typed_website_is_a_draft_in_three_steps(
    known: User, site: Any, client: Client, email: str
) -> None:
    typed = client.post("/submit", {"url": WEBSITE})
    page = client.get(typed["Location"]).content.decode()
    assert "We keep the website you typed" in page
    assert f'name="next" value="{SUBMIT}"' in page

    asked = ask_for_code(client, email, next=next_of(typed))
    entered = enter(client, code_for(email), next=next_of(asked))
    assert entered["Location"] == SUBMIT
    made = client.get(SUBMIT)

    draft = Draft.objects.get()
    assert (made["Location"], draft.owner.email) == (f"/drafts/{draft.pk}", email)


def test_a_code_proves_a_new_address_and_nothing_is_said_of_passwords(client: Client) -> None:
    ask_for_code(client, NEW)
    page = client.get("/accounts/login/code/confirm/").content.decode()
    assert f"e-mailed a code to {NEW}" in page
    assert not EmailAddress.objects.get(email=NEW).verified
    enter(client, code_for(NEW))

    assert EmailAddress.objects.get(email=NEW).verified
    text = client.get("/account").content.decode()
    assert NEW in text
    assert "does not count" not in text
    jobs.run_due()
    assert len(outbox.outbox) == 1


def test_known_and_unknown_addresses_get_the_same_answer_and_the_same_mail(known: User) -> None:
    answers = []
    for email in (KNOWN, NEW):
        client = Client()
        asked = ask_for_code(client, email, next=SUBMIT)
        page = client.get(asked["Location"]).content.decode()
        words = re.sub(r'name="csrfmiddlewaretoken" value="[^"]*"', "", page).replace(email, "")
        code = code_for(email)
        body = last_mail(email).body.replace(email, "").replace(code, "")
        answers.append((asked.status_code, asked["Location"], words, body))

    assert answers[0] == answers[1]


def test_a_code_asked_for_twice_makes_one_account_and_keeps_the_way(client: Client) -> None:
    ask_for_code(client, NEW.upper(), next=SUBMIT)
    again = ask_for_code(client, NEW, next=SUBMIT)
    assert next_of(again) == SUBMIT

    resent = client.post("/accounts/login/code/confirm/", {"action": "resend", "next": SUBMIT})
    assert next_of(resent) == SUBMIT
    assert enter(client, code_for(NEW), next=SUBMIT)["Location"] == SUBMIT
    assert User.objects.count() == 1


def test_an_expired_or_guessed_at_code_keeps_the_way(known: User, client: Client) -> None:
    late = enter(client, "ABC123", next=SUBMIT)
    assert (late["Location"].partition("?")[0], next_of(late)) == ("/accounts/login/code/", SUBMIT)

    ask_for_code(client, KNOWN, next=SUBMIT)
    for _ in range(3):
        guessed = enter(client, "WRONG1", next=SUBMIT)
    assert (guessed["Location"].partition("?")[0], next_of(guessed)) == ("/accounts/login/code/", SUBMIT)


def test_who_waits_for_a_code_may_use_a_password_instead(known: User, client: Client) -> None:
    ask_for_code(client, KNOWN)
    assert "With a password" in client.get("/accounts/login/").content.decode()

    entered = client.post("/accounts/login/", {"login": KNOWN, "password": PASSWORD, "next": SUBMIT})
    assert entered["Location"] == SUBMIT


@pytest.mark.parametrize("device", ["the same", "another"])
def test_a_link_confirms_signs_in_and_goes_where_its_reader_was_going(client: Client, device: str) -> None:
    page = client.get(f"/accounts/login/?next={SUBMIT}").content.decode()
    assert f"/accounts/signup/?next=%2Fsubmit%3Furl%3D{WEBSITE}" in page
    body = {"email": NEW, "password1": PASSWORD, "next": SUBMIT}
    sent = client.post("/accounts/signup/", body)
    assert next_of(sent) == SUBMIT

    reader = client if device == "the same" else Client()
    link = link_for(NEW)
    form = reader.get(link).content.decode()
    assert f'name="next" value="{SUBMIT}"' in form
    assert "Yes, sign me in" in form
    entered = reader.post(link.partition("?")[0], {"next": SUBMIT})

    assert entered["Location"] == SUBMIT
    assert f'value="{WEBSITE}"' in reader.get(SUBMIT).content.decode()
    password = Client().post("/accounts/login/", {"login": NEW, "password": PASSWORD})
    assert password.status_code == (302 if device == "the same" else 200)


def test_a_link_signs_in_once(client: Client) -> None:
    client.post("/accounts/signup/", {"email": NEW, "password1": PASSWORD})
    link = link_for(NEW)
    client.post(link)

    assert client.get("/account").status_code == 200
    thief = Client()
    assert thief.post(link).status_code == 404
    assert thief.get("/account").status_code == 302


def test_a_link_signs_no_suspended_account_in(client: Client) -> None:
    client.post("/accounts/signup/", {"email": NEW, "password1": PASSWORD})
    User.objects.update(suspended_at=timezone.now())

    assert client.post(link_for(NEW))["Location"] == "/accounts/inactive/"
    assert client.get("/account").status_code == 302


def test_signing_up_for_an_account_that_waits_for_its_proof_mails_the_link_again(client: Client) -> None:
    ask_for_code(Client(), NEW)

    client.post("/accounts/signup/", {"email": NEW, "password1": PASSWORD, "next": SUBMIT})

    entered = client.post(link_for(NEW).partition("?")[0], {"next": SUBMIT})
    assert entered["Location"] == SUBMIT
    assert client.get("/account").status_code == 200


@pytest.mark.parametrize("wanted", ["https://evil.example/", "//evil.example/", "/" + "a" * 3000])
def test_a_mailed_link_leads_nowhere_else(client: Client, wanted: str) -> None:
    client.post("/accounts/signup/", {"email": NEW, "password1": PASSWORD, "next": wanted})

    assert "next=" not in link_for(NEW)
    assert client.post(link_for(NEW), {"next": "https://evil.example/"})["Location"] == "/account"


def test_accounts_that_nobody_proved_are_forgotten_after_a_week(known: User) -> None:
    now = timezone.now()
    ask_for_code(Client(), NEW)
    late = Client()
    ask_for_code(late, "late@lanternfold.com")
    enter(late, code_for("late@lanternfold.com"))

    moved = Client()
    ask_for_code(moved, "moved@lanternfold.com")
    enter(moved, code_for("moved@lanternfold.com"))
    services.give_address(user=User.objects.get(email="moved@lanternfold.com"), email="here@lanternfold.com")

    assert services.forget_unproved(at=now + timedelta(days=6)) == 0
    assert services.forget_unproved(at=now + timedelta(days=8)) == 1
    assert set(User.objects.values_list("email", flat=True)) == {
        KNOWN,
        "late@lanternfold.com",
        "here@lanternfold.com",  # unproved, but somebody was in it
    }
