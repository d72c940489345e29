"""Reads every board of a database full of demo listings, votes for one of them at once, and tells as JSON."""

import argparse
import json
import math
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from random import Random
from statistics import median
from threading import Barrier
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
django.setup()

from django.db import connection  # noqa: E402

from accounts.models import User  # noqa: E402
from benchmarks.listings.bulk import without_indexes  # noqa: E402
from core.postgresql.base import fetch_row  # noqa: E402
from directory.engagement.voting import CAST, cast_vote  # noqa: E402
from directory.launches.calendar import LISTINGS as SECTIONS  # noqa: E402
from directory.launches.calendar import launch_week, list_launches  # noqa: E402
from directory.models import Launch, Listing, ListingStats, Site, Vote  # noqa: E402
from leaderboards.boards import BOARDS  # noqa: E402
from leaderboards.models import Standing  # noqa: E402

WRITERS, HOT, ROUNDS = 8, 6, 5
# others may use the machine: rounds over all reads lie further apart than repeated calls would
READ_ROUNDS = 15
LAST_PAGE, LONGEST = 1000, 100
# the demo's bulk has counters alone; a vote each makes them true
VOTES = """
INSERT INTO directory_vote (listing_id, user_id, week, created_at, void_reason)
SELECT s.listing_id, people.ids[1 + (s.listing_id + number) % cardinality(people.ids)], l.week, l.at, ''
FROM (SELECT array_agg(id ORDER BY id) AS ids FROM accounts_user) AS people, directory_listingstats AS s
CROSS JOIN LATERAL (
    SELECT coalesce(launch_week, created_at::date) AS week, coalesce(launched_at, created_at) AS at
    FROM directory_listing WHERE id = s.listing_id
) AS l
CROSS JOIN LATERAL generate_series(1, least(s.votes, cardinality(people.ids))) AS number
ON CONFLICT DO NOTHING
"""
STANDINGS = """
INSERT INTO leaderboards_standing (
    site_id, board, listing_id, rank, previous_rank, value, unit, is_verified, as_of, refreshed_at
)
SELECT s.site_id, %(board)s, s.listing_id, row_number() OVER (ORDER BY s.views DESC, s.listing_id), NULL, s.views, '',
    NULL, current_date, now()
FROM directory_listingstats AS s WHERE s.site_id = %(site)s AND s.is_live AND s.listing_id %% %(each)s = 0
"""
STANDING_EACH = {"domain-rating": 1, "revenue": 3, "billboard": 10}
ONLY = """
INSERT INTO directory_vote (listing_id, user_id, week, created_at, void_reason)
VALUES (%(listing)s::bigint, %(user)s::bigint, %(week)s::date, %(at)s::timestamptz, '')
ON CONFLICT (listing_id, user_id) DO NOTHING RETURNING listing_id
"""
Call = Callable[[], Any]


def fill(site: Site) -> None:
    """Votes as rows, and boards that hold very many listings."""
    if Vote.objects.count() < ListingStats.objects.count():
        with without_indexes(["directory_vote"]), connection.cursor() as cursor:
            cursor.execute(VOTES)
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
        for board, each in STANDING_EACH.items():
            kept = Standing.objects.filter(site=site, board=board)
            if kept.count() < ListingStats.objects.filter(site=site, is_live=True).count() // each // 2:
                kept.delete()
                cursor.execute(STANDINGS, {"board": board, "site": site.pk, "each": each})
        for table in (
            "directory_vote",
            "leaderboards_standing",
            "directory_launch",
            "directory_listingstats",
        ):
            cursor.execute(f"VACUUM (ANALYZE) {table}")
        cursor.execute("RESET statement_timeout")


class Spent:
    """Adds up the time that statements take."""

    def __init__(self) -> None:
        """None yet."""
        self.ms, self.statements = 0.0, 0

    def __call__(self, execute: Callable[..., Any], *asked: Any) -> Any:
        """Run one statement."""
        began = time.perf_counter()
        try:
            return execute(*asked)
        finally:
            self.ms += (time.perf_counter() - began) * 1000
            self.statements += 1


def in_database(calls: Sequence[Call], *, rounds: int) -> list[tuple[float, int]]:
    """Milliseconds that each call's statements take, the least of several rounds, and how many there are."""
    best = [(math.inf, 0)] * len(calls)
    for _ in range(rounds):
        for number, call in enumerate(calls):
            spent = Spent()
            with connection.execute_wrapper(spent):
                call()
            best[number] = min(best[number], (spent.ms, spent.statements))
    return best


def p95(times: Sequence[float]) -> float:
    """The 95th percentile."""
    return sorted(times)[math.ceil(len(times) * 0.95) - 1]


def reads(site: Site, weeks: Sequence[date], at: datetime) -> Iterator[tuple[str, list[tuple[Call, bool]]]]:
    """Each list with the calls to be timed, and whether a call is the deepest page."""
    rng = Random("boards")
    pages = [(1, 20), (1, 100), *((rng.randrange(2, 60), rng.choice((20, 100))) for _ in range(38))]
    for board in BOARDS.values():
        asked: list[tuple[date | None, int, int]] = (
            [(week, 1, size) for week in weeks for size in (20, 100)] + [(week, 5, 20) for week in weeks]
            if board.has_weeks
            else [(None, page, size) for page, size in pages]
        )
        yield (
            f"board {board.code}",
            [
                (
                    lambda week=week, page=page, size=size, board=board: board.view(
                        site=site, week=week, page=page, per_page=size, at=at
                    ),
                    False,
                )
                for week, page, size in asked
            ]
            + [
                (
                    lambda board=board: board.view(
                        site=site,
                        week=weeks[0] if board.has_weeks else None,
                        page=LAST_PAGE,
                        per_page=LONGEST,
                        at=at,
                    ),
                    True,
                )
            ],
        )
    for section in (*SECTIONS, "this-week", "upcoming"):
        yield (
            f"launches {section}",
            [
                (
                    lambda page=page, size=size, section=section: list_launches(
                        site=site, section=section, at=at, page=page, per_page=size
                    ),
                    size == LONGEST and page == LAST_PAGE,
                )
                for page, size in [*pages, (LAST_PAGE, LONGEST)]
            ],
        )
    yield (
        "a launch week",
        [(lambda week=week: launch_week(site=site, week=week, at=at), False) for week in weeks],
    )


