"""What programs are generated from: names that no generator gives twice, and a file of the same bytes everywhere."""

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from config.docs.pages import schema

METHODS = ["get", "put", "post", "patch", "delete"]
MEANT_FOR_ANYTHING = {
    "Data",
    "Email",
    "Entry",
    "File",
    "Info",
    "Item",
    "Meta",
    "Object",
    "Record",
    "Result",
    "Value",
}


def pascal(name: str) -> str:
    """How generators write a name."""
    return "".join(word[:1].upper() + word[1:] for word in re.split(r"[^A-Za-z0-9]+", name) if word)


def refers_to(node: dict[str, Any]) -> str:
    """The component that a property is, by itself or beside null."""
    choices = (node, *node.get("anyOf", ()), *node.get("oneOf", ()), *node.get("allOf", ()))
    return next((choice["$ref"].rpartition("/")[2] for choice in choices if "$ref" in choice), "")


def made_of(prefix: str, node: dict[str, Any], where: str) -> Iterator[tuple[str, str]]:
    """The names that a generator makes of properties, however deep they are in one component."""
    for name, inner in node.get("properties", {}).items():
        own = prefix + pascal(name)
        if refers_to(inner) != own:
            yield own.casefold(), f"{where}.{name}"
        for suffix, part in (("", inner), ("Item", inner.get("items", {}))):
            if "$ref" not in part:
                yield from made_of(own + suffix, part, f"{where}.{name}")


def test_no_name_is_made_twice() -> None:
    made = defaultdict(set)
    for name, component in schema()["components"]["schemas"].items():
        made[pascal(name).casefold()].add(name)
        for key, where in made_of(pascal(name), component, name):
            made[key].add(where)

    assert {key: sorted(wheres) for key, wheres in made.items() if len(wheres) > 1} == {}


def test_names_mean_something_in_a_program_of_ones_own() -> None:
    assert schema()["components"]["schemas"].keys() & MEANT_FOR_ANYTHING == set()


def test_methods_stand_in_one_order_in_every_process() -> None:
    for path, methods in schema()["paths"].items():
        assert list(methods) == sorted(methods, key=METHODS.index), path


def test_the_pattern_of_idempotency_keys_takes_what_the_service_takes() -> None:
    keys = [
        entry["schema"]["pattern"]
        for methods in schema()["paths"].values()
        for operation in methods.values()
        for entry in operation.get("parameters", ())
        if entry["name"] == "Idempotency-Key"
    ]

    assert {bool(re.search(keys[0], key)) for key in ("k-1", '"k-1"', r'"a\"b"')} == {True}
    assert {bool(re.search(keys[0], key)) for key in ("", '"', '""', "a b", '"a')} == {False}
