"""Who may call what: every operation with every kind of credential, over REST and MCP, challenges too."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from oauth2_provider.models import AccessToken

from accounts import services
from accounts.models import ApiKey
from config.mcp.tools import Tool, catalogue
from core.api.scopes import Scope
from tests.conftest import People
from tests.factories.mcp import LATEST_HANDSHAKE, Mcp
from tests.factories.oauth import Agent, register, site
from tests.factories.rest import rest_call

TOOLS = list(catalogue().values())
METADATA = site("/.well-known/oauth-protected-resource")
ALL = " ".join(scope.value for scope in Scope)
BAD_KEY = "The API key is unknown, expired or revoked"
BAD_TOKEN = "The access token is unknown, expired or revoked"
OTHER_TOKEN = "The access token was made for something else"


def sufficient(tool: Tool) -> str:
    return tool.scopes[0] if tool.scopes else ""


def lacking(tool: Tool) -> str:
    """A scope that does not do."""
    return next(scope.value for scope in Scope if scope.value not in tool.scopes)


def over_mcp(tool: Tool, token: str | None) -> tuple[int, str | None]:
    response = Mcp(token).call(tool.name, dict.fromkeys(tool.path_arguments, "1"))
    return response.status_code, response.get("WWW-Authenticate")


def over_rest(tool: Tool, token: str | None) -> tuple[int, str | None]:
    response = rest_call(tool, token)
    return response.status_code, response.get("WWW-Authenticate")


def refused_everywhere(token: str, reason: str) -> None:
    """A bad credential is 401 on every operation, public ones included."""
    for tool in TOOLS:
        for call, resource in ((over_rest, "api/v1"), (over_mcp, "mcp")):
            assert call(tool, token) == (
                401,
                f'Bearer resource_metadata="{METADATA}/{resource}", '
                f'error="invalid_token", error_description="{reason}"',
            ), tool.name


@pytest.fixture
def key(people: People) -> Callable[..., str]:
    def make(scopes: str, **fields: Any) -> str:
        row, made = services.create_api_key(
            user=people.owner, name="Test", scopes=scopes.split() or ["account:read"], at=timezone.now()
        )
        ApiKey.objects.filter(pk=row.pk).update(**fields)
        return made

    return make


@pytest.fixture
def token(people: People) -> Callable[..., str]:
    agent = Agent(people.owner)

    def make(scopes: str, *, resource: Any = None, **fields: Any) -> str:
        resource = resource or [site("/mcp"), site("/api/v1")]
        made = agent.tokens(scope=scopes or "account:read", resource=resource)["access_token"]
        newest = AccessToken.objects.filter(user=people.owner).order_by("-pk").first()
        AccessToken.objects.filter(pk=newest.pk).update(**fields)
        return made

    return make


@pytest.mark.django_db
def test_without_a_credential_public_operations_answer_and_the_others_say_what_they_need() -> None:
    for tool in TOOLS:
        if not tool.scopes:
            assert over_rest(tool, None)[0] not in {401, 403}, tool.name
            assert over_mcp(tool, None) == (200, None), tool.name
            continue
        scope = tool.scopes[0]
        asked = " ".join(sorted({"account:read", scope}))
        assert over_rest(tool, None) == (
            401,
            f'Bearer resource_metadata="{METADATA}/api/v1", scope="{scope}"',
        )
        assert over_mcp(tool, None) == (401, f'Bearer resource_metadata="{METADATA}/mcp", scope="{asked}"')


@pytest.mark.parametrize("kind", ["key", "token"])
def test_the_right_scope_opens(request: pytest.FixtureRequest, kind: str) -> None:
    make = request.getfixturevalue(kind)
    held = {scope: make(scope) for scope in {sufficient(tool) for tool in TOOLS}}

    for tool in TOOLS:
        assert over_rest(tool, held[sufficient(tool)])[0] not in {401, 403}, tool.name
        assert over_mcp(tool, held[sufficient(tool)]) == (200, None), tool.name


@pytest.mark.parametrize("kind", ["key", "token"])
def test_the_wrong_scope_is_told_which_it_needs(request: pytest.FixtureRequest, kind: str) -> None:
    make = request.getfixturevalue(kind)
    held = {scope: make(scope) for scope in {lacking(tool) for tool in TOOLS}}

    for tool in (tool for tool in TOOLS if tool.scopes):
        scope, has = tool.scopes[0], lacking(tool)
        needs = f'error="insufficient_scope", error_description="The scope {scope} is needed"'
        rest_scopes = " ".join(sorted({"account:read", scope}))
        mcp_scopes = " ".join(sorted({"account:read", scope, has}))
        assert over_rest(tool, held[has]) == (
            403,
            f'Bearer resource_metadata="{METADATA}/api/v1", {needs}, scope="{rest_scopes}"',
        ), tool.name
        assert over_mcp(tool, held[has]) == (
            403,
            f'Bearer resource_metadata="{METADATA}/mcp", {needs}, scope="{mcp_scopes}"',
        ), tool.name


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("bad", "reason"),
    [("plk_" + "x" * 49, BAD_KEY), ("plk_short", BAD_KEY), ("unknown", BAD_TOKEN), ("x" * 5000, BAD_TOKEN)],
)
def test_unknown_credentials(bad: str, reason: str) -> None:
    refused_everywhere(bad, reason)


def test_revoked_and_expired_keys(key: Callable[..., str]) -> None:
    refused_everywhere(key(ALL, revoked_at=timezone.now()), BAD_KEY)
    refused_everywhere(key(ALL, expires_at=timezone.now()), BAD_KEY)


def test_revoked_and_expired_tokens(token: Callable[..., str]) -> None:
    refused_everywhere(token(ALL, expires=timezone.now() - timedelta(seconds=1)), BAD_TOKEN)
    revoked = token(ALL)
    AccessToken.objects.all().delete()
    refused_everywhere(revoked, BAD_TOKEN)


@pytest.mark.parametrize("bound_to", [["https://elsewhere.example/mcp"], [site("")], []])
def test_tokens_for_another_service(token: Callable[..., str], bound_to: list[str]) -> None:
    made = token(ALL)
    AccessToken.objects.filter(user__isnull=False).update(resource=bound_to)

    refused_everywhere(made, OTHER_TOKEN)


def test_a_token_for_one_of_us_opens_only_that_one(token: Callable[..., str]) -> None:
    for_mcp, for_api = token(ALL, resource=site("/mcp")), token(ALL, resource=site("/api/v1"))
    challenge = f'error="invalid_token", error_description="{OTHER_TOKEN}"'

    for tool in TOOLS:
        assert over_mcp(tool, for_mcp) == (200, None)
        assert over_rest(tool, for_api)[0] not in {401, 403}
        assert over_rest(tool, for_mcp) == (401, f'Bearer resource_metadata="{METADATA}/api/v1", {challenge}')
        assert over_mcp(tool, for_api) == (401, f'Bearer resource_metadata="{METADATA}/mcp", {challenge}')


@pytest.mark.django_db
def test_registration_tokens_open_nothing(people: People) -> None:
    made = register().json()["registration_access_token"]
    AccessToken.objects.update(user=people.owner, resource=[site("/mcp"), site("/api/v1")])

    refused_everywhere(made, OTHER_TOKEN)


@pytest.mark.django_db
@pytest.mark.parametrize("header", ["Basic dXNlcjpwYXNz", "Bearer", "Bearer a b", "Token abc", "plk_x"])
def test_other_authorization_headers(header: str) -> None:
    for method in ("tools/list", "ping", "initialize", "notifications/initialized"):
        response = Mcp(version=LATEST_HANDSHAKE).post(
            {"jsonrpc": "2.0", "id": 7, "method": method}, Authorization=header
        )

        assert response.status_code == 401
        assert 'error="invalid_token"' in response["WWW-Authenticate"]
        assert response.json()["id"] == 7


def test_suspended_people(people: People, key: Callable[..., str], token: Callable[..., str]) -> None:
    held = [key(ALL), token(ALL)]
    people.owner.suspended_at = timezone.now()
    people.owner.save()

    for credential in held:
        response = Mcp(credential).call("get_site_info")

        assert response.status_code == 403
        assert response.json()["error"]["data"]["code"] == "account_suspended"
        assert 'error="access_denied"' in response["WWW-Authenticate"]
        for tool in TOOLS:
            response = rest_call(tool, credential)

            assert (response.status_code, response.json()["code"]) == (403, "account_suspended"), tool.name
            assert 'error="access_denied"' in response["WWW-Authenticate"]


@pytest.mark.django_db
@pytest.mark.parametrize("version", ["2025-03-26", LATEST_HANDSHAKE, "2026-07-28"])
def test_a_challenge_is_a_json_rpc_error_as_well(version: str) -> None:
    body = Mcp(version=version).call("get_account").json()

    assert (body["jsonrpc"], body["id"], body["error"]["code"]) == ("2.0", 7, 401)
    assert body["error"]["data"]["code"] == "authentication_required"


@pytest.mark.parametrize("version", [LATEST_HANDSHAKE, "2026-07-28"])
def test_a_challenge_may_come_as_a_result_instead(settings: Any, people: People, version: str) -> None:
    settings.MCP_CHALLENGE = "result"

    result = Mcp(version=version).result("get_account")

    assert result["isError"] is True
    assert result["_meta"]["mcp/www_authenticate"] == [
        f'Bearer resource_metadata="{METADATA}/mcp", scope="account:read"'
    ]