def read_all(site: Site, weeks: Sequence[date], at: datetime) -> list[dict[str, Any]]:
    """What each list costs."""
    lists = list(reads(site, weeks, at))
    took = iter(in_database([call for _, calls in lists for call, _ in calls], rounds=READ_ROUNDS))
    found = []
    for name, calls in lists:
        own = [(*next(took), is_deep) for _, is_deep in calls]
        times = [ms for ms, _, is_deep in own if not is_deep]
        found.append(
            {
                "name": name,
                "calls": len(times),
                "p50": median(times),
                "p95": p95(times),
                "statements": max(statements for _, statements, is_deep in own if not is_deep),
                "deep": next((ms for ms, _, is_deep in own if is_deep), None),
            }
        )
    return found


@contextmanager
def emptied(listing_id: int, *, week: date) -> Iterator[None]:
    """A listing that nobody has voted for yet, neither before nor after."""

    def empty() -> None:
        Vote.objects.filter(listing=listing_id).delete()
        ListingStats.objects.filter(pk=listing_id).update(votes=0)
        Launch.objects.filter(listing=listing_id, week=week).update(votes=0)

    empty()
    yield
    empty()


def vote(call: Callable[[User], Any], people: Sequence[User]) -> float:
    """Votes a second, everybody through one of a few writers at once."""
    together = Barrier(WRITERS)

    def write(number: int) -> tuple[float, float]:
        connection.ensure_connection()
        together.wait()
        began = time.perf_counter()
        for user in people[number::WRITERS]:
            call(user)
        ended = time.perf_counter()
        connection.close()
        return began, ended

    with ThreadPoolExecutor(WRITERS) as writers:
        began, ended = zip(*writers.map(write, range(WRITERS)), strict=True)
    return len(people) / (max(ended) - min(began))


def voting(site: Site, *, week: date) -> dict[str, Any]:
    """How fast votes for one listing are counted beside votes that are only written, and whether all are."""
    at = datetime(week.year, week.month, week.day, 12, tzinfo=UTC) + timedelta(days=2)
    hot = list(
        Launch.objects.filter(site=site, week=week, launched_at__isnull=False, listing__status="live")
        .order_by("-votes")
        .values_list("listing", flat=True)[:HOT]
    )
    people = list(User.objects.filter(email__startswith="visitor"))
    owners = dict(Listing.objects.filter(pk__in=hot).values_list("pk", "owner"))

    def statement(sql: str, listing_id: int) -> Callable[[User], None]:
        def cast(user: User) -> None:
            fetch_row(sql, {"listing": listing_id, "user": user.pk, "week": week, "at": at})

        return cast

    rates: dict[str, list[float]] = {"only": [], "statement": [], "service": []}
    exact = []
    for number in range(ROUNDS):
        listing_id = hot[number % len(hot)]
        own = [user for user in people if user.pk != owners[listing_id]]
        ways: dict[str, Callable[[User], Any]] = {
            "only": statement(ONLY, listing_id),
            "statement": statement(CAST, listing_id),
            "service": lambda user, pk=listing_id: cast_vote(user=user, listing_id=pk, at=at),
        }
        for name, way in ways.items():
            with emptied(listing_id, week=week):
                rates[name].append(vote(way, own))
                if name != "only":
                    vote(way, own)  # everybody once more, which must not count
                    exact.append(counts(listing_id, week=week) == [len(own)] * 3)
    return {
        "voters": len(people),
        "rates": {name: median(own) for name, own in rates.items()},
        "ratio": median(ours / least for least, ours in zip(rates["only"], rates["statement"], strict=True)),
        "exact": all(exact),
    }


def counts(listing_id: int, *, week: date) -> list[int]:
    """Votes as rows, as the listing's counter, as the week's counter."""
    return [
        Vote.objects.filter(listing=listing_id).count(),
        ListingStats.objects.get(pk=listing_id).votes,
        Launch.objects.get(listing=listing_id, week=week).votes,
    ]


def main() -> None:
    """Fill, read, vote, tell."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    site = Site.objects.get(key="main")
    fill(site)
    launched = Launch.objects.filter(site=site, launched_at__isnull=False)
    weeks = list(launched.order_by("-week").values_list("week", flat=True).distinct())
    at = datetime(weeks[0].year, weeks[0].month, weeks[0].day, 12, tzinfo=UTC) + timedelta(days=2)
    told = {
        "listings": ListingStats.objects.count(),
        "votes": Vote.objects.count(),
        "weeks": len(weeks),
        "reads": read_all(site, weeks, at),
        "voting": voting(site, week=weeks[0]),
    }
    options.out.write_text(json.dumps(told))


if __name__ == "__main__":
    main()
