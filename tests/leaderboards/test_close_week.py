"""A week closes once, from counted votes alone."""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from directory.engagement import voiding, voting
from directory.models import Listing, Site
from leaderboards import closing
from leaderboards.errors import WeekStillRunningError
from leaderboards.models import Award, WeekClose, WeekResult
from tests.conftest import Caller
from tests.factories.listings import make_listing
from tests.leaderboards.conftest import NEXT_MONDAY, WEDNESDAY, WEEK


@pytest.fixture
def four(site: Site, vote: Callable[..., Any]) -> dict[str, Listing]:
    """Four launches; b and c are level, and c launched a minute earlier; d has no vote."""
    listings = {
        "a": make_listing("a-one", at=WEDNESDAY),
        "b": make_listing("b-two", at=WEDNESDAY),
        "c": make_listing("c-three", at=WEDNESDAY - timedelta(minutes=1)),
        "d": make_listing("d-four", at=WEDNESDAY),
    }
    for name, number in (("a", 3), ("b", 2), ("c", 2)):
        vote(listings[name], number)
    return listings


def places() -> list[tuple[int, str, int]]:
    rows = WeekResult.objects.order_by("rank").values_list("rank", "listing__slug", "votes")
    return list(rows)


def test_ranks_by_votes_then_by_the_earlier_launch_and_gives_three_awards(
    four: dict[str, Listing], site: Site, api: Callable[..., Caller]
) -> None:
    closing.close_week(site=site, week=WEEK, at=NEXT_MONDAY)

    assert places() == [(1, "a-one", 3), (2, "c-three", 2), (3, "b-two", 2), (4, "d-four", 0)]
    awards = api().get("/api/v1/awards").json()
    assert [(award["code"], award["listing"]["slug"], award["votes"]) for award in awards["items"]] == [
        ("launch_of_the_week_1", "a-one", 3),
        ("launch_of_the_week_2", "c-three", 2),
        ("launch_of_the_week_3", "b-two", 2),
    ]
    week = api().get(f"/api/v1/launches/weeks/{WEEK}").json()
    assert [award["rank"] for award in week["awards"]] == [1, 2, 3]
    listing = api().get("/api/v1/listings/a-one").json()
    assert listing["awards"] == [{"code": "launch_of_the_week_1", "week": "2026-11-16"}]


def test_a_running_week_is_not_closed_and_nothing_is_stored(four: dict[str, Listing], site: Site) -> None:
    with pytest.raises(WeekStillRunningError):
        closing.close_week(site=site, week=WEEK, at=NEXT_MONDAY - timedelta(seconds=1))
    with pytest.raises(CommandError, match="runs until"):
        call_command("close_week", week=WEEK, at=WEDNESDAY)

    assert (WeekClose.objects.count(), Award.objects.count()) == (0, 0)


def test_a_second_closing_changes_nothing_even_after_more_votes(
    four: dict[str, Listing], site: Site, vote: Callable[..., Any]
) -> None:
    first = closing.close_week(site=site, week=WEEK, at=NEXT_MONDAY)
    before = places()
    vote(four["d"], 9)

    assert closing.close_week(site=site, week=WEEK, at=NEXT_MONDAY) == first
    assert (places(), Award.objects.count()) == (before, 3)
    assert closing.verify_week(site=site, week=WEEK) is False


def test_anyone_can_recompute_the_result_from_the_votes(four: dict[str, Listing], site: Site) -> None:
    closing.close_week(site=site, week=WEEK, at=NEXT_MONDAY)

    assert closing.verify_week(site=site, week=WEEK) is True


def test_what_happens_to_votes_later_leaves_a_closed_week_as_it_was(
    four: dict[str, Listing], site: Site, vote: Callable[..., Any], capsys: pytest.CaptureFixture[str]
) -> None:
    (bought, regretted) = vote(four["d"], 2)
    closing.close_week(site=site, week=WEEK, at=NEXT_MONDAY)
    voiding.void_votes(vote_ids=[bought.pk], reason="bought", at=NEXT_MONDAY + timedelta(hours=1))
    voting.take_back_vote(user=regretted.user, listing_id=four["d"].pk, at=NEXT_MONDAY + timedelta(hours=1))

    call_command("close_week", week=WEEK, verify=True)
    assert "1 results follow from the votes" in capsys.readouterr().out
    WeekResult.objects.filter(rank=1).update(votes=4)
    with pytest.raises(CommandError, match="does not follow from the votes on main"):
        call_command("close_week", week=WEEK, verify=True)


def test_voided_votes_and_votes_of_other_weeks_do_not_count(
    four: dict[str, Listing], site: Site, vote: Callable[..., Any]
) -> None:
    bought = vote(four["d"], 5)
    vote(four["d"], 5, at=NEXT_MONDAY)
    voiding.void_votes(vote_ids=[row.pk for row in bought], reason="bought", at=WEDNESDAY)

    closing.close_week(site=site, week=WEEK, at=NEXT_MONDAY)

    assert places()[-1] == (4, "d-four", 0)


def test_a_week_without_votes_has_no_winners(site: Site) -> None:
    make_listing("lonely", at=WEDNESDAY)

    close = closing.close_week(site=site, week=WEEK, at=NEXT_MONDAY)

    assert (close.listings, close.votes, Award.objects.count()) == (1, 0, 0)


def test_missed_weeks_are_closed_each_once(site: Site, vote: Callable[..., Any]) -> None:
    for number in (3, 2, 1):
        at = WEDNESDAY - timedelta(weeks=number)
        vote(make_listing(f"old-{number}", at=at), number, at=at)

    assert closing.close_due_weeks(at=WEDNESDAY) == 3
    assert closing.close_due_weeks(at=WEDNESDAY) == 0
    assert list(Award.objects.order_by("week").values_list("listing__slug", flat=True)) == [
        "old-3",
        "old-2",
        "old-1",
    ]


def test_the_command_closes_the_last_week_that_is_over(four: dict[str, Listing], site: Site) -> None:
    call_command("close_week", at=NEXT_MONDAY)

    assert WeekClose.objects.get().week == WEEK


@pytest.mark.parametrize("text", ["20261116", "2026-W47-1", "last"])
def test_a_week_is_named_by_a_date_in_one_form(site: Site, text: str) -> None:
    with pytest.raises(CommandError, match=f"'{text}' is not a date of the form YYYY-MM-DD"):
        call_command("close_week", "--week", text)

    assert not WeekClose.objects.exists()


@pytest.mark.parametrize("week", [date.min, date.max])
def test_a_week_outside_the_calendar_is_refused_in_a_sentence(site: Site, week: date) -> None:
    with pytest.raises(CommandError, match="choose another week"):
        call_command("close_week", week=week, at=WEDNESDAY)
