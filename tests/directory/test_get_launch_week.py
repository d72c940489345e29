"""get_launch_week: the launches of a week, ranked, booked or final."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
import time_machine

from accounts.services import create_user
from core.api import caching
from directory import weeks
from directory.launches.calendar import WEEK_LISTED
from directory.models import Launch, Listing, Site, Vote
from directory.moderation.status import moderate, put_back
from leaderboards.closing import close_week
from tests.conftest import Api, People
from tests.factories.listings import make_listing

NOW = datetime(2026, 11, 18, 12, 0, tzinfo=UTC)
MONDAY = date(2026, 11, 16)


def week(api: Api, text: str) -> dict:
    with time_machine.travel(NOW, tick=False):
        return api().get(f"/api/v1/launches/weeks/{text}").json()


def ranked(body: dict) -> list:
    return [(item["rank"], item["votes"], item["listing"]["slug"]) for item in body["items"]]


@pytest.mark.parametrize(
    ("text", "monday", "status", "final"),
    [
        ("this", "2026-11-16", "current", False),
        ("next", "2026-11-23", "future", False),
        ("last", "2026-11-09", "past", True),
        ("2026-11-22", "2026-11-16", "current", False),
        ("2026-11-08", "2026-11-02", "past", True),
        ("2027-01-01", "2026-12-28", "future", False),
    ],
)
def test_a_week_is_named_by_its_monday(
    api: Api, site: Site, text: str, monday: Any, status: int, final: Any
) -> None:
    body = week(api, text)
    start = datetime.fromisoformat(body["start"])

    assert (body["week"], body["status"], body["final"]) == (monday, status, final)
    assert (body["start"], body["items"], body["awards"]) == (f"{monday}T00:00:00Z", [], [])
    assert datetime.fromisoformat(body["end"]) - start == timedelta(days=7)
    assert date.fromisoformat(body["next"]) - date.fromisoformat(body["previous"]) == timedelta(days=14)


def test_the_running_week_is_ranked_by_votes_then_the_earlier_launch(api: Api, site: Site) -> None:
    make_listing("late", at=NOW, votes=5)
    make_listing("early", at=NOW - timedelta(hours=3), votes=5)
    make_listing("best", at=NOW, votes=9)
    make_listing("twin", at=NOW, votes=5)
    make_listing("soon", at=NOW, status="scheduled")

    assert ranked(week(api, "this")) == [(1, 9, "best"), (2, 5, "early"), (3, 5, "late"), (4, 5, "twin")]


def test_a_profile_has_the_rank_that_the_week_and_its_board_show(api: Api, site: Site) -> None:
    make_listing("late", at=NOW, votes=5)
    for slug in ("twin-a", "twin-b", "twin-c"):
        make_listing(slug, at=NOW - timedelta(hours=3), votes=5)
    reader = api()

    shown = {item["listing"]["slug"]: item["rank"] for item in week(api, "this")["items"]}
    board = reader.get("/api/v1/leaderboards/community-weekly?week=2026-11-16").json()["items"]
    own = {slug: reader.get(f"/api/v1/listings/{slug}").json()["rank"]["week"] for slug in shown}

    assert own == shown == {"twin-a": 1, "twin-b": 2, "twin-c": 3, "late": 4}
    assert {item["listing"]["slug"]: item["rank"] for item in board} == shown


def test_votes_are_those_of_the_week_and_not_all(api: Api, site: Site) -> None:
    listing = make_listing("again", at=NOW, votes=50)
    Launch.objects.filter(listing=listing).update(votes=2)

    (item,) = week(api, "this")["items"]
    assert (item["votes"], item["listing"]["votes"]) == (2, 50)


def test_a_relaunch_stands_in_both_weeks(api: Api, site: Site) -> None:
    listing = make_listing("again", at=NOW, votes=4)
    before = MONDAY - weeks.WEEK
    Launch.objects.create(
        site=site,
        listing=listing,
        week=before,
        kind="free",
        votes=7,
        booked_at=NOW,
        launched_at=weeks.start(before),
    )

    assert ranked(week(api, "this")) == [(1, 4, "again")]
    assert ranked(week(api, "last")) == [(1, 7, "again")]


def test_a_week_to_come_shows_what_is_scheduled_in_the_order_of_booking(api: Api, site: Site) -> None:
    for slug, hours in (("second", 2), ("first", 1), ("third", 3)):
        listing = make_listing(slug, status="scheduled", at=NOW, launch_week=MONDAY + weeks.WEEK)
        Launch.objects.filter(listing=listing).update(booked_at=NOW + timedelta(hours=hours))
    make_listing("waiting", status="awaiting_badge", at=NOW, launch_week=MONDAY + weeks.WEEK)

    assert ranked(week(api, "next")) == [(1, 0, "first"), (2, 0, "second"), (3, 0, "third")]


def test_what_went_live_ahead_of_its_week_keeps_its_place_in_it(api: Api, site: Site) -> None:
    coming = MONDAY + weeks.WEEK
    make_listing("booked", status="scheduled", at=NOW, launch_week=coming)
    make_listing("early", at=NOW, launch_week=coming, launched_at=weeks.start(coming))

    assert ranked(week(api, "next")) == [(1, 0, "booked"), (2, 0, "early")]
    assert [item["listing"]["status"] for item in week(api, "next")["items"]] == ["upcoming", "live"]


@pytest.mark.parametrize("status", ["suspended", "archived", "rejected"])
def test_what_is_no_longer_public_has_no_place(api: Api, site: Site, status: int) -> None:
    make_listing("stays", at=NOW, votes=1)
    make_listing("goes", at=NOW, votes=9, status=status, launched_at=NOW, launch_week=MONDAY)

    assert ranked(week(api, "this")) == [(1, 1, "stays")]


def test_a_closed_week_shows_its_awards(api: Api, site: Site) -> None:
    before = MONDAY - weeks.WEEK
    for place, slug in enumerate(("third", "second", "first", "nothing")):
        listing = make_listing(slug, at=weeks.start(before))
        for number in range(place + 1 if slug != "nothing" else 0):
            voter = create_user(email=f"{slug}-{number}@people.example")
            Vote.objects.create(listing=listing, user=voter, week=before, created_at=weeks.start(before))
    close_week(site=site, week=before, at=NOW)
    body = week(api, "last")

    assert [(award["rank"], award["code"], award["listing"]["slug"]) for award in body["awards"]] == [
        (1, "launch_of_the_week_1", "first"),
        (2, "launch_of_the_week_2", "second"),
        (3, "launch_of_the_week_3", "third"),
    ]
    assert {(award["week"], award["title"]) for award in body["awards"][:1]} == {
        ("2026-11-09", "Launch of the Week #1")
    }
    assert body["awards"][0]["badge_url"].endswith("/badges/first/launch_of_the_week_1.svg")
    assert body["awards"][0]["votes"] == body["items"][0]["votes"] == 3


def page_of_last_week(api: Api) -> str:
    with time_machine.travel(NOW, tick=False):
        text: str = api().client.get(f"/weeks/{MONDAY - weeks.WEEK}").content.decode()
    return text


def test_a_past_week_with_votes_is_final_once_it_is_closed(api: Api, site: Site) -> None:
    listing = make_listing("first", at=NOW - weeks.WEEK, votes=1)
    voter = create_user(email="voter@people.example")
    Vote.objects.create(listing=listing, user=voter, week=MONDAY - weeks.WEEK, created_at=NOW - weeks.WEEK)
    before, waiting = week(api, "last"), page_of_last_week(api)
    close_week(site=site, week=MONDAY - weeks.WEEK, at=NOW)
    caching.ANSWERS.clear()
    after, closed = week(api, "last"), page_of_last_week(api)

    assert (before["status"], before["final"], before["awards"]) == ("past", False, [])
    assert (after["status"], after["final"], len(after["awards"])) == ("past", True, 1)
    assert "We are checking; the result comes within minutes." in waiting
    assert "<bdi>First</bdi> won the week" in closed


def test_a_week_closed_ahead_of_its_end_is_final(api: Api, site: Site) -> None:
    listing = make_listing("first", at=NOW)
    voter = create_user(email="voter@people.example")
    Vote.objects.create(listing=listing, user=voter, week=MONDAY, created_at=NOW)
    before = week(api, "this")
    close_week(site=site, week=MONDAY, at=NOW + weeks.WEEK)
    caching.ANSWERS.clear()
    after = week(api, "this")

    assert (before["status"], before["final"], before["awards"]) == ("current", False, [])
    assert (after["status"], after["final"]) == ("current", True)
    assert [award["listing"]["slug"] for award in after["awards"]] == ["first"]


def test_a_listing_carries_its_rank_and_a_short_week_no_total(api: Api, site: Site) -> None:
    make_listing("second", at=NOW, votes=1)
    make_listing("first", at=NOW, votes=2)
    body = week(api, "this")

    assert [item["listing"]["rank"] for item in body["items"]] == [1, 2]
    assert "total" not in body


def test_a_week_too_long_to_show_says_how_long_it_is(api: Api, site: Site) -> None:
    for number in range(WEEK_LISTED + 1):
        make_listing(f"listing-{number}", at=NOW)
    body = week(api, "this")

    assert (len(body["items"]), body["total"]) == (WEEK_LISTED, WEEK_LISTED + 1)


def test_an_award_of_another_week_is_not_this_weeks(api: Api, site: Site) -> None:
    listing = make_listing("winner", at=NOW - 3 * weeks.WEEK)
    listing.awards = [
        {
            "id": 1,
            "code": "launch_of_the_week_1",
            "title": "Launch of the Week #1",
            "rank": 1,
            "week": "2026-10-26",
            "votes": 3,
        }
    ]
    listing.save()
    before = MONDAY - weeks.WEEK
    Launch.objects.create(
        site=site,
        listing=listing,
        week=before,
        kind="relaunch",
        booked_at=NOW,
        launched_at=weeks.start(before),
    )

    assert week(api, "last")["awards"] == []
    assert [award["rank"] for award in week(api, "2026-10-26")["awards"]] == [1]


def test_the_first_and_the_last_week_of_the_calendar_have_neighbours(api: Api, site: Site) -> None:
    assert week(api, "0001-01-08")["previous"] == "0001-01-01"
    assert week(api, "9999-12-13")["next"] == "9999-12-20"
    for text in ("0001-01-07", "9999-12-20"):
        assert api().get(f"/api/v1/launches/weeks/{text}").status_code == 400


def test_a_closed_week_is_final_and_its_places_are_passed_on_to_nobody_when_who_won_is_suspended(
    api: Api, site: Site, people: People
) -> None:
    before = MONDAY - weeks.WEEK
    for slug, votes in (("first", 4), ("second", 3), ("third", 2), ("fourth", 1)):
        listing = make_listing(slug, at=weeks.start(before), votes=votes)
        for number in range(votes):
            voter = create_user(email=f"{slug}-{number}@people.example")
            Vote.objects.create(listing=listing, user=voter, week=before, created_at=weeks.start(before))
    close_week(site=site, week=before, at=NOW)
    for slug in ("first", "second", "third"):
        about = {"listing_id": Listing.objects.get(slug=slug).pk, "staff_id": people.staff.pk}
        moderate(to="suspended", reason="Asked", at=NOW, **about)

    body = week(api, "last")
    assert (body["final"], body["awards"], ranked(body)) == (True, [], [(1, 1, "fourth")])
    put_back(reason="Sorry", at=NOW, **about)
    caching.ANSWERS.clear()
    assert [(row["rank"], row["listing"]["slug"]) for row in week(api, "last")["awards"]] == [(3, "third")]
