"""The race: places by the hour, what a week and its launches say of themselves, and the badge that is live."""

from collections import Counter
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any

import pytest
import time_machine
from django.core.cache import cache
from django.test import Client

from accounts.models import User
from core.api.links import on_site
from directory import weeks
from directory.engagement.voiding import void_votes
from directory.launches.badge_check import find_badge
from directory.launches.race import thin_out, write_hours, write_week
from directory.models import Launch, LaunchHour, Listing, Site, VisitCount, VisitSource, Vote
from tests.conftest import Api, People
from tests.factories.listings import make_listing

MONDAY = date(2026, 11, 16)
START = weeks.start(MONDAY)
NOW = datetime(2026, 11, 18, 14, 20, tzinfo=UTC)
HOUR = timedelta(hours=1)
SLUGS = ("anchorage", "brindle", "corvid", "dunlin", "eiderdown")


@pytest.fixture
def race(site: Site) -> dict[str, Listing]:
    """Five launches of Monday with 200 votes since, some of them void or held; the fifth has none."""
    listings = {slug: make_listing(slug, at=START) for slug in SLUGS}
    people = User.objects.bulk_create(User(email=f"{number}@voter.example") for number in range(80))
    rng = Random(31)
    votes: dict[tuple[int, int], Vote] = {}
    for _ in range(200):
        slug, user = rng.choice(SLUGS[:4]), rng.choice(people)
        cast = START + timedelta(seconds=rng.randrange(int((NOW - START).total_seconds())))
        vote = Vote(listing=listings[slug], user=user, week=MONDAY, created_at=cast)
        fate = rng.random()
        if fate < 0.1:
            vote.voided_at = cast + rng.random() * (NOW - cast)
        elif fate < 0.2:
            vote.held_at = cast
            vote.released_at = cast + rng.random() * (NOW - cast) if fate < 0.15 else None
        votes.setdefault((listings[slug].pk, user.pk), vote)
    Vote.objects.bulk_create(votes.values())
    for listing in listings.values():
        number = Vote.objects.counted().filter(listing=listing).count()
        Launch.objects.filter(listing=listing).update(votes=number)
    return listings


def counts(vote: Vote) -> bool:
    return vote.voided_at is None and (vote.held_at is None or vote.released_at is not None)


def recount(at: datetime) -> dict[str, tuple[int, int]]:
    """Place and votes of each launch that had votes at a moment, from the votes one by one."""
    counted: Counter[str] = Counter()
    for vote in Vote.objects.select_related("listing"):
        is_void = vote.voided_at is not None and vote.voided_at <= at
        waits = vote.held_at is not None and vote.held_at <= at
        waits = waits and (vote.released_at is None or vote.released_at >= at)
        if vote.created_at < at and not is_void and not waits:
            counted[vote.listing.slug] += 1
    order = sorted(counted, key=lambda slug: (-counted[slug], Listing.objects.get(slug=slug).pk))
    return {slug: (rank, counted[slug]) for rank, slug in enumerate(order, start=1)}


def stored(at: datetime) -> dict[str, tuple[int, int]]:
    rows = LaunchHour.objects.filter(at=at).values_list("launch__listing__slug", "rank", "votes")
    return {slug: (rank, votes) for slug, rank, votes in rows}


def week(api: Api, text: str = "this", at: datetime = NOW) -> dict[str, Any]:
    with time_machine.travel(at, tick=False):
        return api().get(f"/api/v1/launches/weeks/{text}").json()


def test_each_hour_is_what_a_recount_of_the_votes_gives(race: Any, site: Site) -> None:
    write_hours(at=NOW)

    moments = [START + number * HOUR for number in range(1, 63)]
    assert [stored(at) for at in moments] == [recount(at) for at in moments]
    assert LaunchHour.objects.filter(at__gt=NOW).count() == 0
    assert not LaunchHour.objects.filter(launch__listing=race["eiderdown"]).exists()


