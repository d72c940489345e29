"""How many hits there are, as far as that is known without counting them."""

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
