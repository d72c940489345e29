"""Dynamic registration: what it takes, what it refuses, and that it cannot fill the database (threat T16)."""

import json
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.sites.models import Site as DjangoSite
from django.test import Client
from django.utils import timezone
from oauth2_provider.models import AccessToken, get_application_model

from accounts import services_apps
from accounts.models import SpentCode
from core import jobs
from directory.models import Site
from tests.conftest import People
from tests.factories.oauth import CALLBACK, CURSOR, DROPPED, LOOPBACK, Agent, me, register, site

pytestmark = pytest.mark.django_db
Application = get_application_model()


def test_a_public_client_gets_its_id_and_the_means_to_manage_it() -> None:
    response = register()

    made = response.json()
    assert response.status_code == 201
    assert response["Cache-Control"] == "no-store"
    assert response["Access-Control-Allow-Origin"] == "*"
    assert set(made) == {
        "client_id",
        "client_id_issued_at",
        "client_name",
        "redirect_uris",
        "grant_types",
        "response_types",
        "token_endpoint_auth_method",
        "registration_access_token",
        "registration_client_uri",
    }
    assert made["grant_types"] == ["authorization_code", "refresh_token"]
    assert made["registration_client_uri"] == site(f"/oauth/register/{made['client_id']}")
    assert abs(made["client_id_issued_at"] - timezone.now().timestamp()) < 5


def test_a_confidential_client_gets_a_secret_that_does_not_expire() -> None:
    made = register(token_endpoint_auth_method="client_secret_post").json()

    manage = {"Authorization": f"Bearer {made['registration_access_token']}"}
    read = Client().get(f"/oauth/register/{made['client_id']}", headers=manage).json()
    for answer in (made, read):
        assert answer["token_endpoint_auth_method"] == "client_secret_post"
    assert made["client_secret_expires_at"] == 0
    assert len(made["client_secret"]) >= 64


def test_grant_types_we_do_not_offer_are_left_out() -> None:
    device = "urn:ietf:params:oauth:grant-type:device_code"

    made = register(grant_types=["authorization_code", device], scope="everything", contacts=["a@b.example"])

    assert made.status_code == 201
    assert made.json()["grant_types"] == ["authorization_code", "refresh_token"]


@pytest.mark.parametrize(
    "uri",
    [CALLBACK, LOOPBACK, "http://localhost/cb", "http://[::1]:3000/", "https://a.example:8443/cb?tenant=1"],
)
def test_takes_https_and_loopback(uri: str) -> None:
    assert register(redirect_uris=[uri]).json()["redirect_uris"] == [uri]


@pytest.mark.parametrize(
    "uri",
    [
        "http://evil.example/cb",
        "http://127.0.0.1.evil.example/cb",
        "http://127.0.0.2/cb",
        "javascript:alert(1)",
        "data:text/html,x",
        "myapp://callback",
        "com.example.app:/callback",
        "https://",
        "https:///cb",
        "https://*.example.com/cb",
        "https://user@agent.example/cb",
        "https://agent.example/cb#fragment",
        "https://agent.example/cb#",
        "https://agent.example/a/../cb",
        "https://agent.example/%2e%2e/cb",
        "https://agent.example/cb with space",
        "https://agent.example/cb\nhttps://evil.example",
        "https://agent.example\\@evil.example/cb",
        "https://agent.example/cb?code=1",
        "https://agent.example/cb?iss=https://evil.example",
        "https://AGENT.example/cb",
        "https://ägent.example/cb",
        "https://agent.example:99999/cb",
        "//agent.example/cb",
        "/cb",
        "",
        "https://agent.example/" + "x" * 500,
    ],
)
def test_refuses_other_addresses(uri: str) -> None:
    response = register(redirect_uris=[uri])

    assert (response.status_code, response.json()["error"]) == (400, "invalid_redirect_uri")
    assert response.json()["error_description"].startswith("A redirect_uri")
    assert not Application.objects.exists()

    assert register(redirect_uris=[uri, CALLBACK]).json()["redirect_uris"] == [CALLBACK]


