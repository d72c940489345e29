"""Launches of this week and the two after it, with the places that are left."""

from collections import Counter
from datetime import date, datetime, timedelta
from typing import Any

from directory import weeks
from orders.selectors import calendar

LISTED = 3
PARTS = ("free", "paid", "waiting")


def three_weeks(*, at: datetime) -> dict[str, Any]:
    """Each week with its bar: free, paid, waiting for the badge, and places left on all sites together."""
    first = weeks.week_of(at)
    mondays = [first + number * weeks.WEEK for number in range(LISTED)]
    rules = calendar.newest_rules()
    own = calendar.own_capacities(sites=list(rules), mondays=mondays)
    booked = calendar.booked_in(sites=list(rules), mondays=mondays)
    return {
        "weeks": [
            _week(
                week,
                sum((booked.get((site, week), Counter()) for site in rules), Counter[str]()),
                sum(
                    entry.free_slots_per_week + own.get((site, week), entry.paid_slots_per_week)
                    for site, entry in rules.items()
                ),
                at=at,
            )
            for week in mondays
        ]
    }


def _week(week: date, booked: Counter[str], places: int, *, at: datetime) -> dict[str, Any]:
    whole = max(places, booked.total(), 1)
    bars, edge = [], 0.0
    for part in PARTS:
        width = 100 * booked[part] / whole
        bars.append({"part": part, "x": f"{edge:.1f}", "width": f"{width:.1f}"})
        edge += width
    return {
        "week": week,
        "last_day": week + timedelta(days=6),
        "is_current": week == weeks.week_of(at),
        "closes_in": weeks.end(week) - at,
        "booked": booked,
        "total": booked.total(),
        "places": places,
        "left": max(0, places - booked.total()),
        "bars": bars,
    }
