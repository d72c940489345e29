"""Listing summaries, as every list of the interface shows them."""

from collections.abc import Sequence
from typing import Any

import orjson
from django.db import connection

from core.links import absolute

# now() is in SQL so that a feature ends on time in rows that were prepared long before
ROWS = """
SELECT c.listing_id, c.body, s.votes, s.followers, s.views, coalesce(c.featured_until > now(), false)
FROM directory_listingcard c JOIN directory_listingstats s USING (listing_id)
WHERE c.listing_id = ANY(%s)
"""


def summaries(*, listing_ids: Sequence[int]) -> list[dict[str, Any]]:
    """The summaries of these listings in one query, in the order of the ids. Unknown ids are left out."""
    if not listing_ids:
        return []
    with connection.cursor() as cursor:
        cursor.execute(ROWS, [list(listing_ids)])
        rows = {row[0]: row for row in cursor.fetchall()}
    site = absolute("")
    return [_summary(rows[listing_id], site=site) for listing_id in listing_ids if listing_id in rows]


def _summary(row: Sequence[Any], *, site: str) -> dict[str, Any]:
    _, body, votes, followers, views, featured = row
    card: dict[str, Any] = orjson.loads(body)
    card["votes"], card["followers"], card["views"], card["featured"] = votes, followers, views, featured
    card["page_url"], card["api_url"] = site + card["page_url"], site + card["api_url"]
    logo = card["logo_url"]
    if logo and logo.startswith("/"):
        card["logo_url"] = site + logo
    return card
