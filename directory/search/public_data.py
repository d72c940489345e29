"""What public reads are made of, kept in step with listings in the transaction that changes them."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import orjson
from django.apps import apps
from django.conf import settings
from django.db import connection, transaction
from django.db.models import QuerySet

from core import jobs
from core.cache import changed
from directory.models import Category, Listing, ListingCategory, SearchDocument, ShownWhileLive
from directory.search import lexemes
from directory.search.documents import (
    Document,
    Source,
    Stems,
    Tree,
    card,
    category_tree,
    document,
    fields_of,
    filters_of,
    lexeme_masks,
    sources,
)
from directory.search.lexemes import UNCOUNTED, add_terms

AT_ONCE = 500
SEARCHED = frozenset(
    (
        "name",
        "tagline",
        "short_description",
        "description",
        "keywords",
        "tags",
        "url",
        "country",
        "stage",
        "pricing_model",
        "categories",
    )
)


@transaction.atomic(savepoint=False)
def refresh(*, listing_ids: Collection[int]) -> None:
    """Bring summaries, counts and search rows in line with these listings; call it after every change."""
    listings = Listing.objects.filter(pk__in=listing_ids)
    # whoever comes second waits here and then reads what the first has written
    list(listings.order_by("pk").select_for_update().values_list("pk", flat=True))
    refresh_locked(listing_ids=listing_ids)


def refresh_locked(*, listing_ids: Collection[int]) -> None:
    """The same for listings that the caller has locked, or written, in this transaction."""
    result, tree = sources(Listing.objects.filter(pk__in=listing_ids)), category_tree()
    write_stats(result)
    write_launches(result)
    write_public(result)
    write_cards(result, tree=tree)
    write_documents(result, tree=tree)
    changed("listings")


def refresh_facts(*, listing_ids: Collection[int], names: Collection[str]) -> None:
    """The same after an edit of these facts of locked listings, whose status, site and launches are what they were."""
    result, tree = sources(Listing.objects.filter(pk__in=listing_ids)), category_tree()
    write_cards(result, tree=tree)
    if SEARCHED.intersection(names):
        write_documents(result, tree=tree)
    changed("listings")


def write_public(sources: Sequence[Source]) -> None:
    """Rows of areas above follow their listings as well; those areas say so by making them `ShownWhileLive`."""
    live = {source.id: source.public_status == "live" for source in sources}
    for model in apps.get_models():
        if issubclass(model, ShownWhileLive):
            for is_live in (True, False):
                others: QuerySet[Any] = QuerySet(model).filter(is_live=not is_live)
                others.filter(listing__in=[pk for pk in live if live[pk] == is_live]).update(is_live=is_live)


def plan_category_refresh(*, category_id: int, at: datetime) -> None:
    """Have listings follow a changed category soon; there may be too many for whoever changed it to wait."""
    jobs.add("directory.refresh_category", key=f"{category_id}-{at.isoformat()}", category_id=category_id)


def refresh_category(*, category_id: int) -> None:
    """Bring listings in line with a category whose name, slug or place in the tree has changed."""
    tree = category_tree()
    below = [pk for pk in Category.objects.values_list("pk", flat=True) if category_id in tree.above[pk]]
    filed = ListingCategory.objects.filter(category_id__in=below).order_by("listing_id")
    listing_ids = list(filed.values_list("listing_id", flat=True).distinct())
    for start in range(0, len(listing_ids), AT_ONCE):
        refresh(listing_ids=listing_ids[start : start + AT_ONCE])


STATS = """
INSERT INTO directory_listingstats AS s (listing_id, site_id, is_live, votes, followers, views, hot)
VALUES (%s, %s, %s, 0, 0, 0, 0)
ON CONFLICT (listing_id) DO UPDATE SET site_id = excluded.site_id, is_live = excluded.is_live
WHERE (s.site_id, s.is_live) IS DISTINCT FROM (excluded.site_id, excluded.is_live)
"""
LAUNCHES = """
UPDATE directory_launch AS l SET is_hidden = now.is_hidden
FROM unnest(%s::bigint[], %s::boolean[]) AS now (listing_id, is_hidden)
WHERE l.listing_id = now.listing_id AND l.is_hidden <> now.is_hidden
"""
# what was counted before comes back, as the statement's snapshot has it
CARDS = """
WITH fresh AS (
    SELECT listing_id, body, featured_until, counted_as, counted_in, counted_below
    FROM jsonb_to_recordset(%s::jsonb) AS row (
        listing_id bigint, body text, featured_until timestamptz, counted_as text,
        counted_in bigint[], counted_below bigint[]
    )
), written AS (
INSERT INTO directory_listingcard AS c
    (listing_id, body, featured_until, counted_as, counted_in, counted_below)
SELECT * FROM fresh
ON CONFLICT (listing_id) DO UPDATE SET body = excluded.body, featured_until = excluded.featured_until,
    counted_as = excluded.counted_as, counted_in = excluded.counted_in, counted_below = excluded.counted_below
WHERE (c.body, c.featured_until, c.counted_as, c.counted_in, c.counted_below) IS DISTINCT FROM
    (excluded.body, excluded.featured_until, excluded.counted_as, excluded.counted_in, excluded.counted_below)
)
SELECT c.listing_id, c.counted_as, c.counted_in, c.counted_below FROM directory_listingcard AS c
JOIN fresh USING (listing_id)
"""
DOCUMENT = """
INSERT INTO directory_searchdocument AS d
    (listing_id, part, name, newest_at, tier, popularity, filters, short, words)
