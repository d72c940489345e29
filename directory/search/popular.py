"""What many have voted for, for pages that have nothing else to show."""

from itertools import groupby
from typing import Any

from directory.models import Listing, ListingCategory, Site
from directory.search.cards import rows_of, summaries, summary

LOOKED_AT = 60  # the most voted, among which products of one category are found


def most_voted(*, site: Site, limit: int) -> list[dict[str, Any]]:
    """The summaries of the live listings with the most votes of all time."""
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
