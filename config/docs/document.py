"""What the OpenAPI file says beyond the operations' declarations: itself, its headers, its examples."""

import json
from pathlib import Path
from typing import Any

from django.conf import settings
from drf_spectacular.plumbing import build_examples_list
from drf_spectacular.utils import OpenApiExample

from config.docs.errors import error_codes
from core.api.links import absolute
from core.api.operations import MUTATING
from core.api.pagination import PageIn
from core.api.routes import Route, all_routes
from directory.facts import FACTS

GROUPS = {
    "public": ("Public", "Reading the directory. No key is needed; one is accepted."),
    "account": ("Account", "Who you are, and your own listings."),
    "drafts": ("Drafts", "From a website to a listing."),
    "claims": ("Claims", "Showing that a listing is yours."),
    "Trophies": ("Trophies", "Awards that prove themselves, cabinets, the Hall of Fame, programmes."),
    "orders": ("Orders", "Prices and checkout links. A person pays, never a program."),
}
# Answers of a running service, cut to one entry a list. tests/contract/test_document.py holds them against the schemas.
EXAMPLES = Path(__file__).with_name("examples.json")
# Calls by operation and title, each with values of its path, its query and its body.
CALLS = json.loads(Path(__file__).with_name("calls.json").read_text())
ABOUT = """A directory of product launches: search listings, founders and launch weeks; submit a product by its website,
edit the draft that is written from it, launch it, claim a listing, prepare an order.

- Reading is open to everybody. The rest takes an API key (`Authorization: Bearer plk_…`) or an OAuth 2.1 access token.
- Request bodies refuse properties they do not know. Query parameters that are not known are ignored; tools of the MCP
  server, which are these operations, refuse them. An empty text that may be left out counts as left out.
- Answers may gain properties, and lists of words may grow: `x-extensible-enum` names those known today.
- Errors are problem objects (RFC 9457) whose `code` is stable. Every code is explained at {errors}.
- `next_actions` names the operations that make sense next, each with the reason.
- A mutating call with an `Idempotency-Key` may be sent again safely for 24 hours.
- Community ranks come from people's votes alone. The billboard is a paid ranking and has to be shown as paid.
"""
HEADERS = {
    "X-Request-Id": ("string", "This call's id; quote it when you write to us."),
    "RateLimit-Policy": ("string", "How many calls a caller may make in which time, by policy."),
    "RateLimit": ("string", "How many are left, and in how many seconds more come."),
    "Retry-After": ("integer", "Seconds to wait before asking again."),
    "ETag": ("string", "The answer's version; send it as If-None-Match and get 304 while it stands."),
    "Age": (
        "integer",
        "How many seconds ago the answer was made, when it was cached; counters in it may be as old.",
    ),
    "Link": ("string", "The next and the previous page (RFC 8288)."),
    "Location": ("string", "The address of what was made."),
    "Idempotent-Replayed": ("string", "true: this is the stored answer to the first call with this key."),
    "WWW-Authenticate": ("string", "How to sign in, and which scope is needed (RFC 6750, RFC 9728)."),
}
METHODS = ("get", "put", "post", "patch", "delete")
ALWAYS = ("X-Request-Id", "RateLimit-Policy", "RateLimit")
REFUSALS = {
    "400": ("InvalidRequest", "invalid_request"),
    "401": ("NotAuthenticated", "authentication_required"),
    "403": ("AccessRefused", "insufficient_scope"),
    "404": ("NotFound", "not_found"),
    "429": ("TooManyRequests", "rate_limited"),
}
OF_REFUSALS = {"401": ("WWW-Authenticate",), "403": ("WWW-Authenticate",), "429": ("Retry-After",)}


