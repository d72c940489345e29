"""When each product launched, in two years of weeks and four to come, and how much it was liked."""

from dataclasses import dataclass
from random import Random

PAST_WEEKS = 104
UPCOMING = {1: 6, 2: 5, 3: 5, 4: 4}
RECENT = {0: 13, -1: 10, -2: 7, -3: 6}
NEVER_LAUNCHED = 0.055
MOST_VOTES = 940
TOGETHER = 4  # older launches come together in every fourth week, so that an award is won against many


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A listing's week and its counters."""

    week: int | None
    votes: int
    launch_votes: int
    followers: int
    views: int

    @property
    def is_upcoming(self) -> bool:
        """Whether its week is still to come."""
        return self.week is not None and self.week > 0

    @property
    def since_days(self) -> int:
        """Days since the launch, at least."""
        return -7 * self.week if self.week is not None and self.week < 0 else 0


def weeks(count: int, *, rng: Random) -> list[int | None]:
    """A launch week for each of `count` listings: full recent weeks, some never, the rest spread evenly."""
    share = min(1.0, count / 300)
    found: list[int | None] = []
    for week, places in (UPCOMING | RECENT).items():
        found += [week] * round(places * share)
    found += [None] * round(count * NEVER_LAUNCHED)
    past = list(range(-PAST_WEEKS, -3))
    while len(found) < count:
        rng.shuffle(past)
        found += past
    found = found[:count]
    rng.shuffle(found)
    oldest_recent = min(RECENT)
    return [week if week is None or week >= oldest_recent else week // TOGETHER * TOGETHER for week in found]


def standing(week: int | None, *, rng: Random) -> Standing:
    """Votes by a Pareto law; most of them come in the launch week."""
    if week is not None and week > 0:
        return Standing(
            week=week, votes=0, launch_votes=0, followers=rng.randrange(9), views=rng.randrange(20, 190)
        )
    votes = min(MOST_VOTES - rng.randrange(200), int(rng.paretovariate(1.35) * 14) - 4)
    if week == 0:
        votes = max(1, int(votes * 0.6))
    if week is None:
        votes //= 5
    launched = 0 if week is None else votes if week == 0 else max(1, round(votes * rng.uniform(0.55, 0.93)))
    return Standing(
        week=week,
        votes=votes,
        launch_votes=min(votes, launched),
        followers=round(votes * rng.uniform(0.07, 0.42)),
        views=round(votes * rng.uniform(8, 34)) + rng.randrange(30, 420),
    )
