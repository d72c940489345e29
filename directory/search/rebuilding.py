"""All public rows built anew, in place; and those of a sample that do not say what their listings say."""

from collections.abc import Callable
from dataclasses import dataclass

import orjson
from django.conf import settings
from django.db import connection, transaction

from core.cache import changed
from directory.models import Listing, ListingCard, SearchDocument, Site
from directory.search.documents import Card, Source, Stems, card, category_tree, sources
from directory.search.lexemes import recount_terms
from directory.search.public_data import build_documents, write_cards, write_documents, write_stats
from directory.search.tiers import refresh_tiers

AT_ONCE = 200

RECOUNT_SITES = """
INSERT INTO directory_sitecount AS c (site_id, live, upcoming)
SELECT s.id, count(*) FILTER (WHERE k.counted_as = 'live'), count(*) FILTER (WHERE k.counted_as = 'upcoming')
FROM directory_site AS s LEFT JOIN directory_listing AS l ON l.site_id = s.id
LEFT JOIN directory_listingcard AS k ON k.listing_id = l.id
LEFT JOIN directory_sitecount AS there ON there.site_id = s.id
GROUP BY s.id HAVING count(*) FILTER (WHERE k.counted_as <> '') > 0 OR count(there.site_id) > 0
ON CONFLICT (site_id) DO UPDATE SET live = excluded.live, upcoming = excluded.upcoming
WHERE (c.live, c.upcoming) IS DISTINCT FROM (excluded.live, excluded.upcoming)
"""
RECOUNT_CATEGORIES = """
INSERT INTO directory_categorycount AS c (site_id, category_id, listings, total_listings)
WITH filed AS (
    SELECT l.site_id, k.counted_in, k.counted_below FROM directory_listing AS l
    JOIN directory_listingcard AS k ON k.listing_id = l.id WHERE k.counted_as = 'live'
), own AS (
    SELECT site_id, pk, count(*) AS listings FROM filed, unnest(counted_in) AS pk GROUP BY 1, 2
), below AS (
    SELECT site_id, pk, count(*) AS listings FROM filed, unnest(counted_below) AS pk GROUP BY 1, 2
)
SELECT s.id, k.id, coalesce(own.listings, 0), coalesce(below.listings, 0)
FROM directory_site AS s CROSS JOIN directory_category AS k
LEFT JOIN own ON own.site_id = s.id AND own.pk = k.id
LEFT JOIN below ON below.site_id = s.id AND below.pk = k.id
LEFT JOIN directory_categorycount AS there ON there.site_id = s.id AND there.category_id = k.id
WHERE below.listings > 0 OR there.listings > 0 OR there.total_listings > 0
ON CONFLICT (site_id, category_id) DO UPDATE
SET listings = excluded.listings, total_listings = excluded.total_listings
WHERE (c.listings, c.total_listings) IS DISTINCT FROM (excluded.listings, excluded.total_listings)
"""
Progress = Callable[[int], None]


def rebuild(*, progress: Progress) -> None:
    """Bring every listing's rows in line, a few at once; nobody waits, and only what differs is written."""
    tree, last = category_tree(), 0
    ids = Listing.objects.order_by("pk").values_list("pk", flat=True)
    while portion := list(ids.filter(pk__gt=last)[:AT_ONCE]):
        with transaction.atomic():
            listings = Listing.objects.filter(pk__in=portion)
            list(listings.order_by("pk").select_for_update().values_list("pk", flat=True))
            result = sources(listings)
            write_stats(result)
            write_cards(result, tree=tree)
            write_documents(result, tree=tree)
        last = portion[-1]
        progress(len(portion))
    _finish()


def recount_listings() -> int:
    """Count the listings of sites and categories anew. Returns how many counts were wrong."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = 0")
        cursor.execute("LOCK TABLE directory_sitecount, directory_categorycount IN SHARE ROW EXCLUSIVE MODE")
        cursor.execute(RECOUNT_SITES)
        wrong = cursor.rowcount
        cursor.execute(RECOUNT_CATEGORIES)
        return wrong + cursor.rowcount


def _finish() -> None:
    recount_listings()
    for site_id in Site.objects.order_by("pk").values_list("pk", flat=True):
        refresh_tiers(site_id=site_id)
        recount_terms(site_id=site_id)
    changed("listings")
    changed("categories")


DIFFERENT = """
SELECT fresh.listing_id
FROM jsonb_to_recordset(%s::jsonb) AS fresh (
    listing_id bigint, part text, name text, newest_at timestamptz, filters text[], short text, words text
)
LEFT JOIN directory_searchdocument AS d USING (listing_id)
WHERE (d.part, d.name, d.newest_at, d.filters, d.short, d.words) IS DISTINCT FROM (
    fresh.part, fresh.name, fresh.newest_at, fresh.filters, fresh.short::tsvector, fresh.words::tsvector
)
"""


@dataclass(frozen=True, kw_only=True)
class Drift:
    """The listings of a sample whose summaries or search rows are not what they should be."""

    looked_at: int
    cards: list[str]
    documents: list[str]

    @property
    def is_none(self) -> bool:
        return not self.cards and not self.documents


def drift(*, sample: int) -> Drift:
    """Build the rows of so many listings anew, chosen at random, and compare."""
    chosen = list(Listing.objects.order_by("?").values_list("pk", flat=True)[:sample])
    result = sources(Listing.objects.filter(pk__in=chosen))
    slugs = {source.id: source.slug for source in result}
    return Drift(
        looked_at=len(result),
        cards=sorted(slugs[pk] for pk in _wrong_cards(result)),
        documents=sorted(slugs[pk] for pk in _wrong_documents(result)),
    )


def _wrong_cards(result: list[Source]) -> set[int]:
    tree = category_tree()
    fresh = {source.id: card(source, tree=tree, media_url=settings.MEDIA_URL) for source in result}
    there = {
        row[0]: Card(*row) for row in ListingCard.objects.filter(pk__in=fresh).values_list(*Card._fields)
    }
    return {pk for pk, entry in fresh.items() if there.get(pk) != entry}


def _wrong_documents(result: list[Source]) -> set[int]:
    public = [source for source in result if source.public_status]
    built = build_documents(public, tree=category_tree(), stems=Stems())
    with connection.cursor() as cursor:
        cursor.execute(DIFFERENT, [orjson.dumps([entry.document._asdict() for entry in built]).decode()])
        wrong = {pk for (pk,) in cursor.fetchall()}
    hidden = [source.id for source in result if not source.public_status]
    return wrong | set(SearchDocument.objects.filter(pk__in=hidden).values_list("pk", flat=True))
