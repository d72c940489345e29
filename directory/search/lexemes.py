"""How words, stems, filters and tiers are written in the search index, and the vocabulary: which words listings use."""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper

from directory.models import Site
from directory.search.words import delete_keys, folded, is_keyed

WORD, STEM = ":", "~"
NAME, TAGLINE, KEYWORDS, DESCRIPTION = 1, 2, 4, 8  # the fields that a word stands in, as a mask
SHORT = NAME | TAGLINE | KEYWORDS
FILTER_TEXT = 60
NOT_WORD = re.compile(r"[\W_]+")
# live listings are in tiers of popularity, each a part of its own; the last has all the others
LAST_TIER = 3
PARTS = {"live": [f"l{tier}" for tier in range(LAST_TIER + 1)], "upcoming": ["u0"]}
SAMPLE = "b0"


def parts_of(*, site_id: int, status: str) -> list[str]:
    """The parts of a site's live or upcoming listings: each of their lexemes begins with one."""
    return [f"{site_id}{part}" for part in PARTS[status]]


def part_of(*, site_id: int, status: str, tier: int) -> str:
    parts = parts_of(site_id=site_id, status=status)
    return parts[min(tier, len(parts) - 1)]


def sample_of(*, site_id: int) -> str:
    """The part that has a sample of a site's live listings once more."""
    return f"{site_id}{SAMPLE}"


def slugged(text: str) -> str:
    """A value as filters compare it: `Free trial` and `free-trial` are one."""
    return NOT_WORD.sub("-", folded(text)).strip("-")[:FILTER_TEXT]


def in_category(category_id: int) -> str:
    return f"#c{category_id}"


def of_country(country: str) -> str:
    return f"#y{country.lower()}"


def at_stage(stage: str) -> str:
    return f"#s{slugged(stage)}"


def with_pricing(pricing_model: str) -> str:
    return f"#p{slugged(pricing_model)}"


def of_domain(domain: str) -> str:
    """With its website on this registrable domain, or exactly this host."""
    if len(domain) <= FILTER_TEXT:
        return f"#d{domain}"
    return f"#d{hashlib.sha256(domain.encode()).hexdigest()[:FILTER_TEXT]}"  # two long ones may begin alike


def quoted(lexeme: str) -> str:
    """A lexeme as a query may hold it, whatever is in it."""
    return "'" + lexeme.replace("\\", "\\\\").replace("'", "''") + "'"


def any_of(lexemes: Iterable[str], *, part: str = "") -> str:
    return "(" + "|".join([quoted(part + lexeme) for lexeme in lexemes]) + ")"


def all_of(queries: Sequence[str]) -> str:
    return "(" + "&".join(queries) + ")"


KEYED_FROM_DOCUMENTS = 3
AT_ONCE = 5000
UNCOUNTED = ("#d",)

SETTLED = """
SELECT wanted.site_id, wanted.term
FROM unnest(%s::bigint[], %s::text[], %s::boolean[], %s::boolean[])
    AS wanted (site_id, term, in_names, is_keyed)
JOIN directory_searchterm AS t USING (site_id, term)
WHERE (t.in_names OR NOT wanted.in_names) AND (t.deletes IS NOT NULL OR NOT wanted.is_keyed)
"""
ADD = """
INSERT INTO directory_searchterm AS t (site_id, term, documents, in_names, deletes)
VALUES (%s, %s, 1, %s, %s::integer[])
ON CONFLICT (site_id, term) DO UPDATE
SET in_names = t.in_names OR excluded.in_names, deletes = coalesce(t.deletes, excluded.deletes)
"""
# counted in one go, then brought over in small transactions, so that edits never wait for long
COUNT = """
CREATE TEMPORARY TABLE counted_terms AS
SELECT term COLLATE "C" AS term, sum(documents)::integer AS documents,
    bool_or(in_names) AS in_names, bool_or(is_short) AS is_short
FROM (
    SELECT ltrim(substr(word, %(cut)s), ':'), ndoc, false, false
    FROM ts_stat(%(words)s)
    WHERE NOT starts_with(word, %(sample)s) AND substr(word, %(cut)s, 2) <> ALL(%(uncounted)s)
    UNION ALL SELECT word, 0, true, true FROM ts_stat(%(short)s, 'a')
    UNION ALL SELECT word, 0, false, true FROM ts_stat(%(short)s, 'bc')
) AS found (term, documents, in_names, is_short)
GROUP BY 1
"""
GONE = """
DELETE FROM directory_searchterm AS t WHERE site_id = %(site)s AND term > %(after)s AND term <= %(until)s
AND NOT EXISTS (SELECT FROM counted_terms AS c WHERE c.term = t.term)
"""
MOVED = """
UPDATE directory_searchterm AS t SET documents = c.documents, in_names = c.in_names FROM counted_terms AS c
WHERE t.site_id = %(site)s AND t.term = c.term AND c.term > %(after)s AND c.term <= %(until)s
AND (t.documents, t.in_names) IS DISTINCT FROM (c.documents, c.in_names)
"""
FRESH = """
SELECT c.term, c.documents, c.in_names, c.is_short OR c.documents >= %(keyed_from)s, t.id
FROM counted_terms AS c LEFT JOIN directory_searchterm AS t ON t.site_id = %(site)s AND t.term = c.term
WHERE c.term > %(after)s AND c.term <= %(until)s AND (t.id IS NULL OR t.deletes IS NULL)
"""
ENDS = """
SELECT term FROM (SELECT term, row_number() OVER (ORDER BY term) AS number FROM counted_terms) AS numbered
WHERE number %% %(at_once)s = 0 ORDER BY term
"""
LAST = "\U0010ffff"
COPY = "COPY directory_searchterm (site_id, term, documents, in_names, deletes) FROM STDIN"
KEYED = "UPDATE directory_searchterm SET deletes = %s::int[] WHERE id = %s"


