"""How many hits there are: exactly as far as totals are exact, and no further."""

from typing import Any

from core.pagination import TOTAL_EXACT_UP_TO
from directory.selectors.search import lexemes

# One listing in so many carries the sample's lexeme. Of 10,000 hits it holds 156 on average; 250 are 7.5
# standard deviations away from that, so whoever finds as many need not count to 10,000.
SAMPLE_OF, SAMPLE_ENOUGH = 64, 250
SAMPLED_FROM = 30_000
# A term's count may be behind by what changed since the last recount; beyond this, totals are surely capped.
SURELY_CAPPED = 12_000

COUNTED = """
CASE WHEN {about} >= %(sampled_from)s AND (
    SELECT count(*) FROM directory_search_ids(%(sampled)s::tsquery, %(sample_enough)s)
) >= %(sample_enough)s THEN {about}
ELSE (SELECT count(*) FROM directory_search_ids(%(counted)s::tsquery, %(exact)s + 1)) END
"""


def count_of(query: str, *, part: str) -> dict[str, Any]:
    """The parameters of `COUNTED` for a query."""
    return {
        "counted": query,
        "sampled": lexemes.all_of([query, lexemes.quoted(part + lexemes.SAMPLE)]),
        "sampled_from": SAMPLED_FROM,
        "sample_enough": SAMPLE_ENOUGH,
        "exact": TOTAL_EXACT_UP_TO,
    }
