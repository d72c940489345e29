"""The discovery documents, letter by letter, and who may read them from a browser."""

import pytest
from django.test import Client

from tests.factories.oauth import site

pytestmark = pytest.mark.django_db
SCOPES = ["account:read", "listings:write", "orders:write"]


def test_the_authorization_server() -> None:
    response = Client(headers={"Host": "localhost"}).get("/.well-known/oauth-authorization-server")

    methods = ["none", "client_secret_basic", "client_secret_post"]
    assert response["Content-Type"] == "application/json"
    assert response["Access-Control-Allow-Origin"] == "*"
    assert response.json() == {
        "issuer": site(""),
        "authorization_endpoint": site("/oauth/authorize"),
        "token_endpoint": site("/oauth/token"),
        "registration_endpoint": site("/oauth/register"),
        "revocation_endpoint": site("/oauth/revoke"),
        "scopes_supported": SCOPES,
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "token_endpoint_auth_methods_supported": methods,
        "revocation_endpoint_auth_methods_supported": methods,
        "code_challenge_methods_supported": ["S256"],
        "client_id_metadata_document_supported": True,
        "authorization_response_iss_parameter_supported": True,
        "protected_resources": [site("/mcp"), site("/api/v1")],
        "service_documentation": site("/docs/mcp"),
    }
    assert not site("").endswith("/")


@pytest.mark.parametrize(
    ("path", "resource", "name", "documentation"),
    [
        ("", "", "Launch Directory", "/docs"),
        ("/mcp", "/mcp", "Launch Directory MCP server", "/docs/mcp"),
        ("/api/v1", "/api/v1", "Launch Directory API", "/docs"),
    ],
)
def test_the_protected_resources(path: str, resource: str, name: str, documentation: str) -> None:
    response = Client(headers={"Host": "localhost"}).get(f"/.well-known/oauth-protected-resource{path}")

    assert response["Access-Control-Allow-Origin"] == "*"
    assert response.json() == {
        "resource": site(resource),
        "authorization_servers": [site("")],
        "scopes_supported": SCOPES,
        "bearer_methods_supported": ["header"],
        "resource_name": name,
        "resource_documentation": site(documentation),
    }


@pytest.mark.parametrize("path", ["/evil", "/mcp/", "/mcp/x", "/api", "/api/v2"])
def test_there_are_no_other_resources(path: str) -> None:
    assert Client().get(f"/.well-known/oauth-protected-resource{path}").status_code == 404


@pytest.mark.parametrize(
    ("path", "methods"),
    [
        ("/oauth/token", "POST, OPTIONS"),
        ("/oauth/revoke", "POST, OPTIONS"),
        ("/oauth/register", "POST, OPTIONS"),
        ("/oauth/register/x", "GET, PUT, DELETE, OPTIONS"),
        ("/.well-known/oauth-authorization-server", "GET, HEAD, OPTIONS"),
        ("/.well-known/oauth-protected-resource/mcp", "GET, HEAD, OPTIONS"),
    ],
)
def test_browsers_may_ask_before_they_call(path: str, methods: str) -> None:
    response = Client().options(path, headers={"Origin": "https://inspector.example"})

    assert response.status_code == 204
    assert response["Access-Control-Allow-Origin"] == "*"
    assert response["Access-Control-Allow-Methods"] == methods
    assert "Authorization" in response["Access-Control-Allow-Headers"]
    assert "Access-Control-Allow-Credentials" not in response


def test_the_consent_page_is_for_no_other_origin() -> None:
    response = Client().options("/oauth/authorize", headers={"Origin": "https://inspector.example"})

    assert "Access-Control-Allow-Origin" not in response
