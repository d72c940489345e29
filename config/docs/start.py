"""The quick starts, ready to be copied: the main job by shell, Python, a generated client or MCP; events; ballots."""

import re
from functools import cache
from pathlib import Path

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from config.mcp.pages import KEY, clients
from core import event_types
from core.api.links import absolute
from core.methods import require_safe

SAMPLES = Path(__file__).with_name("samples.md")
SAMPLE = re.compile(r"^## (\w+): ([^\n]+)\n\n```\w+\n(.*?)\n```$", re.MULTILINE | re.DOTALL)
RECEIVERS = Path(__file__).parent / "receivers"
CHECK = Path(__file__).parent / "checks" / "check_ballots.py"
FETCH = """curl -O {base}/weeks/2026-11-16/ballots.ndjson.gz
curl -o jwks.json {base}/.well-known/jwks.json
pip install cryptography
python check_ballots.py ballots.ndjson.gz jwks.json"""
EXAMPLE = """POST /events HTTP/1.1
Content-Type: application/json
webhook-id: msg_6f1c0a5be2f54d0f8a3b1d2c4e5f6071
webhook-timestamp: 1795392000
webhook-signature: v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=

{"type": "draft.ready", "timestamp": "2026-11-23T00:00:00Z", "data": {"id": "3f6c1f0e-…", "status": "ready", …}}"""
LISTS = {
    "draft": "list_my_drafts",
    "listing": "list_my_listings",
    "claim": "list_my_claims",
    "order": "list_my_orders",
}


@cache
def samples() -> list[tuple[str, str, str]]:
    return SAMPLE.findall(SAMPLES.read_text(encoding="utf-8"))


def filled(part: str) -> list[tuple[str, str]]:
    """Language and text of each way, with the addresses of this installation."""
    base = absolute("/api/v1")
    return [
        (name, text.replace("{base}", base).replace("{key}", KEY))
        for of, name, text in samples()
        if of == part
    ]


@require_safe
def start(request: HttpRequest) -> HttpResponse:
    url = absolute("/mcp")
    connect = [(client["name"], client["sign_in"]) for client in clients(url) if "sign_in" in client]
    parts = [
        ("read", "Read", "Reading needs no key. This finds three products that fit a word.", filled("read")),
        (
            "draft",
            "Get a draft of your product",
            "This needs a key. The draft is written from the website, takes about a minute, and is seen by you alone.",
            filled("draft"),
        ),
        (
            "client",
            "A typed client",
            "The OpenAPI file compiles into clients that know every operation and shape.",
            filled("client"),
        ),
        (
            "agent",
            "Connect an agent",
            "Every operation is also a tool of the MCP server. Your agent signs you in; you choose what it may do.",
            connect,
        ),
    ]
    return render(request, "docs/start.html", {"parts": parts, "mcp_url": url})


@require_safe
def events(request: HttpRequest) -> HttpResponse:
    types = [
        (name, kind.words, LISTS.get(name.partition(".")[0], "list_awards"))
        for name, kind in sorted(event_types.TYPES.items())
    ]
    receivers = [
        (language, (RECEIVERS / name).read_text(encoding="utf-8").strip())
        for language, name in (("Python", "receiver.py"), ("TypeScript", "receiver.ts"))
    ]
    return render(request, "docs/events.html", {"types": types, "receivers": receivers, "example": EXAMPLE})


@require_safe
def votes(request: HttpRequest) -> HttpResponse:
    """The file, the chain, the signature, and a program that counts."""
    text = CHECK.read_text(encoding="utf-8").strip()
    return render(request, "docs/votes.html", {"check": text, "fetch": FETCH.format(base=absolute(""))})
