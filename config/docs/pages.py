"""The OpenAPI file and the documentation pages, all served by us."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt
from drf_spectacular.generators import SchemaGenerator

from config.docs.document import GROUPS
from core.api import throttling
from core.api.bodies import dumps
from core.api.caching import fresh
from core.api.handler import MethodNotAllowedError, respond
from core.api.links import absolute
from core.methods import require_safe

NEWS = Path(__file__).parent / "news.md"
UNITS = ((86_400, "a day"), (3600, "an hour"), (60, "a minute"), (1, "a second"))
FORMATS = {"uuid": "UUID", "date": "date (YYYY-MM-DD)", "email": "e-mail address"}
RECIPES = json.loads(
    Path(__file__).with_name("recipes.json").read_text(encoding="utf-8")
)  # titles with their steps


@lru_cache(maxsize=1)
def schema() -> dict[str, Any]:
    """The OpenAPI 3.1 document, built once a process."""
    return SchemaGenerator().get_schema(request=None, public=True)


@lru_cache(maxsize=1)
def schema_bytes() -> bytes:
    return dumps(schema())


@csrf_exempt  # as all of the API: what is no read is 405 there, not a page about cookies
def openapi(request: HttpRequest) -> HttpResponse:
    if request.method not in {"GET", "HEAD"}:
        detail = "This method is not offered at this address."
        return respond(MethodNotAllowedError(detail, headers={"Allow": "GET, HEAD"}), request=request)
    headers = {"Cache-Control": "public, max-age=300", "Access-Control-Allow-Origin": "*"}
    return fresh(request, schema_bytes(), media_type="application/json", headers=headers)


openapi.offers = ("get",)  # type: ignore[attr-defined]  # what OPTIONS offers


@dataclass(frozen=True, kw_only=True)
class Input:
    name: str
    place: str
    kind: str
    required: bool
    description: str


@dataclass(frozen=True, kw_only=True)
class Documented:
    name: str
    method: str
    path: str
    summary: str
    description: str
    scopes: list[str]
    inputs: list[Input]
    answers: list[tuple[str, str]]


def resolved(node: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in node:
        *_, kind, name = node["$ref"].split("/")
        node = schema()["components"][kind][name]
    return node


def kind_of(node: dict[str, Any]) -> str:
    if choices := node.get("allOf") or node.get("oneOf") or node.get("anyOf"):
        return " or ".join(dict.fromkeys(kind_of(choice) for choice in choices))
    node = resolved(node)
    kinds = node.get("type", "any")
    words = " or ".join(kinds) if isinstance(kinds, list) else str(kinds)
    if "array" in words:
        words = words.replace("array", f"array of {kind_of(node.get('items', {}))}")
    if "enum" in node:
        words = "one of " + ", ".join(str(value) for value in node["enum"] if value is not None)
    if node.get("format") in FORMATS:
        words = words.replace("string", FORMATS[node["format"]])
    if node.get("properties"):
        words += " with " + ", ".join(node["properties"])
    bounds = (
        ("minLength", "at least {} characters"),
        ("maxLength", "at most {} characters"),
        ("minimum", "from {}"),
        ("maximum", "to {}"),
        ("minItems", "at least {} items"),
        ("maxItems", "at most {} items"),
        ("default", "default {}"),
    )
    parts = [words, *(text.format(node[name]) for name, text in bounds if name in node)]
    return ", ".join(parts).replace("at least 1 characters", "not empty")


def inputs_of(operation: dict[str, Any]) -> Iterator[Input]:
    """What an operation takes: path, query, headers, then the body's properties."""
    for parameter in operation.get("parameters", ()):
        yield Input(
            name=parameter["name"],
            place=parameter["in"],
            kind=kind_of(parameter["schema"]),
            required=parameter.get("required", False),
            description=parameter.get("description", ""),
        )
    content = operation.get("requestBody", {}).get("content", {}).get("application/json")
    body = resolved(content["schema"]) if content else {}
    for name, node in body.get("properties", {}).items():
        yield Input(
            name=name,
            place="body",
            kind=kind_of(node),
            required=name in body.get("required", ()),
            description=node.get("description", ""),
        )


@lru_cache(maxsize=1)
def documented() -> list[tuple[str, str, list[Documented]]]:
    result: dict[str, list[Documented]] = {name: [] for name in GROUPS}
    for path, methods in schema()["paths"].items():
        for method, operation in methods.items():
            scopes = [scope for way in operation.get("security", ()) for scope in way.get("oauth2", ())]
            entry = Documented(
                name=operation["operationId"],
                method=method.upper(),
                path=path,
                summary=operation.get("summary", ""),
                description=operation.get("description", "")
                .removeprefix(operation.get("summary", ""))
                .strip(),
                scopes=list(dict.fromkeys(scopes)),
                inputs=list(inputs_of(operation)),
                answers=[
                    (code, resolved(answer)["description"]) for code, answer in operation["responses"].items()
                ],
            )
            result.setdefault(operation["tags"][0], []).append(entry)
    return [(*GROUPS.get(tag, (tag.capitalize(), "")), rows) for tag, rows in result.items() if rows]


def recipes() -> list[tuple[str, list[tuple[str, str]]]]:
    """The recipes whose every step is on offer."""
    existing = {entry.name for _, _, rows in documented() for entry in rows}
    return [(title, steps) for title, steps in RECIPES if {name for name, _ in steps} <= existing]


def in_words(seconds: int) -> str:
    """A length of time in its largest whole unit: 3600 is an hour."""
    size, unit = next((size, unit) for size, unit in UNITS if seconds % size == 0)
    return unit if seconds == size else f"{seconds // size} {unit.split()[1]}s"


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    limits = [
        (policy, throttling.allowed(policy), policy.counts, in_words(policy.seconds))
        for policy in throttling.POLICIES.values()
    ]
    context = {
        "groups": documented(),
        "base": absolute("/api/v1"),
        "openapi_url": absolute("/api/v1/openapi.json"),
        "mcp_url": absolute("/mcp"),
        "metadata_url": absolute("/.well-known/oauth-protected-resource/mcp"),
        "version": schema()["info"]["version"],
        "limits": limits,
        "recipes": recipes(),
        "scopes": list(settings.OAUTH2_PROVIDER["SCOPES"].items()),
    }
    return render(request, "docs/docs.html", context)


@require_safe
def changes(request: HttpRequest) -> HttpResponse:
    text = NEWS.read_text(encoding="utf-8")
    return render(request, "docs/changes.html", {"text": text, "version": settings.VERSION})
