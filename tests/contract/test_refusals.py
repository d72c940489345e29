"""Every bound of the interface is kept, and every refusal has the shape and status the interface gives it."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from django.test import Client

from core.api.routes import all_routes
from core.models import Job
from directory.models import Site
from tests.conftest import Api
from tests.contract.interface import INTERFACE
from tests.contract.shapes import Row

HERE = [INTERFACE[route.spec.name] for route in all_routes()]
PARTS = {
    "slug": "tidewell",
    "week": "this",
    "board": "billboard",
    "id": "0" * 8 + "-0000-4000-8000-" + "0" * 12,
}
UNKNOWN_ID = "9223372036854775807"
NAMES_NOTHING = ("nobody", "No!", "a" * 221, "%00", "0", "-1", "9" * 30, "..", "%F0%9F%A6%8A")
SIGNED_IN = [row for row in HERE if row.scope]
NOT_OF_BOUNDS = {"listing_unknown", "same_listing", "invalid_week", "not_applicable"}
OF_PARAMETER = frozenset({"code", "parameter", "message", "limit"})
OF_BODY = frozenset({"code", "pointer", "message", "limit"})
PROBLEM = {"type", "title", "status", "code", "detail", "instance", "request_id", "errors"}


def url(row: Row, **query: Any) -> str:
    """An operation's address with placeholders in its path."""
    path = row.path
    for name in row.parts:
        path = path.replace("{" + name + "}", quote(PARTS.get(name, UNKNOWN_ID)))
    return f"/api/v1{path}" + (f"?{urlencode(query)}" if query else "")


def call(api: Api, row: Row, *, scope: str | None, body: Any = None, **query: Any) -> Any:
    """The answer to a call of an operation."""
    caller = api(scope)
    address = url(row, **query)
    send = getattr(caller, row.method.lower())
    return send(address) if row.method == "GET" else send(address, body)


def breaches_of(schema: Mapping[str, Any]) -> Iterator[tuple[Any, int | None]]:
    """Values that break a parameter's schema, with the limit they break."""
    if limit := schema.get("maxLength"):
        yield "a" * (limit + 1), limit
    if "enum" in schema or schema.get("type") in {"integer", "boolean"}:
        yield "", None  # an empty text that may be left out counts as left out
    if "pattern" in schema:
        yield "!", None
        yield "ß", None  # two letters once it is upper-case
        yield "a" * 221, schema.get("maxLength") and limit
    if schema.get("type") == "integer":
        yield "one", None
        yield schema["minimum"] - 1, schema["minimum"]
        if "maximum" in schema:
            yield schema["maximum"] + 1, schema["maximum"]
    if "enum" in schema:
        yield "nonsense", None
    if schema.get("type") == "boolean":
        yield "perhaps", None


@pytest.mark.parametrize("row", [row for row in HERE if row.query], ids=lambda row: row.id)
def test_query_values_beyond_their_bounds_are_named(api: Api, site: Site, row: Row) -> None:
    caller = api("all" if row.scope else None)
    needed = dict.fromkeys(row.required, "tidewell")
    breaches = [(name, *breach) for name, schema in row.query.items() for breach in breaches_of(schema)]

    for name, value, limit in breaches:
        answer = caller.get(url(row, **{**needed, name: value}))
        body = answer.json()
        named = {error["parameter"]: error.get("limit") for error in body["errors"]}
        assert (answer.status_code, body["code"]) == (400, "invalid_request"), (name, value)
        assert name in named, value
        assert {frozenset(error) for error in body["errors"]} == {OF_PARAMETER}
        assert limit is None or named[name] == limit
    assert len(breaches) >= len(row.query)


def limits_of(schema: Mapping[str, Any]) -> Iterator[Any]:
    """The last values that a parameter's schema still takes."""
    if limit := schema.get("maxLength"):
        yield "a" * limit
    if "pattern" in schema:
        yield "de"
    if schema.get("type") == "integer":
        yield from filter(None, (schema["minimum"], schema.get("maximum")))
    if schema.get("type") == "boolean":
        yield from ("true", "false")
    yield from schema.get("enum", ())


