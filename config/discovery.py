"""What programs look for at fixed addresses: llms.txt, security.txt, the registry's manifest."""

from datetime import UTC, timedelta

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils import timezone

from config.mcp import metadata
from config.mcp.tools import catalogue
from core import signing
from core.api.links import absolute
from core.methods import require_safe

PUBLIC = {"Cache-Control": "public, max-age=3600", "Access-Control-Allow-Origin": "*"}
TEXT = "text/plain; charset=utf-8"
VALID = timedelta(days=180)


@require_safe
def llms(_request: HttpRequest) -> HttpResponse:
    """`/llms.txt` in the form of llmstxt.org: a title, a summary, lists of links."""
    context = {
        "name": settings.SITE_NAME,
        "purpose": metadata.PURPOSE,
        "base": absolute(""),
        "tools": catalogue().values(),
    }
    return HttpResponse(render_to_string("llms.txt", context), content_type=TEXT, headers=PUBLIC)


@require_safe
def security(_request: HttpRequest) -> HttpResponse:
    """`/.well-known/security.txt` (RFC 9116)."""
    expires = (timezone.now() + VALID).astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    lines = (
        f"Contact: {settings.SECURITY_CONTACT}",
        f"Expires: {expires:%Y-%m-%dT%H:%M:%SZ}",
        "Preferred-Languages: en",
        f"Canonical: {absolute('/.well-known/security.txt')}",
    )
    return HttpResponse("\n".join(lines) + "\n", content_type=TEXT, headers=PUBLIC)


@require_safe
def registry_manifest(_request: HttpRequest) -> JsonResponse:
    """`/.well-known/mcp/server.json`: what is published to the MCP registry."""
    return JsonResponse(metadata.manifest(), headers=PUBLIC)


@require_safe
def jwks(_request: HttpRequest) -> JsonResponse:
    """`/.well-known/jwks.json`: the keys that check what this site signed, former ones too."""
    headers = PUBLIC | {"Cache-Control": "public, max-age=300"}
    return JsonResponse(
        {"keys": signing.public_keys()}, headers=headers, content_type="application/jwk-set+json"
    )
