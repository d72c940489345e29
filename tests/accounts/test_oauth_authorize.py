"""The consent page: who is asked what, and where the answer goes (threats T12 to T14)."""

from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from oauth2_provider.models import Grant

from accounts.models import ConnectedApp
from tests.conftest import People
from tests.factories.oauth import CALLBACK, CHALLENGE, CURSOR, DROPPED, LOOPBACK, Agent, register, site

ISSUER = site("")


@pytest.fixture
def agent(people: People) -> Agent:
    return Agent(people.owner)


def test_names_the_app_what_it_may_and_where_it_returns(agent: Agent) -> None:
    response = agent.ask(scope="account:read orders:write")

    page = " ".join(response.content.decode().split())
    assert response.status_code == 200
    assert "Let “Test agent” act for you?" in page
    assert "agent.example" in page
    assert "We don’t know who made this app" in page
    assert "owner@people.example" in page
    assert f"<code>{CALLBACK}</code>" in page
    assert "See your account" in page
    assert "It can’t pay. You open the link, check the order and pay yourself." in page
    assert "submit and edit for you (not asked for)" in page
    assert page.index('value="deny"') < page.index('value="allow"')
    assert "form-action 'self' https://agent.example;" in response["Content-Security-Policy"]
    assert response["X-Frame-Options"] == "DENY"
    assert response["Cache-Control"] == "private, no-store"
    assert "Referrer-Policy" in response


def test_sends_people_who_are_not_signed_in_to_sign_in_and_back(people: People) -> None:
    agent = Agent(people.owner, person_signed_in=False)

    response = agent.ask()

    assert response.status_code == 302
    assert response["Location"].startswith("/accounts/login/?next=/oauth/authorize%3F")


def test_allowing_returns_a_code_with_state_and_issuer(agent: Agent) -> None:
    answer = agent.answer()

    assert set(answer) == {"code", "state", "iss"}
    assert (answer["state"], answer["iss"]) == ("st4te", ISSUER)
    assert ConnectedApp.objects.get().user == agent.user


@pytest.mark.parametrize("decision", ["deny", "", "Allow", "yes", ["deny", "allow"], ["allow", "allow"]])
def test_anything_but_a_clear_yes_is_a_no(agent: Agent, decision: Any) -> None:
    answer = agent.answer(decision)

    assert (answer["error"], answer["state"], answer["iss"]) == ("access_denied", "st4te", ISSUER)
    assert not Grant.objects.exists()
    assert not ConnectedApp.objects.exists()


def test_the_decision_needs_the_pages_own_token(people: People) -> None:
    agent = Agent(people.owner)
    agent.browser.handler.enforce_csrf_checks = True

    assert agent.decide().status_code == 403
    assert not Grant.objects.exists()


@pytest.mark.parametrize("shortcut", [{"approval_prompt": "auto"}, {"prompt": "none"}])
def test_a_client_cannot_skip_the_question(agent: Agent, shortcut: dict[str, str]) -> None:
    agent.tokens()

    response = agent.ask(**shortcut)

    assert response.status_code == 200
    assert b"act for you?" in response.content


@pytest.mark.parametrize(
    "uri",
    [
        "https://agent.example/callback/",
        "https://agent.example/callback/more",
        "https://agent.example/callbac",
        "https://agent.example/Callback",
        "https://agent.example/callback?x=1",
        "https://agent.example/callback?",
        "https://agent.example/callback#x",
        "https://agent.example/callback#",
        "https://agent.example/callback;x",
        "https://agent.example/./callback",
        "https://agent.example/x/../callback",
        "https://agent.example/%63allback",
        "https://agent.example/callback%2f",
        "https://agent.example//callback",
        "https://agent.example\\callback",
        "https://AGENT.example/callback",
        "https://agent.example:443/callback",
        "https://agent.example:8443/callback",
        "https://agent.example./callback",
        "https://evil@agent.example/callback",
        "https://agent.example@evil.example/callback",
        "https://agent.example.evil.example/callback",
        "https://sub.agent.example/callback",
        "http://agent.example/callback",
        "//agent.example/callback",
        "javascript:alert(1)",
        " https://agent.example/callback",
        "https://agent.example/callback ",
        "https://agent.example/callback\x00",
        "",
    ],
)
def test_other_redirect_addresses_lead_nowhere(agent: Agent, uri: str) -> None:
    asked, decided = agent.ask(redirect_uri=uri), agent.decide(redirect_uri=uri)

    assert (asked.status_code, decided.status_code) == (400, 400)
    assert b"An app sent you here wrongly" in asked.content
    assert "Location" not in asked
    assert not Grant.objects.exists()


def test_a_second_redirect_address_leads_nowhere(agent: Agent) -> None:
    response = agent.ask(redirect_uri=[CALLBACK, "https://evil.example/"])

    assert response.status_code == 400
    assert "Location" not in response


@pytest.mark.parametrize(
    ("registered", "asked", "status"),
    [
        (LOOPBACK, "http://127.0.0.1:9/callback", 200),
        (LOOPBACK, "http://127.0.0.1/callback", 200),
        ("http://localhost/callback", "http://localhost:50000/callback", 200),
        ("http://[::1]:1/callback", "http://[::1]:65535/callback", 200),
        (LOOPBACK, "http://127.0.0.1:9/callback/", 400),
        (LOOPBACK, "http://127.0.0.1:9/other", 400),
        (LOOPBACK, "http://127.0.0.1:99999/callback", 400),
        (LOOPBACK, "http://localhost:9/callback", 400),
        (LOOPBACK, "http://127.0.0.2:9/callback", 400),
        (LOOPBACK, "http://127.0.0.1:9@evil.example/callback", 400),
        (LOOPBACK, "http://127.0.0.1.evil.example:9/callback", 400),
        (LOOPBACK, "https://127.0.0.1:9/callback", 400),
    ],
)
def test_on_loopback_any_port_will_do_and_nothing_else(
    people: People, registered: str, asked: str, status: int
) -> None:
    agent = Agent(people.owner, redirect_uri=registered)

    assert agent.ask(redirect_uri=asked).status_code == status


