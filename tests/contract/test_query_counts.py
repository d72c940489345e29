"""How many statements a read costs when nobody has asked before: pinned, and the same for any page size."""

import json
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.api import caching
from core.api.routes import all_routes
from tests.conftest import Api
from tests.contract.interface import PUBLIC, TROPHIES
from tests.contract.test_examples import EXAMPLES
from tests.contract.world import NOW

PINNED: dict[str, int] = json.loads(Path(__file__).with_name("query_counts.json").read_text())
HERE = {route.spec.name for route in all_routes()}
READS = (*PUBLIC, *(row for row in TROPHIES if not row.scope))
ADDRESSES = {row.id: f"/api/v1{row.path}" for row in READS if row.id in HERE} | {
    example.operation: example.url
    for example in reversed(EXAMPLES)
    if example.operation in {row.id for row in READS}
}
PAGED = sorted(row.id for row in READS if row.id in HERE and "per_page" in row.query)


def cost(api: Api, url: str) -> int:
    """The statements of a first read by a stranger."""
    caller = api()
    caller.get("/api/v1/site")
    cache.clear()
    caching.ANSWERS.clear()
    with CaptureQueriesContext(connection) as statements:
        answer = caller.get(url)
    assert answer.status_code == 200
    return len(statements)


@pytest.mark.parametrize("operation", sorted(ADDRESSES))
def test_a_read_costs_what_is_pinned(world: None, api: Api, operation: str) -> None:
    with time_machine.travel(NOW, tick=False):
        found = cost(api, ADDRESSES[operation])

    assert found <= PINNED[operation]


def test_every_public_read_is_pinned() -> None:
    assert set(PINNED) == set(ADDRESSES)


@pytest.mark.parametrize("operation", PAGED)
def test_the_page_size_costs_no_statement(world: None, api: Api, operation: str) -> None:
    url: Any = ADDRESSES[operation].partition("?")[0]
    with time_machine.travel(NOW, tick=False):
        small, large = cost(api, f"{url}?per_page=1"), cost(api, f"{url}?per_page=100")

    assert small == large