@pytest.mark.parametrize("row", [row for row in HERE if row.query], ids=lambda row: row.id)
def test_query_values_at_their_bounds_are_taken(api: Api, site: Site, row: Row) -> None:
    caller = api("all" if row.scope else None)

    for name, schema in row.query.items():
        for value in limits_of(schema):
            answer = caller.get(url(row, **{**dict.fromkeys(row.required, "tidewell"), name: value}))
            refused = {error.get("parameter") for error in answer.json().get("errors", ())}
            codes = {error["code"] for error in answer.json().get("errors", ())}
            assert name not in refused or codes <= NOT_OF_BOUNDS, value


@pytest.mark.parametrize("row", [row for row in HERE if row.required], ids=lambda row: row.id)
def test_what_is_required_in_a_query_is_asked_for(api: Api, site: Site, row: Row) -> None:
    body = call(api, row, scope=None).json()

    assert {error["parameter"] for error in body["errors"]} == set(row.required)
    assert all(error["parameter"] in body["detail"] for error in body["errors"][:3])
    assert {error["code"] for error in body["errors"]} == {"required"}


@pytest.mark.parametrize("row", [row for row in HERE if "page" in row.query], ids=lambda row: row.id)
def test_unknown_query_parameters_are_left_alone(api: Api, site: Site, row: Row) -> None:
    answer = call(api, row, scope="all" if row.scope else None, utm_source="mail", page="2")

    assert answer.status_code in {200, 404}


