"""Listing summaries, as every list of the interface shows them."""

from collections.abc import Sequence
from typing import Any

import orjson

from core.links import absolute
from core.statements import fetch_all

# What a summary is made of. now() is in SQL so that a feature ends on time in rows that were prepared long before.
COLUMNS = "c.body, s.votes, s.followers, s.views, coalesce(c.featured_until > now(), false)"
ROWS = """
SELECT c.listing_id, {columns}
FROM directory_listingcard AS c JOIN directory_listingstats AS s ON s.listing_id = c.listing_id
WHERE c.listing_id = ANY(%(ids)s::bigint[])
"""
OF_THESE = ROWS.format(columns=COLUMNS)


def summaries(*, listing_ids: Sequence[int]) -> list[dict[str, Any]]:
    """The summaries of these listings in one query, in the order of the ids. Unknown ids are left out."""
    if not listing_ids:
        return []
    rows = {listing_id: row for listing_id, *row in fetch_all(OF_THESE, {"ids": list(listing_ids)})}
    return [summary(rows[listing_id]) for listing_id in listing_ids if listing_id in rows]


def summary(row: Sequence[Any]) -> dict[str, Any]:
    """The summary that `COLUMNS` holds."""
    body, votes, followers, views, featured = row
    card: dict[str, Any] = orjson.loads(body)
    site = absolute("")
    card["votes"], card["followers"], card["views"], card["featured"] = votes, followers, views, featured
    card["page_url"], card["api_url"] = site + card["page_url"], site + card["api_url"]
    logo = card["logo_url"]
    if logo and logo.startswith("/"):
        card["logo_url"] = site + logo
    return card
