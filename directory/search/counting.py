"""How many hits there are: exactly as far as totals are exact, and no further."""

from collections.abc import Sequence
from typing import Any

from core.api.pagination import TOTAL_EXACT_UP_TO

# One listing in so many is in the sample. Of 10,000 hits it holds 156 on average; 250 are 7.5 standard deviations
# away from that, so whoever finds as many need not count to 10,000.
SAMPLE_OF, SAMPLE_ENOUGH = 64, 250
# A term's count may be behind by what changed since the last recount; beyond this, totals are surely capped.
SURELY_CAPPED = 12_000

COUNTED = """
CASE WHEN {about} >= %(exact)s::bigint AND (
    SELECT count(*) FROM directory_search_ids(ARRAY[%(sampled)s::tsquery], %(sample_enough)s::integer)
) >= %(sample_enough)s::integer THEN {about}
ELSE (SELECT count(*) FROM directory_search_ids(%(counted)s::tsquery[], %(exact)s::integer + 1)) END
"""


def count_of(queries: Sequence[str], *, sampled: str | None) -> dict[str, Any]:
    """The parameters of `COUNTED` for a query of each part, and of the sample."""
    return {
        "counted": list(queries),
        "sampled": sampled,
        "sample_enough": SAMPLE_ENOUGH,
        "exact": TOTAL_EXACT_UP_TO,
    }
