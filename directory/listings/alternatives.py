"""What to look at instead of a listing."""

from typing import Any

from core.postgresql.base import fetch_row
from directory.errors import ListingNotFoundError
from directory.listings.profile import ALTERNATIVES_LISTED
from directory.models import Site
from directory.search.cards import summaries

# A large category is met soon when all listings are walked from the most voted down, a small one is sorted sooner.
# Scalar sub-queries, because joins could be turned round to read everything first.
NEIGHBOURS = """
WITH asked AS MATERIALIZED (
    SELECT l.id, f.category_id, coalesce(c.listings, 0) AS filed, coalesce(t.live, 0) AS live
    FROM directory_listing AS l
    LEFT JOIN directory_listingcategory AS f ON f.listing_id = l.id AND f.position = 0
    LEFT JOIN directory_categorycount AS c ON c.site_id = l.site_id AND c.category_id = f.category_id
    LEFT JOIN directory_sitecount AS t ON t.site_id = l.site_id
    WHERE l.site_id = %(site)s AND l.slug = %(slug)s AND l.status IN ('live', 'scheduled')
), chosen AS MATERIALIZED (
    SELECT ARRAY(
        SELECT a.alternative_id
        FROM directory_alternative AS a JOIN directory_listingstats AS s ON s.listing_id = a.alternative_id
        WHERE a.listing_id = asked.id AND a.approved AND s.site_id = %(site)s AND s.is_live
        ORDER BY s.votes DESC, s.listing_id LIMIT %(most)s
    ) AS ids FROM asked
)
SELECT chosen.ids, CASE WHEN %(most)s * asked.live < asked.filed * asked.filed::bigint
    THEN ARRAY(
        SELECT s.listing_id FROM directory_listingstats AS s
        WHERE s.site_id = %(site)s AND s.is_live AND s.listing_id <> asked.id AND s.listing_id <> ALL(chosen.ids)
            AND (
                SELECT f.position = 0 FROM directory_listingcategory AS f
                WHERE f.listing_id = s.listing_id AND f.category_id = asked.category_id
            )
        ORDER BY s.votes DESC, s.listing_id LIMIT %(most)s
    )
    ELSE ARRAY(
        SELECT filed.listing_id
        FROM (
            SELECT f.listing_id, (
                SELECT s.votes FROM directory_listingstats AS s
                WHERE s.listing_id = f.listing_id AND s.site_id = %(site)s AND s.is_live
            ) AS votes
            FROM directory_listingcategory AS f
            WHERE f.category_id = asked.category_id AND f.position = 0
                AND f.listing_id <> asked.id AND f.listing_id <> ALL(chosen.ids)
        ) AS filed
        WHERE filed.votes IS NOT NULL
        ORDER BY filed.votes DESC, filed.listing_id LIMIT %(most)s
    )
END
FROM asked, chosen
"""


def get_alternatives(*, site: Site, slug: str) -> list[dict[str, Any]]:
    """The owner's own choice first, then live listings of the same primary category, most voted first.

    Raises ListingNotFoundError unless the listing is live or upcoming.
    """
    values = {"site": site.pk, "slug": slug, "most": ALTERNATIVES_LISTED}
    approved, others = ListingNotFoundError.unless(fetch_row(NEIGHBOURS, values), "listing")
    cards = summaries(listing_ids=[*approved, *others][:ALTERNATIVES_LISTED])
    return [{**card, "approved": place < len(approved)} for place, card in enumerate(cards)]
