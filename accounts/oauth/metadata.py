"""The discovery documents: authorization server (RFC 8414) and protected resources (RFC 9728)."""

from typing import Any

from django.conf import settings

from accounts.oauth.audience import RESOURCES, identifier
from accounts.oauth.client_metadata import AUTH_METHODS, GRANT_TYPES
from core.api.links import absolute
from core.api.scopes import Scope

NAMES = {"mcp": "MCP server", "api/v1": "API"}


def issuer() -> str:
    """Who we are to clients: our address, without a slash."""
    return absolute("")


def authorization_server() -> dict[str, Any]:
    return {
        "issuer": issuer(),
        "authorization_endpoint": absolute("/oauth/authorize"),
        "token_endpoint": absolute("/oauth/token"),
        "registration_endpoint": absolute("/oauth/register"),
        "revocation_endpoint": absolute("/oauth/revoke"),
        "scopes_supported": [scope.value for scope in Scope],
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": list(GRANT_TYPES),
        "token_endpoint_auth_methods_supported": list(AUTH_METHODS),
        "revocation_endpoint_auth_methods_supported": list(AUTH_METHODS),
        "code_challenge_methods_supported": ["S256"],
        "client_id_metadata_document_supported": True,
        "authorization_response_iss_parameter_supported": True,
        "protected_resources": [identifier(name) for name in RESOURCES],
        "service_documentation": absolute("/docs/mcp"),
    }


def protected_resource(name: str) -> dict[str, Any]:
    """`/.well-known/oauth-protected-resource` and below; the root's is for our origin, so for both."""
    return {
        "resource": identifier(name) if name else absolute(""),
        "authorization_servers": [issuer()],
        "scopes_supported": [scope.value for scope in Scope],
        "bearer_methods_supported": ["header"],
        "resource_name": f"{settings.SITE_NAME} {NAMES[name]}" if name else settings.SITE_NAME,
        "resource_documentation": absolute("/docs/mcp" if name == "mcp" else "/docs"),
    }
