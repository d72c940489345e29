"""What came of one launch, for its own people: its place, votes by the hour, visits, and where they came from."""

import math
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.core.cache import cache
from django.db.models import Count, Sum
from django.db.models.functions import TruncDate, TruncHour

from core.postgresql.base import fetch_row
from directory import weeks
from directory.models import Launch, LaunchHour, VisitCount, VisitSource, Vote

HOUR = timedelta(hours=1)
PLACE_STAYS, NOWHERE = 300, -1
# launched ones are placed by votes; of a week to come only how many are booked is known
PLACE = """
SELECT place.rank, place.listings, place.above - place.votes, place.votes - place.below FROM (
    SELECT l.id, l.votes, row_number() OVER ranked AS rank, count(*) OVER () AS listings,
        lag(l.votes) OVER ranked AS above, lead(l.votes) OVER ranked AS below
    FROM directory_launch AS l
    WHERE l.site_id = %(site)s AND l.week = %(week)s::date AND NOT l.is_hidden AND l.launched_at IS NOT NULL
    WINDOW ranked AS (ORDER BY l.votes DESC, l.launched_at, l.listing_id)
) AS place WHERE place.id = %(launch)s
"""


def launch_of(*, listing_id: int, at: datetime) -> Launch | None:
    """The launch that runs; else the next that comes; else the one that ended last."""
    this = weeks.week_of(at)
    rows = list(Launch.objects.filter(listing=listing_id).select_related("site").order_by("week"))
    coming = [launch for launch in rows if launch.week >= this]
    over = [launch for launch in reversed(rows) if launch.week < this and launch.launched_at]
    return next(iter(coming or over), None)


def launch_figures(*, listing_id: int, at: datetime) -> dict[str, Any] | None:
    """Everything about that launch; nothing for a listing that has none."""
    launch = launch_of(listing_id=listing_id, at=at)
    if launch is None:
        return None
    # before it begins, what is counted is the week that runs
    week = min(launch.week, weeks.week_of(at))
    return {
        "week": launch.week,
        **place_of(launch),
        "votes": launch.votes,
        "votes_by_hour": votes_by_hour(launch),
        "visits_by_day": visits_by_day(listing_id=listing_id, since=weeks.start(week), until=weeks.end(week)),
        "sources": sources(listing_id=listing_id, week=week),
    }


def place_of(launch: Launch) -> dict[str, Any]:
    """The place, out of how many, and how many votes lie between it and its neighbours; none without votes."""
    row = fetch_row(PLACE, {"site": launch.site_id, "week": launch.week, "launch": launch.pk})
    if row is None:
        public = Launch.objects.filter(site=launch.site_id, week=launch.week, is_hidden=False)
        return {"rank": None, "of": public.count(), "gap_up": None, "gap_down": None}
    rank, listings, gap_up, gap_down = row
    if not launch.votes:
        return {"rank": None, "of": listings, "gap_up": None, "gap_down": None}
    return {"rank": rank, "of": listings, "gap_up": gap_up, "gap_down": gap_down}


def live_place(*, listing_id: int, at: datetime) -> int | None:
    """The place in the running week, as of the last minutes; 0 without votes, nothing where it has not launched."""
    key = f"live-place:{listing_id}:{weeks.week_of(at)}"
    place = cache.get(key)
    if place is None:
        launch = Launch.objects.filter(
            listing=listing_id, week=weeks.week_of(at), launched_at__isnull=False, is_hidden=False
        ).first()
        place = (place_of(launch)["rank"] or 0) if launch else NOWHERE
        cache.set(key, place, PLACE_STAYS)
    return None if place == NOWHERE else int(place)


def votes_by_hour(launch: Launch) -> list[dict[str, Any]]:
    """The votes that count, by the hour they were cast in; hours without any are left out."""
    votes = Vote.objects.counted().filter(listing=launch.listing_id, week=launch.week)
    hours = votes.annotate(hour=TruncHour("created_at", tzinfo=UTC)).values("hour")
    rows = hours.annotate(number=Count("pk")).order_by("hour")
    return [{"at": row["hour"], "votes": row["number"]} for row in rows]


def visits_by_day(*, listing_id: int, since: datetime, until: datetime) -> list[dict[str, Any]]:
    """Visits to the page and on to the website, by day; days without any are left out."""
    counted = VisitCount.objects.filter(listing=listing_id, at__gte=since, at__lt=until)
    days = counted.annotate(day=TruncDate("at", tzinfo=UTC)).values("day")
    rows = days.annotate(seen=Sum("visits"), gone=Sum("clicks")).order_by("day")
    return [{"date": row["day"], "visits": row["seen"], "clicks": row["gone"]} for row in rows]


def figures_by_hour(launch: Launch, *, until: datetime) -> list[tuple[str, int, int | None, int, int]]:
    """Each hour of a launch up to a moment: votes, the place at its end, visits, visits to the website.

    Of weeks that are long past, places and visits are known by the day: they stand at its last and its first hour.
    """
    start = weeks.start(launch.week)
    votes = {row["at"]: row["votes"] for row in votes_by_hour(launch)}
    places = dict(LaunchHour.objects.filter(launch=launch).values_list("at", "rank"))
    counted = VisitCount.objects.filter(
        listing=launch.listing_id, at__gte=start, at__lt=weeks.end(launch.week)
    )
    visits = {row.at: row for row in counted}
    hours = [start + number * HOUR for number in range(math.ceil((until - start) / HOUR))]
    return [
        (
            f"{hour:%Y-%m-%d %H:%M}",
            votes.get(hour, 0),
            places.get(hour + HOUR),
            visits[hour].visits if hour in visits else 0,
            visits[hour].clicks if hour in visits else 0,
        )
        for hour in hours
    ]


def sources(*, listing_id: int, week: date) -> list[dict[str, Any]]:
    """The websites that sent visits in a week, most first; those that sent few are the others."""
    rows = VisitSource.objects.filter(listing=listing_id, week=week).order_by("-visits", "host")
    return named_sources(rows.values_list("host", "visits"))


def named_sources(rows: Iterable[Sequence[Any]]) -> list[dict[str, Any]]:
    """Hosts with their visits, most first; those that sent few are the others."""
    named: list[dict[str, Any]] = []
    others = 0
    for host, visits in rows:
        if host == VisitSource.OTHERS or (visits < VisitSource.FEWEST and host != VisitSource.DIRECT):
            others += visits
        else:
            named.append({"host": host, "visits": visits})
    return [*named, {"host": VisitSource.OTHERS, "visits": others}] if others else named
