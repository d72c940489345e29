"""Where a launch stands in the race that runs, for the page of its listing."""

from dataclasses import dataclass
from datetime import date, datetime

from django.contrib.humanize.templatetags.humanize import ordinal
from django.utils.safestring import SafeString

from directory.launches.neighbours import Runner, gap_in_words, runners_around
from directory.launches.plot import climb
from directory.launches.race import ended_days
from directory.models import Launch


@dataclass(frozen=True, kw_only=True)
class Standing:
    """Its place among those of its week, and at the end of each day since its first vote."""

    own: Runner
    gap: str
    before: list[tuple[str, int]]

    @property
    def previous(self) -> int | None:
        """Its place at the last midnight."""
        return self.before[-1][1] if self.before else None

    @property
    def plot(self) -> SafeString:
        """How it got there; nothing on the first day."""
        if not self.before:
            return SafeString("")
        day, first = self.before[0]
        label = f"Its place, from {ordinal(first)} on {day} to {ordinal(self.own.rank)} now."
        return climb([*(rank for _, rank in self.before), self.own.rank], label=label)


def standing_of(*, listing_id: int, week: date, at: datetime) -> Standing | None:
    """Of a launch that runs and has votes. Three statements."""
    running = Launch.objects.filter(listing=listing_id, week=week, launched_at__isnull=False, is_hidden=False)
    launch = running.first()
    runners = runners_around(launch) if launch else []
    own = next((runner for runner in runners if runner.is_own), None)
    if launch is None or own is None or not own.votes:
        return None
    return Standing(own=own, gap=gap_in_words(runners), before=ended_days(launch, at=at))
