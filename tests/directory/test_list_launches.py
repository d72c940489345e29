"""list_launches: eight sections, each with a stated rule."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
import time_machine

from directory import weeks
from directory.launches.calendar import RULES
from directory.models import Launch, ListingStats, Site
from tests.conftest import Api
from tests.factories.listings import make_listing

NOW = datetime(2026, 11, 18, 12, 0, tzinfo=UTC)
MONDAY = date(2026, 11, 16)


def slugs(api: Api, section: str | None = None, **query: int) -> list[str]:
    text = "&".join([*([f"section={section}"] if section else []), *(f"{k}={v}" for k, v in query.items())])
    with time_machine.travel(NOW, tick=False):
        body = api().get(f"/api/v1/launches?{text}").json()
    return [item["slug"] for item in body["items"]]


@pytest.fixture
def launches(site: Site) -> None:
    """Two of today, two of this week, one of last week, one old, one to come."""
    for slug, age, votes in (
        ("today-few", timedelta(hours=1), 1),
        ("today-many", timedelta(hours=2), 8),
        ("midnight", timedelta(hours=12), 3),
        ("yesterday", timedelta(hours=13), 9),
        ("last-week", timedelta(days=7), 20),
        ("long-ago", timedelta(days=300), 2),
    ):
        make_listing(slug, at=NOW - age, votes=votes)
    make_listing("soon", at=NOW, status="scheduled", launch_week=MONDAY + weeks.WEEK)
    make_listing("hidden", at=NOW, status="suspended", launched_at=NOW, launch_week=MONDAY, votes=99)


def test_today_begins_at_midnight_utc_and_goes_by_votes(api: Api, launches: Any) -> None:
    assert slugs(api, "today") == ["today-many", "midnight", "today-few"]


def test_this_week_is_the_usual_section_and_goes_by_the_votes_of_the_week(api: Api, launches: Any) -> None:
    assert slugs(api) == slugs(api, "this-week") == ["yesterday", "today-many", "midnight", "today-few"]


@pytest.mark.parametrize(
    ("section", "order"),
    [
        ("most-voted", ["last-week", "yesterday", "today-many", "midnight", "long-ago", "today-few"]),
        ("recent", ["today-few", "today-many", "midnight", "yesterday", "last-week", "long-ago"]),
    ],
)
def test_most_voted_goes_by_all_votes_of_all_live_listings_and_recent_by_launch(
    api: Api, launches: Any, section: str, order: list[str]
) -> None:
    assert slugs(api, section) == order


@pytest.mark.parametrize(
    ("section", "column"), [("trending", "hot"), ("most-viewed", "views"), ("most-followed", "followers")]
)
def test_counters_order_what_they_count_and_ties_go_by_the_earlier_listing(
    api: Api, launches: Any, section: Any, column: Any
) -> None:
    ListingStats.objects.filter(listing__slug="long-ago").update(**{column: 70})
    ListingStats.objects.filter(listing__slug="midnight").update(**{column: 90})

    assert slugs(api, section) == [
        "midnight",
        "long-ago",
        "today-few",
        "today-many",
        "yesterday",
        "last-week",
    ]


def test_upcoming_goes_by_week_then_by_booking(api: Api, site: Site) -> None:
    for slug, week, hours in (("c", 2, 0), ("b", 1, 2), ("a", 1, 1)):
        listing = make_listing(slug, at=NOW, status="scheduled", launch_week=MONDAY + week * weeks.WEEK)
        Launch.objects.filter(listing=listing).update(booked_at=NOW + timedelta(hours=hours))
    make_listing("live", at=NOW)
    make_listing("waiting", at=NOW, status="awaiting_badge", launch_week=MONDAY + weeks.WEEK)

    assert slugs(api, "upcoming") == ["a", "b", "c"]


@pytest.mark.parametrize("section", list(RULES))
def test_pages_neither_repeat_nor_skip(api: Api, launches: Any, section: Any) -> None:
    whole = slugs(api, section)
    pages = [slug for page in range(1, len(whole) + 2) for slug in slugs(api, section, page=page, per_page=1)]

    assert pages == whole


@pytest.mark.parametrize("section", list(RULES))
def test_every_section_says_how_many_there_are(api: Api, launches: Any, section: Any) -> None:
    whole = slugs(api, section)
    with time_machine.travel(NOW, tick=False):
        first = api().get(f"/api/v1/launches?section={section}&per_page=1").json()
        beyond = api().get(f"/api/v1/launches?section={section}&page=9").json()

    assert (first["total"], first["total_pages"]) == (len(whole), len(whole))
    assert (beyond["items"], beyond["total"], beyond["next"]) == ([], len(whole), None)


def test_the_rules_are_stated_in_the_documentation(api: Api, site: Site) -> None:
    parameters = api().client.get("/api/v1/openapi.json").json()["paths"]["/launches"]["get"]["parameters"]
    (section,) = [one for one in parameters if one["name"] == "section"]

    assert all(f"{name}: {rule}" in section["description"] for name, rule in RULES.items())
