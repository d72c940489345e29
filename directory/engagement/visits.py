"""Visits: who opened a listing's page, who went on to its website, and which websites they came from."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.db import connection

from core.fetch import split_url
from directory import limits, weeks
from directory.engagement import tally
from directory.models import Launch, VisitSource

BUFFER = "visits"
HOURS_STAY = timedelta(days=90)
HOSTS_A_WEEK = 100
THINNED_AT_ONCE = 20_000
HOST = re.compile(r"[a-z0-9-]+(\.[a-z0-9-]+)+\Z|localhost\Z")
VIEWS = """
UPDATE directory_listingstats AS stats SET views = stats.views + seen.number
FROM unnest(%s::bigint[], %s::bigint[]) AS seen(listing_id, number)
WHERE stats.listing_id = seen.listing_id
"""
HOURS = """
INSERT INTO directory_visitcount (listing_id, at, is_day, visits, clicks)
SELECT listing.id, to_timestamp(seen.hour * 3600), false, seen.visits, seen.clicks
FROM unnest(%s::bigint[], %s::bigint[], %s::bigint[], %s::bigint[]) AS seen(listing_id, hour, visits, clicks)
JOIN directory_listing AS listing ON listing.id = seen.listing_id
ON CONFLICT (listing_id, at, is_day) DO UPDATE SET
    visits = directory_visitcount.visits + excluded.visits, clicks = directory_visitcount.clicks + excluded.clicks
"""
SOURCES = """
INSERT INTO directory_visitsource (listing_id, week, host, visits)
SELECT listing.id, seen.week, seen.host, sum(seen.visits)
FROM unnest(%s::bigint[], %s::date[], %s::text[], %s::bigint[]) AS seen(listing_id, week, host, visits)
JOIN directory_listing AS listing ON listing.id = seen.listing_id
GROUP BY listing.id, seen.week, seen.host
ON CONFLICT (listing_id, week, host) DO UPDATE SET visits = directory_visitsource.visits + excluded.visits
"""
INTO_DAYS = """
WITH past AS (
    DELETE FROM directory_visitcount WHERE id IN (
        SELECT id FROM directory_visitcount WHERE NOT is_day AND at < %s ORDER BY at LIMIT %s
    ) RETURNING listing_id, at, visits, clicks
)
INSERT INTO directory_visitcount (listing_id, at, is_day, visits, clicks)
SELECT listing_id, date_trunc('day', at, 'UTC'), true, sum(visits), sum(clicks)
FROM past GROUP BY listing_id, date_trunc('day', at, 'UTC')
ON CONFLICT (listing_id, at, is_day) DO UPDATE SET
    visits = directory_visitcount.visits + excluded.visits, clicks = directory_visitcount.clicks + excluded.clicks
"""
INTO_OTHERS = """
WITH few AS (
    DELETE FROM directory_visitsource WHERE id IN (
        SELECT id FROM directory_visitsource
        WHERE week < %s AND visits < %s AND host NOT IN (%s, %s) ORDER BY week LIMIT %s
    ) RETURNING listing_id, week, visits
)
INSERT INTO directory_visitsource (listing_id, week, host, visits)
SELECT listing_id, week, %s, sum(visits) FROM few GROUP BY listing_id, week
ON CONFLICT (listing_id, week, host) DO UPDATE SET visits = directory_visitsource.visits + excluded.visits
"""


def host_of(referrer: str) -> str:
    """The website that a visit came from: its host, `Direct` where none is named."""
    try:
        host = (split_url(referrer[: limits.URL]).hostname or "").removeprefix("www.")
    except ValueError:
        return VisitSource.DIRECT
    return host if len(host) <= limits.DOMAIN and HOST.match(host) else VisitSource.DIRECT


def count_view(
    *, listing_id: int, visitor: str, at: datetime, referrer: str = "", is_own: bool = False
) -> None:
    """Note that a page was seen: once for a visitor, a listing and a day (UTC). Its own people make no visit."""
    fields = [f"view:{listing_id}"]
    if not is_own:
        fields += [
            f"visit:{listing_id}:{_hour(at)}",
            f"from:{listing_id}:{weeks.week_of(at)}:{host_of(referrer)}",
        ]
    tally.count(BUFFER, visitor=visitor, at=at, seen=[(f"view {listing_id}", fields)])


def count_click(*, listing_id: int, visitor: str, at: datetime) -> None:
    """Note that somebody went on to the website; once for a visitor, a listing and a day."""
    fields = [f"click:{listing_id}:{_hour(at)}"]
    tally.count(BUFFER, visitor=visitor, at=at, seen=[(f"click {listing_id}", fields)])


def _hour(at: datetime) -> int:
    return int(at.timestamp()) // 3600


def fold_visits() -> int:
    """Move what is buffered into the counters. Returns how much that was."""
    return tally.fold(BUFFER, store=_store)


def _store(counted: Mapping[str, int]) -> None:
    views: dict[int, int] = {}
    hours: dict[tuple[int, int], list[int]] = defaultdict(lambda: [0, 0])
    sources: dict[tuple[int, date, str], int] = {}
    for field, number in counted.items():
        kind, listing_id, *rest = field.split(":")
        if kind == "view":
            views[int(listing_id)] = number
        elif kind == "from":
            sources[int(listing_id), date.fromisoformat(rest[0]), rest[1]] = number
        else:
            hours[int(listing_id), int(rest[0])][kind == "click"] = number
    with connection.cursor() as cursor:
        cursor.execute(VIEWS, [list(views), list(views.values())])
        cursor.execute(HOURS, _columns(((*key, *numbers) for key, numbers in sorted(hours.items())), width=4))
        cursor.execute(SOURCES, _columns(_bounded(sources), width=4))


def _columns(rows: Iterable[tuple[Any, ...]], *, width: int) -> list[Any]:
    """Rows as columns, as unnest() takes them."""
    return [list(column) for column in zip(*rows, strict=True)] or [[] for _ in range(width)]


def _bounded(sources: Mapping[tuple[int, date, str], int]) -> Iterable[tuple[Any, ...]]:
    """Where the visits of launches came from, which alone is read: a bounded number of hosts, and others on top."""
    seen = {"listing__in": {key[0] for key in sources}, "week__in": {key[1] for key in sources}}
    launches = Launch.objects.filter(**seen).values_list("listing", "week")
    existing: dict[tuple[int, date], set[str]] = {launch: set() for launch in launches}
    rows = VisitSource.objects.filter(**seen).values_list("listing", "week", "host")
    for listing_id, week, host in rows:
        existing.setdefault((listing_id, week), set()).add(host)
    for (listing_id, week, host), number in sorted(sources.items(), key=lambda row: (-row[1], row[0])):
        hosts = existing.get((listing_id, week))
        if hosts is None:
            continue
        has_room = host in hosts or len(hosts) < HOSTS_A_WEEK
        name = host if has_room else VisitSource.OTHERS
        hosts.add(name)
        yield listing_id, week, name, number


def thin_out(*, at: datetime) -> None:
    """Hours that are long past become days, and websites that sent few in a week that is over become the others."""
    midnight = at.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    few: list[Any] = [
        weeks.week_of(at),
        VisitSource.FEWEST,
        VisitSource.DIRECT,
        VisitSource.OTHERS,
        THINNED_AT_ONCE,
    ]
    with connection.cursor() as cursor:
        cursor.execute(INTO_DAYS, [midnight - HOURS_STAY, THINNED_AT_ONCE])
        cursor.execute(INTO_OTHERS, [*few, VisitSource.OTHERS])
