"""Listing summaries, as every list of the interface shows them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from core.links import on_site
from core.pagination import Page
from core.statements import fetch_all

# What a summary is made of. now() is in SQL so that a feature ends on time in rows that were prepared long before.
COLUMNS = "c.body, s.votes, s.followers, s.views, coalesce(c.featured_until > now(), false)"
ROWS = """
SELECT c.listing_id, {columns}
FROM directory_listingcard AS c JOIN directory_listingstats AS s ON s.listing_id = c.listing_id
WHERE c.listing_id = ANY(%(ids)s::bigint[])
"""
OF_THESE = ROWS.format(columns=COLUMNS)
# joined to the rows of a page, whose number no planner knows; OFFSET 0, or it might read all cards to join them
OF_EACH = """
LEFT JOIN LATERAL (
    SELECT {columns} FROM directory_listingcard AS c JOIN directory_listingstats AS s USING (listing_id)
    WHERE c.listing_id = {listing} OFFSET 0
) AS card (body, votes, followers, views, is_featured) ON true
"""
CARD = "card.body, card.votes, card.followers, card.views, card.is_featured"
Row = Sequence[Any]


# How a card is written. Nothing that people write can look like it, since quotes within texts have a backslash.
COUNTERS, FEATURED = '"votes":0,"followers":0,"views":0', '"featured":false'
OF_THIS_SITE = ('"page_url":"', '"api_url":"', '"logo_url":"')


@dataclass(frozen=True, kw_only=True)
class CardPage(Page):
    """A page of listing ids whose cards came along in the same statement."""

    cards: Mapping[int, Row]


def of_each(listing: str) -> str:
    """Joins the columns `CARD` of the listing that this expression is the id of."""
    return OF_EACH.format(columns=COLUMNS, listing=listing)


def summaries(*, listing_ids: Sequence[int]) -> list[dict[str, Any]]:
    """The summaries of these listings in one query, in the order of the ids. Unknown ids are left out."""
    rows = _rows(listing_ids)
    return [summary(rows[listing_id]) for listing_id in listing_ids if listing_id in rows]


def page_summaries(found: Page) -> list[dict[str, Any]]:
    """The summaries of a page of ids."""
    rows = _rows_of(found)
    return [summary(rows[listing_id]) for listing_id in found.items if listing_id in rows]


def page_as_json(found: Page, *, besides: Mapping[int, Mapping[str, Any]]) -> list[orjson.Fragment]:
    """The same, ready to be sent; `besides` adds to some. Reading and writing the cards again costs ten times more."""
    rows, site = _rows_of(found), orjson.dumps(on_site("")).decode()[1:-1]
    places = [(f"{name}/", f"{name}{site}/") for name in OF_THIS_SITE]
    return [
        orjson.Fragment(_text(rows[listing_id], places=places, besides=besides.get(listing_id)))
        for listing_id in found.items
        if listing_id in rows
    ]


def _rows_of(found: Page) -> Mapping[int, Row]:
    return found.cards if isinstance(found, CardPage) else _rows(found.items)


def _rows(listing_ids: Sequence[int]) -> dict[int, list[Any]]:
    if not listing_ids:
        return {}
    return {listing_id: row for listing_id, *row in fetch_all(OF_THESE, {"ids": list(listing_ids)})}


def summary(row: Sequence[Any]) -> dict[str, Any]:
    """The summary that `COLUMNS` holds."""
    body, votes, followers, views, featured = row
    card: dict[str, Any] = orjson.loads(body)
    site = on_site("")
    card["votes"], card["followers"], card["views"], card["featured"] = votes, followers, views, featured
    card["page_url"], card["api_url"] = site + card["page_url"], site + card["api_url"]
    logo = card["logo_url"]
    if logo and logo.startswith("/"):
        card["logo_url"] = site + logo
    return card


def _text(row: Row, *, places: Sequence[tuple[str, str]], besides: Mapping[str, Any] | None) -> str:
    text, votes, followers, views, featured = row
    text = text.replace(COUNTERS, f'"votes":{votes},"followers":{followers},"views":{views}', 1)
    for without_site, with_site in places:
        text = text.replace(without_site, with_site, 1)
    if featured:
        text = text.replace(FEATURED, '"featured":true', 1)
    return f"{text[:-1]},{orjson.dumps(besides).decode()[1:]}" if besides else text
