"""URLconf, OpenAPI file and the interface's tables say the same."""

import operator
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from config.docs.pages import schema
from core.api.routes import all_routes
from core.api.scopes import Scope
from tests.contract.interface import INTERFACE, TROPHIES
from tests.contract.shapes import Row, shape

TO_COME = {"invite_cofounder"}
ROUTES = {route.spec.name: route for route in all_routes()}
HERE = sorted(INTERFACE.keys() & ROUTES.keys())
each_operation = pytest.mark.parametrize("operation", HERE)


def described(operation: str) -> dict[str, Any]:
    """An operation as the OpenAPI file has it."""
    row = INTERFACE[operation]
    return schema()["paths"][row.path][row.method.lower()]


def resolved(found: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema behind a reference, null aside."""
    for key in ("allOf", "oneOf"):
        if key in found:
            (found,) = (one for one in found[key] if one != {"type": "null"})
    while "$ref" in found:
        found = schema()["components"]["schemas"][found["$ref"].rpartition("/")[2]]
    return found


SAYS: dict[str, Callable[[Any, Any], bool]] = {
    "type": lambda there, value: value in (there if isinstance(there, list) else [there]),
    "required": lambda there, value: set(value) <= set(there or ()),
    "enum": lambda there, value: [one for one in there or () if one is not None] == value,
    "properties": lambda there, value: set(there or ()) == set(value),
    "items": lambda there, _: there is not None,
}


def differences(expected: Mapping[str, Any], found: Mapping[str, Any], *, at: str = "") -> Iterator[str]:
    """Where a schema of the OpenAPI file says less or other than the interface."""
    found = resolved(found)
    for key, value in expected.items():
        there = found.get(key)
        if not SAYS.get(key, operator.eq)(there, value):
            yield f"{at}: {key} is {there}, not {value}"
        elif key == "properties":
            for name, inner in value.items():
                yield from differences(inner, there[name], at=f"{at}/{name}")
        elif key == "items":
            yield from differences(value, there, at=f"{at}[]")


@pytest.mark.parametrize(
    "worse",
    [
        {"type": "integer"},
        {"type": "string", "maxLength": 201},
        {"type": "object", "properties": {}, "additionalProperties": False},
    ],
)
def test_the_comparison_sees_a_difference(worse: dict[str, Any]) -> None:
    limited = shape(required=("a",), a={"type": "string", "maxLength": 200})

    assert list(differences({"type": "string", "maxLength": 200}, worse)) != []
    assert list(differences(limited, {**limited, "properties": {"a": worse}})) != []
    assert list(differences(limited, {**limited, "required": []})) != []
    assert list(differences(limited, limited)) == []


def test_the_service_has_the_operations_of_the_interface_and_no_other() -> None:
    assert set(ROUTES) <= set(INTERFACE)
    assert set(INTERFACE) - set(ROUTES) <= TO_COME
    assert len(INTERFACE) == 41 + len(TROPHIES)


def test_every_operation_has_one_address() -> None:
    assert len(all_routes()) == len(ROUTES)


@each_operation
def test_method_path_and_scope_are_the_interfaces(operation: str) -> None:
    row, route = INTERFACE[operation], ROUTES[operation]

    assert (route.method, route.path) == (row.method, row.path)
    assert {scope.value for scope in route.spec.scope} == set(row.scope)
    assert route.spec.keyed is row.keyed


@each_operation
def test_the_openapi_file_gives_the_same_address_and_name(operation: str) -> None:
    assert described(operation)["operationId"] == operation


@each_operation
def test_statuses_are_the_interfaces(operation: str) -> None:
    assert {int(status) for status in described(operation)["responses"]} == INTERFACE[operation].statuses


@each_operation
def test_parameters_and_their_bounds_are_the_interfaces(operation: str) -> None:
    row = INTERFACE[operation]
    found = {
        where: {one["name"]: one for one in described(operation).get("parameters", ()) if one["in"] == where}
        for where in ("path", "query", "header")
    }

    assert set(found["path"]) == set(row.parts)
    assert set(found["query"]) == set(row.query)
    assert {name for name, one in found["query"].items() if one.get("required")} == set(row.required)
    expected = {**row.parts, **row.query}
    faults = [
        fault
        for name, one in {**found["path"], **found["query"]}.items()
        for fault in differences(expected[name], one["schema"], at=name)
    ]
    assert faults == []


@each_operation
def test_mutating_operations_take_an_idempotency_key_and_others_do_not(operation: str) -> None:
    row = INTERFACE[operation]
    headers = [one["name"] for one in described(operation).get("parameters", ()) if one["in"] == "header"]

    assert headers == (["Idempotency-Key"] if row.method != "GET" and row.keyed else [])


def body_schema(operation: str) -> Mapping[str, Any] | None:
    """The schema of an operation's body."""
    content = described(operation).get("requestBody", {}).get("content", {})
    return content["application/json"]["schema"] if content else None


@each_operation
def test_bodies_and_their_bounds_are_the_interfaces(operation: str) -> None:
    expected, found = INTERFACE[operation].body, body_schema(operation)

    assert (found is None) == (expected is None)
    assert list(differences(expected or {}, found or {})) == []


@each_operation
def test_security_names_the_scopes(operation: str) -> None:
    row: Row = INTERFACE[operation]
    security = described(operation)["security"]

    assert ({} in security) == (not row.scope)
    assert {scope for one in security for scope in one.get("oauth2", ())} == set(row.scope)
    assert {name for one in security for name in one} <= set(schema()["components"]["securitySchemes"])


@each_operation
def test_every_operation_is_described(operation: str) -> None:
    found = described(operation)

    assert found["summary"].endswith(".")
    assert len(found["description"]) >= len(found["summary"])
    assert all(one.get("description") for one in found.get("parameters", ()) if one["in"] == "query")


def test_the_file_is_openapi_3_1_of_interface_1_0_0() -> None:
    assert (schema()["openapi"], schema()["info"]["version"]) == ("3.1.0", "1.0.0")


def test_every_reference_leads_somewhere() -> None:
    names = {
        f"#/components/{kind}/{name}" for kind, parts in schema()["components"].items() for name in parts
    }
    missing = set(references(schema())) - names

    assert missing == set()


def references(node: Any) -> Iterator[str]:
    """Every reference in a document."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "$ref":
                yield value
            else:
                yield from references(value)
    elif isinstance(node, list):
        for inner in node:
            yield from references(inner)


def test_there_are_three_scopes() -> None:
    assert {scope.value for scope in Scope} == {"account:read", "listings:write", "orders:write"}


def test_no_operation_can_vote() -> None:
    assert not [name for name in ROUTES if "vote" in name or "follow" in name]
