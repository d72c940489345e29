"""Connected apps: what acts for a person, when it last did, and taking it back."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone
from oauth2_provider.models import AccessToken, Grant, RefreshToken

from accounts.models import ConnectedApp
from tests.conftest import People
from tests.factories.oauth import Agent, me, register, site


@pytest.fixture
def agent(people: People) -> Agent:
    return Agent(people.owner)


def page_of(agent: Agent) -> str:
    return " ".join(agent.browser.get("/account/apps").content.decode().split())


def test_lists_what_an_app_may_do(agent: Agent) -> None:
    agent.tokens(scope="account:read listings:write")

    page = page_of(agent)

    assert "Test agent" in page
    assert "agent.example, not verified" in page
    assert "Read your account, Submit and edit" in page
    assert site("/mcp") in page


def test_says_when_no_app_acts(agent: Agent) -> None:
    assert "No app acts for you." in page_of(agent)


def test_the_page_is_for_people_who_are_signed_in(people: People) -> None:
    visitor = Agent(people.owner, person_signed_in=False).browser

    assert visitor.get("/account/apps")["Location"].startswith("/accounts/login/")


def test_remembers_the_last_use_to_the_minute(agent: Agent) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        token = agent.tokens(resource=site("/api/v1"))["access_token"]
        assert ConnectedApp.objects.get().last_used_at == timezone.now()
        clock.shift(timedelta(seconds=59))
        me(token)
        assert ConnectedApp.objects.get().last_used_at == timezone.now() - timedelta(seconds=59)
        clock.shift(timedelta(seconds=2))
        me(token)
        assert ConnectedApp.objects.get().last_used_at == timezone.now()


def test_disconnecting_ends_everything_at_once(agent: Agent) -> None:
    tokens = agent.tokens(resource=site("/api/v1"))
    waiting = agent.answer()["code"]
    app = ConnectedApp.objects.get()

    asked = agent.browser.get(f"/account/apps/{app.pk}/disconnect")
    assert "Disconnect “Test agent”?" in asked.content.decode()
    assert me(tokens["access_token"]).status_code == 200
    done = agent.browser.post(f"/account/apps/{app.pk}/disconnect")

    assert (done.status_code, done["Location"]) == (302, "/account/apps")
    assert me(tokens["access_token"]).status_code == 401
    assert agent.refresh(tokens["refresh_token"]).json()["error"] == "invalid_grant"
    assert agent.exchange(waiting).json()["error"] == "invalid_grant"
    assert not Grant.objects.exists()
    assert not RefreshToken.objects.exists()
    assert not AccessToken.objects.filter(user=agent.user).exists()
    assert "No app acts for you." in page_of(agent)
    assert agent.tokens()["scope"] == "account:read"


def test_other_peoples_apps_are_not_there(agent: Agent, people: People) -> None:
    tokens = agent.tokens(resource=site("/api/v1"))
    stranger = Agent(people.stranger, client_id=agent.client_id)
    stranger.tokens()
    app = ConnectedApp.objects.get(user=agent.user)

    assert stranger.browser.get(f"/account/apps/{app.pk}/disconnect").status_code == 404
    assert stranger.browser.post(f"/account/apps/{app.pk}/disconnect").status_code == 404
    assert me(tokens["access_token"]).status_code == 200


def test_disconnecting_one_app_leaves_the_others(agent: Agent) -> None:
    other = Agent(agent.user, client_id=register(client_name="Other").json()["client_id"])
    agent.tokens()
    kept = other.tokens(resource=site("/api/v1"))

    app = ConnectedApp.objects.get(application__client_id=agent.client_id)
    agent.browser.post(f"/account/apps/{app.pk}/disconnect")

    assert me(kept["access_token"]).status_code == 200
    assert agent.browser.get("/account/apps").content.decode().count("Disconnect ") == 1