def test_the_address_of_a_known_app_is_taken_letter_by_letter() -> None:
    uris = ["http://localhost:8787/callback", CURSOR]

    assert register(redirect_uris=uris).json()["redirect_uris"] == uris
    assert register(redirect_uris=[CURSOR]).json()["redirect_uris"] == [CURSOR]
    for other in (f"{CURSOR}/", f"{CURSOR}?x=1", "cursor://evil.example/oauth/callback"):
        assert register(redirect_uris=[other]).json()["error"] == "invalid_redirect_uri"


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("Claude \u2713", "Claude"),
        ("\u2705 Claude \u2714\ufe0f Launch \u221a", "Claude Launch"),
        ("\U0001d402laude", "Claude"),
        ("Claude Code (my laptop) + 2", "Claude Code (my laptop) + 2"),
    ],
)
def test_a_name_keeps_no_sign_that_looks_like_a_seal(name: str, kept: str) -> None:
    assert register(client_name=name).json()["client_name"] == kept


@pytest.mark.parametrize(
    "changes",
    [
        {"redirect_uris": DROPPED},
        {"redirect_uris": []},
        {"redirect_uris": [f"https://agent.example/{n}" for n in range(11)]},
        {"redirect_uris": CALLBACK},
        {"redirect_uris": [7]},
        {"grant_types": ["client_credentials"]},
        {"grant_types": ["implicit"]},
        {"grant_types": []},
        {"grant_types": "authorization_code"},
        {"response_types": ["token"]},
        {"token_endpoint_auth_method": "private_key_jwt"},
        {"token_endpoint_auth_method": None},
        {"client_name": "x" * 101},
        {"client_name": 7},
        {"client_name": "Launch Directory"},
        {"client_name": "LAUNCH-directory."},
        {"client_name": "L\u00e1unch \uff24irectory"},
        {"client_name": "Bank\u202egnp"},
        {"client_name": "Bank\x00"},
        {"client_name": "Claude, verified by Launch Directory"},
        {"client_name": "Claude \uff36ERIFIED"},
    ],
)
def test_refuses_other_metadata(changes: dict[str, Any]) -> None:
    response = register(**changes)

    assert response.status_code == 400
    assert response.json()["error"] in {"invalid_client_metadata", "invalid_redirect_uri"}
    assert not Application.objects.exists()


@pytest.mark.parametrize("name", ["Second Street", "second-street!", "Main Street"])
def test_refuses_the_name_of_any_site_of_the_installation(name: str) -> None:
    for key, called in (("main", "Main Street"), ("second", "Second Street")):
        domain = DjangoSite.objects.create(domain=f"{key}.example", name=called)
        Site.objects.create(django_site=domain, key=f"{key}-street", name=called, purpose="Things.")

    response = register(client_name=name)

    assert (response.status_code, response.json()["error"]) == (400, "invalid_client_metadata")
    assert not Application.objects.exists()
    assert register(client_name="Third Street").status_code == 201


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"{", b'{"client_name": "a", "client_name": "b"}', b"null", b"x" * 9000, b"[" * 5000]
)
def test_refuses_other_bodies(body: bytes) -> None:
    response = Client().post("/oauth/register", body, content_type="application/json")

    assert (response.status_code, response.json()["error"]) == (400, "invalid_client_metadata")


def test_refuses_forms_and_other_methods() -> None:
    assert Client().post("/oauth/register", {"client_name": "a"}).status_code == 400
    assert Client().get("/oauth/register")["Allow"] == "POST, OPTIONS"


def test_the_eleventh_registration_in_an_hour_is_refused() -> None:
    statuses = [register().status_code for _ in range(12)]

    response = register()
    assert statuses == [201] * 10 + [429] * 2
    assert response.json()["error"] == "rate_limited"
    assert response.json()["policy"] == "register"
    assert int(response["Retry-After"]) > 0
    assert Application.objects.count() == 10


def manage(made: dict[str, Any], method: str = "get", token: str | None = None, **body: Any) -> Any:
    headers = {"Authorization": f"Bearer {token or made['registration_access_token']}"}
    path = f"/oauth/register/{made['client_id']}"
    data = {"data": json.dumps(body), "content_type": "application/json"} if body else {}
    return getattr(Client(), method)(path, headers=headers, **data)


