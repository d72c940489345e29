"""How a week went: the first eight from point to point, who climbed most, and the same as a sentence and a table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.contrib.humanize.templatetags.humanize import ordinal
from django.utils.safestring import SafeString

from directory import weeks
from directory.launches.plot import Line, bump_chart
from directory.launches.race import DAY, Place, midnights, places_at

LANES, FEWEST = 8, 4
# two fight for a place while so few votes, or this part of the upper's, lie between them
FIGHT, FIGHT_SHARE = 10, 20
HOUR = timedelta(hours=1)
BY_DAY_FROM, POINTS = timedelta(hours=48), 8
STEPS = (1, 2, 3, 6)
# hours are written half a minute after they are over
WRITTEN_AFTER = timedelta(minutes=2)


@dataclass(frozen=True, kw_only=True)
class Lane:
    """One of the first, with its place at each point; None before its first vote."""

    listing: Mapping[str, Any]
    votes: int
    places: Sequence[int | None]

    @property
    def first(self) -> int:
        return next(place for place in self.places if place)

    @property
    def last(self) -> int:
        return self.places[-1] or 0

    @property
    def climb(self) -> int:
        """How many places it won since then; fewer than none where it fell."""
        return self.first - self.last


@dataclass(frozen=True, kw_only=True)
class Course:
    labels: Sequence[str]
    lanes: Sequence[Lane]
    climber: Lane | None
    picture: SafeString
    label: str

    @property
    def ahead(self) -> int:
        return self.lanes[0].votes - self.lanes[1].votes


def moments(week: date, *, at: datetime) -> list[tuple[datetime, str]]:
    """The points of a plot before the last: ends of days, or in the first two days as few hours as there is room."""
    start, until = weeks.start(week), min(at - WRITTEN_AFTER, weeks.end(week))
    if until - start >= BY_DAY_FROM:
        return [(end, f"{end - DAY:%a}") for end in midnights(week, at=until) if end < weeks.end(week)]
    hours = int((until - start) / HOUR)
    step = next((step for step in STEPS if hours / step < POINTS), STEPS[-1])
    times = [start + number * HOUR for number in range(step, hours + 1, step)]
    return [(time, f"{time:%a}" if time == start + DAY else f"{time:%H:%M}") for time in times]


def course_of(race: Mapping[str, Any], *, at: datetime) -> Course | None:
    """The course of a week as `race_week` gives it; nothing where there is too little to draw."""
    items = [item for item in race["items"] if item["votes"]][:LANES]
    if len(race["items"]) < FEWEST or len(items) < FEWEST:
        return None
    points = moments(race["week"], at=at)
    ids = race["launch_ids"][: len(items)]
    places = places_at([time for time, _ in points], launches=ids)
    lanes = [
        _lane(item, had=places.get(launch_id, {}), points=points)
        for launch_id, item in zip(ids, items, strict=True)
    ]
    if not any(len([place for place in lane.places if place]) > 1 for lane in lanes):
        return None
    is_over = race["status"] == "past"
    climber = max(lanes, key=lambda lane: (lane.climb, -lane.last))
    climber_or_none = climber if climber.climb > 0 else None
    label = _label(lanes, climber=climber_or_none, is_over=is_over)
    return Course(
        labels=[*(label for _, label in points), "End" if is_over else "Now"],
        lanes=lanes,
        climber=climber_or_none,
        label=label,
        picture=bump_chart(
            [Line(places=lane.places, kind=_kind(lane, climber_or_none)) for lane in lanes],
            points=len(points) + 1,
            label=label,
        ),
    )


def _lane(
    item: Mapping[str, Any], *, had: Mapping[datetime, Place], points: Sequence[tuple[datetime, str]]
) -> Lane:
    before = [had[time].rank if time in had else None for time, _ in points]
    return Lane(listing=item["listing"], votes=item["votes"], places=[*before, item["rank"]])


def _kind(lane: Lane, climber: Lane | None) -> str:
    if lane is climber:
        return "hot"
    return {1: "lead", 2: "second", 3: "third"}.get(lane.last, "other")


def _label(lanes: Sequence[Lane], *, climber: Lane | None, is_over: bool) -> str:
    when = "from Monday to Sunday" if is_over else "since Monday"
    parts = [f"Places of the first {len(lanes)} {when}.", f"{lanes[0].listing['name']} leads."]
    if is_over:
        parts[1] = f"{lanes[0].listing['name']} won."
    moved = [(climber, "rose")] if climber else []
    fallen = min(lanes, key=lambda lane: lane.climb)
    moved += [(fallen, "fell")] if fallen.climb < 0 else []
    sentences = [f"{lane.listing['name']} {verb} from {span(lane)}" for lane, verb in moved]
    return " ".join([*parts, *([f"{', '.join(sentences)}."] if sentences else [])])


def span(lane: Lane) -> str:
    """From where to where, such as `9th to 3rd`."""
    return f"{ordinal(lane.first)} to {ordinal(lane.last)}"


def gap(items: Sequence[Mapping[str, Any]], *, number: int) -> str:
    """How far a launch is from the next, such as `9 behind 2nd`, where the two fight for a place; else nothing."""
    lower = max(number, 1)
    if lower == len(items) or not items[lower]["votes"]:
        return ""
    votes = items[lower - 1]["votes"]
    behind = votes - items[lower]["votes"]
    if behind > max(FIGHT, votes // FIGHT_SHARE):
        return ""
    if number == 0:
        return f"{behind} ahead of {ordinal(2)}" if behind else ""
    return f"{behind} behind {ordinal(number)}" if behind else f"Level with {ordinal(number)}"
