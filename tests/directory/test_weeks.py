"""Launch weeks at year ends, leap days and in 53-week years."""

from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest
from django.test import Client
from hypothesis import example, given
from hypothesis import strategies as st

from directory import weeks
from directory.models import Site

NOW = datetime(2026, 11, 18, 12, 0, tzinfo=UTC)
DAYS = st.dates(min_value=weeks.FIRST, max_value=weeks.LAST + timedelta(days=6))
ZONES = st.integers(min_value=-14 * 60, max_value=14 * 60).map(
    lambda minutes: timezone(timedelta(minutes=minutes))
)
MOMENTS = st.datetimes(
    min_value=datetime.fromisoformat("0002-01-01"),
    max_value=datetime.fromisoformat("9990-01-01"),
    timezones=ZONES,
)


@given(DAYS)
@example(date(2020, 12, 31))
@example(date(2021, 1, 3))
@example(date(2024, 2, 29))
@example(date(2026, 12, 28))
@example(date(2027, 1, 1))
def test_a_date_stands_for_the_monday_on_or_before_it(day: Any) -> None:
    week = weeks.parse(day.isoformat(), at=NOW)

    assert week.weekday() == 0
    assert week <= day < week + timedelta(days=7)
    assert week.isocalendar()[:2] == day.isocalendar()[:2]


@given(DAYS)
def test_a_week_has_seven_days_and_two_neighbours(day: Any) -> None:
    week = weeks.monday(day)

    assert weeks.end(week) - weeks.start(week) == timedelta(days=7)
    assert weeks.parse((week + timedelta(days=6)).isoformat(), at=NOW) == week
    assert {week - weeks.WEEK, week + weeks.WEEK} & {week} == set()


@given(MOMENTS)
@example(datetime(2026, 11, 23, 0, 30, tzinfo=timezone(timedelta(hours=1))))
def test_a_moment_lies_within_its_week_whatever_its_zone(at: Any) -> None:
    week = weeks.week_of(at)

    assert weeks.start(week) <= at < weeks.end(week)


@given(MOMENTS)
def test_last_this_and_next_follow_each_other(at: Any) -> None:
    last, this, following = (weeks.parse(word, at=at) for word in ("last", "this", "next"))

    assert (this - last, following - this) == (weeks.WEEK, weeks.WEEK)
    assert this == weeks.week_of(at)


@pytest.mark.parametrize(
    ("day", "monday"),
    [
        ("2020-12-28", "2020-12-28"),
        ("2020-12-31", "2020-12-28"),
        ("2021-01-03", "2020-12-28"),
        ("2021-01-04", "2021-01-04"),
        ("2024-02-29", "2024-02-26"),
        ("2026-11-15", "2026-11-09"),
    ],
)
def test_known_weeks(day: Any, monday: Any) -> None:
    assert weeks.parse(day, at=NOW).isoformat() == monday


@given(st.text(max_size=12))
@example("2026-W47-1")
@example("20261118")
@example("2026-02-30")
@example("2025-02-29")
@example("0001-01-01")
@example("9999-12-31")
@example("2026-11-18\n")
@example("THIS")
@example("２０２６-11-18")
def test_anything_else_is_refused(text: str) -> None:
    try:
        week = weeks.parse(text, at=NOW)
    except ValueError:
        return
    assert text in weeks.WORDS or week <= date.fromisoformat(text) < week + weeks.WEEK
    assert text in weeks.WORDS or (len(text) == 10 and text.isascii())


@pytest.mark.parametrize("monday", [weeks.FIRST, weeks.FIRST + weeks.WEEK, weeks.LAST])
def test_the_first_and_the_last_week_have_pages(site: Site, client: Client, monday: date) -> None:
    assert client.get(f"/weeks/{monday}").status_code == 200


@pytest.mark.parametrize(
    ("monday", "words"),
    [
        (date(2026, 11, 16), "16–22 November 2026"),
        (date(2026, 11, 30), "30 November – 6 December 2026"),
        (date(2019, 12, 30), "30 December 2019 – 5 January 2020"),
    ],
)
def test_the_days_of_a_week_in_words(monday: date, words: str) -> None:
    assert weeks.span(monday) == words


@pytest.mark.parametrize(
    ("minutes", "words"),
    [(2880, "2 days 0 h"), (2879, "47 h 59 min"), (1497, "24 h 57 min"), (59, "59 min"), (-5, "0 min")],
)
def test_what_is_left_runs_by_the_minute_in_the_last_two_days(minutes: int, words: str) -> None:
    assert weeks.time_left(NOW + timedelta(minutes=minutes), at=NOW) == words
