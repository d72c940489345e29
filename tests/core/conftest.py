"""A type of events of the tests' own, and somebody's program that takes it."""

from collections.abc import Iterator
from typing import Any

import pytest

from core.event_types import TYPES, declare
from tests.conftest import People
from tests.factories.events import Program
from tests.servers.website import Website


def item(*, user_id: int, thing: str) -> dict[str, Any] | None:
    """What the tests' own type carries."""
    if thing == "broken":
        raise ValueError(thing)
    return None if thing == "gone" else {"id": thing, "name": "Tidewell – ü"}


@pytest.fixture
def kind(db: None) -> Iterator[str]:
    declare("tests.core.conftest.item", toy__made="A toy was made")
    yield "toy.made"
    del TYPES["toy.made"]


@pytest.fixture
def program(people: People, website: Website, settings: Any, kind: str) -> Program:
    settings.CRAWL_RESOLVE = {}
    return Program(website, user=people.owner)