def test_a_client_reads_replaces_and_deletes_itself() -> None:
    made = register().json()

    found = manage(made).json()
    assert {**found, "client_id_issued_at": 0} == {**made, "client_id_issued_at": 0}
    changed = manage(
        made, "put", client_name="New", redirect_uris=[LOOPBACK], token_endpoint_auth_method="none"
    ).json()
    assert (changed["client_name"], changed["redirect_uris"]) == ("New", [LOOPBACK])
    assert manage(made).status_code == 401
    assert manage(changed).json()["client_name"] == "New"
    assert manage(changed, "delete").status_code == 204
    assert manage(changed).status_code == 401
    assert not Application.objects.exists()


def test_managing_needs_the_clients_own_token() -> None:
    mine, other = register().json(), register().json()

    for response in (
        manage(mine, token=other["registration_access_token"]),
        manage(mine, "delete", token="unknown"),
        Client().get(f"/oauth/register/{mine['client_id']}"),
        Client().get("/oauth/register/%00", headers={"Authorization": "Bearer x"}),
    ):
        assert response.status_code == 401
        assert response["WWW-Authenticate"].startswith("Bearer")
    refused = manage(mine, "put", client_name="x", redirect_uris=["http://evil.example/"])
    assert refused.json()["error"] == "invalid_redirect_uri"
    assert Application.objects.get(client_id=mine["client_id"]).redirect_uris == CALLBACK


def test_a_client_that_says_to_be_another_one_is_refused() -> None:
    mine, other = register().json(), register().json()
    words = {"client_name": "New", "redirect_uris": [CALLBACK], "token_endpoint_auth_method": "none"}

    refused = manage(mine, "put", client_id=other["client_id"], **words)

    assert (refused.status_code, refused.json()["error"]) == (400, "invalid_client_metadata")
    assert not Application.objects.filter(name="New").exists()
    assert manage(mine, "put", client_id=mine["client_id"], **words).status_code == 200


def test_a_client_cannot_become_confidential() -> None:
    made = register().json()

    response = manage(made, "put", redirect_uris=[CALLBACK], token_endpoint_auth_method="client_secret_basic")

    assert (response.status_code, response.json()["error"]) == (400, "invalid_client_metadata")


def test_a_registration_token_opens_nothing_else(people: People) -> None:
    made = register().json()
    AccessToken.objects.update(user=people.owner, resource=[site("/api/v1"), site("/mcp")])

    assert me(made["registration_access_token"]).status_code == 401


def test_an_access_token_manages_no_client(people: People) -> None:
    agent = Agent(people.owner)

    access = agent.tokens()["access_token"]

    assert manage({"client_id": agent.client_id}, token=access).status_code == 401


def test_unused_clients_go_after_a_week_and_used_ones_stay(people: People) -> None:
    now = timezone.now()
    with time_machine.travel(now, tick=False):
        unused = [register().json()["client_id"] for _ in range(3)]
        agent = Agent(people.owner)
        agent.tokens()

    assert services_apps.forget_unused(at=now + timedelta(days=6, hours=23)) == 0
    assert services_apps.forget_unused(at=now + timedelta(days=7, seconds=1)) == 3

    left = Application.objects.get()
    assert left.client_id == agent.client_id
    assert left.client_id not in unused


def test_a_client_whose_tokens_ended_goes_as_well(people: People) -> None:
    now = timezone.now()
    with time_machine.travel(now, tick=False) as clock:
        agent = Agent(people.owner)
        agent.tokens()
        clock.shift(timedelta(days=31))
        assert services_apps.forget_unused(at=timezone.now()) == 1

    assert not Application.objects.exists()
    assert not SpentCode.objects.exists()


def test_the_table_stays_small_under_a_flood() -> None:
    old = timezone.now() - timedelta(days=8)
    Application.objects.bulk_create(
        Application(
            client_id=f"flood-{n}",
            client_type="public",
            client_secret="",
            hash_client_secret=False,
            authorization_grant_type="authorization-code",
            redirect_uris=CALLBACK,
            registration_source="dcr",
        )
        for n in range(10_000)
    )
    Application.objects.update(created=old, updated=old)

    jobs.add("accounts.forget_unused", key="now")
    jobs.run_due()

    assert not Application.objects.exists()