def add_terms(masks: Mapping[tuple[int, str], int]) -> None:
    """Make terms known at once, so that a new name is found and corrected to; a recount follows later.

    `masks` holds the fields in which a site's listings use each term.
    """
    if not masks:
        return
    requested = [
        (site_id, term, bool(mask & NAME), bool(mask & SHORT) and _can_be_keyed(term))
        for (site_id, term), mask in sorted(masks.items())
    ]
    with connection.cursor() as cursor:
        cursor.execute(SETTLED, [list(column) for column in zip(*requested, strict=True)])
        settled = set(cursor.fetchall())
        fresh = [
            (site_id, term, in_names, keys_of(term, site_id=site_id) if has_keys else None)
            for site_id, term, in_names, has_keys in requested
            if (site_id, term) not in settled
        ]
        if fresh:
            cursor.executemany(ADD, fresh)


def _can_be_keyed(term: str) -> bool:
    """Stems and filters are not what anybody means to type."""
    return term.isalnum() and is_keyed(term)


def keys_of(term: str, *, site_id: int) -> list[int] | None:
    """The keys under which a misspelling finds a term; stems and filters have none."""
    return delete_keys(term, site_id=site_id) if _can_be_keyed(term) else None


def recount_terms(*, site_id: int) -> None:
    """Count a site's terms anew, and forget those that no listing uses any more."""
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE IF EXISTS counted_terms")
        with transaction.atomic():
            cursor.execute("SET LOCAL statement_timeout = 0")
            cursor.execute(COUNT, _counting(site_id))
            cursor.execute("CREATE UNIQUE INDEX ON counted_terms (term)")
            cursor.execute("ANALYZE counted_terms")
        cursor.execute(ENDS, {"at_once": AT_ONCE})
        ends = ["", *(term for (term,) in cursor.fetchall()), LAST]
        for after, until in pairwise(ends):
            _bring_over(cursor, site=site_id, after=after, until=until)
        cursor.execute("DROP TABLE counted_terms")


def _counting(site_id: int) -> dict[str, Any]:
    parts = [part for status in PARTS for part in parts_of(site_id=site_id, status=status)]
    read = "SELECT {} FROM directory_searchdocument WHERE part IN ({})"
    listed = ", ".join(quoted(part) for part in parts)
    return {
        "words": read.format("words", listed),
        "short": read.format("short", listed),
        "sample": sample_of(site_id=site_id),
        "cut": len(parts[0]) + 1,
        "uncounted": list(UNCOUNTED),
    }


@transaction.atomic
def _bring_over(cursor: CursorWrapper, **span: Any) -> None:
    cursor.execute(GONE, span)
    cursor.execute(MOVED, span)
    cursor.execute(FRESH, {**span, "keyed_from": KEYED_FROM_DOCUMENTS})
    fresh = cursor.fetchall()
    site_id = span["site"]
    with cursor.copy(COPY) as copy:
        for term, documents, in_names, is_keyed_term, existing in fresh:
            if existing is None:
                keys = keys_of(term, site_id=site_id) if is_keyed_term else None
                copy.write_row((site_id, term, documents, in_names, keys))
    keyed = [
        (keys, existing)
        for term, _, _, is_keyed_term, existing in fresh
        if existing is not None and is_keyed_term and (keys := keys_of(term, site_id=site_id))
    ]
    cursor.executemany(KEYED, keyed)


def recount_all_terms() -> None:
    for site_id in Site.objects.order_by("pk").values_list("pk", flat=True):
        recount_terms(site_id=site_id)


# One listing in so many is in the sample. Of 10,000 hits it holds 156 on average; 250 are 7.5 standard deviations
# away from that, so whoever finds as many need not count to 10,000.
SAMPLE_OF, SAMPLE_ENOUGH = 64, 250
# A term's count may be behind by what changed since the last recount; beyond this, totals are surely capped.
SURELY_CAPPED = 12_000

# How many hits there are about, when the sample tells that there are more than totals count; else null.
SAMPLED = """
CASE WHEN about.hits >= %(exact)s::bigint AND (
    SELECT count(*) FROM directory_search_ids(ARRAY[%(sampled)s::tsquery], %(sample_enough)s::integer)
) >= %(sample_enough)s::integer THEN about.hits END
"""
