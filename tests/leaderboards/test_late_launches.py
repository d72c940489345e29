"""After an outage everybody still gets a launch that counts, and what is closed stays as it was counted."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import transaction
from django.db.models import Model

from core import jobs
from directory import weeks
from directory.engagement import voting
from directory.launches import publishing
from directory.models import Launch, Listing, Site
from leaderboards import closing
from leaderboards.models import Award, WeekClose
from tests.conftest import Api, People
from tests.factories.listings import go_live, make_listing
from tests.leaderboards.conftest import NEXT_MONDAY, WEDNESDAY, WEEK
from tests.waiting import begin_blocked


@pytest.fixture
def late(site: Site, people: People) -> list[Listing]:
    """Listings booked for the last three weeks and this one; nothing ran in all that time."""
    return [
        make_listing(
            f"late-{number}",
            owner=people.owner,
            status="scheduled",
            plan="paid",
            at=WEDNESDAY - timedelta(weeks=8),
            launch_week=WEEK - number * weeks.WEEK,
        )
        for number in (3, 2, 1, 0)
    ]


def test_late_listings_launch_in_the_running_week_and_their_votes_count(
    late: list[Listing], site: Site, voters: Callable[..., Any], api: Api, mailoutbox: list[Any]
) -> None:
    before = make_listing("in-time", at=WEDNESDAY - timedelta(weeks=2))
    assert closing.close_due_weeks(at=WEDNESDAY) == 1

    call_command("publish_due", at=WEDNESDAY)
    jobs.run_due()

    assert set(Listing.objects.exclude(pk=before.pk).values_list("status", "launch_week")) == {("live", WEEK)}
    rows = Launch.objects.exclude(listing=before).values_list("week", "launched_at")
    assert list(rows) == [(WEEK, WEDNESDAY)] * 4
    late[0].refresh_from_db()
    assert late[0].status_reason == (
        "Live. The week of 26 October 2026 was over, so it launched in the week of 16 November 2026."
    )
    assert sorted("16 November 2026" in mail.body for mail in mailoutbox) == [True] * 4
    for user in voters(2):
        voting.cast_vote(user=user, listing_id=late[0].pk, at=WEDNESDAY)
    closing.close_week(site=site, week=WEEK, at=NEXT_MONDAY)
    assert list(Award.objects.values_list("listing__slug", "week", "votes")) == [("late-3", WEEK, 2)]
    for close in WeekClose.objects.all():
        call_command("close_week", week=close.week, verify=True)
    assert WeekClose.objects.count() == 2


def test_late_listings_are_launched_in_the_order_of_their_weeks(late: list[Listing]) -> None:
    assert publishing.begun(at=WEDNESDAY) == [listing.pk for listing in late]


def test_a_launch_made_after_closing_is_not_counted_into_the_closed_week(
    site: Site, vote: Callable[..., Any]
) -> None:
    vote(make_listing("in-time", at=WEDNESDAY), 2)
    closing.close_week(site=site, week=WEEK, at=NEXT_MONDAY)

    make_listing("too-late", at=NEXT_MONDAY + timedelta(minutes=1), launch_week=WEEK)

    assert closing.verify_week(site=site, week=WEEK) is True
    assert closing.close_week(site=site, week=WEEK, at=NEXT_MONDAY + timedelta(hours=1)).listings == 1


def test_a_place_booked_in_the_running_week_too_is_used_once(late: list[Listing]) -> None:
    Launch.objects.create(
        site_id=late[0].site_id, listing=late[0], week=WEEK, kind="relaunch", booked_at=WEDNESDAY
    )

    go_live(listing_id=late[0].pk, at=WEDNESDAY)

    assert list(late[0].launches.values_list("week", "kind", "launched_at")) == [
        (WEEK, "relaunch", WEDNESDAY)
    ]


def test_a_week_closes_some_minutes_after_its_end(site: Site) -> None:
    make_listing("in-time", at=WEDNESDAY)

    assert closing.close_due_weeks(at=NEXT_MONDAY + timedelta(minutes=4, seconds=59)) == 0
    assert closing.close_due_weeks(at=NEXT_MONDAY + timedelta(minutes=5)) == 1


@pytest.mark.django_db(transaction=True)
def test_two_that_close_a_week_at_once_close_it_once() -> None:
    site = make_listing("in-time", at=WEDNESDAY, votes=0).site
    closes: list[Model] = []

    def close() -> None:
        closes.append(closing.close_week(site=site, week=WEEK, at=NEXT_MONDAY + timedelta(seconds=9)))

    with transaction.atomic():
        first = closing.close_week(site=site, week=WEEK, at=NEXT_MONDAY)
        second = begin_blocked(close)
    second.join(30)

    assert closes == [first]
    assert WeekClose.objects.count() == 1
