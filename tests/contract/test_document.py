"""The OpenAPI file tells a reader who knows nothing else what everything is."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from drf_spectacular.generators import SchemaGenerator

from config.docs.pages import schema
from tests.contract.validation import dereferenced, validator

PLANNED_NULLS = {
    "Listing.story",
    "OwnListing.story",
}  # locked it is absent, unlocked and unwritten it is null
FOUND = [operation for methods in schema()["paths"].values() for operation in methods.values()]
OPERATIONS = sorted(FOUND, key=lambda operation: operation["operationId"])
COMPONENTS = schema()["components"]["schemas"]
ANSWERS = {name: shape for name, shape in COMPONENTS.items() if not name.endswith("Request")}
each_operation = pytest.mark.parametrize("operation", OPERATIONS, ids=lambda one: one["operationId"])


def properties(shapes: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any], bool]]:
    """Every property with its path, its schema and whether it is always there."""
    for name, shape in shapes.items():
        for key, inner in shape.get("properties", {}).items():
            yield f"{name}.{key}", inner, key in shape.get("required", ())


def is_nullable(schema: dict[str, Any]) -> bool:
    """Whether null is one of its values."""
    return "null" in (schema.get("type") or ()) or {"type": "null"} in schema.get("oneOf", ())


def test_every_property_is_described() -> None:
    assert [path for path, inner, _ in properties(COMPONENTS) if not inner.get("description")] == []


@each_operation
def test_every_parameter_is_described(operation: dict[str, Any]) -> None:
    assert [one["name"] for one in operation.get("parameters", ()) if not one.get("description")] == []


def test_what_may_be_null_is_always_sent() -> None:
    mixed = {path for path, inner, is_sent in properties(ANSWERS) if is_nullable(inner) and not is_sent}

    assert mixed == PLANNED_NULLS


def test_lists_of_words_stay_open_in_answers_and_name_what_is_known() -> None:
    assert [path for path, inner, _ in properties(ANSWERS) if "enum" in inner] == []
    assert COMPONENTS["Draft"]["properties"]["status"]["x-extensible-enum"] == [
        "crawling",
        "drafting",
        "ready",
        "failed",
    ]


@each_operation
def test_answers_and_bodies_have_an_example_that_is_one(operation: dict[str, Any]) -> None:
    (status,) = (status for status in operation["responses"] if status[0] == "2")
    content = operation["responses"][status]["content"]["application/json"]
    (shown,) = content["examples"].values()
    example = schema()["components"]["examples"][shown["$ref"].rpartition("/")[2]]["value"]
    held = validator(operation=operation["operationId"], status=int(status))

    assert [f"{fault.json_path}: {fault.message[:200]}" for fault in held.iter_errors(example)] == []
    assert all(body["examples"] for body in operation.get("requestBody", {}).get("content", {}).values())


@each_operation
def test_a_refusal_stands_once_and_has_an_example_that_is_one(operation: dict[str, Any]) -> None:
    for status, answer in operation["responses"].items():
        if status[0] == "2":
            continue
        (content,) = dereferenced(answer)["content"].values()
        (shown,) = content["examples"].values()
        example = schema()["components"]["examples"][shown["$ref"].rpartition("/")[2]]["value"]
        refusal = validator(operation=operation["operationId"], status=int(status))

        assert set(answer) == {"$ref"}
        assert example.get("status", 429) == int(status)
        assert {fault.validator for fault in refusal.iter_errors(example)} <= {"additionalProperties"}


@each_operation
def test_headers_are_declared(operation: dict[str, Any]) -> None:
    always = {"X-Request-Id", "RateLimit", "RateLimit-Policy"}
    stated = {status: dereferenced(answer) for status, answer in operation["responses"].items()}
    answers = {status: set(answer["headers"]) for status, answer in stated.items()}

    assert [status for status, names in answers.items() if not always <= names] == []
    assert "Retry-After" in answers["429"]
    assert all("WWW-Authenticate" in answers[status] for status in {"401", "403"} & answers.keys())
    assert {
        name["$ref"].rpartition("/")[2] for answer in stated.values() for name in answer["headers"].values()
    } <= set(schema()["components"]["headers"])


def test_the_file_says_what_it_is_and_what_its_groups_are() -> None:
    info, tags = schema()["info"], schema()["tags"]

    assert {"summary", "description", "contact"} <= set(info)
    assert {operation["tags"][0] for operation in OPERATIONS} <= {tag["name"] for tag in tags}
    assert all(tag["description"] for tag in tags)


def test_the_file_names_the_terms_and_the_licence_that_the_operator_set(settings: Any) -> None:
    assert {"license", "termsOfService"} & set(schema()["info"]) == set()
    settings.TERMS_URL, settings.API_LICENSE = "https://launch.example/terms", "CC-BY-4.0"
    info = SchemaGenerator().get_schema(request=None, public=True)["info"]
    assert info["termsOfService"] == settings.TERMS_URL
    assert info["license"] == {"name": "CC-BY-4.0", "identifier": "CC-BY-4.0"}


def test_known_codes_are_listed() -> None:
    known = COMPONENTS["Problem"]["properties"]["code"]["x-extensible-enum"]

    assert {"invalid_request", "not_found", "draft_not_ready", "idempotency_key_reused"} <= set(known)


def test_addresses_are_marked_as_such() -> None:
    unmarked = [
        path
        for path, inner, _ in properties(ANSWERS)
        if path.endswith("_url") and "string" in inner.get("type", ()) and inner.get("format") != "uri"
    ]

    assert unmarked == []


@pytest.mark.parametrize(
    ("body", "name", "taken", "refused"),
    [
        (
            "PostListingUpdateRequest",
            "body",
            ["News\nand more", " Crème 🚀 "],
            ["", "  \t\n", "a\x00", "a\x85b"],
        ),
        ("MilestoneRequest", "description", ["", "Done"], ["\x1b[0m"]),
        (
            "MilestoneRequest",
            "url",
            ["", "https://a.example", "HTTPS://b.example/x?y#z "],
            ["http://a.example", "https://a"],
        ),
        ("SocialsRequest", "x", ["", "http://x.com/a"], ["x.com/a", "https://x .com", "javascript:alert(1)"]),
    ],
)
def test_a_body_says_which_texts_are_refused(
    body: str, name: str, taken: list[str], refused: list[str]
) -> None:
    pattern = re.compile(COMPONENTS[body]["properties"][name]["pattern"])

    assert [text for text in taken if not pattern.search(text)] == []
    assert [text for text in refused if pattern.search(text)] == []
