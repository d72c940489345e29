"""Who stands around a launch in its week, and what lies between them in votes."""

from calendar import day_abbr, day_name
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from operator import itemgetter
from typing import Any

from django.contrib.humanize.templatetags.humanize import ordinal
from django.utils.safestring import SafeString

from core.postgresql.base import fetch_all
from directory.launches.plot import climb
from directory.launches.race import PUBLIC, ended_days
from directory.models import Launch, Site
from directory.search.cards import CARD, of_each, summary

WORDS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
DAYS = dict(zip(day_abbr, day_name, strict=True))
# the one before and the one after; behind the first there are two
AROUND = f"""
WITH placed AS (
    SELECT l.id, l.listing_id, l.votes, filed.category_id, count(*) OVER () AS listings,
        row_number() OVER (ORDER BY l.votes DESC, l.launched_at, l.listing_id) AS rank,
        row_number() OVER (PARTITION BY filed.category_id ORDER BY l.votes DESC, l.launched_at, l.listing_id)
            AS place,
        count(*) OVER (PARTITION BY filed.category_id) AS mates
    FROM directory_launch AS l LEFT JOIN LATERAL (
        SELECT c.category_id FROM directory_listingcategory AS c WHERE c.listing_id = l.listing_id
        ORDER BY c.position LIMIT 1
    ) AS filed ON true
    WHERE {PUBLIC}
),
own AS (SELECT rank, id FROM placed WHERE listing_id = ANY(%(listings)s))
SELECT placed.id = own.id, placed.id, placed.rank, placed.votes, placed.listings, placed.place, placed.mates,
    (SELECT name FROM directory_category WHERE id = placed.category_id), {CARD}
FROM placed CROSS JOIN own {of_each("placed.listing_id")}
WHERE placed.rank BETWEEN own.rank - 1 AND own.rank + CASE WHEN own.rank = 1 THEN 2 ELSE 1 END
    AND card.body IS NOT NULL
ORDER BY placed.rank
"""  # noqa: S608 constants


@dataclass(frozen=True, kw_only=True)
class Runner:
    """One of a race, as somebody beside it sees it. `gap` counts votes: more than none is ahead."""

    is_own: bool
    launch_id: int
    rank: int
    votes: int
    of: int
    card: Mapping[str, Any]
    gap: int
    place: int  # among those of its first category
    mates: int
    category: str

    @property
    def words(self) -> str:
        if self.is_own:
            return "You"
        number = abs(self.gap)
        if not number:
            return "Level with you" if self.votes else "No votes yet"
        return f"{number} vote{'' if number == 1 else 's'} {'ahead of' if self.gap > 0 else 'behind'} you"


def runners_around(launch: Launch) -> list[Runner]:
    """The launch among its neighbours, best first, in one statement; nothing for one that has not launched."""
    return runners_beside(site_id=launch.site_id, week=launch.week, listing_id=launch.listing_id)


def runners_beside(*, site_id: int, week: date, listing_id: int) -> list[Runner]:
    """The same by the listing and the week."""
    rows = fetch_all(AROUND, {"site": site_id, "week": week, "listings": [listing_id]})
    own = next((votes for is_own, _, _, votes, *_ in rows if is_own), 0)
    return [_runner(row, own=own) for row in rows]


def runners_of(*, site_id: int, week: date, listing_ids: Collection[int]) -> list[Runner]:
    """These listings in a week's race, best first, without those around them; one statement for all."""
    if not listing_ids:
        return []
    rows = fetch_all(AROUND, {"site": site_id, "week": week, "listings": list(listing_ids)})
    return [_runner(row, own=row[3]) for row in rows if row[0]]


def _runner(row: Sequence[Any], *, own: int) -> Runner:
    is_own, launch_id, rank, votes, of, place, mates, category, *columns = row
    return Runner(
        is_own=is_own,
        launch_id=launch_id,
        rank=rank,
        votes=votes,
        of=of,
        card=summary(columns),
        gap=votes - own,
        place=place,
        mates=mates,
        category=category or "",
    )


def gap_in_words(runners: list[Runner]) -> str:
    """How far it is to the next place, such as `9 votes to second`; nothing without votes or neighbours."""
    own = next((runner for runner in runners if runner.is_own), None)
    if own is None or not own.votes:
        return ""
    other = next((runner for runner in runners if abs(runner.rank - own.rank) == 1), None)
    if other is None:
        return ""
    number = abs(other.gap)
    if not number:
        return f"Level with {other.card['name']}"
    votes = f"{number} vote{'' if number == 1 else 's'}"
    return f"{votes} ahead of {other.card['name']}" if own.rank == 1 else f"{votes} to {placed(own.rank - 1)}"


def placed(rank: int) -> str:
    """A place in words: the first ten by their names."""
    return WORDS[rank - 1] if rank <= len(WORDS) else str(ordinal(rank))


@dataclass(frozen=True, kw_only=True)
class RacePosition:
    """Its place among those of its week, and at the end of each day since its first vote."""

    own: Runner
    gap: str
    before: list[tuple[str, int]]

    @property
    def previous(self) -> int | None:
        return self.before[-1][1] if self.before else None

    @property
    def is_steady(self) -> bool:
        return {rank for _, rank in self.before} <= {self.own.rank}

    @property
    def since(self) -> str:
        """The day of its first vote by its whole name."""
        return DAYS[self.before[0][0]]

    @property
    def best(self) -> tuple[str, int] | None:
        """The day of its best place, where both ends of the plot are lower."""
        best = min(self.before, key=itemgetter(1), default=None)
        return best if best and best[1] < min(self.before[0][1], self.own.rank) else None

    @property
    def plot(self) -> SafeString:
        """How it got there; nothing on the first day, and nothing where it always was in one place."""
        if self.is_steady:
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
