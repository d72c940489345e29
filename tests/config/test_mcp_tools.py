"""The catalogue: every operation is a tool, described by the operation itself."""

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from config.docs import pages as docs
from config.mcp import bridge, metadata
from config.mcp.protocol import MODERN
from config.mcp.tools import CollidingNamesError, Tool, build, catalogue, inlined
from core.api.operations import Operation
from core.api.routes import all_operations, all_routes
from core.api.serializers import Shape
from tests.mcp import snapshot

TOOLS = list(catalogue().values())
pytestmark = pytest.mark.django_db


def test_the_tools_are_the_operations() -> None:
    listed = json.loads(bridge._fixed("tools/list", MODERN))["tools"]
    operations = [
        operation["operationId"]
        for methods in docs.schema()["paths"].values()
        for operation in methods.values()
    ]

    assert sorted(tool["name"] for tool in listed) == sorted(operations)
    assert sorted(operations) == sorted(spec.name for spec in all_operations())


def test_tools_that_need_no_sign_in_come_first_then_it_goes_by_name() -> None:
    public = sorted(tool.name for tool in TOOLS if not tool.scopes)

    assert list(catalogue()) == public + sorted(catalogue().keys() - set(public))


def test_nothing_changed_unnoticed() -> None:
    """When it did, and it should have: python -m tests.mcp.snapshot."""
    assert json.loads(snapshot.written(snapshot.taken())) == json.loads(snapshot.FILE.read_text())


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_a_tool_is_well_formed(tool: Tool) -> None:
    shown = tool.as_dict()
    text = json.dumps(shown)

    Draft202012Validator.check_schema(tool.input_schema)
    Draft202012Validator.check_schema(tool.output_schema)
    assert (tool.input_schema["type"], tool.output_schema["type"]) == ("object", "object")
    assert tool.input_schema["additionalProperties"] is False
    assert "$ref" not in json.dumps(tool.input_schema)
    assert "#/components/" not in text
    assert '"nullable"' not in text
    assert "additionalProperties" not in tool.output_schema
    assert len(shown["description"]) > 20


@pytest.mark.parametrize("route", all_routes(), ids=lambda route: route.spec.name)
def test_a_tool_says_of_itself_what_its_operation_declares(route: Any) -> None:
    shown, spec = catalogue()[route.spec.name].as_dict(), route.spec
    keyed = spec.keyed and route.method != "GET"

    assert shown["annotations"] == {
        "title": spec.name.replace("_", " ").capitalize(),
        "readOnlyHint": route.method == "GET" or not spec.keyed,
        "destructiveHint": route.method == "DELETE" or spec.replaces,
        "idempotentHint": True,
        "openWorldHint": spec.opens_world,
    }
    assert ("idempotency_key" in shown["inputSchema"]["properties"]) == keyed
    schemes = shown["_meta"]["securitySchemes"]
    if spec.scope:
        assert schemes == [
            {"type": "oauth2", "scopes": sorted({"account:read", spec.scope[0].value})},
        ]
    else:
        assert schemes == [{"type": "noauth"}, {"type": "oauth2", "scopes": []}]


def test_hints_say_what_a_tool_does() -> None:
    hints = {name: tool.as_dict()["annotations"] for name, tool in catalogue().items()}

    assert {name for name, hint in hints.items() if hint["destructiveHint"]} == {
        "answer_interview",
        "delete_milestone",
        "set_founder_story",
        "submit_draft",
        "update_draft",
        "update_my_listing",
    }
    assert hints["quote_order"]["readOnlyHint"] is True
    assert hints["create_checkout"]["readOnlyHint"] is False


def test_the_list_of_tools_leaves_room_in_a_context() -> None:
    """Four characters are a token (measured with o200k_base: 3.99 of a list like this one)."""
    assert len(bridge._fixed("tools/list", MODERN)) < 4 * 30_000


def test_an_answer_is_outlined_to_the_items_of_a_list() -> None:
    item = catalogue()["search_listings"].output_schema["properties"]["items"]["items"]
    draft = catalogue()["get_draft"].output_schema["properties"]

    assert {"slug", "name", "votes"} <= set(item["properties"])
    assert item["properties"]["categories"] == {"type": "array", "items": {"type": "object"}}
    assert draft["fields"] == {"type": "object"}
    assert draft["status"]["anyOf"][0] == {"type": "string"}


