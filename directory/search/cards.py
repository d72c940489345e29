"""Listing summaries, as every list of the interface shows them, and a page of them with its total in one statement."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import orjson
from django.db.models import BigIntegerField, Case, QuerySet, Subquery, Value, When
from django.db.models.lookups import GreaterThanOrEqual

from core.api.links import on_site
from core.api.pagination import TOTAL_EXACT_UP_TO, Page, capped, capped_count
from core.postgresql.base import Counted, fetch_all
from directory.models import Listing, ListingCategory, Site
from directory.search.lexemes import SURELY_CAPPED

# What a summary is made of. now() is in SQL so that a feature begins and ends on time in rows that were prepared long
# before, and only while the listing is live.
COLUMNS = """c.body, s.votes, s.followers, s.views, s.is_live AND EXISTS (
    SELECT FROM directory_featuredplace AS place
    WHERE place.listing_id = c.listing_id AND place.begins_at <= now() AND place.ends_at > now()
)"""
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
MOVING = ("votes", "followers", "views", "featured")  # what a card's body has no room for
Row = Sequence[Any]


@dataclass(kw_only=True)
class CardPage(Page):
    """A page of listing ids whose cards came along in the same statement."""

    cards: Mapping[int, Row]


def of_each(listing: str) -> str:
    """Joins the columns `CARD` of the listing that this expression is the id of."""
    return OF_EACH.format(columns=COLUMNS, listing=listing)


def summaries(*, listing_ids: Sequence[int]) -> list[dict[str, Any]]:
    """The summaries of these listings in one query, in the order of the ids. Unknown ids are left out."""
    rows = rows_of(listing_ids)
    return [summary(rows[listing_id]) for listing_id in listing_ids if listing_id in rows]


def page_summaries(page: Page, *, besides: Mapping[int, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The summaries of a page of ids; `besides` adds to those of some."""
    rows = page.cards if isinstance(page, CardPage) else rows_of(page.items)
    site = on_site("")
    return [{**summary(rows[pk], site=site), **besides.get(pk, {})} for pk in page.items if pk in rows]


def rows_of(listing_ids: Sequence[int]) -> dict[int, list[Any]]:
    """What `summary` makes a summary of, by listing."""
    if not listing_ids:
        return {}
    return {listing_id: row for listing_id, *row in fetch_all(OF_THESE, {"ids": list(listing_ids)})}


def summary(row: Sequence[Any], *, site: str = "") -> dict[str, Any]:
    """What a card says; `site` is where it is, asked for once by whoever makes many."""
    card: dict[str, Any] = orjson.loads(row[0])
    site = site or on_site("")
    card.update(zip(MOVING, row[1:], strict=True))
    card["page_url"], card["api_url"] = site + card["page_url"], site + card["api_url"]
    logo = card["logo_url"]
    if logo and logo.startswith("/"):
        card["logo_url"] = site + logo
    return card


LOOKED_AT = 60  # the most voted, among which products of one category are found


def most_voted(*, site: Site, limit: int) -> list[dict[str, Any]]:
    return summaries(listing_ids=_most_voted(site=site)[:limit])


def pairs(*, site: Site, limit: int) -> list[list[dict[str, Any]]]:
    """Two much voted products of one category, for each of some categories."""
    ids = _most_voted(site=site)
    filed = ListingCategory.objects.filter(listing__in=ids, position=0).values_list(
        "category_id", "listing_id"
    )
    by_category = groupby(sorted(filed, key=lambda row: (row[0], ids.index(row[1]))), key=lambda row: row[0])
    twos = [[pk for _, pk in rows][:2] for _, rows in by_category]
    chosen = sorted((two for two in twos if len(two) == 2), key=lambda two: ids.index(two[0]))[:limit]
    rows = rows_of([pk for two in chosen for pk in two])
    return [[summary(rows[pk]) for pk in two] for two in chosen if all(pk in rows for pk in two)]


def _most_voted(*, site: Site) -> list[int]:
    rows = Listing.objects.live().filter(site=site, stats__votes__gt=0)
    return list(rows.order_by("-stats__votes", "pk").values_list("pk", flat=True)[:LOOKED_AT])


def page_of(
    rows: QuerySet[Any], *, fields: Sequence[str], page: int, per_page: int, about: Subquery | None = None
) -> Page:
    """A page of an ordered queryset as tuples of `fields`, the capped total counted in the same statement.

    `about` tells without counting how many rows there may be, when that is known from elsewhere.
    """
    first = (page - 1) * per_page
    total: Any = Counted(rows.order_by().values("pk")[: TOTAL_EXACT_UP_TO + 1])
    if about is not None:
        is_capped = GreaterThanOrEqual(about, Value(SURELY_CAPPED))
        total = Case(When(is_capped, then=about), default=total, output_field=BigIntegerField())
    values = list(rows.values_list(*fields, total)[first : first + per_page])
    if values:
        counted, is_estimate = capped(values[0][-1])
    else:
        counted, is_estimate = capped(capped_count(rows) if page > 1 else 0)
    items = [row[:-1] for row in values]
    return Page(items=items, page=page, per_page=per_page, total=counted, total_is_estimate=is_estimate)


def with_summaries(page: Page, *, besides: Mapping[int, Mapping[str, Any]] | None = None) -> Page:
    """The page with summaries in place of listing ids; `besides` adds to those of some ids."""
    page.items = page_summaries(page, besides=besides or {})
    return page
