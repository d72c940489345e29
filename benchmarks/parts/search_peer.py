"""The same listings in tantivy, an engine in Rust: fuzzy always, and fuzzy only when nothing is found."""

from pathlib import Path

import tantivy

from directory.models import Listing
from directory.search.words import edits_allowed, words_of

FIELDS = {"name": 3.0, "tagline": 2.0, "keywords": 1.5, "description": 1.0}
COLUMNS = ("pk", "name", "tagline", "keywords", "tags", "short_description", "description")
HITS = 10
HEAP = 256 * 1024 * 1024


class Peer:
    """An index of live listings on disk."""

    def __init__(self, folder: Path) -> None:
        """Open or make it."""
        builder = tantivy.SchemaBuilder()
        builder.add_integer_field("id", stored=True)
        for field in FIELDS:
            builder.add_text_field(field, stored=False, index_option="freq")
        self.schema = builder.build()
        folder.mkdir(parents=True, exist_ok=True)
        self.index = tantivy.Index(self.schema, path=str(folder))
        self.searcher = self.index.searcher()

    def fill(self, *, site_id: int) -> None:
        """Index a site's live listings: the texts that the search row of each is made of."""
        rows = Listing.objects.live().filter(site=site_id).values_list(*COLUMNS)
        writer = self.index.writer(HEAP)
        for pk, name, tagline, keywords, tags, short, description in rows.iterator(chunk_size=2000):
            writer.add_document(
                tantivy.Document(
                    id=pk,
                    name=" ".join(words_of(name)),
                    tagline=" ".join(words_of(tagline)),
                    keywords=" ".join(words_of(" ".join((*keywords, *tags)))),
                    description=" ".join(words_of(f"{short} {description}")),
                )
            )
        writer.commit()
        writer.wait_merging_threads()
        self.index.reload()
        self.searcher = self.index.searcher()

    def fuzzy(self, text: str) -> list[int]:
        """The first hits when every word may be misspelt, as search allows it, in any field."""
        return self._ids([self._anywhere(word, edits=edits_allowed(word)) for word in words_of(text)])

    def staged(self, text: str) -> list[int]:
        """The first hits as typed, the last word as a beginning too; fuzzy only when there are none."""
        *whole, last = words_of(text)
        exact = [self._anywhere(word, edits=0) for word in whole]
        exact.append(self._or([self._anywhere(last, edits=0), self._beginning(last)]))
        return self._ids(exact) or self.fuzzy(text)

    def _ids(self, queries: list[tantivy.Query]) -> list[int]:
        query = tantivy.Query.boolean_query([(tantivy.Occur.Must, one) for one in queries])
        found = self.searcher.search(query, HITS, count=True)
        return [self.searcher.doc(address)["id"][0] for _, address in found.hits]

    def _anywhere(self, word: str, *, edits: int) -> tantivy.Query:
        return self._or([self._boosted(self._term(field, word, edits), field) for field in FIELDS])

    def _term(self, field: str, word: str, edits: int) -> tantivy.Query:
        if not edits:
            return tantivy.Query.term_query(self.schema, field, word, index_option="freq")
        return tantivy.Query.fuzzy_term_query(
            self.schema, field, word, distance=edits, transposition_cost_one=True
        )

    def _beginning(self, word: str) -> tantivy.Query:
        """An automaton of the prefix alone; a regular expression for the same costs a millisecond more."""
        return self._or(
            [
                self._boosted(
                    tantivy.Query.fuzzy_term_query(self.schema, field, word, distance=0, prefix=True), field
                )
                for field in FIELDS
            ]
        )

    @staticmethod
    def _boosted(query: tantivy.Query, field: str) -> tantivy.Query:
        return tantivy.Query.boost_query(query, FIELDS[field])

    @staticmethod
    def _or(queries: list[tantivy.Query]) -> tantivy.Query:
        return tantivy.Query.boolean_query([(tantivy.Occur.Should, one) for one in queries])
