"""How many statements the commonest writes cost, savepoints included: pinned, so that they only fall."""

import json
from pathlib import Path

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from directory.models import Follow, Listing, Site, Vote
from directory.search import public_data
from tests.conftest import Api, Caller, People
from tests.contract.interface import INTERFACE
from tests.contract.test_examples import EXAMPLES, Example
from tests.contract.world import NOW, build_draft
from tests.factories.listings import make_listing

PINNED: dict[str, int] = json.loads(Path(__file__).with_name("write_counts.json").read_text())
WRITES = {example.operation: example for example in reversed(EXAMPLES) if example.method != "get"}
BEFORE_A_LAUNCH = {"create_checkout", "quote_order"}
LISTING = 981
A_VOTE, A_FOLLOW = 12, 8


def send(caller: Caller, example: Example) -> int:
    """The status of the answer."""
    act = getattr(caller, example.method)
    answer = act(example.url) if example.body is None else act(example.url, example.body)
    return int(answer.status_code)


@pytest.mark.parametrize("operation", sorted(PINNED))
def test_a_write_costs_what_is_pinned(
    world: None, api: Api, people: People, site: Site, operation: str
) -> None:
    """By somebody who has been here, in words that other listings have; a listing that is seen by everybody."""
    with time_machine.travel(NOW, tick=False):
        make_listing("paid-on-time", site=site, tagline="Paid on time", at=NOW)
        build_draft(site, owner=people.owner)
        if operation not in BEFORE_A_LAUNCH:
            Listing.objects.filter(pk=LISTING).update(status=Listing.Status.LIVE, launched_at=NOW)
        public_data.refresh(listing_ids=[LISTING])
        caller = api("all")
        caller.get(f"/api/v1/me/listings/{LISTING}")
        with CaptureQueriesContext(connection) as statements:
            status = send(caller, WRITES[operation])

    assert status == INTERFACE[operation].status
    assert len(statements) <= PINNED[operation], [row["sql"] for row in statements]


def test_every_write_with_an_example_is_pinned() -> None:
    assert set(PINNED) == set(WRITES)


@pytest.mark.parametrize(("act", "made", "most"), [("vote", Vote, A_VOTE), ("follow", Follow, A_FOLLOW)])
def test_a_press_costs_what_is_pinned(
    world: None, client: Client, people: People, act: str, made: type[Vote | Follow], most: int
) -> None:
    with time_machine.travel(NOW, tick=False):
        client.force_login(people.stranger)
        client.get("/listings/brindle")
        with CaptureQueriesContext(connection) as statements:
            answer = client.post(f"/listings/brindle/{act}", {"do": act})

    assert (answer.status_code, made.objects.filter(user=people.stranger).count()) == (302, 1)
    assert len(statements) <= most, "\n".join(row["sql"] for row in statements)
