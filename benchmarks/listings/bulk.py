"""Loads very many listings with their public rows: COPY into tables whose indexes are built afterwards."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.db import connection, transaction

from directory.search import lexemes
from directory.search.documents import (
    Card,
    Document,
    Source,
    Stems,
    Tree,
    card,
    document,
    fields_of,
    filters_of,
    lexeme_masks,
)
from directory.search.public_data import Moved

TABLES = (
    "directory_listing",
    "directory_listingcategory",
    "directory_listingstats",
    "directory_listingcard",
    "directory_searchdocument",
    "directory_launch",
)
TERMS = ("directory_searchterm",)
INDEXES = """
SELECT c.relname, pg_get_indexdef(i.indexrelid)
FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid
WHERE i.indrelid = ANY(%s::regclass[]) AND NOT i.indisunique
ORDER BY c.relname
"""
KEYS = """
SELECT conrelid::regclass::text, quote_ident(conname), pg_get_constraintdef(oid)
FROM pg_constraint WHERE conrelid = ANY(%s::regclass[]) AND contype = 'f' ORDER BY conname
"""


@contextmanager
def without_indexes(tables: Sequence[str] = TABLES) -> Iterator[None]:
    """A transaction that copies rows in without secondary indexes and foreign keys, and builds them after.

    Nobody else can read the tables meanwhile; when something fails, everything is as it was.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = 0")
        cursor.execute("SET LOCAL maintenance_work_mem = '512MB'")
        # what is still to be checked of earlier statements is checked now, or the tables could not be altered
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute(KEYS, [list(tables)])
        keys = cursor.fetchall()
        cursor.execute(INDEXES, [list(tables)])
        indexes = cursor.fetchall()
        for table, key, _ in keys:
            cursor.execute(f"ALTER TABLE {table} DROP CONSTRAINT {key}")
        for index, _ in indexes:
            cursor.execute(f'DROP INDEX "{index}"')
        yield
        for _, definition in indexes:
            cursor.execute(definition)
        for table, key, definition in keys:
            cursor.execute(f"ALTER TABLE {table} ADD CONSTRAINT {key} {definition}")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")


class PublicRows:
    """Copies in the public rows of new listings, portion by portion, and counts them at the end."""

    def __init__(self, *, tree: Tree) -> None:
        self.tree = tree
        self.stems = Stems()
        self.counts: Counter[tuple[int, str, tuple[int, ...]]] = Counter()

    def add(self, sources: Sequence[Source]) -> None:
        copy_rows("directory_listingcard", Card._fields, self._cards(sources))
        public = [source for source in sources if source.public_status]
        fields = [fields_of(source) for source in public]
        # stems are asked for before the COPY begins: one connection cannot do both
        self.stems.learn({word for words in fields for word in words})
        copy_rows("directory_searchdocument", Document._fields, self._documents(public, fields))

    def _cards(self, sources: Sequence[Source]) -> Iterator[Card]:
        for source in sources:
            self.counts[source.site_id, source.public_status, tuple(source.category_ids)] += 1
            yield card(source, tree=self.tree, media_url=settings.MEDIA_URL)

    def _documents(self, public: Sequence[Source], fields: Sequence[dict[str, int]]) -> Iterator[Document]:
        for source, words in zip(public, fields, strict=True):
            masks = lexeme_masks(words, stems=self.stems)
            filters = filters_of(source, tree=self.tree)
            yield document(source, masks=masks, filters=filters, tier=lexemes.LAST_TIER)

    def count(self) -> None:
        """Add what was copied in to the counts of sites and categories."""
        moved = Moved()
        for (site_id, status, category_ids), listings in self.counts.items():
            is_live = status == "live"
            moved.add(
                site_id,
                status=status,
                own=category_ids if is_live else (),
                below=self.tree.lineage(category_ids) if is_live else (),
                by=listings,
            )
        moved.write()


def copy_rows(table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    statement = f"COPY {table} ({', '.join(columns)}) FROM STDIN"
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        for row in rows:
            copy.write_row(row)
