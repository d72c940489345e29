"""Tiers of popularity: which listings are looked at first when a query finds very many."""

from collections.abc import Iterator
from typing import Any

from django.db import connection, transaction

from directory.selectors.search import lexemes
from directory.services.indexing.documents import LAST_TIER

# how many of a site's most voted live listings come first and second, once there are enough for it to matter
SIZES = (4_000, 40_000)
TIERED_FROM = 3000
AT_ONCE = 20_000
UNNOTICED = 0.1

PLACED = """
CREATE TEMPORARY TABLE placed ON COMMIT PRESERVE ROWS AS
SELECT listing_id, CASE WHEN place <= %(first)s THEN 0 ELSE 1 END AS tier
FROM (
    SELECT s.listing_id, row_number() OVER (ORDER BY s.votes DESC, s.listing_id) AS place
    FROM directory_listingstats AS s JOIN directory_sitecount AS c USING (site_id)
    WHERE s.site_id = %(site)s AND s.is_live AND c.live >= %(enough)s
) AS ranked
WHERE place <= %(second)s
"""
RAISED = """
UPDATE directory_searchdocument AS d SET tier = p.tier,
    words = ts_delete(d.words, %(marks)s::text[]) || quote_literal((%(marks)s::text[])[p.tier + 1])::tsvector
FROM placed AS p
WHERE p.listing_id = d.listing_id AND d.part = %(part)s AND d.tier <> p.tier
AND d.listing_id > %(after)s AND d.listing_id <= %(until)s
"""
LOWERED = """
UPDATE directory_searchdocument AS d SET tier = %(last)s, words = ts_delete(d.words, %(marks)s::text[])
WHERE d.part = %(part)s AND d.tier < %(last)s AND d.listing_id > %(after)s AND d.listing_id <= %(until)s
AND NOT EXISTS (SELECT FROM placed AS p WHERE p.listing_id = d.listing_id)
"""
POPULARITY = """
UPDATE directory_searchdocument AS d SET popularity = ln(s.votes + 1) FROM directory_listingstats AS s
WHERE s.listing_id = d.listing_id AND d.listing_id > %(after)s AND d.listing_id <= %(until)s
AND s.site_id = %(site)s AND abs(d.popularity - ln(s.votes + 1)) > %(unnoticed)s
"""
ENDS = "SELECT coalesce(max(listing_id), 0) FROM directory_searchdocument WHERE part = %s"


def refresh_tiers(*, site_id: int) -> None:
    """Bring tiers and popularity in line with the votes; only rows that changed noticeably are written."""
    part = lexemes.part_of(site_id=site_id, status="live")
    asked: dict[str, Any] = {
        "site": site_id,
        "part": part,
        "first": SIZES[0],
        "second": SIZES[1],
        "enough": TIERED_FROM,
        "last": LAST_TIER,
        "marks": [part + lexemes.of_tier(tier) for tier in range(LAST_TIER)],
        "unnoticed": UNNOTICED,
    }
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE IF EXISTS placed")
        cursor.execute(PLACED, asked)
        cursor.execute("CREATE UNIQUE INDEX ON placed (listing_id)")
        cursor.execute("ANALYZE placed")
        cursor.execute(ENDS, [part])
        for after, until in _spans(cursor.fetchone()[0]):
            with transaction.atomic():
                cursor.execute(RAISED, {**asked, "after": after, "until": until})
                cursor.execute(LOWERED, {**asked, "after": after, "until": until})
                cursor.execute(POPULARITY, {**asked, "after": after, "until": until})
        cursor.execute("DROP TABLE placed")


def _spans(last: int) -> Iterator[tuple[int, int]]:
    return ((after, after + AT_ONCE) for after in range(0, last, AT_ONCE))