def test_hours_are_written_once_and_made_up_for_after_an_outage(race: Any, site: Site) -> None:
    write_week(site=site, week=MONDAY, until=START + 10 * HOUR)
    before = list(LaunchHour.objects.order_by("pk").values())
    write_week(site=site, week=MONDAY, until=START + 10 * HOUR)
    assert list(LaunchHour.objects.order_by("pk").values()) == before

    votes = list(Vote.objects.filter(created_at__lt=START + 9 * HOUR).values_list("pk", flat=True))
    void_votes(vote_ids=votes, reason="A burst.", at=NOW - timedelta(minutes=30))
    for _ in range(3):
        write_hours(at=NOW)
    assert list(LaunchHour.objects.filter(at__lte=START + 10 * HOUR).order_by("pk").values()) == before
    last = NOW.replace(minute=0)
    assert stored(last) == recount(last)


def test_an_hour_is_written_once_what_was_cast_in_it_is_stored(race: Any, site: Site) -> None:
    write_hours(at=START + 5 * HOUR + timedelta(seconds=20))
    assert LaunchHour.objects.order_by("-at").values_list("at", flat=True)[0] == START + 4 * HOUR


def test_the_last_hour_of_a_week_is_written_in_the_next(race: Any, site: Site) -> None:
    after = weeks.end(MONDAY) + HOUR
    for _ in range(7):
        write_hours(at=after)

    end = weeks.end(MONDAY)
    assert stored(end) == recount(end)
    assert LaunchHour.objects.filter(at__gt=end).count() == 0


def test_a_week_says_where_each_stood_at_the_end_of_each_day(race: Any, api: Api, site: Site) -> None:
    write_hours(at=NOW)
    body = week(api)

    ends = {"2026-11-16": START + 24 * HOUR, "2026-11-17": START + 48 * HOUR, "2026-11-18": NOW}
    then = {day: recount(at) for day, at in ends.items()}
    for item in body["items"]:
        slug = item["listing"]["slug"]
        expected = [{"date": day, "rank": ranks[slug][0]} for day, ranks in then.items() if slug in ranks]
        assert item["ranks"] == expected
        assert item["previous_rank"] == then["2026-11-17"].get(slug, (None,))[0]
    last = body["items"][-1]
    assert (last["listing"]["slug"], last["votes"], last["ranks"]) == ("eiderdown", 0, [])
    counted = Vote.objects.counted()
    assert body["votes"] == sum(item["votes"] for item in body["items"]) == counted.count()
    assert body["voters"] == counted.values("user").distinct().count()


def test_the_first_day_and_a_week_that_is_over_compare_with_nothing(race: Any, api: Api, site: Site) -> None:
    first = week(api, at=START + 20 * HOUR)
    over = week(api, text="last", at=NOW + weeks.WEEK)

    assert {item["previous_rank"] for item in first["items"] + over["items"]} == {None}
    assert week(api, text="next")["voters"] == 0


def test_an_owner_sees_what_came_of_the_launch(
    race: dict[str, Listing], api: Api, people: People, site: Site
) -> None:
    listing = race["brindle"]
    Listing.objects.filter(pk=listing.pk).update(owner=people.owner)
    VisitCount.objects.create(listing=listing, at=START - HOUR, visits=9)
    VisitCount.objects.create(listing=listing, at=START, visits=3, clicks=1)
    VisitCount.objects.create(listing=listing, at=START + 23 * HOUR, visits=4)
    VisitCount.objects.create(listing=listing, at=START + 24 * HOUR, clicks=2)
    for host, visits in (("a.example", 10), ("b.example", 9), ("c.example", 2), ("Direct", 5)):
        VisitSource.objects.create(listing=listing, week=MONDAY, host=host, visits=visits)
    with time_machine.travel(NOW, tick=False):
        launch = (
            api("account:read", user=people.owner).get(f"/api/v1/me/listings/{listing.pk}").json()["launch"]
        )

    ranks = recount(NOW)
    by_rank = dict(ranks.values())
    rank, votes = ranks["brindle"]
    assert (launch["week"], launch["rank"], launch["of"], launch["votes"]) == ("2026-11-16", rank, 5, votes)
    above, below = by_rank.get(rank - 1), by_rank.get(rank + 1, 0)
    assert launch["gap_up"] == (above - votes if above is not None else None)
    assert launch["gap_down"] == votes - below
    cast = [vote.created_at for vote in Vote.objects.filter(listing=listing) if counts(vote)]
    hours = Counter(f"{moment:%Y-%m-%dT%H}:00:00Z" for moment in cast)
    assert {hour["at"]: hour["votes"] for hour in launch["votes_by_hour"]} == hours
    assert sum(hours.values()) == votes
    assert launch["visits_by_day"] == [
        {"date": "2026-11-16", "visits": 7, "clicks": 1},
        {"date": "2026-11-17", "visits": 0, "clicks": 2},
    ]
    assert launch["sources"] == [
        {"host": "a.example", "visits": 10},
        {"host": "Direct", "visits": 5},
        {"host": "Others", "visits": 11},
    ]


