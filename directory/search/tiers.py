"""Tiers of popularity: which listings are looked at first when a query finds very many.

Each quarter of an hour a site's tiers are placed anew and the popularity of what was voted for is brought over. Both
read the most voted and the recently voted listings alone; the rest is gone through in slices, once a day.
"""

from datetime import datetime, timedelta
from typing import Any

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper

from directory.models import Site
from directory.search import lexemes

# How many of a site's most voted live listings the tiers before the last hold together. A tier that would begin
# with a third of all or more says nothing: those are in the last one.
UP_TO = (1_000, 10_000, 100_000)
TIMES = 3
AT_ONCE, MOVED_AT_ONCE = 20_000, 1000
UNNOTICED = 0.1
RECENT, SLICES = timedelta(days=1), 96

DROPPED = "DROP TABLE IF EXISTS placed_listings, moving_listings"
PLACED = """
CREATE TEMPORARY TABLE placed_listings ON COMMIT PRESERVE ROWS AS
SELECT listing_id, (SELECT count(*) FROM unnest(%(up_to)s) AS most WHERE most < place) AS tier
FROM (
    SELECT s.listing_id, row_number() OVER (ORDER BY s.votes DESC, s.listing_id) AS place
    FROM directory_listingstats AS s WHERE s.site_id = %(site)s AND s.is_live
    ORDER BY s.votes DESC, s.listing_id LIMIT (
        SELECT coalesce(max(most), 0) FROM unnest(%(up_to)s) AS most, directory_sitecount AS c
        WHERE c.site_id = %(site)s AND most * %(times)s <= c.live
    )
) AS ranked
"""
# Here and below, scalar sub-queries and lists of ids look up one row after the other by its key. Of tables without
# statistics, which have just been filled, a join could read one as a whole for each row of the other.
MOVING = """
CREATE TEMPORARY TABLE moving_listings ON COMMIT PRESERVE ROWS AS
SELECT row_number() OVER (ORDER BY listing_id) AS number, listing_id, tier FROM (
    SELECT p.listing_id, p.tier, (
        SELECT d.tier FROM directory_searchdocument AS d
        WHERE d.listing_id = p.listing_id AND d.part = ANY(%(parts)s::text[])
    ) AS before
    FROM placed_listings AS p
    UNION ALL
    SELECT d.listing_id, %(last)s, d.tier FROM directory_searchdocument AS d
    WHERE d.part = ANY(%(parts_above_last)s::text[])
    AND NOT EXISTS (SELECT FROM placed_listings AS p WHERE p.listing_id = d.listing_id)
) AS tiered WHERE tier <> before
"""
# no word has a quote in it, so a quote and the part only stand together where a lexeme begins
MOVED = """
UPDATE directory_searchdocument AS d SET tier = m.tier, part = p.part,
    words = replace(d.words::text, '''' || d.part, '''' || p.part)::tsvector
FROM moving_listings AS m, LATERAL (SELECT (%(parts)s::text[])[m.tier + 1] AS part) AS p
WHERE d.listing_id = m.listing_id AND d.part = ANY(%(parts)s::text[])
AND m.number > %(after)s AND m.number <= %(until)s AND d.listing_id = ANY(ARRAY(
    SELECT listing_id FROM moving_listings WHERE number > %(after)s AND number <= %(until)s
))
"""
POPULARITY = """
UPDATE directory_searchdocument AS d SET popularity = (
    SELECT ln(s.votes + 1) FROM directory_listingstats AS s WHERE s.listing_id = d.listing_id
)
WHERE {which} AND d.part = ANY(%(parts)s::text[]) AND abs(
    d.popularity - (SELECT ln(s.votes + 1) FROM directory_listingstats AS s WHERE s.listing_id = d.listing_id)
) > %(unnoticed)s
"""
IN_SPAN = POPULARITY.format(which="d.listing_id > %(after)s AND d.listing_id <= %(until)s")
AMONG = POPULARITY.format(which="d.listing_id = ANY(%(listings)s::bigint[])")
LAST = "SELECT coalesce(max(listing_id), 0) FROM directory_searchdocument"
VOTED = "SELECT DISTINCT listing_id FROM directory_vote WHERE created_at > %s"


def refresh_tiers(*, site_id: int) -> None:
    """Bring tiers and popularity in line with all votes; only rows that changed noticeably are written."""
    params = _params(site_id)
    with connection.cursor() as cursor:
        _place(cursor, params)
        _by_spans(cursor, IN_SPAN, params, last=_last(cursor), at_once=AT_ONCE)


def refresh_recent(*, site_id: int, at: datetime) -> None:
    """Bring tiers in line with all votes, and popularity with those of the last day and with a slice of the others."""
    params = _params(site_id)
    with connection.cursor() as cursor:
        _place(cursor, params)
        cursor.execute(VOTED, [at - RECENT])
        voted = [listing_id for (listing_id,) in cursor.fetchall()]
        for start in range(0, len(voted), AT_ONCE):
            with transaction.atomic():
                cursor.execute(AMONG, {**params, "listings": voted[start : start + AT_ONCE]})
        size = _last(cursor) // SLICES + 1
        first = size * (int(at.timestamp() / RECENT.total_seconds() * SLICES) % SLICES)
        _by_spans(cursor, IN_SPAN, params, first=first, last=first + size, at_once=AT_ONCE)


def _params(site_id: int) -> dict[str, Any]:
    parts = lexemes.parts_of(site_id=site_id, status="live")
    return {
        "site": site_id,
        "parts": parts,
        "parts_above_last": parts[: lexemes.LAST_TIER],
        "up_to": list(UP_TO),
        "times": TIMES,
        "last": lexemes.LAST_TIER,
        "unnoticed": UNNOTICED,
    }


def _place(cursor: CursorWrapper, params: dict[str, Any]) -> None:
    cursor.execute(DROPPED)
    cursor.execute(PLACED, params)
    cursor.execute("CREATE UNIQUE INDEX ON placed_listings (listing_id)")
    cursor.execute("ANALYZE placed_listings")
    cursor.execute(MOVING, params)
    cursor.execute("CREATE UNIQUE INDEX ON moving_listings (number)")
    cursor.execute("ANALYZE moving_listings")
    cursor.execute("SELECT count(*) FROM moving_listings")
    _by_spans(cursor, MOVED, params, last=cursor.fetchone()[0], at_once=MOVED_AT_ONCE)
    cursor.execute(DROPPED)


def _last(cursor: CursorWrapper) -> int:
    cursor.execute(LAST)
    return int(cursor.fetchone()[0])


def _by_spans(
    cursor: CursorWrapper, statement: str, params: dict[str, Any], *, last: int, at_once: int, first: int = 0
) -> None:
    """Run it for one span of numbers after the other, each in a transaction of its own."""
    for after in range(first, last, at_once):
        with transaction.atomic():
            cursor.execute(statement, {**params, "after": after, "until": min(after + at_once, last)})


def refresh_all_tiers(*, at: datetime) -> None:
    """Bring the tiers of every site in line with the votes."""
    for site_id in Site.objects.order_by("pk").values_list("pk", flat=True):
        refresh_recent(site_id=site_id, at=at)