def test_says_that_the_billboard_is_paid_and_that_people_pay_themselves() -> None:
    assert "PAID" in catalogue()["get_leaderboard"].description
    assert "The billboard leaderboard is paid: always say so." in metadata.INSTRUCTIONS
    assert "hand checkout_url to the person" in metadata.INSTRUCTIONS
    for name in {"create_checkout"} & catalogue().keys():
        assert "checkout_url" in catalogue()[name].description


def test_a_problem_conforms_to_every_output_schema() -> None:
    problem = {
        "type": "https://x.example/docs/errors#not_found",
        "title": "Not found",
        "status": 404,
        "code": "not_found",
        "detail": "There is nothing.",
        "instance": "/api/v1/listings/x",
        "request_id": "r",
        "errors": [{"code": "x", "message": "y", "pointer": "/z"}],
    }
    limited = {
        "error": "rate_limited",
        "message": "m",
        "retry_after": 1,
        "limit": 1,
        "remaining": 0,
        "window_seconds": 60,
        "policy": "read",
        "request_id": "r",
    }
    for tool in TOOLS:
        validator = Draft202012Validator(tool.output_schema)
        assert [validator.is_valid(body) for body in (problem, limited, {}, {"status": 404})] == [
            True,
            True,
            False,
            False,
        ]


def document(operation: dict[str, Any], **schemas: Any) -> dict[str, Any]:
    answer = {"type": "object", "properties": {}}
    base = {
        "operationId": "do_it",
        "description": "Does it.",
        "security": [{}],
        "responses": {"200": {"content": {"application/json": {"schema": answer}}}},
    }
    failures = {
        name: docs.schema()["components"]["schemas"][name]
        for name in ("Problem", "RateLimited", "FieldError")
    }
    return {
        "paths": {"/it/{name}": {"post": base | operation}},
        "components": {"schemas": schemas | failures},
    }


def declared() -> dict[str, Operation]:
    return {"do_it": Operation(name="do_it", summary="", description="", returns=Shape)}


def test_two_inputs_of_one_name_cannot_be_a_tool() -> None:
    body = {"type": "object", "properties": {"name": {"type": "string"}}}
    operation = {
        "parameters": [{"in": "path", "name": "name", "required": True, "schema": {"type": "string"}}],
        "requestBody": {"content": {"application/json": {"schema": body}}},
    }

    with pytest.raises(CollidingNamesError, match="do_it has two inputs named name"):
        list(build(document(operation), declared()))


def test_a_new_operation_is_a_new_tool() -> None:
    operation = {
        "parameters": [{"in": "path", "name": "name", "required": True, "schema": {"type": "string"}}],
        "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/DoItIn"}}}},
        "security": [{"apiKey": []}, {"oauth2": ["orders:write"]}, {"oauth2": ["account:read"]}],
    }
    body = {
        "type": "object",
        "properties": {"size": {"$ref": "#/components/schemas/Size"}},
        "required": ["size"],
    }

    (tool,) = build(document(operation, DoItIn=body, Size={"type": "integer"}), declared())

    assert tool.input_schema == {
        "type": "object",
        "properties": {"name": {"type": "string"}, "size": {"type": "integer"}},
        "additionalProperties": False,
        "required": ["name", "size"],
    }
    assert tool.scopes == ("orders:write", "account:read")
    assert tool.granted_by == ("account:read", "orders:write")


def test_a_part_that_holds_itself_ends_as_any_object() -> None:
    node = {"type": "object", "properties": {"child": {"$ref": "#/components/schemas/Node"}}}

    assert inlined({"$ref": "#/components/schemas/Node"}, {"Node": node}) == {
        "type": "object",
        "properties": {"child": {"type": "object"}},
    }


def test_the_list_is_put_together_once() -> None:
    assert bridge._fixed("tools/list", MODERN) is bridge._fixed("tools/list", MODERN)
