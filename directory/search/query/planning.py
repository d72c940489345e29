"""Turns typed words into a query: what a hit must have, what ranks it, what its name is compared to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import chain, islice, pairwise, product
from math import prod

from directory.search import lexemes
from directory.search.lexemes import SURELY_CAPPED
from directory.search.query.vocabulary import CORRECTIONS, LAST, PREFIX_LETTERS, Near, Vocabulary, Word

# so many listings are few for a word; fewer hits than so many are too few, and more is tried
RARE, FEW = 10, 10
WAYS = 4
NO_NAMES = (LAST, "")
# stands for the part in a query that is meant for several; no word has it
ANYWHERE = "\0"


class Reach(IntEnum):
    """How far a query goes for words that listings do have."""

    TYPED = 0
    LONGER = 1
    NEAR = 2


@dataclass(kw_only=True)
class Slot:
    """A typed word, the lexemes that fill its place, and those that stand for words it may have meant.

    Two words in which listings write it, `halves`, fill its place together. `fillers` is everything that fills it
    alone, `ranking` every lexeme that counts for a hit, and `anywhere` what a hit must have, with `ANYWHERE` for the
    part; empty when nothing fills the place. All of it is asked for, more than once.
    """

    word: Word
    lexemes: tuple[str, ...]
    corrections: Mapping[str, str]
    halves: tuple[Near, ...] = ()

    def __post_init__(self) -> None:
        self.fillers = (*self.lexemes, *self.corrections)
        self.forms = [_forms(half.term, stem=half.stem) for half in self.halves]
        self.ranking = (*self.fillers, *chain(*self.forms))
        self.anywhere = self._anywhere()
        self.documents = self._documents()

    def _anywhere(self) -> str:
        ways = [lexemes.any_of(self.fillers, part=ANYWHERE)] if self.fillers else []
        if self.halves:
            ways.append(lexemes.all_of([lexemes.any_of(half, part=ANYWHERE) for half in self.forms]))
        return f"({'|'.join(ways)})" if len(ways) > 1 else "".join(ways)

    def _documents(self) -> int:
        """In how many listings something fills the place, at most."""
        near = [entry.documents for entry in self.word.near] if self.corrections else []
        together = min((half.documents for half in self.halves), default=0)
        return self.word.at_most + sum(near) + together

    @property
    def meant(self) -> list[str]:
        """What may have been meant by the word, in letters."""
        halves = [" ".join(half.term for half in self.halves)] if self.halves else []
        return [*dict.fromkeys(self.corrections.values()), *halves] or [self.word.text]


@dataclass(kw_only=True)
class Plan:
    """One way to read a query. `joined` are neighbours that are one word in some listings, with that word.

    `parts` are those of the index that are searched; `sample` is the part to estimate in, if there is one. `needed` are
    the places a hit must fill: those that can be; stop words only when there is nothing else. `joined_forms` has each
    pair of neighbours with the lexemes of its word, `anywhere` is what a hit must have, with `ANYWHERE` for the part,
    and `ranking` every lexeme that counts for a hit.
    """

    parts: Sequence[str]
    sample: str | None
    typed: str
    slots: Sequence[Slot]
    joined: Sequence[tuple[str, str, Word]]
    filters: Sequence[str]

    def __post_init__(self) -> None:
        fillable = [slot for slot in self.slots if slot.anywhere]
        self.needed = [slot for slot in fillable if slot.word.is_needed] or fillable
        self.joined_forms = [
            (first, second, _forms(both.text, stem=both.stem)) for first, second, both in self.joined
        ]
        self.anywhere = self._anywhere()
        joined = chain(*(forms for *_, forms in self.joined_forms))
        self.ranking = list(dict.fromkeys([*chain(*(slot.ranking for slot in self.slots)), *joined]))

    def _anywhere(self) -> str:
        queries = {slot.word.text: slot.anywhere for slot in self.needed}
        for first, second, forms in self.joined_forms:
            if apart := [queries.pop(word) for word in (first, second) if word in queries]:
                both = lexemes.any_of(forms, part=ANYWHERE)
                queries[first + second] = f"({lexemes.all_of(apart)}|{both})"
        return lexemes.all_of([*queries.values(), *filtered(self.filters)])

    @property
    def queries(self) -> list[str]:
        """What a hit must have, for each part."""
        return self.in_parts(self.anywhere)

    @property
    def sampled(self) -> str | None:
        return self.anywhere.replace(ANYWHERE, self.sample) if self.sample else None

    def in_parts(self, anywhere: str) -> list[str]:
        """A query for each part that is searched."""
        return [anywhere.replace(ANYWHERE, part) for part in self.parts]

    @property
    def ranked(self) -> str:
        """What a hit is ranked by, as short vectors have it."""
        return lexemes.any_of([lexeme.removeprefix(lexemes.WORD) for lexeme in self.ranking])

    @property
    def scale(self) -> float:
        """Makes ranks comparable whatever the number of alternatives, by which PostgreSQL divides."""
        return len(self.ranking) / len(self.slots)

    @property
    def names(self) -> list[str]:
        """The names that are exactly what was typed, or what was meant."""
        spelt = (
            " ".join(choice) for choice in islice(product(*(slot.meant for slot in self.slots)), CORRECTIONS)
        )
        return list(dict.fromkeys([self.typed, *spelt, *(both.text for *_, both in self.joined)]))

    @property
    def beginnings(self) -> tuple[str, str]:
        """The range of names that begin with what was typed; an empty one when that is too short."""
        return (self.typed, self.typed + LAST) if len(self.typed) >= PREFIX_LETTERS else NO_NAMES


def filtered(filters: Sequence[str]) -> list[str]:
    return [lexemes.quoted(ANYWHERE + entry) for entry in filters]


def plan(
    vocabulary: Vocabulary,
    *,
    typed: Sequence[str],
    site_id: int,
    status: str,
    filters: Sequence[str],
    reach: Reach,
) -> Plan:
    pairs = [
        (entry.text, other.text, vocabulary.joined[entry.text + other.text])
        for entry, other in pairwise(vocabulary.words)
        if entry.text + other.text in vocabulary.joined
    ]
    return Plan(
        parts=lexemes.parts_of(site_id=site_id, status=status),
        sample=lexemes.sample_of(site_id=site_id) if status == "live" else None,
        typed=" ".join(typed),
        slots=[_slot(word, reach=reach) for word in vocabulary.words],
        joined=sorted(pairs, key=lambda pair: not pair[2].in_names)[:1],
        filters=filters,
    )


def _slot(word: Word, *, reach: Reach) -> Slot:
    rows: list[str] = []
    if word.is_used:
        rows = _forms(word.text, stem=word.stem) if word.stem_documents else [lexemes.WORD + word.text]
    if reach >= Reach.LONGER or not rows:
        rows = [*rows, *(lexemes.WORD + term for term, _ in word.longer)]
    is_wide = reach >= Reach.NEAR or not rows
    near = word.near if is_wide else []
    corrections: dict[str, str] = {}
    for entry in near:
        for lexeme in _forms(entry.term, stem=entry.stem):
            corrections.setdefault(lexeme, entry.term)
    return Slot(
        word=word, lexemes=tuple(rows), corrections=corrections, halves=word.halves if is_wide else ()
    )


def _forms(text: str, *, stem: str) -> list[str]:
    """A word and its inflections: what has its stem, as a word or as a stem; a stop word has none."""
    inflected = [lexemes.WORD + stem, lexemes.STEM + stem] if stem else []
    return list(dict.fromkeys([lexemes.WORD + text, *inflected]))


def loosened(whole: Plan, *, vocabulary: Vocabulary) -> list[list[str]]:
    """What to ask when nothing has every needed word: all but one, the most telling way first; the rarest alone."""
    needed = whole.needed
    if len(needed) < 2:
        return []
    filters = filtered(whole.filters)
    places = [slot.anywhere for slot in needed]
    counts, listings = _counts(whole, vocabulary=vocabulary), vocabulary.listings
    by_hits = sorted(
        (_by_chance([*counts[:gone], *counts[gone + 1 :]], listings=listings), gone)
        for gone in range(len(needed))
    )
    ways = [places[:gone] + places[gone + 1 :] for _, gone in by_hits[:WAYS]] if len(needed) > 2 else []
    rarest = min(range(len(needed)), key=counts.__getitem__)
    return [whole.in_parts(lexemes.all_of([*way, *filters])) for way in (*ways, [places[rarest]])]


def widenable(vocabulary: Vocabulary) -> list[Word]:
    """Rare words, which may be misspellings of others although listings have them."""
    return [word for word in vocabulary.words if word.is_needed and word.documents <= RARE and not word.near]


def expected(whole: Plan, *, vocabulary: Vocabulary) -> float:
    """How many hits there would be if words went together by chance."""
    return _by_chance(_counts(whole, vocabulary=vocabulary), listings=vocabulary.listings)


def _by_chance(counts: Sequence[int], *, listings: int) -> float:
    return listings * prod([min(1.0, count / listings) for count in counts])


def at_most(whole: Plan, *, vocabulary: Vocabulary) -> int:
    """How many hits there can be: as many as the rarest of words and filters has."""
    return min(_counts(whole, vocabulary=vocabulary))


def _counts(whole: Plan, *, vocabulary: Vocabulary) -> list[int]:
    filters = [vocabulary.filters.get(entry, 0) for entry in whole.filters]
    return [*(slot.documents for slot in whole.needed), *filters]


def is_surely_capped(whole: Plan) -> bool:
    """Whether a single word alone is in more listings than totals count."""
    if whole.filters or len(whole.needed) != 1:
        return False
    word = whole.needed[0].word
    return max(word.documents, word.stem_documents // 2) >= SURELY_CAPPED
