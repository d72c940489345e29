"""Builds all public rows anew, in place."""

from collections.abc import Callable

from django.db import connection, transaction

from core.cache import changed
from directory.models import Listing, Site
from directory.search.index.documents import category_tree, sources
from directory.search.index.terms import recount_terms
from directory.search.index.tiers import refresh_tiers
from directory.search.index.writing import write_cards, write_documents, write_stats

AT_ONCE = 200

RECOUNT_SITES = """
INSERT INTO directory_sitecount AS c (site_id, live, upcoming)
SELECT s.id, count(*) FILTER (WHERE k.counted_as = 'live'), count(*) FILTER (WHERE k.counted_as = 'upcoming')
FROM directory_site AS s JOIN directory_listing AS l ON l.site_id = s.id
JOIN directory_listingcard AS k ON k.listing_id = l.id GROUP BY s.id
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