@pytest.mark.parametrize(
    "row",
    [row for row in HERE if set(row.parts) & {"slug", "id", "listing_id", "claim_id"}],
    ids=lambda row: row.id,
)
def test_a_path_that_names_nothing_is_404(api: Api, site: Site, row: Row) -> None:
    caller = api("all")
    send = getattr(caller, row.method.lower())

    for part in NAMES_NOTHING:
        path = row.path
        for name in row.parts:
            path = path.replace("{" + name + "}", part)
        answer = send(f"/api/v1{path}") if row.method == "GET" else send(f"/api/v1{path}", smallest(row.body))
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found"), part
        assert answer["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize(("path", "name"), [("/launches/weeks/{}", "week"), ("/leaderboards/{}", "board")])
@pytest.mark.parametrize("value", ["sometime", "2026-13-01", "2026-W47-1", "20261123", "a" * 11])
def test_a_path_part_that_breaks_a_rule_is_400(
    api: Api, site: Site, path: str, name: str, value: str
) -> None:
    answer = api().get("/api/v1" + path.format(value))

    assert answer.status_code == 400
    assert [error["parameter"] for error in answer.json()["errors"]] == [name]


def smallest(schema: Mapping[str, Any] | None) -> Any:
    """The smallest value that a body's schema takes."""
    if schema is None:
        return None
    if schema["type"] == "object":
        return {name: smallest(schema["properties"][name]) for name in schema.get("required", ())}
    if schema["type"] == "array":
        return [smallest(schema["items"])] * schema.get("minItems", 0)
    if schema["type"] == "integer":
        return schema.get("minimum", 1)
    return {"date": "2026-11-18", "email": "ada@tidewell.example"}.get(
        schema.get("format", ""), "https://a.example"
    )


def body_breaches(schema: Mapping[str, Any], *, at: str = "") -> Iterator[tuple[str, Any, int | None]]:
    """Pointer, value and limit of everything that breaks a body's schema."""
    yield from BREAKING[schema["type"]](schema, at)


def object_breaches(schema: Mapping[str, Any], at: str) -> Iterator[tuple[str, Any, int | None]]:
    """Another type, an unknown property or one too many of any name, and what breaks the known ones."""
    yield at, ["text"], None
    if limit := schema.get("maxProperties"):
        yield at, {str(number): "x" for number in range(limit + 1)}, limit
    else:
        yield f"{at}/surprise", 1, None
    for name, inner in schema.get("properties", {}).items():
        yield from body_breaches(inner, at=f"{at}/{name}")


def array_breaches(schema: Mapping[str, Any], at: str) -> Iterator[tuple[str, Any, int | None]]:
    """Another type, one item too many, and what breaks an item."""
    yield at, {}, None
    if limit := schema.get("maxItems"):
        item = "tagline" if schema["items"]["type"] == "string" else smallest(schema["items"])
        yield at, [item] * (limit + 1), limit
    yield from body_breaches(schema["items"], at=f"{at}/0")


def string_breaches(schema: Mapping[str, Any], at: str) -> Iterator[tuple[str, Any, int | None]]:
    """Another type, one letter too many, another word."""
    yield at, 7, None
    if limit := schema.get("maxLength"):
        yield at, "https://a.example/" + "a" * (limit + 1), limit
    if "enum" in schema:
        yield at, "nonsense", None


def integer_breaches(schema: Mapping[str, Any], at: str) -> Iterator[tuple[str, Any, int | None]]:
    """Another type, one less."""
    yield at, "7", None
    yield at, True, None
    yield at, schema["minimum"] - 1, schema["minimum"]


BREAKING: dict[str, Callable[[Mapping[str, Any], str], Iterator[tuple[str, Any, int | None]]]] = {
    "object": object_breaches,
    "array": array_breaches,
    "string": string_breaches,
    "integer": integer_breaches,
}


def placed(schema: Mapping[str, Any], pointer: str, value: Any) -> Any:
    """The smallest body with a value put at a pointer."""
    steps = pointer.split("/")[1:]
    if not steps:
        return value
    first, rest = steps[0], "".join(f"/{step}" for step in steps[1:])
    if schema["type"] == "array":
        return [placed(schema["items"], rest, value)]
    inner = schema.get("properties", {}).get(first, {"type": "string"})
    return {**smallest(schema), first: placed(inner, rest, value)}


@pytest.mark.parametrize("row", [row for row in HERE if row.body], ids=lambda row: row.id)
def test_body_values_beyond_their_bounds_are_named(api: Api, site: Site, row: Row) -> None:
    assert row.body is not None
    caller = api("all")
    send = getattr(caller, row.method.lower())
    breaches = list(body_breaches(row.body))

    for pointer, value, limit in breaches:
        answer = send(url(row), placed(row.body, pointer, value))
        body = answer.json()
        named = {error["pointer"]: error.get("limit") for error in body["errors"]}
        assert (answer.status_code, body["code"]) == (400, "invalid_request"), (pointer, value)
        assert pointer in named, value
        assert {frozenset(error) for error in body["errors"]} == {OF_BODY}
        assert named[pointer] in {None, limit}
    assert len(breaches) > len(row.body["properties"])
    assert Job.objects.count() == 0


@pytest.mark.parametrize(
    "row", [row for row in HERE if row.body and row.body["required"]], ids=lambda row: row.id
)
def test_what_is_required_in_a_body_is_asked_for(api: Api, site: Site, row: Row) -> None:
    body = call(api, row, scope="all", body={}).json()

    assert {error["pointer"] for error in body["errors"]} == {f"/{name}" for name in row.body["required"]}
    assert all(error["pointer"] in body["detail"] for error in body["errors"][:3])


@pytest.mark.parametrize("row", SIGNED_IN, ids=lambda row: row.id)
def test_without_a_credential_it_is_401_with_a_challenge(api: Api, site: Site, row: Row) -> None:
    answer = call(api, row, scope=None, body={})

    assert (answer.status_code, answer.json()["code"]) == (401, "authentication_required")
    assert "/.well-known/oauth-protected-resource/api/v1" in answer["WWW-Authenticate"]


@pytest.mark.parametrize("row", SIGNED_IN, ids=lambda row: row.id)
def test_with_other_scopes_it_is_403_naming_the_one(api: Api, site: Site, row: Row) -> None:
    others = {"account:read", "listings:write", "orders:write"} - set(row.scope)
    answer = call(api, row, scope=" ".join(sorted(others)), body={})

    assert (answer.status_code, answer.json()["code"]) == (403, "insufficient_scope")
    assert answer.json()["required_scope"] in row.scope
    assert 'error="insufficient_scope"' in answer["WWW-Authenticate"]


@pytest.mark.parametrize("row", HERE, ids=lambda row: row.id)
def test_a_wrong_credential_is_never_anonymous(api: Api, site: Site, row: Row) -> None:
    caller = api()
    send = getattr(caller.client, row.method.lower())
    answer = send(url(row), headers={"Authorization": "Bearer plk_wrong"})

    assert (answer.status_code, answer.json()["code"]) == (401, "invalid_token")


@pytest.mark.parametrize("row", HERE, ids=lambda row: row.id)
def test_other_methods_are_405_with_what_is_allowed(api: Api, site: Site, row: Row) -> None:
    answer = api("all").client.generic("TRACE", url(row))

    assert answer.status_code == 405
    assert row.method in answer["Allow"]


@pytest.mark.parametrize("row", HERE, ids=lambda row: row.id)
def test_an_accept_header_without_json_is_406(api: Api, site: Site, row: Row) -> None:
    send = getattr(api("all"), row.method.lower())
    answer = send(url(row), Accept="text/csv")

    assert (answer.status_code, answer.json()["code"]) == (406, "not_acceptable")


def test_a_refusal_is_a_problem_object_with_the_request_id(api: Api, site: Site) -> None:
    answer = api().get("/api/v1/listings/nobody", X_Request_Id="asked-by-a-test")
    body = answer.json()

    assert set(body) == PROBLEM
    assert (body["status"], body["instance"]) == (404, "/api/v1/listings/nobody")
    assert body["request_id"] == answer["X-Request-Id"] == "asked-by-a-test"
    assert body["type"].endswith("/docs/errors#not_found")


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"])
@pytest.mark.parametrize(
    "path", ["/api/v1/votes", "/api/v1/listings/tidewell/vote", "/api/v1/", "/api/v2/site"]
)
def test_an_address_that_nothing_answers_is_404_whatever_the_method(
    site: Site, method: str, path: str
) -> None:
    browser_like = Client(enforce_csrf_checks=True)
    answer = browser_like.generic(method, path, b"{}", content_type="application/json")

    assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")
    assert answer.has_header("RateLimit")


def test_a_host_that_is_not_ours_is_a_refusal_and_not_a_fault(api: Api, site: Site) -> None:
    answer = api().get("/api/v1/site", Host="elsewhere.example")

    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request")


def test_a_query_without_end_is_a_refusal_and_not_a_fault(api: Api, site: Site) -> None:
    answer = api().get("/api/v1/listings?" + "x=1&" * 2000)

    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request")


@pytest.mark.parametrize("body", [b" " * 300_000, b"{}" + b" " * 300_000])
def test_a_body_too_large_is_refused_whatever_it_holds(api: Api, site: Site, body: bytes) -> None:
    caller = api("all")
    answer = caller.client.post(
        "/api/v1/me/listings/1/free", data=body, content_type="application/json", headers=caller.headers
    )
    (error,) = answer.json()["errors"]

    assert (answer.status_code, error["code"], error["limit"]) == (400, "too_large", 256 * 1024)


def test_one_request_too_many_is_429_in_its_own_shape(api: Api, site: Site, settings: Any) -> None:
    settings.RATE_LIMIT_FACTOR = 1 / 1200
    caller = api()
    first, second = caller.get("/api/v1/site"), caller.get("/api/v1/site")
    body = second.json()

    assert (first.status_code, second.status_code) == (200, 429)
    assert second["Content-Type"] == "application/json"
    assert set(body) == {
        "error",
        "message",
        "retry_after",
        "limit",
        "remaining",
        "window_seconds",
        "policy",
        "request_id",
    }
    assert (body["error"], body["limit"], body["remaining"]) == ("rate_limited", 1, 0)
    assert second["Retry-After"] == str(body["retry_after"])
    assert second["RateLimit-Policy"] == '"read";q=1;w=60'
