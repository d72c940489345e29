"""A week as a race: where each launch stood at the end of each day, how many voted, who comes next to whom.

What its page and its figures show of the past is written once, by the hour, not counted at each read.
"""

from calendar import day_abbr, day_name
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from operator import itemgetter
from typing import Any

from django.contrib.humanize.templatetags.humanize import ordinal
from django.core.cache import cache
from django.db import connection, transaction
from django.db.models import Max
from django.utils.safestring import SafeString

from core.postgresql.base import fetch_all, fetch_row
from directory import weeks
from directory.launches.calendar import launch_week
from directory.launches.plot import climb
from directory.models import Launch, LaunchHour, Site
from directory.search.cards import CARD, of_each, summary

DAY = timedelta(days=1)
# what is cast in the last seconds of a week is counted when it closes, some minutes later
CLOSED_AFTER = timedelta(minutes=10)
COUNTED_EACH_TIME, VOTERS_STAY = 10_000, 60
PUBLIC = "l.site_id = %(site)s AND l.week = %(week)s::date AND NOT l.is_hidden AND l.launched_at IS NOT NULL"
VOTES = f"SELECT coalesce(sum(l.votes), 0) FROM directory_launch AS l WHERE {PUBLIC}"  # noqa: S608 constants
VOTERS = f"""
SELECT count(DISTINCT v.user_id)
FROM directory_launch AS l JOIN directory_vote AS v ON v.listing_id = l.listing_id AND v.week = l.week
WHERE {PUBLIC} AND v.week = %(week)s::date AND (v.voided_at IS NULL OR v.voided_at > %(at)s::timestamptz)
    AND (v.held_at IS NULL OR v.held_at > %(at)s::timestamptz OR v.released_at < %(at)s::timestamptz)
"""  # noqa: S608 constants
PLACES = """
SELECT h.launch_id, h.at, h.rank, h.votes FROM directory_launchhour AS h
WHERE h.launch_id = ANY(%(launches)s::bigint[]) AND h.at = ANY(%(moments)s::timestamptz[])
"""
MOST = 5
VOTED = f"""
WITH placed AS (
    SELECT l.listing_id, l.votes, row_number() OVER (ORDER BY l.votes DESC, l.launched_at, l.listing_id) AS rank
    FROM directory_launch AS l WHERE {PUBLIC}
)
SELECT placed.rank, placed.votes, {CARD}
FROM placed JOIN directory_vote AS v ON v.listing_id = placed.listing_id {of_each("placed.listing_id")}
WHERE v.user_id = %(user)s AND v.week = %(week)s::date AND v.voided_at IS NULL AND card.body IS NOT NULL
ORDER BY placed.rank LIMIT %(most)s
"""  # noqa: S608 constants
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
class Place:
    rank: int
    votes: int


def votes_of(*, site: Site, week: date) -> int:
    row = fetch_row(VOTES, {"site": site.pk, "week": week})
    return int(row[0]) if row else 0


def voters_of(*, site: Site, week: date, votes: int, at: datetime) -> int:
    """The people whose votes these are. Of very many votes, and of a week that is over, counted once a minute."""
    params = {"site": site.pk, "week": week, "at": min(at, weeks.end(week) + CLOSED_AFTER)}
    is_cached = votes > COUNTED_EACH_TIME or at >= weeks.end(week) + CLOSED_AFTER
    key = f"voters:{site.pk}:{week}" if votes > COUNTED_EACH_TIME else f"voters:{site.pk}:{week}:{votes}"
    cached = cache.get(key) if is_cached else None
    if cached is not None:
        return int(cached)
    row = fetch_row(VOTERS, params) if votes else None
    voters = int(row[0]) if row else 0
    if is_cached:
        cache.set(key, voters, VOTERS_STAY)
    return voters


def places_at(moments: Iterable[datetime], *, launches: Collection[int]) -> dict[int, dict[datetime, Place]]:
    """The places of launches at full hours; nothing where there were no votes yet."""
    params = {"launches": list(launches), "moments": list(moments)}
    result: dict[int, dict[datetime, Place]] = defaultdict(dict)
    for launch_id, at, rank, votes in fetch_all(PLACES, params):
        result[launch_id][at] = Place(rank=rank, votes=votes)
    return result


def midnights(week: date, *, at: datetime) -> list[datetime]:
    """The ends of the days of a week that are over."""
    return [end for end in (weeks.start(week) + number * DAY for number in range(1, 8)) if end <= at]


def ended_days(launch_id: int, *, week: date, at: datetime) -> list[tuple[str, int]]:
    """Its place at the end of each day that is over; days before its first vote are left out."""
    ends = midnights(week, at=at)
    had = places_at(ends, launches=[launch_id]).get(launch_id, {}) if ends else {}
    return [(f"{end - DAY:%a}", had[end].rank) for end in ends if end in had]