def complete(*, result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Spectacular's hook: the document with everything that no declaration holds."""
    result["info"] |= {
        "summary": "Product launches: listings, launch weeks, drafts, claims and orders.",
        "description": ABOUT.format(errors=absolute("/docs/errors")),
        "contact": {"name": settings.SITE_NAME, "url": absolute("/docs")},
        **_terms(),
    }
    result["tags"] = [{"name": tag, "description": words} for tag, (_, words) in GROUPS.items()]
    result["components"]["headers"] = {
        name: {"description": words, "schema": {"type": kind}} for name, (kind, words) in HEADERS.items()
    }
    result["components"]["schemas"]["Problem"]["properties"]["code"]["x-extensible-enum"] = error_codes()
    result["paths"] = {path: _in_order(methods) for path, methods in result["paths"].items()}
    for route in all_routes():
        _add_headers(result["paths"][route.path][route.method.lower()]["responses"], route=route)
    _add_calls(result)
    _add_examples(result)
    _share_refusals(result)
    return result


def _terms() -> dict[str, Any]:
    """The terms and the licence that the operator set; an address, or a name of SPDX's list."""
    named, terms = settings.API_LICENSE, settings.TERMS_URL
    fields: dict[str, Any] = {"termsOfService": terms} if terms else {}
    if named.startswith("https://"):
        fields["license"] = {"name": "Licence of this API", "url": named}
    elif named:
        fields["license"] = {"name": named, "identifier": named}
    return fields


def _in_order(methods: dict[str, Any]) -> dict[str, Any]:
    """The methods of a path in one order, so that every process writes the same bytes."""
    return {method: methods[method] for method in METHODS if method in methods}


def _add_headers(answers: dict[str, Any], *, route: Route) -> None:
    spec = route.spec
    own = list(spec.returns.sends)
    own += ["ETag", "Age"] if spec.cache else []
    own += ["Link"] if spec.paged or (spec.query and issubclass(spec.query, PageIn)) else []
    own += ["Location"] if spec.location else []
    own += ["Idempotent-Replayed"] if route.method in MUTATING and spec.keyed else []
    for status, answer in answers.items():
        names = (*ALWAYS, *(own if status == str(spec.status) else OF_REFUSALS.get(status, ())))
        answer["headers"] = {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def _add_calls(document: dict[str, Any]) -> None:
    """To each parameter and body its values in the calls of the operation."""
    operations = [operation for methods in document["paths"].values() for operation in methods.values()]
    for operation in operations:
        calls = CALLS.get(operation["operationId"], {})
        for parameter in operation.get("parameters", ()):
            values = {title: call.get(parameter["in"], {}) for title, call in calls.items()}
            rows = {
                title: row[parameter["name"]] for title, row in values.items() if parameter["name"] in row
            }
            _put_examples(parameter, rows)
        for content in operation.get("requestBody", {}).get("content", {}).values():
            _put_examples(content, {title: call["body"] for title, call in calls.items() if "body" in call})


def _put_examples(node: dict[str, Any], values: dict[str, Any]) -> None:
    if values:
        rows = [OpenApiExample(title, value=value) for title, value in values.items()]
        node["examples"] = build_examples_list(rows)


def _add_examples(document: dict[str, Any]) -> None:
    """To each success answer its operation's example, or that of another of the same shape; and its shape's words."""
    text = EXAMPLES.read_text().replace("{site}", settings.SITE_URL)
    examples = document["components"]["examples"] = {
        name: {"summary": "What it may answer", "value": _whole(value)}
        for name, value in json.loads(text).items()
    }
    successes = [
        (operation["operationId"], answer, answer["content"]["application/json"])
        for methods in document["paths"].values()
        for operation in methods.values()
        for status, answer in operation["responses"].items()
        if status[0] == "2"
    ]
    by_shape = {
        content["schema"]["$ref"]: name
        for name, _, content in sorted(successes, key=lambda row: (row[0].startswith("get_"), row[0]))
        if name in examples
    }
    for name, answer, content in successes:
        shape = content["schema"]["$ref"]
        chosen = name if name in examples else by_shape.get(shape)
        answer["description"] = document["components"]["schemas"][shape.rpartition("/")[2]]["description"]
        if chosen:
            content["examples"] = {chosen: {"$ref": f"#/components/examples/{chosen}"}}


def _whole(value: dict[str, Any]) -> dict[str, Any]:
    """An answer with every fact: those that a draft's example leaves out are blank in it."""
    fields = value.get("fields")
    if not isinstance(fields, dict):
        return value
    blank = {
        **dict.fromkeys(("ai_value", "confidence", "value")),
        "evidence": [],
        "suggestions": [],
        "locked": False,
        "state": "not_found",
        "updated_by": "ai",
        "reason": "not_on_site" if fields else None,
        "updated_at": value["updated_at"],
    }
    return value | {"fields": dict.fromkeys(FACTS, blank) | fields}


def _share_refusals(document: dict[str, Any]) -> None:
    """A refusal of a status is the same for all operations: it stands once, with an example."""
    shared = document["components"]["responses"] = {}
    for methods in document["paths"].values():
        for answers in (operation["responses"] for operation in methods.values()):
            for status in REFUSALS.keys() & answers.keys():
                name, example = REFUSALS[status]
                shared[name] = answers[status]
                (content,) = answers[status]["content"].values()
                content["examples"] = {example: {"$ref": f"#/components/examples/{example}"}}
                answers[status] = {"$ref": f"#/components/responses/{name}"}
    document["components"]["responses"] = dict(sorted(shared.items()))