SELECT listing_id, part, name, newest_at, tier, popularity, filters, short::tsvector, words::tsvector
FROM jsonb_to_recordset(%s::jsonb) AS fresh (
    listing_id bigint, part text, name text, newest_at timestamptz, tier smallint,
    popularity double precision, filters text[], short text, words text
)
ON CONFLICT (listing_id) DO UPDATE SET part = excluded.part, name = excluded.name,
    newest_at = excluded.newest_at, tier = excluded.tier, popularity = excluded.popularity,
    filters = excluded.filters, short = excluded.short, words = excluded.words
WHERE (d.part, d.name, d.newest_at, d.tier, d.filters, d.short, d.words) IS DISTINCT FROM (
    excluded.part, excluded.name, excluded.newest_at, excluded.tier, excluded.filters, excluded.short,
    excluded.words
)
RETURNING listing_id
"""
CATEGORY_COUNTED = """
INSERT INTO directory_categorycount (site_id, category_id, listings, total_listings)
SELECT site_id, category_id, 0, 0 FROM unnest(%s::bigint[], %s::bigint[]) AS moved (site_id, category_id)
ON CONFLICT DO NOTHING
"""
CATEGORY_COUNT = """
UPDATE directory_categorycount SET listings = listings + %s, total_listings = total_listings + %s
WHERE site_id = %s AND category_id = %s
"""
SITE_COUNTED = (
    "INSERT INTO directory_sitecount (site_id, live, upcoming) VALUES (%s, 0, 0) ON CONFLICT DO NOTHING"
)
SITE_COUNT = "UPDATE directory_sitecount SET live = live + %s, upcoming = upcoming + %s WHERE site_id = %s"


def write_stats(sources: Sequence[Source]) -> None:
    rows = [(source.id, source.site_id, source.public_status == "live") for source in sources]
    _each(STATS, rows)


def write_launches(sources: Sequence[Source]) -> None:
    """Weeks show the launches of public listings alone."""
    listings = [source.id for source in sources]
    with connection.cursor() as cursor:
        cursor.execute(LAUNCHES, [listings, [not source.public_status for source in sources]])


def write_cards(sources: Sequence[Source], *, tree: Tree) -> None:
    """The cards, and the counts of sites and categories moved by what changed in them."""
    sites = {source.id: source.site_id for source in sources}
    cards = [card(source, tree=tree, media_url=settings.MEDIA_URL) for source in sources]
    counted = [(row.listing_id, row.counted_as, row.counted_in, row.counted_below) for row in cards]
    with connection.cursor() as cursor:
        cursor.execute(CARDS, [orjson.dumps([row._asdict() for row in cards]).decode()])
        before = cursor.fetchall()
    moved = Moved()
    for by, rows in ((-1, before), (1, counted)):
        for listing_id, status, own, below in rows:
            moved.add(sites[listing_id], status=status, own=own, below=below, by=by)
    moved.write()


class Moved:
    """What changes in the counts of sites and categories, written in one order so that no two deadlock."""

    def __init__(self) -> None:
        self.own: Counter[tuple[int, int]] = Counter()
        self.below: Counter[tuple[int, int]] = Counter()
        self.public: Counter[tuple[int, str]] = Counter()

    def add(
        self, site_id: int, *, status: str, own: Collection[int], below: Collection[int], by: int
    ) -> None:
        """So many listings of a status, filed in these categories and below those, more or less."""
        self.public[site_id, status] += by
        for pk in own:
            self.own[site_id, pk] += by
        for pk in below:
            self.below[site_id, pk] += by

    def write(self) -> None:
        keys = sorted(key for key in {*self.own, *self.below} if self.own[key] or self.below[key])
        if keys:
            with connection.cursor() as cursor:
                cursor.execute(CATEGORY_COUNTED, [list(column) for column in zip(*keys, strict=True)])
            _each(CATEGORY_COUNT, [(self.own[key], self.below[key], *key) for key in keys])
        for site_id in sorted({site_id for site_id, _ in self.public}):
            live, upcoming = self.public[site_id, "live"], self.public[site_id, "upcoming"]
            if live or upcoming:
                _each(SITE_COUNTED, [(site_id,)])
                _each(SITE_COUNT, [(live, upcoming, site_id)])


def write_documents(sources: Sequence[Source], *, tree: Tree) -> None:
    """Search rows of the public listings, with new words made known; those of others go."""
    public = [source for source in sources if source.public_status]
    hidden = [source.id for source in sources if not source.public_status]
    if hidden:
        SearchDocument.objects.filter(pk__in=hidden).delete()
    if public:
        built = build_documents(public, tree=tree, stems=Stems())
        with connection.cursor() as cursor:
            cursor.execute(DOCUMENT, [orjson.dumps([entry.document._asdict() for entry in built]).decode()])
            written = {pk for (pk,) in cursor.fetchall()}
        add_terms(terms_of(entry for entry in built if entry.document.listing_id in written))


class Built(NamedTuple):
    """A search row, and the terms in it with the fields of each."""

    site_id: int
    document: Document
    masks: dict[str, int]


def build_documents(public: Sequence[Source], *, tree: Tree, stems: Stems) -> list[Built]:
    """Search rows of public listings, each in the tier it has."""
    fields = [fields_of(source) for source in public]
    stems.learn({word for words in fields for word in words})
    built = []
    for source, words in zip(public, fields, strict=True):
        masks = lexeme_masks(words, stems=stems)
        filters = filters_of(source, tree=tree)
        tier = lexemes.LAST_TIER if source.tier is None else source.tier
        row = document(source, masks=masks, filters=filters, tier=tier)
        built.append(Built(site_id=source.site_id, document=row, masks=masks))
    return built


def terms_of(built: Iterable[Built]) -> dict[tuple[int, str], int]:
    """The terms of search rows by site, with the fields of each."""
    terms: dict[tuple[int, str], int] = {}
    for entry in built:
        counted = ((mark, 0) for mark in entry.document.filters if mark[:2] not in UNCOUNTED)
        for lexeme, mask in (*entry.masks.items(), *counted):
            key = (entry.site_id, lexeme.removeprefix(lexemes.WORD))
            terms[key] = terms.get(key, 0) | mask
    return terms


def _each(statement: str, rows: Sequence[Sequence[Any]]) -> None:
    with connection.cursor() as cursor:
        cursor.executemany(statement, rows)
