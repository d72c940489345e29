"""Looks for public rows that do not say what their listings say."""

from dataclasses import dataclass

import orjson
from django.conf import settings
from django.db import connection

from directory.models import Listing, ListingCard, SearchDocument
from directory.search.index.documents import Card, Source, Stems, card, category_tree, sources
from directory.search.index.writing import build_documents

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
