"""Staff: out when suspended, asked for a second factor, and no more powerful than a superuser made them."""

import re
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth
from django.contrib.auth.models import Group, Permission
from django.test import Client
from django.utils import timezone

from accounts import services
from accounts.models import User
from core import jobs
from tests.conftest import People, signed_in
from tests.factories.mcp import Mcp
from tests.factories.oauth import Agent, me, site
from tests.factories.staff import fresh

PASSWORD = "correct horse battery"


def sign_in(client: Client, user: User) -> Any:
    return client.post("/accounts/login/", {"login": user.email, "password": PASSWORD})


def code(secret: str) -> str:
    return auth.format_hotp_value(auth.hotp_value(secret, next(auth.yield_hotp_counters_from_time()) + 1))


def turn_on(client: Client) -> str:
    """Turn the second factor on; gives its secret."""
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    page = client.get("/accounts/2fa/totp/activate/").content.decode()
    found = re.search(r'id="totp-secret">(\w+)<', page)
    assert found, page
    client.post("/accounts/2fa/totp/activate/", {"code": code(found[1])})
    return found[1]


@pytest.fixture
def boss(people: People) -> User:
    return services.create_user(email=people.staff.email, password=PASSWORD)


@pytest.fixture
def helper(people: People) -> User:
    """Staff in the role that may most, with every permission of Django's, and yet no superuser."""
    user = services.create_user(email="helper@people.example", password=PASSWORD)
    User.objects.filter(pk=user.pk).update(is_staff=True)
    user.user_permissions.set(Permission.objects.all())
    user.groups.add(Group.objects.get_or_create(name="administrator")[0])
    return user


def test_suspension_ends_everything_at_once(boss: User) -> None:
    browser = Client()
    sign_in(browser, boss)
    _, key = services.create_api_key(user=boss, name="Theirs", at=timezone.now())
    agent = Agent(boss)
    tokens = agent.tokens(resource=site("/api/v1"))
    assert [browser.get(page).status_code for page in ("/admin/", "/account")] == [200, 200]

    User.objects.filter(pk=boss.pk).update(suspended_at=timezone.now())

    assert browser.get("/admin/")["Location"].startswith("/admin/login/")
    assert browser.get("/admin/accounts/user/").status_code == 302
    assert browser.get("/account").status_code == 302
    assert [me(token).status_code for token in (key, tokens["access_token"])] == [403, 403]
    assert Mcp(token=key).call("get_account").status_code == 403
    assert agent.refresh(tokens["refresh_token"]).status_code == 400
    assert agent.ask().status_code == 302
    assert sign_in(Client(), boss)["Location"] == "/accounts/inactive/"


def test_the_back_office_can_require_a_second_factor(boss: User, settings: Any) -> None:
    settings.STAFF_SECOND_FACTOR = True
    browser = Client()
    sign_in(browser, boss)

    refused = browser.get("/admin/accounts/user/", follow=True)
    assert refused.redirect_chain[1][0] == "/accounts/2fa/totp/activate/"
    assert refused.redirect_chain[2][0].startswith("/accounts/reauthenticate/?next=")
    assert "The back office needs a second factor" in refused.content.decode()

    secret = turn_on(browser)
    assert browser.get("/admin/accounts/user/").status_code == 200

    again = Client()
    assert sign_in(again, boss)["Location"] == "/accounts/2fa/authenticate/"
    assert again.get("/admin/").status_code == 302
    assert again.post("/accounts/2fa/authenticate/", {"code": "000000"}).status_code == 200
    assert again.post("/accounts/2fa/authenticate/", {"code": code(secret)})["Location"] == "/account"
    assert again.get("/admin/").status_code == 200


@pytest.mark.django_db(transaction=True)
def test_a_recovery_code_signs_in_once(boss: User, mailoutbox: list[Any]) -> None:
    browser = Client()
    sign_in(browser, boss)
    turn_on(browser)
    shown = browser.get("/accounts/2fa/recovery-codes/").content.decode()
    found = re.search(r'id="recovery-codes">([^<]+)<', shown)
    assert found, shown
    recovery = found[1].split()
    assert len(recovery) == 10

    answers = []
    for _ in range(2):
        again = Client()
        sign_in(again, boss)
        answers.append(again.post("/accounts/2fa/authenticate/", {"code": recovery[0]}).status_code)

    assert answers == [302, 200]
    assert "9 unused codes" in browser.get("/accounts/2fa/").content.decode()
    jobs.run_due()
    assert [message.subject for message in mailoutbox] == ["Second factor turned on: Launch Directory"]
    assert Authenticator.objects.filter(user=boss).count() == 2


