"""Every example of the OpenAPI file is carried out and answered as its schema says."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode

import pytest
import time_machine

from config.docs.pages import schema
from directory.models import Site
from tests.conftest import Api, People
from tests.contract.interface import INTERFACE
from tests.contract.world import NOW, build_draft


@dataclass
class Example:
    """One call, put together from the examples of one title."""

    operation: str
    title: str
    method: str
    path: str
    query: dict[str, Any] = field(default_factory=dict)
    body: Any = None

    @property
    def url(self) -> str:
        """Where it is sent."""
        query = urlencode(
            {
                name: str(value).lower() if value in (True, False) else value
                for name, value in self.query.items()
            }
        )
        return f"/api/v1{self.path}" + (f"?{query}" if query else "")

    def __str__(self) -> str:
        return f"{self.operation}: {self.title}"


def examples() -> Iterator[Example]:
    """Every example of the file."""
    for path, methods in schema()["paths"].items():
        for method, described in methods.items():
            yield from of_operation(described, method=method, path=path)


def of_operation(described: dict[str, Any], *, method: str, path: str) -> Iterator[Example]:
    """The examples of one operation, by their titles."""
    found: dict[str, Example] = {}

    def titled(title: str) -> Example:
        return found.setdefault(
            title, Example(operation=described["operationId"], title=title, method=method, path=path)
        )

    for parameter in described.get("parameters", ()):
        for title, example in parameter.get("examples", {}).items():
            one = titled(title)
            if parameter["in"] == "path":
                one.path = one.path.replace("{" + parameter["name"] + "}", quote(str(example["value"])))
            else:
                one.query[parameter["name"]] = example["value"]
    for content in described.get("requestBody", {}).get("content", {}).values():
        for title, example in content.get("examples", {}).items():
            titled(title).body = example["value"]
    yield from found.values()


EXAMPLES = sorted(examples(), key=lambda example: example.operation)


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_an_example_is_carried_out(
    world: None, api: Api, people: People, site: Site, example: Example
) -> None:
    with time_machine.travel(NOW, tick=False):
        build_draft(site, owner=people.owner)
        send = getattr(api("all"), example.method)
        answer = send(example.url) if example.body is None else send(example.url, example.body)

    assert answer.status_code == INTERFACE[example.operation].status, answer.content


@pytest.mark.parametrize("example", [one for one in EXAMPLES if one.method == "get"], ids=str)
def test_an_example_of_a_read_shows_something(
    world: None, api: Api, people: People, site: Site, example: Example
) -> None:
    with time_machine.travel(NOW, tick=False):
        build_draft(site, owner=people.owner)
        answer = api("all").get(example.url).json()

    assert answer.get("items", answer) != []


def test_every_public_read_that_takes_something_has_an_example() -> None:
    shown = {example.operation for example in EXAMPLES}
    wanted = {
        described["operationId"]
        for methods in schema()["paths"].values()
        for described in methods.values()
        if {} in described["security"] and described.get("parameters")
    }

    assert wanted - shown == set()
