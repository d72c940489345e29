"""A listing is walked through its states by random events: no illegal state, none lost, none launched twice."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from django.db import transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from core.models import Job
from directory import weeks
from directory.errors import ListingCannotMoveError
from directory.launches import badge_watch, badges, free_choice, publishing
from directory.models import Launch, Listing, Site
from directory.moderation import status as moderation
from tests.conftest import People
from tests.factories.listings import AT, make_listing
from tests.servers.website import Website, html, plain

QUEUED = {"awaiting_badge", "scheduled"}
PAGES = {
    "badge": html(badges.badge_html(slug="tidewell", name="Tidewell")),
    "no badge": html("<h1>Tidewell</h1>"),
    "closed": html("Down", status=503),
}


@pytest.fixture
def homepage(settings: Any) -> Iterator[Website]:
    with Website({"/robots.txt": plain("")}) as website:
        settings.CRAWL_RESOLVE = website.at("tidewell.example")
        yield website


class Walk:
    """One listing, its homepage, its owner, staff, and the time."""

    def __init__(self, listing: Listing, homepage: Website) -> None:
        self.listing, self.homepage, self.at = listing, homepage, AT
        self.homepage.pages["/"] = PAGES["no badge"]

    def shows(self, page: str) -> None:
        self.homepage.pages["/"] = PAGES[page]

    def passes(self, days: int) -> None:
        """Time, with the periodic work of each day done twice, as when a job runs again."""
        for _ in range(days):
            self.at += timedelta(days=1)
            for _ in range(2):
                for pk in publishing.begun(at=self.at):
                    publishing.launch_listing(listing_id=pk, at=self.at)
                for pk in [*badge_watch.waiting_for_badge(), *badge_watch.had_badge(at=self.at)]:
                    badge_watch.check_badge(listing_id=pk, at=self.at)

    def chooses(self) -> None:
        owner = self.listing.owner_id or 0
        check = free_choice.check_badge_at_once(owner_id=owner, listing_id=self.listing.pk)
        free_choice.choose_free_listing(owner_id=owner, listing_id=self.listing.pk, check=check, at=self.at)

    def staff_move(self, to: str) -> None:
        moderation.moderate(listing_id=self.listing.pk, to=to, staff_id=7, at=self.at, reason="Spam.")

    def put_back(self) -> None:
        moderation.put_back(listing_id=self.listing.pk, staff_id=7, at=self.at, reason="A mistake.")

    def does(self, event: str) -> None:
        """One event; what the present state does not allow is refused and changes nothing."""
        self.listing.refresh_from_db()
        before = (self.listing.status, self.listing.moves.count(), self.launches())
        try:
            with transaction.atomic():
                EVENTS[event](self)
        except ListingCannotMoveError:
            self.listing.refresh_from_db()
            assert (self.listing.status, self.listing.moves.count(), self.launches()) == before
        self.listing.refresh_from_db()
        self.holds()

    def launches(self) -> list[tuple[Any, datetime | None]]:
        return list(
            Launch.objects.filter(listing=self.listing).order_by("week").values_list("week", "launched_at")
        )

    def holds(self) -> None:
        """What is true in every state, however it was reached."""
        listing, launches = self.listing, self.launches()
        moves = list(listing.moves.order_by("at", "pk").values_list("from_status", "to_status"))
        assert all(was == then or then in Listing.MOVES[was] for was, then in moves)
        assert all(one[1] == other[0] for one, other in pairwise(moves))
        assert (moves[-1][1] if moves else "draft") == listing.status
        launched = [week for week, launched_at in launches if launched_at]
        booked = [week for week, launched_at in launches if launched_at is None]
        assert len(launched) == (1 if listing.launched_at else 0)
        assert len(booked) <= (0 if listing.launched_at else 1)
        if listing.status in QUEUED:
            assert booked == [listing.launch_week]
        if listing.status == "live":
            assert launched == [listing.launch_week]
        mails = Job.objects.filter(kind="core.send_mail", key__startswith="launched-")
        assert mails.count() == (1 if listing.moves.filter(to_status="live", by="system").exists() else 0)


EVENTS: dict[str, Callable[[Walk], None]] = {
    "badge seen": lambda walk: walk.shows("badge"),
    "badge lost": lambda walk: walk.shows("no badge"),
    "homepage closed": lambda walk: walk.shows("closed"),
    "free launch": Walk.chooses,
    "day": lambda walk: walk.passes(1),
    "week": lambda walk: walk.passes(7),
    "suspended": lambda walk: walk.staff_move("suspended"),
    "rejected": lambda walk: walk.staff_move("rejected"),
    "archived": lambda walk: walk.staff_move("archived"),
    "put live": lambda walk: walk.staff_move("live"),
    "put back": Walk.put_back,
}


@given(events=st.lists(st.sampled_from(sorted(EVENTS)), max_size=14))
@settings(max_examples=40)
def _walk(events: list[str], *, homepage: Website, people: People) -> None:
    with transaction.atomic():
        walk = Walk(make_listing("tidewell", owner=people.owner, status="draft"), homepage)
        for event in events:
            walk.does(event)
        transaction.set_rollback(True)


def test_no_walk_leads_to_an_illegal_state_a_lost_listing_or_a_double_launch(
    site: Site, people: People, homepage: Website
) -> None:
    _walk(homepage=homepage, people=people)


def test_with_the_badge_every_free_launch_arrives(site: Site, people: People, homepage: Website) -> None:
    walk = Walk(make_listing("tidewell", owner=people.owner, status="draft"), homepage)
    for event in ("free launch", "week", "homepage closed", "week", "badge seen", "week", "week", "week"):
        walk.does(event)

    assert (walk.listing.status, walk.listing.launch_week) == (
        "live",
        weeks.week_of(walk.listing.launched_at or AT),
    )
