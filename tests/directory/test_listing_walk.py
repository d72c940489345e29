"""Random walks over a listing's states: no illegal state, no lost listing, no double launch, each move on record.

The same 25 each time; LISTING_WALKS=500 draws others.
"""

import os
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.api.errors import ApiError
from directory import weeks
from directory.launches import badge_watch, badges, free_choice, paid, publishing
from directory.listings import editing
from directory.listings.own import my_listing
from directory.models import BadgeCheck, Launch, Listing, Site, SiteSettings
from directory.moderation import status as moderation
from directory.search.cards import summaries
from tests.conftest import People
from tests.factories.listings import AT, make_listing
from tests.servers.website import Website, html, plain

START = datetime(2026, 11, 18, 9, 0, tzinfo=UTC)
NAMES = ("tidewell", "twin", "brindle")  # twin has tidewell's address
WALKS = int(os.environ.get("LISTING_WALKS", "25"))
CAPACITY = 1
LATER = START + timedelta(days=3650)  # the newest settings count
QUEUED = {"awaiting_badge", "scheduled"}
ORDER = "order:PL-00000000"
ALONE = ("day passes", "week passes")
PAGES: dict[str, Callable[[str], Any]] = {
    "badge seen": lambda slug: html(badges.badge_html(slug=slug, name=slug)),
    "badge lost": lambda _: html("<h1>New look</h1>"),
    "homepage closed": lambda _: html("Busy", status=503),
}


BOUGHT: dict[str, Callable[[int, date, datetime], object]] = {
    "launch paid": lambda pk, _, at: paid.launch_paid(listing_id=pk, week=None, by=ORDER, at=at),
    "week paid": lambda pk, week, at: paid.launch_paid(listing_id=pk, week=week, by=ORDER, at=at),
    "queue skipped": lambda pk, week, at: paid.skip_queue(listing_id=pk, week=week, by=ORDER, at=at),
    "relaunch paid": lambda pk, week, at: paid.relaunch(listing_id=pk, week=week, not_since=week, at=at),
    "launch refunded": lambda pk, _, at: paid.take_launch_back(listing_id=pk, at=at),
    "place refunded": lambda pk, week, at: paid.take_place_back(listing_id=pk, week=week, at=at),
}


