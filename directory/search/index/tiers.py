"""Tiers of popularity: which listings are looked at first when a query finds very many."""

from typing import Any

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper

from directory.search import lexemes

# How many of a site's most voted live listings the tiers before the last hold together. A tier that would begin
# with a third of all or more says nothing: those are in the last one.
UP_TO = (1_000, 10_000, 100_000)
TIMES = 3
AT_ONCE, MOVED_AT_ONCE = 20_000, 1000
UNNOTICED = 0.1

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
    SELECT d.listing_id, d.tier AS before, coalesce(
        (SELECT p.tier FROM placed_listings AS p WHERE p.listing_id = d.listing_id), %(last)s
    ) AS tier
    FROM directory_searchdocument AS d WHERE d.part = ANY(%(parts)s::text[])
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
WHERE d.listing_id > %(after)s AND d.listing_id <= %(until)s AND d.part = ANY(%(parts)s::text[]) AND abs(
    d.popularity - (SELECT ln(s.votes + 1) FROM directory_listingstats AS s WHERE s.listing_id = d.listing_id)
) > %(unnoticed)s
"""
ENDS = "SELECT coalesce(max(listing_id), 0) FROM directory_searchdocument WHERE part = ANY(%s)"


def refresh_tiers(*, site_id: int) -> None:
    """Bring tiers and popularity in line with the votes; only rows that changed noticeably are written."""
    parts = lexemes.parts_of(site_id=site_id, status="live")
    asked: dict[str, Any] = {
        "site": site_id,
        "parts": parts,
        "up_to": list(UP_TO),
        "times": TIMES,
        "last": lexemes.LAST_TIER,
        "unnoticed": UNNOTICED,
    }
    with connection.cursor() as cursor:
        cursor.execute(DROPPED)
        cursor.execute(PLACED, asked)
        cursor.execute("CREATE UNIQUE INDEX ON placed_listings (listing_id)")
        cursor.execute(MOVING, asked)
        cursor.execute("CREATE UNIQUE INDEX ON moving_listings (number)")
        cursor.execute("ANALYZE moving_listings")
        cursor.execute("SELECT count(*) FROM moving_listings")
        _by_spans(cursor, MOVED, asked, last=cursor.fetchone()[0], at_once=MOVED_AT_ONCE)
        cursor.execute(ENDS, [parts])
        _by_spans(cursor, POPULARITY, asked, last=cursor.fetchone()[0], at_once=AT_ONCE)
        cursor.execute(DROPPED)


def _by_spans(
    cursor: CursorWrapper, statement: str, asked: dict[str, Any], *, last: int, at_once: int
) -> None:
    """Run it for one span of numbers after the other, each in a transaction of its own."""
    for after in range(0, last, at_once):
        with transaction.atomic():
            cursor.execute(statement, {**asked, "after": after, "until": after + at_once})
