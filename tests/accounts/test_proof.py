"""Whoever opens an address's mail owns its account: nothing set before the first proof survives it."""

import re
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.core import mail as outbox
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from oauth2_provider.models import get_access_token_model, get_refresh_token_model

from accounts import services
from accounts.models import ConnectedApp, User
from core import jobs
from drafts.invites import inviting
from tests.accounts.test_pages_sign_in import sign_in
from tests.conftest import People
from tests.drafts.conftest import blank_draft
from tests.factories.oauth import Agent, me

VICTIM = "victim@brindle.example"
THEIRS = "attacker-pw-123!"
HERS = "correct horse battery"

pytestmark = pytest.mark.django_db


def last_mail(subject: str = "") -> Any:
    jobs.run_due()
    return [message for message in outbox.outbox if message.to == [VICTIM] and subject in message.subject][-1]


def path_in(message: Any, start: str) -> str:
    found = re.search(rf"https?://[^/\s]+({start}\S*)", message.body)
    assert found, message.body
    return found[1]


def sign_up(client: Client, password: str) -> None:
    client.post("/accounts/signup/", {"email": VICTIM, "password1": password})


def prove_by_code(client: Client) -> None:
    client.post("/accounts/login/code/", {"email": VICTIM})
    code = last_mail("sign-in code").subject.rpartition(" ")[2]
    assert client.post("/accounts/login/code/confirm/", {"code": code})["Location"] == "/account"


def prove_by_link(client: Client) -> None:
    assert client.post(path_in(last_mail("Confirm"), "/accounts/confirm-email/")).status_code == 302


def prove_by_reset(client: Client) -> None:
    client.post("/accounts/password/reset/", {"email": VICTIM})
    path = path_in(last_mail("Choose a new password"), "/accounts/password/reset/key/")
    form = client.get(path, follow=True)
    body = {"password1": HERS, "password2": HERS}
    assert client.post(form.redirect_chain[-1][0], body).status_code == 302


def prove_by_shell(_client: Client) -> None:
    call_command("create_api_key", VICTIM)


PROOFS = [prove_by_code, prove_by_link, prove_by_reset, prove_by_shell]


@pytest.fixture
def attacker() -> Client:
    """A stranger's browser that signed up with the victim's address."""
    client = Client()
    sign_up(client, THEIRS)
    return client


@pytest.mark.parametrize("prove", PROOFS)
def test_a_strangers_password_never_opens_the_account(attacker: Client, prove: Any) -> None:
    prove(Client())

    assert EmailAddress.objects.get().verified
    for client in (attacker, Client()):
        assert sign_in(client, password=THEIRS, email=VICTIM).status_code == 200
        assert client.get("/account")["Location"].startswith("/accounts/login/")


@pytest.mark.parametrize("prove", PROOFS[:3])
def test_the_person_is_told_by_mail(attacker: Client, prove: Any) -> None:
    prove(Client())

    body = last_mail("is confirmed").body
    assert "no longer opens it: passwords, sessions, API keys and connected apps" in body


@pytest.mark.parametrize("prove", PROOFS[:3])
def test_what_an_unproved_account_had_ends(attacker: Client, prove: Any) -> None:
    """As no session gets that far, it is put there by hand: also what an earlier release let in."""
    user = User.objects.get()
    user.set_password(THEIRS)
    user.save(update_fields=["password"])
    _, key = services.create_api_key(user=user, name="Theirs", at=timezone.now())
    agent = Agent(user)
    tokens = agent.tokens()
    Authenticator.objects.create(user=user, type="totp", data={"secret": "x"})
    assert (me(key).status_code, agent.browser.get("/account").status_code) == (200, 200)

    prove(Client())

    assert me(key).status_code == 401
    assert agent.browser.get("/account").status_code == 302
    assert agent.refresh(tokens["refresh_token"]).status_code == 400
    left = (ConnectedApp, get_access_token_model(), get_refresh_token_model(), Authenticator)
    assert [model.objects.filter(user=user).count() for model in left] == [0, 0, 0, 0]
    assert sign_in(Client(), password=THEIRS, email=VICTIM).status_code == 200


def test_a_reset_of_an_unproved_account_proves_it_and_its_password_works(attacker: Client) -> None:
    prove_by_reset(Client())

    assert sign_in(Client(), password=HERS, email=VICTIM)["Location"] == "/account"


@pytest.mark.parametrize("prove", [prove_by_link, prove_by_code])
def test_the_browser_that_signed_up_keeps_its_password(prove: Any) -> None:
    honest = Client()
    sign_up(honest, HERS)

    prove(honest)

    jobs.run_due()
    assert sign_in(Client(), password=HERS, email=VICTIM)["Location"] == "/account"
    assert not [message for message in outbox.outbox if "is confirmed" in message.subject]


