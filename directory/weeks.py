"""Launch weeks: Monday 00:00 to Sunday 24:00 UTC, named by their Monday's date."""

from datetime import UTC, date, datetime, time, timedelta

WEEK = timedelta(days=7)
WORDS = {"last": -1, "this": 0, "next": 1}


def monday(day: date) -> date:
    """The Monday of a date's week."""
    return day - timedelta(days=day.weekday())


def week_of(at: datetime) -> date:
    """The week a moment belongs to."""
    return monday(at.astimezone(UTC).date())


def start(week: date) -> datetime:
    """The first moment of a week."""
    return datetime.combine(week, time.min, tzinfo=UTC)


def end(week: date) -> datetime:
    """The first moment after a week."""
    return start(week) + WEEK


def parse(text: str, *, at: datetime) -> date:
    """The Monday that `this`, `next`, `last` or a date YYYY-MM-DD stands for.

    Raises ValueError for anything else, and for dates whose week is not wholly within the calendar.
    """
    if text in WORDS:
        return week_of(at) + WORDS[text] * WEEK
    if len(text) != len("2026-11-23") or not text.isascii():
        raise ValueError(text)
    try:
        found = monday(date.fromisoformat(text))
        return found if found + 2 * WEEK else found
    except OverflowError as error:
        raise ValueError(text) from error
