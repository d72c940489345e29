"""A week that closes is told to everybody who took part, and its awards to those who won them."""

from collections.abc import Callable
from typing import Any

from directory.models import Site
from leaderboards import closing
from tests.conftest import Api, People
from tests.factories.events import Program
from tests.factories.listings import make_listing
from tests.leaderboards.conftest import NEXT_MONDAY, WEDNESDAY, WEEK
from tests.servers.website import Website


def test_a_week_that_is_over_and_what_was_won(
    api: Api, site: Site, people: People, vote: Callable[..., Any], website: Website
) -> None:
    program = Program(website, user=people.owner)
    second = Program(website, user=people.stranger, host="second.test")
    first, last = make_listing("first", owner=people.owner, at=WEDNESDAY), make_listing("last", at=WEDNESDAY)
    last.co_owners.add(people.stranger)
    vote(first, 2)
    for _ in range(2):
        closing.close_week(site=site, week=WEEK, at=NEXT_MONDAY)

    arrived = program.work()
    assert sorted(name for name, _ in arrived) == ["award.won", "listing.week_closed"]
    by_type = dict(arrived)
    assert by_type["award.won"] == api().get("/api/v1/awards").json()["items"][0]
    assert by_type["listing.week_closed"] == api("all").get("/api/v1/me/listings").json()["items"][0]
    assert by_type["listing.week_closed"]["awards"] == [
        {"code": "launch_of_the_week_1", "week": "2026-11-16"}
    ]
    assert [(name, data["slug"]) for name, data in second.work()] == [("listing.week_closed", "last")]