def test_a_password_waits_for_the_proof(attacker: Client) -> None:
    assert not User.objects.get().has_usable_password()
    assert sign_in(Client(), password=THEIRS, email=VICTIM).status_code == 200


def test_signing_up_again_does_not_give_the_second_browser_the_account(attacker: Client) -> None:
    """The victim signs up too; the mail she opens may be that of the stranger's account."""
    hers = Client()
    sign_up(hers, HERS)

    prove_by_link(hers)

    for password in (THEIRS, HERS):
        assert sign_in(Client(), password=password, email=VICTIM).status_code == 200
    assert (hers.get("/account").status_code, attacker.get("/account").status_code) == (200, 302)


def test_a_strangers_browser_gains_nothing_after_the_proof(attacker: Client) -> None:
    hers = Client()
    prove_by_code(hers)

    old_link = path_in(last_mail("Confirm"), "/accounts/confirm-email/")
    assert "no longer works" in attacker.get(old_link).content.decode()
    assert attacker.post(old_link).status_code == 404
    assert not User.objects.get().has_usable_password()
    body = {"password1": HERS, "password2": HERS}
    hers.post("/accounts/password/set/", body)
    assert sign_in(Client(), password=HERS, email=VICTIM)["Location"] == "/account"
    assert attacker.get("/account").status_code == 302


def test_accepting_an_invitation_confirms_no_account(attacker: Client, people: People, site: Any) -> None:
    draft = blank_draft(owner=people.owner, site=site)
    inviting.invite_cofounder(owner=people.owner, draft_id=draft.pk, email=VICTIM, at=timezone.now())
    link = path_in(last_mail("founder profile"), "/invites/")

    assert Client().post(link, {"name": "Mira Vale", "consent": "on"}).status_code == 200

    assert not EmailAddress.objects.get(email=VICTIM).verified
    for client in (attacker, Client()):
        assert sign_in(client, password=THEIRS, email=VICTIM).status_code == 200
        assert client.get("/account").status_code == 302


@pytest.fixture
def mover(people: People) -> Client:
    """A stranger's proved account that asks to move to the victim's address."""
    services.create_user(email=people.stranger.email, password=THEIRS)
    client = Client()
    sign_in(client, password=THEIRS, email=people.stranger.email)
    client.post("/accounts/reauthenticate/", {"password": THEIRS})
    client.post("/accounts/email/", {"email": VICTIM, "action_add": ""})
    assert EmailAddress.objects.filter(email=VICTIM, verified=False).exists()
    return client


def test_a_change_of_address_is_confirmed_by_its_own_account_alone(people: People, mover: Client) -> None:
    link = path_in(last_mail("Confirm"), "/accounts/confirm-email/")

    assert "Sign in first" in Client().get(link).content.decode()
    Client().post(link)

    people.stranger.refresh_from_db()
    assert people.stranger.email == "stranger@people.example"
    assert not EmailAddress.objects.get(email=VICTIM).verified

    assert mover.post(link).status_code == 302
    people.stranger.refresh_from_db()
    assert people.stranger.email == VICTIM
    assert sign_in(Client(), password=THEIRS, email=VICTIM)["Location"] == "/account"


def test_who_lost_the_address_is_sent_where_somebody_can_help(people: People, mover: Client) -> None:
    """A new password asked for at the former address would reach no account."""
    mover.post(path_in(last_mail("Confirm"), "/accounts/confirm-email/"))
    jobs.run_due()
    (notice,) = [message for message in outbox.outbox if message.to == ["stranger@people.example"]][-1:]

    assert "was changed" in notice.subject
    assert Client().get(path_in(notice, "/contact")).status_code == 200
    assert "password" not in notice.body


def test_whoever_proves_an_address_that_a_stranger_moves_to_has_an_account_of_their_own(
    people: People, mover: Client
) -> None:
    link = path_in(last_mail("Confirm"), "/accounts/confirm-email/")
    hers = Client()

    prove_by_code(hers)

    assert User.objects.get(email=VICTIM) != people.stranger
    assert VICTIM in hers.get("/account").content.decode()
    assert "Another account has this address" in mover.post(link, follow=True).content.decode()
    people.stranger.refresh_from_db()
    assert people.stranger.email == "stranger@people.example"
    assert sign_in(Client(), password=THEIRS, email=VICTIM).status_code == 200


def test_a_reset_goes_to_the_accounts_own_address_alone(mover: Client) -> None:
    Client().post("/accounts/password/reset/", {"email": VICTIM})

    assert last_mail().subject.startswith("No account for this address")
    assert "/password/reset/key/" not in last_mail().body
