"""Clients known by a document they publish: fetched with care, believed with care (threat T17)."""

import json
import time
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone
from oauth2_provider.models import get_application_model

from accounts import limits
from tests.conftest import People
from tests.factories.oauth import CALLBACK, DROPPED, LOOPBACK, VERIFIER, Agent, me, post_form, site
from tests.servers.website import Handler, Website, html, redirect
from tests.waiting import undisturbed

HOST = "client.example"
CLIENT_ID = f"https://{HOST}/agent.json"
Application = get_application_model()


def document(**changes: Any) -> Any:
    data = {
        "client_id": CLIENT_ID,
        "client_name": "Published agent",
        "redirect_uris": [LOOPBACK, CALLBACK],
        "grant_types": ["authorization_code", "refresh_token"],
        "token_endpoint_auth_method": "none",
        **changes,
    }
    return {name: value for name, value in data.items() if value is not DROPPED}


def published(data: Any, **headers: str) -> Any:
    body = data if isinstance(data, str) else json.dumps(data)
    return html(body, content_type=headers.pop("content_type", "application/json"), headers=headers)


def dripping(handler: Handler) -> None:
    handler.begin({"Content-Type": "application/json"})
    handler.trickle(b" ", every=0.05)


@pytest.fixture
def home(website: Website, settings: Any) -> Website:
    settings.CRAWL_RESOLVE = website.at(HOST)
    website.pages["/agent.json"] = published(document())
    return website


@pytest.fixture
def agent(people: People) -> Agent:
    return Agent(people.owner, client_id=CLIENT_ID)


def fetches(home: Website) -> int:
    return len([request for request in home.requests if request.path == "/agent.json"])


def test_the_document_is_the_registration(home: Website, agent: Agent) -> None:
    page = agent.ask().content.decode()

    assert "Let “Published agent” act for you?" in page
    assert f"Its description is published by <strong>{HOST}</strong>." in page
    assert "What you allow goes to <strong>agent.example</strong>." in page
    assert "We don’t know who made this app" in page
    tokens = agent.tokens(resource=site("/api/v1"))
    assert me(tokens["access_token"]).json()["client"] == "Published agent"
    assert fetches(home) == 1


def test_verified_is_only_what_answers_at_its_documents_host(home: Website, people: People) -> None:
    own = f"https://{HOST}/callback"
    home.pages["/agent.json"] = published(document(redirect_uris=[own, LOOPBACK]))

    verified = Agent(people.owner, client_id=CLIENT_ID, redirect_uri=own).ask().content.decode()
    local = Agent(people.owner, client_id=CLIENT_ID, redirect_uri=LOOPBACK).ask().content.decode()

    assert f"It is published by <strong>{HOST}</strong>, and its answer goes there." in verified
    assert ("Verified</span>" in verified, "Verified</span>" in local) == (True, False)
    assert ["We don’t know who made this app" in page for page in (verified, local)] == [False, True]


def test_loopback_addresses_of_a_document_take_any_port(home: Website, agent: Agent) -> None:
    assert agent.ask(redirect_uri="http://127.0.0.1:5/callback").status_code == 200
    assert agent.ask(redirect_uri="http://127.0.0.1:5/other").status_code == 400


def test_more_grant_types_and_members_than_we_know_are_fine(home: Website, agent: Agent) -> None:
    home.pages["/agent.json"] = published(
        document(
            grant_types=["authorization_code", "client_credentials"], logo_uri="https://x.example/l.png"
        ),
        content_type="application/oauth-client+json; charset=utf-8",
    )

    assert agent.ask().status_code == 200


@pytest.mark.parametrize(
    "reply",
    [
        published(document(client_id="https://client.example/other.json")),
        published(document(client_id="https://client.example/agent.json/")),
        published(document(client_id=DROPPED)),
        published(document(client_name=DROPPED)),
        published(document(client_name=" ")),
        published(document(redirect_uris=DROPPED)),
        published(document(redirect_uris=["http://evil.example/"])),
        published(document(redirect_uris=["javascript:alert(1)"])),
        published(document(grant_types=["client_credentials"])),
        published(document(token_endpoint_auth_method="private_key_jwt")),
        published(document(token_endpoint_auth_method="client_secret_post")),
        published(document(client_secret="x")),
        published(document(client_name="x" * 200)),
        published(document(padding="x" * 6000)),
        published("x" * 1024 * 1024),
        published("{"),
        published("[]"),
        published('{"client_id": 1, "client_id": 2}'),
        published(document(), content_type="text/html"),
        published(document(), content_type=""),
        html(json.dumps(document()), status=404, content_type="application/json"),
        html(json.dumps(document()), status=500, content_type="application/json"),
        redirect("https://client.example/elsewhere.json"),
        redirect("http://127.0.0.1/agent.json"),
    ],
)
def test_other_documents_are_no_clients(home: Website, agent: Agent, reply: Any) -> None:
    home.pages["/agent.json"] = reply
    home.pages["/elsewhere.json"] = published(document())

    response = agent.ask()

    assert response.status_code == 400
    assert "Location" not in response
    assert not Application.objects.exists()
    assert [request.path for request in home.requests] == ["/agent.json"]


