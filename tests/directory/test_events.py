"""What happens to a listing arrives at the programs of everybody who owns it, as list_my_listings gives it."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command

from core import jobs
from directory import weeks
from directory.models import ListingRevision
from directory.moderation import reviewing
from directory.moderation.status import moderate
from tests.conftest import Api, People
from tests.directory.test_choose_free_listing import free, paste_badge
from tests.directory.test_launch_day import MONDAY
from tests.factories.events import Program
from tests.factories.listings import AT, make_listing
from tests.servers.website import Website, html, plain


@pytest.fixture
def homepage(settings: Any) -> Iterator[Website]:
    """That of a product without a badge."""
    with Website({"/robots.txt": plain(""), "/": html("<h1>Tidewell</h1>")}) as running:
        settings.CRAWL_RESOLVE = running.at("tidewell.example")
        yield running


@pytest.fixture
def program(people: People, site: Any, homepage: Website, website: Website) -> Program:
    return Program(website, user=people.owner)


def names(program: Program) -> list[tuple[str, str]]:
    jobs.run_due()
    return [(name, data["status"]) for name, data in program.work()]


def listed(api: Api) -> dict[str, Any]:
    item: dict[str, Any] = api("all").get("/api/v1/me/listings").json()["items"][0]
    return item


def test_from_the_queue_to_the_launch(api: Api, program: Program, people: People, homepage: Website) -> None:
    listing = make_listing("tidewell", owner=people.owner, status="draft")
    free(api("all"), listing)
    assert names(program) == [("listing.awaiting_badge", "awaiting_badge")]
    assert program.work()[0][1] == listed(api)

    paste_badge(homepage)
    call_command("check_badges", at=MONDAY - timedelta(days=1))
    assert [name for name, _ in names(program)][1:] == ["listing.scheduled"]
    listing.refresh_from_db()
    call_command("publish_due", at=weeks.start(listing.launch_week) + timedelta(minutes=1))
    assert [name for name, _ in names(program)][2:] == ["listing.live"]
    last = program.work()[-1][1]
    assert (last["status"], last["launched_at"] is not None) == ("live", True)
    assert last == listed(api)


def test_suspended_for_each_of_two_owners(
    api: Api, program: Program, people: People, website: Website
) -> None:
    second = Program(website, user=people.stranger, host="second.test")
    listing = make_listing(owner=people.owner)
    listing.co_owners.add(people.stranger)
    for _ in range(2):
        moderate(listing_id=listing.pk, to="suspended", staff_id=people.staff.pk, at=AT, reason="Spam.")

    assert names(program) == [("listing.suspended", "suspended")]
    assert program.work()[0][1] == listed(api)
    assert [(name, data["status_reason"]) for name, data in second.work()] == [("listing.suspended", "Spam.")]


@pytest.mark.parametrize("decision", ["accepted", "put back"])
def test_an_edit_that_staff_looked_at(api: Api, program: Program, people: People, decision: str) -> None:
    listing = make_listing(owner=people.owner)
    answer = api("all").patch(f"/api/v1/me/listings/{listing.pk}", {"fields": {"tagline": "Another line"}})
    assert answer.status_code == 200
    revision = ListingRevision.objects.get(pk=answer.json()["version_id"])
    act = reviewing.accept if decision == "accepted" else reviewing.put_back
    for _ in range(2):
        act(revision_ids=[revision.pk], reviewer_id=people.staff.pk, at=AT)

    assert names(program) == [("listing.reviewed", "live")]
    data = program.work()[0][1]
    assert data == listed(api)
    assert (data["tagline"] == "Another line") == (decision == "accepted")
