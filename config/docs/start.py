"""The quick starts, ready to be copied: in a shell, in Python, in a generated client and in an MCP client."""

import re
from functools import cache
from pathlib import Path

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from config.mcp.pages import KEY, clients
from core.api.links import absolute

SAMPLES = Path(__file__).with_name("samples.md")
SAMPLE = re.compile(r"^## (\w+): ([^\n]+)\n\n```\w+\n(.*?)\n```$", re.MULTILINE | re.DOTALL)


@cache
def samples() -> list[tuple[str, str, str]]:
    """Part, language and text of each."""
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
