"""Holds every answer against its OpenAPI schema, closed: what the schema does not name may not be there."""

import re
from functools import cache
from typing import Any

from django.urls import Resolver404, resolve
from jsonschema import Draft202012Validator, FormatChecker

from config.docs.pages import schema
from core.api.routes import all_routes

FORMATS = FormatChecker(formats=())
PATTERNS = {
    "date-time": r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z",
    "date": r"\d{4}-\d{2}-\d{2}",
    "uuid": r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
    "uri": r"https?://\S+",
}
for name, pattern in PATTERNS.items():
    FORMATS.checks(name)(
        lambda value, known=re.compile(pattern): not isinstance(value, str) or bool(known.fullmatch(value))
    )


def closed(node: Any) -> Any:
    """The schema with objects that allow nothing but what they name."""
    if isinstance(node, list):
        return [closed(inner) for inner in node]
    if not isinstance(node, dict):
        return node
    found = {key: closed(inner) for key, inner in node.items()}
    if isinstance(found.get("properties"), dict) and found.get("type") == "object":
        found.setdefault("additionalProperties", False)
    return found


@cache
def document() -> dict[str, Any]:
    """The OpenAPI file with closed answers."""
    return closed(schema())


def dereferenced(answer: dict[str, Any]) -> dict[str, Any]:
    """An answer of an operation, or the shared one that it names."""
    name = answer.get("$ref", "").rpartition("/")[2]
    return document()["components"]["responses"][name] if name else answer


@cache
def answers(operation: str) -> dict[str, Any]:
    """The answers that an operation's schema names, by status."""
    route = next(route for route in all_routes() if route.spec.name == operation)
    named: dict[str, Any] = document()["paths"][route.path][route.method.lower()]["responses"]
    return named


@cache
def validator(*, operation: str, status: int) -> Draft202012Validator:
    """What an operation's answer with this status must be."""
    content = dereferenced(answers(operation)[str(status)])["content"]
    (media_type,) = content
    return Draft202012Validator(
        {**content[media_type]["schema"], "components": document()["components"]}, format_checker=FORMATS
    )


def operation_at(*, method: str, path: str) -> str | None:
    """The operation that an address and method reach."""
    try:
        view = resolve(path.partition("?")[0]).func
    except Resolver404:
        return None
    return getattr(view, "actions", {}).get(method.lower())


def check(*, method: str, path: str, response: Any) -> None:
    """Fail unless an answer of an operation is what its schema says, a refusal that it names included."""
    operation = operation_at(method=method, path=path)
    if operation is None:
        return
    is_success = 200 <= response.status_code < 300
    if not is_success and str(response.status_code) not in answers(operation):
        return  # what HTTP itself demands, a wrong credential of a public read, a fault
    faults = [
        f"{fault.json_path}: {fault.message[:300]}"
        for fault in validator(operation=operation, status=response.status_code).iter_errors(response.json())
    ]
    assert not faults, f"{operation} answers otherwise than its schema says: {faults[:5]}"
