"""A page for each operation: what it takes, what comes back, how it fails, and the call as curl, Python and MCP."""

import json
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import quote, urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.html import escape
from django.utils.safestring import SafeString

from config.docs import errors
from config.docs import pages as docs
from core.api.errors import NotFoundError
from core.api.links import absolute
from core.api.operations import MUTATING
from core.api.routes import all_routes
from core.methods import require_safe

DEEPEST = 3  # levels of the answer that are listed one by one
MOST_FIELDS = 80
SAMPLES = {"listing_id": 981, "milestone_id": 7, "claim_id": 12, "number": "PL-7K2M9QXA", "slug": "tidewell"}
OWN_SAMPLES = {"enter_programme": {"slug": "quiet-tools"}}  # a programme's name, not a listing's
SAMPLE_ID = "3f0d9a52-6a53-4a2e-9d7e-0a8f2f1c7b11"
COMMON = (
    (400, "invalid_request"),
    (401, "authentication_required"),
    (401, "invalid_token"),
    (403, "insufficient_scope"),
    (403, "account_suspended"),
    (404, "not_found"),
)
KEY = "$KEY"
TRIED_FIRST = "search_listings"


@dataclass(frozen=True, kw_only=True)
class AnswerField:
    name: str
    kind: str
    description: str


@dataclass(frozen=True, kw_only=True)
class Example:
    method: str
    path: str
    parts: Mapping[str, Any]
    query: Mapping[str, Any]
    body: Any
    key: str = ""

    @property
    def texts(self) -> dict[str, str]:
        return {
            name: str(value).lower() if isinstance(value, bool) else str(value)
            for name, value in self.query.items()
        }

    @property
    def url(self) -> str:
        path = self.path
        for name, value in self.parts.items():
            path = path.replace(f"{{{name}}}", quote(str(value), safe=""))
        return absolute(f"/api/v1{path}")


@dataclass(frozen=True, kw_only=True)
class Tried:
    """A value of the path or the query that the page lets its reader choose."""

    place: str
    name: str
    value: str


@lru_cache(maxsize=1)
def operations() -> dict[str, tuple[str, str, dict[str, Any]]]:
    """Method, path and description of each operation in the OpenAPI file, in its order there."""
    return {
        operation["operationId"]: (method.upper(), path, operation)
        for path, methods in docs.schema()["paths"].items()
        for method, operation in methods.items()
    }


def example_of(name: str) -> Example:
    """A call as the OpenAPI file shows it: the first example, with samples where a path has none."""
    method, path, operation = operations()[name]
    parameters = [entry for entry in operation.get("parameters", ()) if entry["in"] != "header"]
    example_title = next((title for entry in parameters for title in entry.get("examples", ())), None)
    result: dict[str, dict[str, Any]] = {"path": {}, "query": {}}
    samples = SAMPLES | OWN_SAMPLES.get(name, {})
    for entry in parameters:
        value = entry.get("examples", {}).get(example_title, {}).get("value") if example_title else None
        if value is None and entry["in"] == "path":
            value = samples.get(entry["name"], SAMPLE_ID)
        if value is not None:
            result[entry["in"]][entry["name"]] = value
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    body = next((entry["value"] for entry in content.get("examples", {}).values()), None)
    is_new = "201" in operation["responses"]  # a second try would make a second one
    key = f"my-{name.replace('_', '-')}" if is_new else ""
    return Example(method=method, path=path, parts=result["path"], query=result["query"], body=body, key=key)


def as_curl(call: Example, *, needs_key: bool) -> str:
    query = f"?{urlencode(call.texts)}" if call.query else ""
    verb = "" if call.method == "GET" else f" -X {call.method}"
    lines = [f"curl{verb} {shlex.quote(call.url + query)}"]
    if needs_key:
        lines.append(f'-H "Authorization: Bearer {KEY}"')
    if call.key:
        lines.append(f'-H "Idempotency-Key: {call.key}"')
    if call.body is not None:
        lines += [
            '-H "Content-Type: application/json"',
            f"-d {shlex.quote(json.dumps(call.body, ensure_ascii=False))}",
        ]
    return " \\\n  ".join(lines)


def as_python(call: Example, *, needs_key: bool) -> str:
    arguments = [json.dumps(call.url)]
    if call.query:
        arguments.append(f"params={call.texts!r}")
    sent = ["'Authorization': f'Bearer {key}'"] if needs_key else []
    sent += [f"'Idempotency-Key': {call.key!r}"] if call.key else []
    if sent:
        arguments.append(f"headers={{{', '.join(sent)}}}")
    if call.body is not None:
        arguments.append(f"json={call.body!r}")
    lines = ",\n    ".join(arguments)
    key = "import os\n\n" if needs_key else ""
    take = 'key = os.environ["KEY"]\n' if needs_key else ""
    return (
        f"{key}import httpx\n\n{take}answer = httpx.request(\n    {json.dumps(call.method)},\n    {lines},\n)\n"
        "answer.raise_for_status()\nprint(answer.json())"
    )