class Walk:
    """Three listings of a site whose free weeks have one place each, and a clock."""

    def __init__(self, people: People, site: Site, website: Website) -> None:
        self.people, self.site, self.website, self.now = people, site, website, START
        SiteSettings.objects.create(
            site=site, free_queue_weeks=1, free_slots_per_week=CAPACITY, changed_at=LATER
        )
        self.listings = {
            name: make_listing(
                name,
                owner=people.owner if name != "twin" else people.stranger,
                status="draft",
                url=f"https://{'tidewell' if name == 'twin' else name}.example/",
                host=f"{'tidewell' if name == 'twin' else name}.example",
                at=START,
            )
            for name in NAMES
        }
        self.launched: dict[str, datetime] = {}

    def happen(self, name: str, event: str) -> None:
        """One event. What is refused changes nothing."""
        if event in ALONE:
            self.now += timedelta(days=7 if event == "week passes" else 1)
        elif event in PAGES:
            self.website.pages["/"] = PAGES[event](name)
        else:
            before = self._stored()
            try:
                with transaction.atomic():
                    self._act(self._now(name), event)
            except ApiError:
                assert self._stored() == before, event
        self._work()
        self._check()
        self._check_read(name)

    def _stored(self) -> Any:
        return [list(model.objects.order_by("pk").values()) for model in (Listing, Launch)]

    def _now(self, name: str) -> Listing:
        return Listing.objects.get(pk=self.listings[name].pk)

    def _act(self, listing: Listing, event: str) -> None:
        staff: dict[str, Any] = {"listing_id": listing.pk, "staff_id": 7, "at": self.now, "reason": event}
        if event == "chosen":
            free_choice.choose_free_listing(
                owner_id=listing.owner_id or 0, listing_id=listing.pk, check=None, at=self.now
            )
        elif event in BOUGHT:
            BOUGHT[event](listing.pk, weeks.week_of(self.now) + weeks.WEEK, self.now)
        elif event == "put back":
            moderation.put_back(**staff)
        elif event == "emptied":
            editing.update_my_listing(
                owner_id=listing.owner_id or 0,
                listing_id=listing.pk,
                changes={"fields": {"tagline": None}},
                at=self.now,
            )
        else:
            moderation.moderate(to=event, **staff)

    def _work(self) -> None:
        """What the workers do at this moment, each piece twice."""
        for _ in range(2):
            for listing_id in publishing.begun(at=self.now):
                publishing.launch_listing(listing_id=listing_id, at=self.now)
            for listing_id in badge_watch.waiting_for_badge():
                badge_watch.check_badge(listing_id=listing_id, at=self.now)
            paid.begin_relaunches(at=self.now)

    def _check(self) -> None:
        for name in NAMES:
            self._check_one(name, self._now(name))
        live = [row.url for row in Listing.objects.live()]
        assert len(live) == len(set(live))
        free = Launch.objects.filter(kind="free", launched_at=None, week__gt=weeks.week_of(self.now))
        taken = list(free.values_list("week", flat=True))
        assert all(taken.count(week) <= CAPACITY for week in taken)

    def _check_one(self, name: str, listing: Listing) -> None:
        moves = list(listing.moves.order_by("pk"))
        path = [("draft", "draft"), *((move.from_status, move.to_status) for move in moves)]
        assert all(first[1] == second[0] for first, second in pairwise(path))
        assert path[-1][1] == listing.status
        assert all(a == b or b in Listing.MOVES[a] for a, b in path)
        assert all(move.reason and move.by and move.at <= self.now for move in moves)
        assert (
            listing.launches.filter(kind="relaunch", launched_at__lt=listing.launched_at or START).count()
            == 0
        )
        places = list(listing.launches.exclude(kind="relaunch"))
        launched = [place for place in places if place.launched_at]
        waiting = [place for place in places if not place.launched_at]
        assert len(launched) == (1 if listing.launched_at else 0)
        assert len(waiting) <= 1
        if listing.status in QUEUED and listing.launched_at is None:
            assert [place.week for place in waiting] == [listing.launch_week]
            late = BadgeCheck.objects.filter(listing=listing, was_read=False).exists()
            assert late or listing.launch_week >= weeks.week_of(self.now)  # type: ignore[operator]
        assert not listing.is_live or (listing.tagline and listing.filed.exists())
        assert listing.launched_at or name not in self.launched
        if listing.launched_at:
            assert self.launched.setdefault(name, listing.launched_at) == listing.launched_at

    def _check_read(self, name: str) -> None:
        """What its owner and everybody read of the listing that something happened to."""
        listing = self._now(name)
        own = my_listing(owner_id=listing.owner_id or 0, listing_id=listing.pk, at=AT)
        assert own["status"] == listing.status
        assert len(summaries(listing_ids=[listing.pk])) == 1


EVENTS = st.tuples(
    st.sampled_from(NAMES),
    st.sampled_from(
        [
            "chosen",
            "chosen",
            *PAGES,
            "badge seen",
            "day passes",
            "week passes",
            "week passes",
            *BOUGHT,
            "launch paid",
            "week paid",
            "suspended",
            "rejected",
            "archived",
            "live",
            "put back",
            "emptied",
        ]
    ),
)


@pytest.fixture
def website(settings: Any) -> Iterator[Website]:
    with Website({"/robots.txt": plain(""), "/": html("<h1>Tidewell</h1>")}) as website:
        settings.CRAWL_RESOLVE = website.at("tidewell.example", "brindle.example")
        yield website


def test_no_walk_leads_to_an_illegal_state(people: People, site: Site, website: Website) -> None:
    seen: set[tuple[str, str]] = set()

    @settings(max_examples=WALKS, derandomize=WALKS == 25, suppress_health_check=list(HealthCheck))
    @given(events=st.lists(EVENTS, min_size=8, max_size=20))
    def walk(events: list[tuple[str, str]]) -> None:
        with transaction.atomic():
            found = Walk(people, site, website)
            for name, event in events:
                found.happen(name, event)
            for listing in Listing.objects.all():
                seen.update(listing.moves.values_list("from_status", "to_status"))
            transaction.set_rollback(True)

    walk()
    table = {(first, to) for first, after in Listing.MOVES.items() for to in after}
    assert len(seen & table) >= 12, sorted(seen)
