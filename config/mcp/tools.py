"""The tools, built once from the OpenAPI document: a new operation is a new tool."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from config.docs import pages as docs
from core.api.operations import MUTATING, Operation
from core.api.routes import all_operations
from core.api.schema import CONTROL
from core.api.scopes import Scope

KEY_ARGUMENT = "idempotency_key"
KEY_HEADER = "Idempotency-Key"
FAILURES = ("Problem", "RateLimited")
READERS = {Scope.ACCOUNT_READ.value}
UNREAD = {"description", "x-extensible-enum"}  # clients check answers by the rest; the words are in OpenAPI
UNCHECKED = {"uri", "email"}  # strangers' addresses may hold more than the formats of old allow


class CollidingNamesError(Exception):
    """Two inputs of an operation have the same name, so one flat list of arguments cannot hold them."""


@dataclass(frozen=True, kw_only=True)
class Tool:
    """One operation as a tool. `scopes` is empty for public ones; with several, one of them is enough."""

    name: str
    method: str
    path: str
    description: str
    scopes: tuple[str, ...]
    path_arguments: tuple[str, ...]
    query_arguments: tuple[str, ...]
    has_body: bool
    is_keyed: bool
    spec: Operation
    input_schema: Mapping[str, Any]
    output_schema: Mapping[str, Any]

    @property
    def elsewhere(self) -> frozenset[str]:
        """The arguments that go into the path, the query or a header, not into the body."""
        key = {KEY_ARGUMENT} if self.is_keyed else set()
        return frozenset({*self.path_arguments, *self.query_arguments, *key})

    @property
    def is_read_only(self) -> bool:
        """What changes nothing takes no key: a price is asked for by POST."""
        return self.method not in MUTATING or not self.spec.keyed

    @property
    def title(self) -> str:
        return self.name.replace("_", " ").capitalize()

    @property
    def summary(self) -> str:
        return self.description.partition(". ")[0].rstrip(".") + "."

    @property
    def granted_by(self) -> tuple[str, ...]:
        """What to ask a person for: the scope, and reading, without which little makes sense."""
        return tuple(sorted({*self.scopes[:1], *READERS})) if self.scopes else ()

    def as_dict(self) -> dict[str, Any]:
        ways: list[dict[str, Any]] = [] if self.scopes else [{"type": "noauth"}]
        return {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": self.input_schema,
            "outputSchema": self.output_schema,
            "annotations": {
                "title": self.title,
                "readOnlyHint": self.is_read_only,
                "destructiveHint": self.method == "DELETE" or self.spec.replaces,
                "idempotentHint": self.is_keyed or self.is_read_only,
                "openWorldHint": self.spec.opens_world,
            },
            "_meta": {"securitySchemes": [*ways, {"type": "oauth2", "scopes": list(self.granted_by)}]},
        }


@lru_cache(maxsize=1)
def catalogue() -> Mapping[str, Tool]:
    """Every tool by name: those that need no sign-in first, then by name."""
    declared = {spec.name: spec for spec in all_operations()}
    return {
        tool.name: tool
        for tool in sorted(build(docs.schema(), declared), key=lambda tool: (bool(tool.scopes), tool.name))
    }


def build(document: Mapping[str, Any], declared: Mapping[str, Operation]) -> Iterator[Tool]:
    """The tools of an OpenAPI document. Raises CollidingNamesError."""
    components = document["components"]["schemas"]
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield _tool(path, method.upper(), operation, components, declared[operation["operationId"]])


def _tool(
    path: str, method: str, operation: Mapping[str, Any], components: Mapping[str, Any], spec: Operation
) -> Tool:
    parameters = operation.get("parameters", [])
    body = _body(operation, components)
    success = next(answer for status, answer in operation["responses"].items() if status[0] == "2")
    return Tool(
        name=operation["operationId"],
        method=method,
        path=path,
        description=operation["description"],
        scopes=tuple(scope for way in operation["security"] for scope in way.get("oauth2", [])),
        path_arguments=tuple(entry["name"] for entry in parameters if entry["in"] == "path"),
        query_arguments=tuple(entry["name"] for entry in parameters if entry["in"] == "query"),
        has_body=body is not None,
        is_keyed=any(entry["name"] == KEY_HEADER for entry in parameters),
        spec=spec,
        input_schema=_input_schema(operation, parameters, body, components),
        output_schema=output_schema(success["content"]["application/json"]["schema"], components),
    )


def _body(operation: Mapping[str, Any], components: Mapping[str, Any]) -> dict[str, Any] | None:
    if "requestBody" not in operation:
        return None
    return inlined(operation["requestBody"]["content"]["application/json"]["schema"], components)


def _input_schema(
    operation: Mapping[str, Any],
    parameters: list[Mapping[str, Any]],
    body: Mapping[str, Any] | None,
    components: Mapping[str, Any],
) -> dict[str, Any]:
    properties: dict[str, Any] = {}
    required: list[str] = []
    for entry in parameters:
        name = KEY_ARGUMENT if entry["name"] == KEY_HEADER else entry["name"]
        schema = inlined(entry["schema"], components)
        if text := entry.get("description"):
            schema["description"] = text
        if name == KEY_ARGUMENT:
            del schema["pattern"]  # its description says it, at a third of the length
        _add(properties, name, schema, operation)
        required += [name] if entry.get("required") else []
    for name, schema in (body or {}).get("properties", {}).items():
        _add(properties, name, schema, operation)
    required += (body or {}).get("required", [])
    closed: dict[str, Any] = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**closed, "required": required} if required else closed


def _add(properties: dict[str, Any], name: str, schema: Any, operation: Mapping[str, Any]) -> None:
    if name in properties:
        raise CollidingNamesError(f"{operation['operationId']} has two inputs named {name}.")
    properties[name] = schema


def inlined(schema: Any, components: Mapping[str, Any], seen: tuple[str, ...] = ()) -> Any:
    """The schema without references, which not every client follows; one to itself ends as any object."""
    if isinstance(schema, list):
        return [inlined(inner, components, seen) for inner in schema]
    if not isinstance(schema, Mapping):
        return schema
    if not isinstance(schema.get("$ref"), str):
        rules = {
            name: inlined(inner, components, seen)
            for name, inner in schema.items()
            if name != "pattern" or CONTROL not in inner  # no model sends those, and each text would say so
        }
        parts = rules.pop("allOf") if len(rules.get("allOf", ())) == 1 else [{}]
        return {**parts[0], **rules}
    name = _named(schema)
    target = {"type": "object"} if name in seen else inlined(components[name], components, (*seen, name))
    return {**target, **{key: inner for key, inner in schema.items() if key != "$ref"}}


def output_schema(schema: Mapping[str, Any], components: Mapping[str, Any]) -> dict[str, Any]:
    """The answer's schema, opened just so far that a problem object conforms too.

    Failures carry structured content as well, and clients built on the first TypeScript SDK hold even those
    against the schema. What an object inside an object holds is in OpenAPI: a list of tools is read whole before the
    first call, and its outputs were four fifths of it.
    """
    success = components[_named(schema)] if "$ref" in schema else schema
    failures = [components[name] for name in FAILURES]
    levels = 1 if "items" in success.get("properties", {}) else 0
    properties = _outlined(success, components, levels=levels).get("properties", {})
    for failure in failures:
        failure_properties = _outlined(failure, components, levels=0)["properties"]
        for name in properties.keys() & failure_properties.keys():
            if properties[name] != failure_properties[name]:
                properties[name] = {"anyOf": [properties[name], failure_properties[name]]}
    shapes = [{"required": shape.get("required", [])} for shape in (success, *failures)]
    return {"type": "object", "properties": properties, "anyOf": shapes}


def _outlined(schema: Any, components: Mapping[str, Any], *, levels: int) -> Any:
    """The schema without words, and without the properties of objects that stand deeper than so many levels."""
    if isinstance(schema, list):
        return [_outlined(inner, components, levels=levels) for inner in schema]
    if not isinstance(schema, Mapping):
        return schema
    if isinstance(schema.get("$ref"), str):
        return _outlined(components[_named(schema)], components, levels=levels)
    if schema.get("type") == "object" and levels < 0:
        return {"type": "object"}
    rules = {
        rule: _outlined(inner, components, levels=levels)
        for rule, inner in schema.items()
        if rule not in {*UNREAD, "properties"} and (rule != "format" or inner not in UNCHECKED)
    }
    if "properties" in schema:
        named = schema["properties"].items()
        rules["properties"] = {name: _outlined(inner, components, levels=levels - 1) for name, inner in named}
    return rules["allOf"][0] if list(rules) == ["allOf"] else rules


def _named(schema: Mapping[str, Any]) -> str:
    return str(schema["$ref"]).rpartition("/")[2]
