"""Launches of this week and the two after it, with the places that are left."""

from collections import Counter
from datetime import date, datetime, timedelta
from typing import Any

from django.db.models import QuerySet

from directory import weeks
from directory.models import Launch, Listing, Site, SiteSettings
from orders.models import LaunchWeek

SHOWN = 3
PARTS = ("free", "paid", "waiting")


def three_weeks(*, at: datetime) -> dict[str, Any]:
    """Each week with its bar: free, paid, waiting for the badge, and places left on all sites together."""
    first = weeks.week_of(at)
    shown = [first + number * weeks.WEEK for number in range(SHOWN)]
    sites = Site.objects.all()
    booked = _booked(sites=sites, shown=shown)
    places = _places(sites=sites, shown=shown)
    return {"weeks": [_week(week, booked[week], places[week], at=at) for week in shown]}


def _booked(*, sites: QuerySet[Site], shown: list[date]) -> dict[date, Counter[str]]:
    rows = Launch.objects.filter(site__in=sites, week__in=shown)
    found: dict[date, Counter[str]] = {week: Counter() for week in shown}
    for week, kind, status in rows.values_list("week", "kind", "listing__status"):
        is_waiting = status == Listing.Status.AWAITING_BADGE
        part = "waiting" if is_waiting else "free" if kind == Launch.Kind.FREE else "paid"
        found[week][part] += 1
    return found


def _places(*, sites: QuerySet[Site], shown: list[date]) -> dict[date, int]:
    """Free and paid places of each week, over all sites."""
    newest = SiteSettings.objects.filter(site__in=sites).order_by("site", "-changed_at", "-id")
    rules = list(newest.distinct("site"))
    own = {
        (site, week): capacity or 0
        for site, week, capacity in LaunchWeek.objects.filter(
            site__in=sites, week__in=shown, capacity__isnull=False
        ).values_list("site", "week", "capacity")
    }
    return {
        week: sum(
            one.free_slots_per_week + own.get((one.site_id, week), one.paid_slots_per_week) for one in rules
        )
        for week in shown
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
