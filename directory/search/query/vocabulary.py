"""What is known of the typed words: how common each is, what it may begin or be a misspelling of."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from itertools import chain, pairwise
from typing import Any, NamedTuple

from django.db.models import Q

from core.postgresql.base import SEPARATOR, fetch_all
from directory.models import SearchTerm
from directory.search.words import (
    APART,
    TWO_EDITS_FROM,
    WORD,
    delete_keys,
    distance,
    edits_allowed,
    edits_between,
    is_keyed,
)

WORDS = 8
HALF_FROM = 3  # letters of the shorter half of a word that is two words elsewhere
PREFIX_LETTERS, PREFIX_UP_TO, PREFIX_TERMS = 3, 10, 30
# as many corrections of a word are looked for; long lists of listings take time, so fewer that many listings have
CORRECTIONS, COMMON_CORRECTIONS, COMMON = 24, 6, 200
LAST = "\U0010ffff"
BEGINNING, TERMS, RESPELT_WORDS, CUTOFF = 2, 400, 3, 0.66  # of what nobody writes

VOCABULARY = """
SELECT kind, word, stem, documents, in_names, stem_documents FROM directory_search_look_up(
    %(site)s::bigint, string_to_array(%(words)s, chr(31)), string_to_array(%(filters)s, chr(31)), %(category)s::text,
    %(prefix)s::text, %(prefix_end)s::text, %(prefix_terms)s::integer, %(rare)s::integer
)
"""
NEAR = """
SELECT word, term, stem, documents, in_names, edits
FROM directory_search_near(
    %(site)s::bigint, string_to_array(%(words)s, chr(31)), string_to_array(%(keys)s, chr(31)), %(two_from)s::integer
)
UNION ALL
SELECT word, word, stem, documents + stem_documents, in_names, NULL FROM directory_search_look_up(
    %(site)s::bigint, string_to_array(%(halves)s, chr(31)), '{}'::text[], '', '', '', 0, 0
) WHERE kind = 'word'
"""


class Near(NamedTuple):
    """A term that a typed word may be a misspelling of."""

    term: str
    stem: str
    documents: int


@dataclass(kw_only=True)
class Word:
    """One typed word. `documents` is how many listings have it, `stem_documents` how many have its stem.

    `halves` are the two words as which listings write it.
    """

    text: str
    stem: str = ""
    documents: int = 0
    in_names: bool = False
    stem_documents: int = 0
    longer: list[tuple[str, int]] = field(default_factory=list)
    near: list["Near"] = field(default_factory=list)
    halves: tuple["Near", ...] = ()

    @property
    def is_used(self) -> bool:
        return bool(self.documents or self.stem_documents)

    @property
    def at_most(self) -> int:
        """How many listings can have it, or where none has, what it begins."""
        return self.documents + self.stem_documents or sum(documents for _, documents in self.longer)

    @property
    def is_needed(self) -> bool:
        """Whether a listing must have it: stop words and single letters say nothing."""
        return bool(self.stem) and len(self.text) > 1


@dataclass(kw_only=True)
class Vocabulary:
    """The typed words in their order, without repetitions, and what is known of them and of the filters.

    `to do`, of which neither says anything alone, is `todo` where listings have that. `joined` has what other
    neighbours are as one word.
    """

    words: list[Word]
    joined: dict[str, Word]
    filters: dict[str, int]
    category_id: int | None
    listings: int


def typed_words(words: Sequence[str]) -> list[str]:
    """The words that are searched for: each once, and not more than make sense."""
    return list(dict.fromkeys(words))[:WORDS]


def read_vocabulary(
    words: Sequence[str], *, site_id: int, filters: Collection[str], category: str | None
) -> Vocabulary:
    """Ask for everything at once. The last word may be unfinished: a rare one brings what it begins."""
    joined = [first + second for first, second in pairwise(words) if len(first + second) <= WORD]
    prefix = words[-1] if words and len(words[-1]) >= PREFIX_LETTERS else ""
    params: dict[str, Any] = {
        "site": site_id,
        "words": SEPARATOR.join(dict.fromkeys([*words, *joined])),
        "filters": SEPARATOR.join(filters),
        "category": category or "",
        "prefix": prefix,
        "prefix_end": prefix + LAST,
        "prefix_terms": PREFIX_TERMS,
        "rare": PREFIX_UP_TO,
    }
    rows = fetch_all(VOCABULARY, params)
    result = {
        text: Word(text=text, stem=stem, documents=documents, in_names=in_names, stem_documents=stems)
        for kind, text, stem, documents, in_names, stems in rows
        if kind == "word"
    }
    if prefix:
        result[prefix].longer = [
            (term, documents) for kind, term, _, documents, *_ in rows if kind == "prefix"
        ]
    return Vocabulary(
        words=_read([result[word] for word in words], joined={entry: result[entry] for entry in joined}),
        joined={word: result[word] for word in joined if result[word].is_used},
        filters={term: documents for kind, term, _, documents, *_ in rows if kind in {"filter", "category"}},
        category_id=next((int(pk) for kind, _, pk, *_ in rows if kind == "category"), None),
        listings=next((documents for kind, _, _, documents, *_ in rows if kind == "site"), 1),
    )


def _read(words: Sequence[Word], *, joined: Mapping[str, Word]) -> list[Word]:
    for number, (first, second) in enumerate(pairwise(words)):
        both = joined.get(first.text + second.text)
        is_pair = f"{first.text} {second.text}" in APART and not (first.is_needed or second.is_needed)
        if is_pair and both and both.is_used:
            return [*words[:number], both, *words[number + 2 :]]
    return list(words)


def add_near(words: Sequence[Word], *, site_id: int) -> None:
    """Note for each of these words what it may be a misspelling of, likeliest first, and its halves."""
    open_words = [word for word in words if edits_allowed(word.text)]
    if not open_words:
        return
    halves = {word.text: halves_of(word.text) for word in open_words}
    params: dict[str, Any] = {
        "site": site_id,
        "halves": SEPARATOR.join(dict.fromkeys(half for pairs in halves.values() for half in chain(*pairs))),
        "words": SEPARATOR.join([word.text for word in open_words]),
        "two_from": TWO_EDITS_FROM,
        "keys": SEPARATOR.join(
            "{" + ",".join(map(str, delete_keys(word.text, site_id=site_id))) + "}" for word in open_words
        ),
    }
    rows = fetch_all(NEAR, params)
    existing = {
        term: Near(term=term, stem=stem, documents=documents)
        for _, term, stem, documents, _, edits in rows
        if edits is None and stem and documents
    }
    for word in open_words:
        word.near = _nearest(
            word.text, [row[1:] for row in rows if row[0] == word.text and row[-1] is not None]
        )
        pairs = [
            (existing[entry], existing[other])
            for entry, other in halves[word.text]
            if {entry, other} <= existing.keys()
        ]
        word.halves = max(pairs, key=lambda pair: min(half.documents for half in pair), default=())


def halves_of(word: str) -> list[tuple[str, str]]:
    return [(word[:at], word[at:]) for at in range(HALF_FROM, len(word) - HALF_FROM + 1)]


def _nearest(text: str, terms: Sequence[tuple[str, str, int, bool, int]]) -> list[Near]:
    # without swaps the edits are the distance; a swap can only be among more of them
    most = 1 if any(edits <= 1 for *_, edits in terms) else 2
    far = {
        term: edits if edits <= 1 else distance(text, term, at_most=edits_between(text, term))
        for term, *_, edits in terms
        if edits <= 2 * most
    }
    far = {term: apart for term, apart in far.items() if apart <= edits_between(text, term)}
    nearest = min(far.values(), default=None)
    ranked = sorted(
        (term[0] != text[0], not in_names, -documents, term, stem)
        for term, stem, documents, in_names, _ in terms
        if far.get(term, -1) == nearest
    )
    rows = [Near(term=term, stem=stem, documents=-documents) for *_, documents, term, stem in ranked]
    common = [entry for entry in rows if entry.documents > COMMON][COMMON_CORRECTIONS:]
    return [entry for entry in rows if entry not in common][:CORRECTIONS]


def respelt(typed: Sequence[str], *, site_id: int) -> str | None:
    """What somebody may have meant whose words no listing has, nor any that search corrects to; None without any.

    The first few words, each as the nearest one that listings have with the same beginning, in one statement; what is
    typed beyond them stays as it is.
    """
    doubtful = [word for word in typed if is_keyed(word)][:RESPELT_WORDS]
    if not doubtful:
        return None
    near_words = Q()
    for word in doubtful:
        near_words |= Q(term__gte=word[:BEGINNING], term__lt=word[:BEGINNING] + LAST)
    terms = SearchTerm.objects.filter(near_words, site_id=site_id, documents__gt=0)
    likely = [*terms.order_by("-documents", "term").values_list("term", flat=True)[:TERMS]]
    near = {word: get_close_matches(word, likely, n=1, cutoff=CUTOFF) for word in doubtful}
    words = [next(iter(near.get(word, ())), word) for word in typed]
    return " ".join(words) if words != list(typed) else None
