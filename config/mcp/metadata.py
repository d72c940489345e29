"""Who the server says it is: to clients, and to the MCP registry."""

from typing import Any

from django.conf import settings

from core.api.links import absolute
from core.fetch import split_url

VERSION = "1.0.0"
REGISTRY_SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
PURPOSE = (
    "A directory of product launches: search listings and founders, weeks and leaderboards; submit a product,"
    " edit it, claim it, order."
)
INSTRUCTIONS = (
    f"{PURPOSE} Reading needs no sign-in; the rest asks the person to sign in. A draft is written from the"
    " product's website and every value carries its source: what is not found stays blank, so never make it"
    " up. The billboard leaderboard is paid: always say so. You cannot vote, and you cannot pay: hand"
    " checkout_url to the person. Follow next_actions; leave optional arguments out rather than sending null."
)


def server_info() -> dict[str, Any]:
    return {
        "name": "launch-directory",
        "title": settings.SITE_NAME,
        "version": VERSION,
        "websiteUrl": absolute("/"),
        "description": PURPOSE,
    }


def manifest() -> dict[str, Any]:
    """`/.well-known/mcp/server.json`, in the registry's format; the name is our host turned round."""
    host = split_url(absolute("/")).hostname or "localhost"
    return {
        "$schema": REGISTRY_SCHEMA,
        "name": ".".join(reversed(host.split("."))) + "/launch-directory",
        "title": settings.SITE_NAME,
        "description": "Search, submit, edit, claim and order listings of a product launch directory.",
        "version": VERSION,
        "websiteUrl": absolute("/docs/mcp"),
        "remotes": [{"type": "streamable-http", "url": absolute("/mcp")}],
    }
