"""Whether the counters of listings are as many as the rows they count."""

from core.statements import fetch_all

MISCOUNTED = """
WITH sample AS (SELECT listing_id, votes, followers FROM directory_listingstats ORDER BY random() LIMIT %(sample)s)
SELECT listing.slug FROM sample JOIN directory_listing AS listing ON listing.id = sample.listing_id
WHERE sample.votes <> (SELECT count(*) FROM directory_vote AS vote WHERE vote.listing_id = sample.listing_id
        AND voided_at IS NULL AND (held_at IS NULL OR released_at IS NOT NULL))
   OR sample.followers <> (SELECT count(*) FROM directory_follow AS one WHERE one.listing_id = sample.listing_id)
ORDER BY listing.slug
"""


def miscounted(*, sample: int) -> list[str]:
    """The listings of a random sample whose votes or followers are not as many as they say."""
    return [slug for (slug,) in fetch_all(MISCOUNTED, {"sample": sample})]
