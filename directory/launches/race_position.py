"""Where a launch stands in the race that runs, for the page of its listing."""

from dataclasses import dataclass
from datetime import date, datetime

from django.contrib.humanize.templatetags.humanize import ordinal
from django.utils.safestring import SafeString

from directory.launches.neighbours import Runner, gap_in_words, runners_beside
from directory.launches.plot import climb
from directory.launches.race import ended_days
from directory.models import Site


@dataclass(frozen=True, kw_only=True)
class RacePosition:
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
        since, first = self.before[0]
        label = f"Its place, from {ordinal(first)} on {since} to {ordinal(self.own.rank)} now."
        return climb([*(rank for _, rank in self.before), self.own.rank], label=label)


def race_position(*, site: Site, listing_id: int, week: date, at: datetime) -> RacePosition | None:
    """Of a launch that runs and has votes. Two statements."""
    runners = runners_beside(site_id=site.pk, week=week, listing_id=listing_id)
    own = next((runner for runner in runners if runner.is_own), None)
    if own is None or not own.votes:
        return None
    before = ended_days(own.launch_id, week=week, at=at)
    return RacePosition(own=own, gap=gap_in_words(runners), before=before)
