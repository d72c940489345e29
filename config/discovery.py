"""What programs look for at fixed addresses: llms.txt, security.txt, the registry's manifest."""

from collections.abc import Iterator
from datetime import UTC, timedelta

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from config.mcp import metadata
from config.mcp.tools import catalogue
from core import signing
from core.api.links import absolute

PUBLIC = {"Cache-Control": "public, max-age=3600", "Access-Control-Allow-Origin": "*"}
TEXT = "text/plain; charset=utf-8"
VALID = timedelta(days=180)


def llms_lines() -> Iterator[str]:
    """The file in the form of llmstxt.org: a title, a summary, lists of links."""
    yield f"# {settings.SITE_NAME}"
    yield f"\n> {metadata.PURPOSE}"
    yield "\nCommunity ranks come from people's votes alone; nobody can vote through the API. The billboard is a paid"
    yield "ranking and has to be shown as paid. Facts come from each product's own website and carry their source;"
    yield "what is not there is left blank. Payment is made by a person on our checkout page."
    yield "\n## Programs"
    yield f"- [MCP server]({absolute('/mcp')}): Streamable HTTP, every operation as a tool"
    yield f"- [How to connect]({absolute('/docs/mcp')}): by signing in (OAuth 2.1) or with an API key"
    yield f"- [OpenAPI 3.1]({absolute('/api/v1/openapi.json')}): the REST API under {absolute('/api/v1')}"
    yield f"- [Quick start]({absolute('/docs/start')}): with curl, Python or an MCP client"
    yield f"- [API documentation]({absolute('/docs')}): operations, limits, recipes"
    yield f"- [Events]({absolute('/docs/events')}): webhooks, so that nobody has to poll"
    yield f"- [Check the votes]({absolute('/docs/votes')}): the ballots of each closed week, chained and signed"
    yield f"- [Open data]({absolute('/data')}): listings, categories, weeks and awards as NDJSON and CSV, each night"
    yield f"- [Error codes]({absolute('/docs/errors')}): what each refusal means"
    yield f"- [Pages as Markdown]({absolute('/index.md')}): any public page with `.md`, or `Accept: text/markdown`"
    yield "\n## Operations"
    for tool in catalogue().values():
        needs = f" Needs {tool.scopes[0]}." if tool.scopes else ""
        yield f"- [{tool.name}]({absolute(f'/docs/mcp/{tool.name}')}): {tool.summary}{needs}"
    yield "\n## People"
    yield f"- [How ranking works]({absolute('/how-ranking-works')})"
    yield f"- [How drafts are written]({absolute('/how-drafts-are-written')})"
    yield f"- [Our crawler]({absolute('/crawler')})"


@require_safe
def llms(_request: HttpRequest) -> HttpResponse:
    return HttpResponse("\n".join(llms_lines()) + "\n", content_type=TEXT, headers=PUBLIC)


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