@pytest.mark.django_db(transaction=True)
def test_every_page_of_the_second_factor_is_there(boss: User, mailoutbox: list[Any]) -> None:
    browser = Client()
    sign_in(browser, boss)
    turn_on(browser)

    for page in ("", "recovery-codes/generate/", "totp/deactivate/", "reauthenticate/"):
        assert browser.get(f"/accounts/2fa/{page}").status_code == 200
    assert browser.post("/accounts/2fa/recovery-codes/generate/").status_code == 302
    assert browser.post("/accounts/2fa/totp/deactivate/").status_code == 302
    jobs.run_due()

    assert not Authenticator.objects.exists()
    assert [message.subject.partition(":")[0] for message in mailoutbox] == [
        "Second factor turned on",
        "New recovery codes",
        "Second factor turned off",
    ]


@pytest.mark.parametrize(
    "changes", [{"is_superuser": "on"}, {"is_staff": "on"}, {"email": "mine@people.example"}, {"groups": "1"}]
)
def test_only_a_superuser_gives_power(helper: User, people: People, changes: dict[str, str]) -> None:
    group, _ = Group.objects.get_or_create(pk=1, defaults={"name": "Editors"})
    browser = Client()
    sign_in(browser, helper)
    form = {"email": people.owner.email, "name": "Changed", "is_active": "on", "date_joined_0": ""}
    inline = {f"api_keys-{name}": "0" for name in ("TOTAL_FORMS", "INITIAL_FORMS")}

    browser.post(f"/admin/accounts/user/{people.owner.pk}/change/", {**form, **inline, **changes})

    changed = User.objects.get(pk=people.owner.pk)
    assert changed.name == "Changed"
    assert (changed.is_superuser, changed.is_staff, changed.email) == (False, False, people.owner.email)
    assert not group.user_set.exists()


def test_staff_who_are_no_superusers_leave_staff_and_rights_alone(helper: User, boss: User) -> None:
    group = Group.objects.create(name="Editors")
    address = EmailAddress.objects.get(user=boss)
    browser = Client()
    sign_in(browser, helper)

    posted = [
        browser.post(f"/admin/accounts/user/{boss.pk}/change/", {"email": "mine@people.example"}),
        browser.post(f"/admin/accounts/user/{helper.pk}/change/", {"is_superuser": "on"}),
        browser.post(f"/admin/accounts/user/{boss.pk}/delete/", {"post": "yes"}),
        browser.post("/admin/accounts/user/add/", {"email": "new@people.example", "is_superuser": "on"}),
        browser.post(f"/admin/auth/group/{group.pk}/change/", {"name": "Mine"}),
        browser.post("/admin/auth/group/add/", {"name": "Mine"}),
        browser.post(f"/admin/account/emailaddress/{address.pk}/change/", {"email": "mine@people.example"}),
    ]

    assert [answer.status_code for answer in posted] == [403] * len(posted)
    boss.refresh_from_db()
    assert boss.email == "staff@people.example"
    assert Group.objects.get(pk=group.pk).name == "Editors"
    assert not Group.objects.filter(name="Mine").exists()


def test_a_superuser_proves_anew_who_they_are_before_giving_power(boss: User, people: People) -> None:
    group = Group.objects.create(name="Editors")
    browser = signed_in(boss)
    form = {"email": "new@people.example", "is_active": "on", "is_superuser": "on", "is_staff": "on"}
    inline = {f"api_keys-{name}": "0" for name in ("TOTAL_FORMS", "INITIAL_FORMS")}
    pages = (
        "/admin/accounts/user/add/",
        f"/admin/accounts/user/{people.owner.pk}/change/",
        "/admin/auth/group/add/",
        f"/admin/auth/group/{group.pk}/delete/",
        "/admin/auth/group/",
        "/admin/account/emailaddress/add/",
    )

    asked = [browser.post(page, {**form, **inline, "post": "yes"})["Location"] for page in pages]
    assert [place.startswith("/accounts/reauthenticate/") for place in asked] == [True] * len(pages)
    assert not User.objects.filter(email="new@people.example").exists()
    assert Group.objects.filter(pk=group.pk).exists()

    fresh(browser).post(pages[0], {**form, **inline})
    assert User.objects.get(email="new@people.example").is_superuser


def test_an_address_that_a_superuser_changes_opens_the_account_no_more(boss: User, people: People) -> None:
    owner = services.create_user(email=people.owner.email, password=PASSWORD)
    browser = fresh(signed_in(boss))
    form = {"email": "new@people.example", "name": "", "is_active": "on", "date_joined_0": ""}
    inline = {f"api_keys-{name}": "0" for name in ("TOTAL_FORMS", "INITIAL_FORMS")}

    browser.post(f"/admin/accounts/user/{owner.pk}/change/", {**form, **inline})
    rows = EmailAddress.objects.filter(user=owner).values_list("email", "verified", "primary")
    assert list(rows) == [("new@people.example", False, True)]