def test_a_local_app_says_so(people: People) -> None:
    page = Agent(people.owner, redirect_uri=LOOPBACK).ask().content.decode()

    assert "It runs on this computer, or says so." in page
    assert "a program on the computer you are using now" in page


def test_an_app_with_an_address_of_its_own_is_named_and_gets_its_answer(people: People) -> None:
    agent = Agent(people.owner, redirect_uri=CURSOR)

    response = agent.ask()

    page = " ".join(response.content.decode().split())
    assert "It is <strong>Cursor</strong>, an app on this computer, or says so." in page
    assert "We don’t know who made this app" in page
    assert "form-action 'self' cursor:;" in response["Content-Security-Policy"]
    assert agent.decide()["Location"].startswith(f"{CURSOR}?code=")
    assert agent.tokens()["scope"] == "account:read"
    without_pkce = agent.ask(code_challenge=DROPPED, code_challenge_method=DROPPED)
    assert "error=invalid_request" in without_pkce["Location"]


def test_the_page_names_the_host_that_gets_the_answer_and_no_other(people: People) -> None:
    uris = ["https://claude.ai/api/mcp/auth_callback", "https://evil-collector.example/cb"]
    client_id = register(client_name="Claude", redirect_uris=uris).json()["client_id"]

    page = Agent(people.owner, client_id=client_id, redirect_uri=uris[1]).ask().content.decode()

    assert "What you allow goes to <strong>evil-collector.example</strong>." in page
    assert "claude.ai" not in page
    assert "Verified" not in page


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"code_challenge": DROPPED, "code_challenge_method": DROPPED}, "invalid_request"),
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"code_challenge_method": DROPPED}, "invalid_request"),
        ({"code_challenge_method": "s256"}, "invalid_request"),
        ({"code_challenge": CHALLENGE[:-1]}, "invalid_request"),
        ({"scope": "claudeai"}, "invalid_scope"),
        ({"scope": "claudeai offline_access"}, "invalid_scope"),
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"response_type": "code token"}, "unauthorized_client"),
        ({"response_type": DROPPED}, "invalid_request"),
        ({"resource": "https://elsewhere.example/mcp"}, "invalid_target"),
        ({"resource": site("/admin/")}, "invalid_target"),
        ({"resource": site("/mcp/x")}, "invalid_target"),
        ({"resource": site("/mcp#x")}, "invalid_target"),
        ({"resource": site("/mcp?x=1")}, "invalid_target"),
        ({"resource": [site("/mcp"), "https://elsewhere.example/"]}, "invalid_target"),
        ({"resource": "mcp"}, "invalid_target"),
    ],
)
def test_refusals_go_back_to_the_client_with_state_and_issuer(
    agent: Agent, changes: dict[str, Any], error: str
) -> None:
    for response in (agent.ask(**changes), agent.decide(**changes)):
        assert response.status_code == 302
        assert response["Location"].startswith(f"{CALLBACK}?")
        answer = dict(parse_qsl(urlsplit(response["Location"]).query))
        assert (answer["error"], answer["state"], answer["iss"]) == (error, "st4te", ISSUER)
        assert answer["error_description"].endswith(".")
    assert not Grant.objects.exists()


@pytest.mark.parametrize("client_id", ["unknown", "", "\x00", DROPPED, "x" * 3000])
def test_unknown_clients_lead_nowhere(agent: Agent, client_id: Any) -> None:
    response = agent.ask(client_id=client_id)

    assert response.status_code == 400
    assert "Location" not in response


@pytest.mark.parametrize(
    "query", ["client_id=%zz", "client_id=a&client_id=b", "client_id", "%ff=%ff", "client_id=é"]
)
def test_broken_requests_lead_nowhere(agent: Agent, query: str) -> None:
    response = agent.browser.get(f"/oauth/authorize?{query}")

    assert response.status_code == 400
    assert "Location" not in response


@pytest.mark.parametrize(
    ("asked", "given"),
    [
        ("account:read listings:write offline_access", "account:read listings:write"),
        (DROPPED, "account:read"),
        ("", "account:read"),
        ("orders:write account:read listings:write", "account:read listings:write orders:write"),
    ],
)
def test_scopes_we_do_not_know_are_left_out_and_the_token_says_so(
    agent: Agent, asked: Any, given: str
) -> None:
    assert agent.tokens(scope=asked)["scope"] == given


@pytest.mark.parametrize("value", ["x" * 3000, "a\x00b", "{"])
@pytest.mark.parametrize("name", ["nonce", "claims", "max_age", "login_hint"])
def test_parameters_of_openid_connect_are_left_alone(agent: Agent, name: str, value: str) -> None:
    assert agent.exchange(agent.answer(**{name: value})["code"]).status_code == 200


def test_a_registered_address_keeps_its_query_and_gets_one_issuer(people: People) -> None:
    uri = "https://agent.example/callback?tenant=7"
    agent = Agent(people.owner, redirect_uri=uri)

    location = agent.decide()["Location"]

    assert location.startswith(f"{uri}&code=")
    assert location.count("iss=") == 1


def test_names_are_shown_as_text(people: People) -> None:
    client_id = register(client_name="<script>alert(1)</script>").json()["client_id"]

    page = Agent(people.owner, client_id=client_id).ask().content.decode()

    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