def race_week(*, site: Site, week: date, at: datetime) -> dict[str, Any]:
    """The launches of a week with the places they had at the end of each day; that of the running day is of now."""
    result = launch_week(site=site, week=week, at=at)
    is_running = result["status"] == "current"
    ends = midnights(week, at=at)
    ids = result["launch_ids"]
    places = places_at(ends, launches=ids) if ends and ids else {}
    today = at.astimezone(UTC).date()
    for launch_id, item in zip(ids, result["items"], strict=True):
        had = places.get(launch_id, {})
        ranks = [{"date": (end - DAY).date(), "rank": had[end].rank} for end in ends if end in had]
        last = had.get(ends[-1]) if ends else None
        item["previous_rank"] = last.rank if last and is_running else None
        now = [{"date": today, "rank": item["rank"]}] if is_running and item["votes"] else []
        item["ranks"] = ranks + now
    is_whole = "total" not in result
    votes = sum(item["votes"] for item in result["items"]) if is_whole else votes_of(site=site, week=week)
    return {**result, "votes": votes, "voters": voters_of(site=site, week=week, votes=votes, at=at)}


def voted_in(*, user_id: int, site: Site, week: date) -> list[tuple[int, dict[str, Any], int]]:
    """Rank, card and votes of each, best first, in one statement."""
    rows = fetch_all(VOTED, {"user": user_id, "site": site.pk, "week": week, "most": MOST})
    return [(rank, summary(columns), votes) for rank, votes, *columns in rows]


HOUR = timedelta(hours=1)
# longer than a vote takes from its clock to its commit
SETTLES_IN = timedelta(seconds=30)
HOURS_AT_ONCE = 24
STAY = timedelta(days=90)
THINNED_AT_ONCE = 20_000
WRITE = """
INSERT INTO directory_launchhour (launch_id, at, rank, votes)
SELECT counted.id, counted.at,
    row_number() OVER (
        PARTITION BY counted.at ORDER BY counted.votes DESC, counted.launched_at, counted.listing_id
    ), counted.votes
FROM (
    SELECT l.id, l.launched_at, l.listing_id, hour.at, count(*) AS votes
    FROM generate_series(%(first)s::timestamptz, %(last)s::timestamptz, interval '1 hour') AS hour(at)
    JOIN directory_launch AS l ON l.site_id = %(site)s AND l.week = %(week)s AND NOT l.is_hidden
        AND l.launched_at < hour.at
    JOIN directory_vote AS v ON v.listing_id = l.listing_id AND v.week = l.week AND v.created_at < hour.at
        AND (v.voided_at IS NULL OR v.voided_at > hour.at)
        AND (v.held_at IS NULL OR v.held_at > hour.at OR v.released_at < hour.at)
    GROUP BY l.id, l.launched_at, l.listing_id, hour.at
) AS counted
ON CONFLICT (launch_id, at) DO NOTHING
"""
# of long past weeks the places at the end of each day stay
THIN_OUT = """
DELETE FROM directory_launchhour WHERE id IN (
    SELECT id FROM directory_launchhour
    WHERE at < %s AND at >= %s AND at <> date_trunc('day', at, 'UTC') ORDER BY at LIMIT %s
)
"""


def write_hours(*, at: datetime) -> None:
    """Write the full hours that are over and not written yet, of the running week and the one before, of each site."""
    this = weeks.week_of(at)
    for site in Site.objects.order_by("pk"):
        for week in (this - weeks.WEEK, this):
            write_week(site=site, week=week, until=at - SETTLES_IN, most=HOURS_AT_ONCE)


@transaction.atomic
def write_week(*, site: Site, week: date, until: datetime, most: int | None = None) -> None:
    """Write the hours of a week that are missing up to a moment. A second call changes nothing."""
    written = LaunchHour.objects.filter(launch__site=site, launch__week=week).aggregate(last=Max("at"))[
        "last"
    ]
    first = (written or weeks.start(week)) + HOUR
    last = min(until.replace(minute=0, second=0, microsecond=0), weeks.end(week))
    if most is not None and written:
        last = min(last, written + most * HOUR)
    if first > last:
        return
    with connection.cursor() as cursor:
        cursor.execute(WRITE, {"site": site.pk, "week": week, "first": first, "last": last})


def thin_out(*, at: datetime) -> None:
    """Of hours that are long past only each midnight stays."""
    day = at.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    with connection.cursor() as cursor:
        cursor.execute(THIN_OUT, [day - STAY, day - STAY - 7 * weeks.WEEK, THINNED_AT_ONCE])


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