@pytest.mark.parametrize(
    "client_id",
    [
        "https://127.0.0.1/agent.json",
        "https://[::1]/agent.json",
        "https://169.254.169.254/latest/meta-data",
        "https://10.0.0.1/agent.json",
        "https://localhost/agent.json",
        "https://client.internal/agent.json",
        "https://client.example",
        "https://client.example/",
        "https://user@client.example/agent.json",
        "https://client.example/agent.json#x",
        "https://client.example/a/../agent.json",
        "https://client.example:8443/agent.json",
        "https://[bad/agent.json",
        "http://client.example/agent.json",
        "https://client.example/\x00",
        f"https://{HOST}/" + "x" * 400,
    ],
)
def test_other_addresses_are_not_even_asked(people: People, home: Website, client_id: str) -> None:
    response = Agent(people.owner, client_id=client_id).ask()

    assert response.status_code == 400
    assert not Application.objects.exists()


def test_a_slow_document_is_given_up(home: Website, agent: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CLIENT_DOCUMENT_SECONDS", 0.5)
    home.pages["/agent.json"] = dripping
    started = time.monotonic()

    with undisturbed() as clock:
        response = agent.ask()

    assert response.status_code == 400
    assert time.monotonic() - started >= 0.5
    assert clock.seconds < 4


def test_nothing_is_fetched_for_people_who_are_not_signed_in(people: People, home: Website) -> None:
    stranger = Agent(people.owner, client_id=CLIENT_ID, person_signed_in=False)

    assert stranger.ask().status_code == 302
    assert stranger.ask(prompt="none").status_code == 302
    assert stranger.exchange("code").json()["error"] == "invalid_client"
    assert stranger.refresh("token").json()["error"] == "invalid_client"
    assert post_form(Client(), "/oauth/revoke", {"client_id": CLIENT_ID, "token": "x"}).status_code == 401
    assert home.requests == []


def test_one_person_makes_us_fetch_ten_documents_an_hour(people: People, home: Website) -> None:
    agent = Agent(people.owner, client_id=CLIENT_ID)

    statuses = [agent.ask(client_id=f"https://{HOST}/{n}.json").status_code for n in range(11)]

    assert statuses == [400] * 10 + [429]
    assert len(home.requests) == 10


def test_a_bad_document_is_not_asked_for_again_at_once(home: Website, agent: Agent) -> None:
    home.pages["/agent.json"] = published("{")

    statuses = [agent.ask().status_code for _ in range(3)]

    assert (statuses, fetches(home)) == ([400] * 3, 1)


@pytest.mark.parametrize(
    ("control", "seconds"),
    [
        ("", 86400),
        ("max-age=600", 600),
        ("max-age=1", 300),
        ("no-store", 300),
        ("public, max-age=9999999", 86400),
    ],
)
def test_a_good_document_is_believed_for_as_long_as_it_says(
    home: Website, agent: Agent, control: str, seconds: int
) -> None:
    home.pages["/agent.json"] = published(document(), **({"Cache-Control": control} if control else {}))
    with time_machine.travel(timezone.now(), tick=False) as clock:
        assert agent.ask().status_code == 200
        clock.shift(timedelta(seconds=seconds - 1))
        assert agent.ask().status_code == 200
        assert fetches(home) == 1
        clock.shift(timedelta(seconds=2))
        home.pages["/agent.json"] = published(document(client_name="Renamed"))
        assert "Renamed" in agent.ask().content.decode()

    assert fetches(home) == 2


def test_the_last_good_document_stands_while_its_host_is_away(home: Website, agent: Agent) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        tokens = agent.tokens()
        clock.shift(timedelta(days=2))
        home.pages["/agent.json"] = html("away", status=503)

        assert agent.refresh(tokens["refresh_token"]).status_code == 200
        assert agent.ask().status_code == 200


def test_a_document_takes_over_no_registered_client(people: People, home: Website) -> None:
    Application.objects.create(
        client_id=CLIENT_ID,
        name="Ours",
        client_type="public",
        authorization_grant_type="authorization-code",
        redirect_uris="https://ours.example/",
    )

    response = Agent(people.owner, client_id=CLIENT_ID).ask()

    assert response.status_code == 400
    assert Application.objects.get().name == "Ours"


def test_pkce_is_asked_of_published_clients_too(home: Website, agent: Agent) -> None:
    response = agent.ask(code_challenge=DROPPED)

    assert "error=invalid_request" in response["Location"]
    assert agent.exchange(agent.answer()["code"], code_verifier=VERIFIER[::-1]).status_code == 400