def test_without_votes_there_is_no_place_and_a_launch_to_come_has_none(
    api: Api, people: People, site: Site
) -> None:
    make_listing("first", at=START, votes=2)
    make_listing("plain", at=START, owner=people.owner)
    make_listing("soon", at=NOW, owner=people.owner, status="scheduled", launch_week=MONDAY + weeks.WEEK)
    make_listing("draft", at=NOW, owner=people.owner, status="draft", launch_week=None)
    owner = api("account:read", user=people.owner)
    launches = {}
    with time_machine.travel(NOW, tick=False):
        for pk, slug in Listing.objects.filter(owner=people.owner).values_list("pk", "slug"):
            launches[slug] = owner.get(f"/api/v1/me/listings/{pk}").json()["launch"]

    empty = {"votes_by_hour": [], "visits_by_day": [], "sources": [], "votes": 0}
    nowhere = {**empty, "rank": None, "gap_up": None, "gap_down": None}
    assert launches == {
        "plain": {**nowhere, "week": "2026-11-16", "of": 2},
        "soon": {**nowhere, "week": "2026-11-23", "of": 1},
        "draft": None,
    }


def test_the_live_badge_says_the_place_for_five_minutes(site: Site, client: Client) -> None:
    first, second = make_listing("first", at=START, votes=2), make_listing("tidewell", at=START, votes=1)
    image = "/badges/tidewell/live.svg"
    with time_machine.travel(NOW, tick=False):
        shown = client.get(image)
        assert "2nd this week" in shown.content.decode()
        assert "max-age=300" in shown["Cache-Control"]
        Launch.objects.filter(listing=second).update(votes=3)
        assert "2nd this week" in client.get(image).content.decode()
        cache.clear()
        assert "1st this week" in client.get(image).content.decode()
        Launch.objects.filter(listing=first).update(votes=0)
        assert "Vote this week" in client.get("/badges/first/live.svg").content.decode()
    with time_machine.travel(NOW + weeks.WEEK, tick=False):
        assert "Number" not in (late := client.get(image).content.decode())
        assert "Listed on" in late


@pytest.mark.parametrize("status", ["awaiting_badge", "scheduled"])
def test_the_live_badge_may_wait_on_the_homepage_as_the_required_one(
    site: Site, client: Client, status: str
) -> None:
    make_listing(status=status)
    answer = client.get("/badges/tidewell/live.svg")
    assert (answer.status_code, "Launching on" in answer.content.decode()) == (200, True)
    html = '<a href="/listings/tidewell"><img src="/badges/tidewell/live.svg?shape=pill"></a>'
    assert find_badge(html=html, base_url=on_site("/"), slug="tidewell").result == "found"


def test_only_midnights_of_long_past_weeks_stay(race: Any, site: Site) -> None:
    write_hours(at=NOW)
    thin_out(at=NOW + timedelta(days=80))
    assert LaunchHour.objects.values("at").distinct().count() > 50

    thin_out(at=NOW + timedelta(days=95))
    midnights = {START + 24 * HOUR, START + 48 * HOUR}
    assert set(LaunchHour.objects.values_list("at", flat=True)) == midnights