def as_tool_call(name: str, call: Example) -> str:
    key = {"idempotency_key": call.key} if call.key else {}
    arguments = {**call.parts, **call.query, **(call.body or {}), **key}
    message = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": name, "arguments": arguments},
    }
    return json.dumps(message, indent=2, ensure_ascii=False)


def success_of(operation: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    status, answer = next(
        (status, answer) for status, answer in operation["responses"].items() if status[0] == "2"
    )
    return status, answer["content"]["application/json"]


def fields_of(node: dict[str, Any], *, above: str = "", depth: int = 1) -> Iterator[AnswerField]:
    """The properties of an answer, those of its parts below them."""
    node = _inner(node)
    for name, schema in node.get("properties", {}).items():
        inner, mark = _inner(schema), "[]" if "items" in docs.resolved(schema) else ""
        path = f"{above}{name}"
        yield AnswerField(
            name=path,
            kind=docs.kind_of(
                {key: value for key, value in docs.resolved(schema).items() if key != "properties"}
            ),
            description=schema.get("description") or docs.resolved(schema).get("description", ""),
        )
        if depth < DEEPEST and inner.get("properties"):
            yield from fields_of(inner, above=f"{path}{mark}.", depth=depth + 1)


def _inner(node: dict[str, Any]) -> dict[str, Any]:
    """What stands in a list, or behind a reference that may be null."""
    node = docs.resolved(node)
    for choice in (*node.get("anyOf", ()), *node.get("oneOf", ()), *node.get("allOf", ())):
        if choice.get("type") != "null":
            return _inner(choice)
    return _inner(node["items"]) if node.get("items") else node


def failures_of(name: str, operation: Mapping[str, Any]) -> list[tuple[int, str, str]]:
    route = next(route for route in all_routes() if route.spec.name == name)
    area = route.view.__module__.partition(".")[0]
    common = [code for status, code in COMMON if str(status) in operation["responses"]]
    codes = dict.fromkeys([*common, *route.spec.codes])
    kinds = [kind for code in codes if (kind := errors.kind_of(code, area=area))]
    return sorted(((kind.status, kind.code, kind.title) for kind in kinds), key=lambda row: row[0])


def as_content(text: str) -> SafeString:
    """A text as what an element holds, where a quotation mark stands for itself: JSON has hundreds of them."""
    return SafeString(escape(text).replace("&quot;", '"'))


def tried(call: Example, *, operation: Mapping[str, Any]) -> list[Tried]:
    """What the form of the page asks for, with the example's values."""
    values = {"path": {name: str(value) for name, value in call.parts.items()}, "query": call.texts}
    return [
        Tried(place=entry["in"], name=entry["name"], value=values[entry["in"]].get(entry["name"], ""))
        for entry in operation.get("parameters", ())
        if entry["in"] in values
    ]


@require_safe
def try_it(request: HttpRequest) -> HttpResponse:
    """`/docs/try`: the form of a read that needs no key; the other operations are in the list beside it."""
    return redirect(f"/docs/operations/{TRIED_FIRST}#try")


@require_safe
def page(request: HttpRequest, name: str) -> HttpResponse:
    if name not in operations():
        raise NotFoundError("There is no such operation.")
    method, _, operation = operations()[name]
    entry = next(row for _, _, rows in docs.documented() for row in rows if row.name == name)
    status, content = success_of(operation)
    example = next(iter(content.get("examples", {}).values()), None)
    answer = example and docs.schema()["components"]["examples"][example["$ref"].rpartition("/")[2]]["value"]
    fields = list(fields_of(content["schema"]))
    call, needs_key, names = example_of(name), bool(entry.scopes), list(operations())
    place = names.index(name)
    context = {
        "entry": entry,
        "groups": [(title, rows) for title, _, rows in docs.documented()],
        "calls": [
            ("curl", as_curl(call, needs_key=needs_key)),
            ("Python", as_python(call, needs_key=needs_key)),
            ("MCP", as_tool_call(name, call)),
        ],
        "tried": tried(call, operation=operation),
        "sent": json.dumps(call.body, indent=2, ensure_ascii=False) if call.body is not None else "",
        "is_safe": method not in MUTATING,
        "status": status,
        "answer": as_content(json.dumps(answer, indent=2, ensure_ascii=False)) if answer else "",
        "fields": fields[:MOST_FIELDS],
        "left_out": max(0, len(fields) - MOST_FIELDS),
        "failures": failures_of(name, operation),
        "before": names[place - 1] if place else "",
        "after": names[place + 1] if place + 1 < len(names) else "",
    }
    return render(request, "docs/operation_page.html", context)
