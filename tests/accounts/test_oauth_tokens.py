"""Tokens: exchanged once, bound to a resource, kept as digests, rotated, taken back (threats T13 to T15)."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.utils import timezone
from oauth2_provider.models import AccessToken, Grant, RefreshToken

from accounts.models import ConnectedApp, User
from tests.conftest import People
from tests.factories.oauth import DROPPED, VERIFIER, Agent, me, post_form, register, site


@pytest.fixture
def agent(people: People) -> Agent:
    return Agent(people.owner)


def both() -> list[str]:
    return [site("/mcp"), site("/api/v1")]


def test_a_code_becomes_short_access_and_a_refresh_token(agent: Agent) -> None:
    response = agent.exchange(agent.answer(resource=site("/api/v1"))["code"])

    tokens = response.json()
    assert response.status_code == 200
    assert response["Cache-Control"] == "no-store"
    assert response["Access-Control-Allow-Origin"] == "*"
    assert set(tokens) == {"access_token", "expires_in", "token_type", "scope", "refresh_token"}
    assert (tokens["expires_in"], tokens["token_type"], tokens["scope"]) == (14400, "Bearer", "account:read")
    answer = me(tokens["access_token"]).json()
    assert (answer["authentication"], answer["client"], answer["email"]) == (
        "oauth",
        "Test agent",
        "owner@people.example",
    )


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"code_verifier": DROPPED}, "invalid_request"),
        ({"code_verifier": "x" * 43}, "invalid_grant"),
        ({"code_verifier": VERIFIER.upper()}, "invalid_grant"),
        ({"redirect_uri": "https://agent.example/other"}, "invalid_grant"),
        ({"code": "another"}, "invalid_grant"),
        ({"code": "\x00"}, "invalid_grant"),
        ({"client_id": "unknown"}, "invalid_client"),
        ({"client_id": "\x00"}, "invalid_client"),
        ({"grant_type": "password", "username": "a", "password": "b"}, "unsupported_grant_type"),
        ({"grant_type": "client_credentials"}, "unsupported_grant_type"),
        ({"grant_type": "urn:ietf:params:oauth:grant-type:device_code"}, "unsupported_grant_type"),
        ({"grant_type": DROPPED}, "unsupported_grant_type"),
        ({"resource": "https://elsewhere.example/"}, "invalid_target"),
        ({"grant_type": ["authorization_code"] * 2}, "invalid_request"),
        ({"code_verifier": ["x" * 43, VERIFIER]}, "invalid_request"),
    ],
)
def test_refusals_give_nothing(agent: Agent, changes: dict[str, Any], error: str) -> None:
    response = agent.exchange(agent.answer()["code"], **changes)

    assert response.status_code in {400, 401}
    assert response.json()["error"] == error
    assert response.json()["error_description"]
    assert response.get("WWW-Authenticate") == (
        None if response.status_code == 400 else 'Basic realm="oauth"'
    )
    assert not AccessToken.objects.filter(user=agent.user).exists()


def test_another_client_can_neither_use_the_code_nor_refresh(agent: Agent) -> None:
    other = register(client_name="Other").json()["client_id"]
    refresh_token, code = agent.tokens()["refresh_token"], agent.answer()["code"]

    answers = [agent.exchange(code, client_id=other), agent.refresh(refresh_token, client_id=other)]

    assert [(answer.status_code, answer.json()["error"]) for answer in answers] == [
        (400, "invalid_grant")
    ] * 2


def test_a_code_lasts_a_minute(agent: Agent) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        code = agent.answer()["code"]
        clock.shift(timedelta(seconds=60))

        assert agent.exchange(code).json()["error"] == "invalid_grant"


@pytest.mark.parametrize("again", ["code", "refresh_token"])
def test_what_is_used_twice_takes_the_family_down(agent: Agent, again: str) -> None:
    code = agent.answer(resource=site("/api/v1"))["code"]
    first = agent.exchange(code).json()
    second = agent.refresh(first["refresh_token"]).json()
    assert [me(tokens["access_token"]).status_code for tokens in (first, second)] == [401, 200]

    replay = agent.exchange(code) if again == "code" else agent.refresh(first["refresh_token"])

    assert (replay.status_code, replay.json()["error"]) == (400, "invalid_grant")
    assert me(second["access_token"]).status_code == 401
    assert agent.refresh(second["refresh_token"]).json()["error"] == "invalid_grant"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("what", ["code", "refresh"])
def test_of_many_exchanges_at_once_one_succeeds_and_the_rest_end_the_family(
    people: People, what: str
) -> None:
    agent = Agent(people.owner)
    if what == "code":
        exchange, given = agent.exchange, agent.answer(resource=site("/api/v1"))["code"]
    else:
        exchange, given = agent.refresh, agent.tokens(resource=site("/api/v1"))["refresh_token"]

    def at_once(_: int) -> Any:
        try:
            return exchange(given)
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(at_once, range(8)))

    assert sorted(answer.status_code for answer in answers) == [200, *[400] * 7]
    assert {answer.json()["error"] for answer in answers if answer.status_code == 400} == {"invalid_grant"}
    (made,) = [answer.json() for answer in answers if answer.status_code == 200]
    assert me(made["access_token"]).status_code == 401
    assert agent.refresh(made["refresh_token"]).status_code == 400


def test_a_refresh_may_narrow_scopes_and_never_widen_them(agent: Agent) -> None:
    first = agent.tokens(scope="account:read listings:write")

    wider = agent.refresh(first["refresh_token"], scope="account:read orders:write")
    unknown = agent.refresh(first["refresh_token"], scope="offline_access")
    narrower = agent.refresh(first["refresh_token"], scope="account:read offline_access")

    for refused in (wider, unknown):
        assert (refused.status_code, refused.json()["error"]) == (400, "invalid_scope")
    assert narrower.json()["scope"] == "account:read"


def test_a_refresh_for_less_narrows_that_access_alone(agent: Agent) -> None:
    """A new refresh token has the scope and the resources of the one before (RFC 6749 section 6, RFC 8707)."""
    first = agent.tokens(scope="account:read listings:write", resource=both())

    less = agent.refresh(first["refresh_token"], scope="account:read", resource=site("/api/v1")).json()
    page = agent.browser.get("/account/apps").content.decode()
    still = agent.refresh(less["refresh_token"], scope="account:read").json()
    whole = agent.refresh(still["refresh_token"], resource=site("/mcp"))
    wider = agent.refresh(whole.json()["refresh_token"], scope="orders:write")

    assert (less["scope"], still["scope"]) == ("account:read", "account:read")
    assert (whole.status_code, whole.json()["scope"]) == (200, "account:read listings:write")
    assert "Submit and edit" in page
    assert (wider.status_code, wider.json()["error"]) == (400, "invalid_scope")


def test_a_code_for_two_resources_gives_a_refresh_token_for_both(agent: Agent) -> None:
    tokens = agent.exchange(agent.answer(resource=both())["code"], resource=site("/mcp")).json()

    assert me(tokens["access_token"]).status_code == 401
    refreshed = agent.refresh(tokens["refresh_token"], resource=site("/api/v1")).json()
    assert me(refreshed["access_token"]).status_code == 200


def test_access_ends_after_four_hours_and_refreshing_after_thirty_idle_days(agent: Agent) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        tokens = agent.tokens(resource=site("/api/v1"))
        clock.shift(timedelta(hours=4))
        assert me(tokens["access_token"]).status_code == 401
        tokens = agent.refresh(tokens["refresh_token"]).json()
        clock.shift(timedelta(hours=4, days=30))
        assert agent.refresh(tokens["refresh_token"]).json()["error"] == "invalid_grant"


@pytest.mark.parametrize("change", [{"is_active": False}, {"suspended_at": timezone.now()}])
def test_people_who_may_not_sign_in_get_no_more_tokens(agent: Agent, change: dict[str, Any]) -> None:
    tokens = agent.tokens()
    code = agent.answer()["code"]
    User.objects.filter(pk=agent.user.pk).update(**change)

    assert agent.refresh(tokens["refresh_token"]).json()["error"] == "invalid_grant"
    assert agent.exchange(code).json()["error"] == "invalid_grant"


def raw_rows() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'")
        dump = []
        for (table,) in cursor.fetchall():
            cursor.execute(f'SELECT row_to_json(t)::text FROM "{table}" t')
            dump += [row for (row,) in cursor.fetchall()]
    return "\n".join(dump)


def test_nothing_in_the_database_opens_anything(agent: Agent) -> None:
    spent = agent.answer()["code"]
    tokens = agent.exchange(spent).json()
    waiting = agent.answer()["code"]
    confidential = register(token_endpoint_auth_method="client_secret_post").json()

    dump = raw_rows()

    assert agent.client_id in dump
    for secret in (
        spent,
        waiting,
        tokens["access_token"],
        tokens["refresh_token"],
        confidential["client_secret"],
        confidential["registration_access_token"],
    ):
        assert secret not in dump
    assert set(AccessToken.objects.values_list("token", flat=True)) == {""}
    assert set(RefreshToken.objects.values_list("token", flat=True)) == {""}


def test_tokens_in_the_query_open_nothing(agent: Agent) -> None:
    access = agent.tokens(resource=site("/api/v1"))["access_token"]

    assert Client().get(f"/api/v1/me?access_token={access}").status_code == 401
    assert (
        Client().post(f"/oauth/token?grant_type=refresh_token&client_id={agent.client_id}").status_code == 400
    )


@pytest.mark.parametrize(
    ("asked", "good_at"),
    [
        ("/mcp", {"/mcp"}),
        ("/mcp/", {"/mcp"}),
        ("/api/v1", {"/api/v1"}),
        ("/api/v1/", {"/api/v1"}),
        ("", {"/mcp", "/api/v1"}),
        ("/", {"/mcp", "/api/v1"}),
        (None, {"/mcp", "/api/v1"}),
    ],
)
def test_a_token_is_good_where_it_was_asked_for(agent: Agent, asked: str | None, good_at: set[str]) -> None:
    resource = DROPPED if asked is None else site(asked)

    tokens = agent.tokens(resource=resource)

    row = AccessToken.objects.get(user=agent.user)
    assert set(row.resource) == {site(path) for path in good_at}
    assert me(tokens["access_token"]).status_code == (200 if "/api/v1" in good_at else 401)


def test_a_token_for_the_mcp_server_says_so_at_the_api(agent: Agent) -> None:
    response = me(agent.tokens(resource=site("/mcp"))["access_token"])

    metadata = site("/.well-known/oauth-protected-resource/api/v1")
    assert response.status_code == 401
    assert response["WWW-Authenticate"] == (
        f'Bearer resource_metadata="{metadata}", '
        'error="invalid_token", error_description="The access token was made for something else"'
    )
    assert response.json()["code"] == "invalid_token"


def test_the_token_request_may_narrow_the_resource_and_never_widen_it(agent: Agent) -> None:
    narrowed = agent.exchange(agent.answer(resource=both())["code"], resource=site("/mcp/"))
    widened = agent.exchange(agent.answer(resource=site("/mcp"))["code"], resource=site("/api/v1"))

    assert narrowed.status_code == 200
    assert AccessToken.objects.get(user=agent.user).resource == [site("/mcp")]
    assert (widened.status_code, widened.json()["error"]) == (400, "invalid_target")


def test_an_empty_resource_is_none(agent: Agent) -> None:
    """A parameter without a value counts as left out (RFC 6749 section 3.2)."""
    tokens = agent.exchange(agent.answer(resource="")["code"], resource="").json()
    refreshed = agent.refresh(tokens["refresh_token"], resource="", scope="")

    assert (refreshed.status_code, refreshed.json()["scope"]) == (200, "account:read")
    assert set(AccessToken.objects.get(user=agent.user).resource) == set(both())


def test_refreshed_tokens_keep_their_resource(agent: Agent) -> None:
    first = agent.tokens(resource=site("/mcp"))

    agent.refresh(first["refresh_token"])
    second = agent.refresh(first["refresh_token"] + "x")

    assert AccessToken.objects.get(user=agent.user).resource == [site("/mcp")]
    assert second.json()["error"] == "invalid_grant"


def test_a_token_without_a_resource_opens_nothing(people: People) -> None:
    row = AccessToken(user=people.owner, scope="account:read", expires=timezone.now() + timedelta(hours=1))
    row._raw_token, row.token = "raw-token", ""
    row.save()

    assert me("raw-token").status_code == 401


def revoke(agent: Agent, token: str, **changes: Any) -> Any:
    return post_form(Client(), "/oauth/revoke", {"client_id": agent.client_id, "token": token, **changes})


@pytest.mark.parametrize("which", ["access_token", "refresh_token"])
def test_revoking_either_token_ends_both(agent: Agent, which: str) -> None:
    tokens = agent.tokens(resource=site("/api/v1"))

    response = revoke(agent, tokens[which])

    assert response.status_code == 200
    assert me(tokens["access_token"]).status_code == 401
    assert agent.refresh(tokens["refresh_token"]).json()["error"] == "invalid_grant"


def test_revoking_says_nothing_of_other_clients_tokens(agent: Agent) -> None:
    tokens = agent.tokens(resource=site("/api/v1"))
    other = register(client_name="Other").json()["client_id"]

    assert revoke(agent, tokens["access_token"], client_id=other).status_code == 200
    assert revoke(agent, "unknown").status_code == 200
    assert me(tokens["access_token"]).status_code == 200
    assert revoke(agent, tokens["access_token"], client_id="unknown").status_code == 401


def test_a_confidential_client_needs_its_secret(people: People) -> None:
    made = register(token_endpoint_auth_method="client_secret_post").json()
    agent = Agent(people.owner, client_id=made["client_id"])

    without = agent.exchange(agent.answer()["code"])
    wrong = agent.exchange(agent.answer()["code"], client_secret="wrong")
    right = agent.exchange(agent.answer()["code"], client_secret=made["client_secret"])

    assert (without.status_code, wrong.status_code, right.status_code) == (401, 401, 200)


def test_a_code_cannot_be_used_after_the_app_was_disconnected(agent: Agent) -> None:
    code = agent.answer()["code"]
    ConnectedApp.objects.all().delete()

    assert agent.exchange(code).json()["error"] == "invalid_grant"
    assert Grant.objects.count() == 1


def test_the_callback_is_compared_again_at_the_exchange(people: People) -> None:
    agent = Agent(people.owner, redirect_uri="http://127.0.0.1:1000/callback")

    response = agent.exchange(agent.answer()["code"], redirect_uri="http://127.0.0.1:2000/callback")

    assert (response.status_code, response.json()["error"]) == (400, "invalid_grant")
