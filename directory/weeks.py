"""Launch weeks: Monday 00:00 to Sunday 24:00 UTC, named by their Monday's date."""

import re
from datetime import UTC, date, datetime, time, timedelta

WEEK = timedelta(days=7)
WORDS = {"last": -1, "this": 0, "next": 1}
DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")
FIRST, LAST = date.min + WEEK, date(9999, 12, 13)


def monday(day: date) -> date:
    return day - timedelta(days=day.weekday())


def week_of(at: datetime) -> date:
    return monday(at.astimezone(UTC).date())


def start(week: date) -> datetime:
    return datetime.combine(week, time.min, tzinfo=UTC)


def end(week: date) -> datetime:
    return start(week) + WEEK


def sunday(week: date) -> date:
    return week + timedelta(days=6)


def launch_and_due(week: date | None) -> tuple[str, str]:
    """A launch week and the last day for its badge, in words; nothing where none is chosen."""
    return (f"{week:%-d %B %Y}", f"{sunday(week):%-d %B}") if week else ("", "")


def span(week: date) -> str:
    """Its days, such as 16–22 November 2026; a month or a year that only one end has is written at both."""
    last = sunday(week)
    if week.year != last.year:
        return f"{week.day} {week:%B} {week.year} – {last.day} {last:%B} {last.year}"
    if week.month != last.month:
        return f"{week.day} {week:%B} – {last.day} {last:%B} {last.year}"
    return f"{week.day}–{last.day} {last:%B} {last.year}"


def day_of(text: str) -> date | None:
    """The day that is written YYYY-MM-DD; nothing for what is none."""
    try:
        return date.fromisoformat(text) if DATE.match(text) else None
    except ValueError:
        return None


def parse(text: str, *, at: datetime) -> date:
    """The Monday that `this`, `next`, `last` or a date YYYY-MM-DD stands for.

    Raises ValueError for anything else, and for dates whose week has no neighbours within the calendar.
    """
    if text in WORDS:
        return week_of(at) + WORDS[text] * WEEK
    if not DATE.match(text):
        raise ValueError(text)
    result = monday(date.fromisoformat(text))
    if not FIRST <= result <= LAST:
        raise ValueError(text)
    return result


def countdown(until: datetime, *, at: datetime) -> list[tuple[int, str]]:
    minutes = max(0, int((until - at).total_seconds() // 60))
    numbers = ((minutes // 1440, "day"), (minutes % 1440 // 60, "hour"), (minutes % 60, "minute"))
    return [(number, f"{word}{'' if number == 1 else 's'}") for number, word in numbers]


def time_left(until: datetime, *, at: datetime) -> str:
    """Days and hours; of the last two days hours and minutes, so that a clock is seen to run."""
    minutes = max(0, int((until - at).total_seconds() // 60))
    hours = minutes // 60
    if hours >= 48:
        return f"{hours // 24} days {hours % 24} h"
    return f"{hours} h {minutes % 60} min" if hours else f"{minutes} min"
