"""Which categories a text is like: each category's own words, weighed by where they stand and how few share them."""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path

from core.normal_forms import normalize
from drafts import languages
from drafts.crawl.extract_parts import Segment
from drafts.writing.port import CategoryHint
from drafts.writing.support import language_of
from drafts.writing.text import folded

_UNSPACED = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_PIECE = re.compile(f"[{_UNSPACED}]|[^\\W_{_UNSPACED}]+")
_CLAUSE = re.compile(r"[^.!?;:|–—•·,，。、\n]+")
_AUDIENCE = 0.4
AUDIENCE = "audience"
"""The kind of place that says who uses a product."""
_HALF = 3.0  # the weight at which a word has said half of what it can say
_NAME = 1.0
_MOST, _NEXT = 6, 0.75  # words of a category that count, and what each counts beside the one before
_LONG, _CUT, _LEFT = 7, 2, 6
_STEM = 5
_ABBREVIATION = 3
_COMMON = 0.3
COMMON_WORDS = Path(__file__).with_name("data") / "common_words.txt"
"""Words of a category that stand on sites of all kinds, one a line: `python -m benchmarks common_words --write`."""
Term = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """A text of a site, what kind of place it is, and what a word in it weighs."""

    text: str
    weight: float
    segment: Segment | None = None
    kind: str = "text"


@dataclass(slots=True)
class Hit:
    """A category's word on a site: what it weighs in all, and where it stands first."""

    term: Term
    words: str
    place: Place
    weight: float
    value: float = 0
    rarity: float = 0
    is_whole: bool = False
    kinds: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Likeness:
    """How like a category a site is, and the words that say so, the strongest first."""

    hint: CategoryHint
    score: float
    hits: tuple[Hit, ...]


class Vocabulary:
    """All categories' words, found in a text at once."""

    def __init__(self, hints: Sequence[CategoryHint]) -> None:
        self.hints = {hint.slug: hint for hint in hints}
        self.owners: dict[Term, dict[str, float]] = {}
        self.phrases: set[str] = set()
        for hint in hints:
            for phrase in (hint.name, *hint.terms):
                pieces = _PIECE.findall(folded(phrase))
                if term := stemmed(pieces):
                    self.phrases.add(" ".join(pieces))
                    owners = self.owners.setdefault(term, {})
                    owners[hint.slug] = max(_NAME if phrase is hint.name else 1, owners.get(hint.slug, 0))
        self.starts: dict[str, list[Term]] = {}
        for term in self.owners:
            self.starts.setdefault(term[0], []).append(term)

    def rank(self, places: Iterable[Place]) -> list[Likeness]:
        """The categories of which a word stands in these places, the likest first."""
        result: dict[Term, Hit] = {}
        for place in places:
            for hit in self._hits(place):
                existing = result.setdefault(hit.term, hit)
                existing.kinds |= hit.kinds
                if hit.is_whole and not existing.is_whole:
                    existing.words, existing.place, existing.is_whole = hit.words, hit.place, True
                if existing is not hit:
                    existing.weight += hit.weight
        spoken: dict[str, list[Hit]] = {}
        for hit in result.values():
            hit.rarity = self._rarity(hit.term)
            hit.value = hit.weight / (hit.weight + _HALF) * hit.rarity
            for slug in self.owners[hit.term]:
                spoken.setdefault(slug, []).append(hit)
        ranked = [self._likeness(slug, hits) for slug, hits in spoken.items()]
        return sorted(ranked, key=lambda entry: (-entry.score, entry.hint.slug))

    def _likeness(self, slug: str, hits: list[Hit]) -> Likeness:
        valued = sorted(((hit.value * self.owners[hit.term][slug], hit) for hit in hits), key=lambda v: -v[0])
        score = sum(value * _NEXT**rank for rank, (value, _) in enumerate(valued[:_MOST]))
        return Likeness(self.hints[slug], round(score, 4), tuple(hit for _, hit in valued))

    def _rarity(self, term: Term) -> float:
        length = sum(0.5 if part[0] >= "\u3040" else 1 for part in term)
        rare = math.log(1 + len(self.hints) / len(self.owners[term])) / math.log(1 + len(self.hints))
        if term in _common():
            rare *= _COMMON
        return rare * min(1 + 0.35 * (length - 1), 2)

    def _hits(self, place: Place) -> Iterator[Hit]:
        """The words in one place. Of those that begin at one word the longest counts, for each category."""
        aims, properties = _single("for"), _single("property")
        for clause in _CLAUSE.findall(normalize("NFC", place.text)):
            spans = [(folded(word.group()), word.start(), word.end()) for word in _PIECE.finditer(clause)]
            spoken = [word for word, _, _ in spans]
            pieces = stemmed(spoken)
            weight = place.weight
            for at, piece in enumerate(pieces):
                if piece in aims:
                    weight = place.weight * _AUDIENCE
                taken: set[str] = set()
                for term in self._beginning(pieces, at):
                    words = clause[spans[at][1] : spans[at + len(term) - 1][2]]
                    if self.owners[term].keys() - taken and _is_meant(words, term, place.text):
                        taken |= self.owners[term].keys()
                        end = at + len(term)
                        is_stated = weight == place.weight and properties.isdisjoint(pieces[end : end + 1])
                        kind = place.kind if is_stated else AUDIENCE
                        is_whole = " ".join(spoken[at : at + len(term)]) in self.phrases
                        counted = weight if is_stated else place.weight * _AUDIENCE
                        yield Hit(term, words, place, counted, is_whole=is_whole, kinds={kind})

    def _beginning(self, pieces: Term, at: int) -> list[Term]:
        """The terms that begin at a word, the longest first."""
        piece = pieces[at]
        rows = [
            term
            for end in range(min(4, len(piece)), len(piece) + 1)
            for term in self.starts.get(piece[:end], ())
            if at + len(term) <= len(pieces) and all(map(_fits, term, pieces[at:]))
        ]
        return sorted(rows, key=lambda term: (-len(term), -len("".join(term)), term))


@cache
def _single(kind: str) -> frozenset[str]:
    """What follows `for`, or stands before a `property` as in SOC 2 ready, says of the product what it is seldom."""
    return frozenset(languages.phrases(kind))


@cache
def _common() -> frozenset[Term]:
    """What is said on sites of all kinds says little of what one is."""
    return frozenset(stemmed([word]) for word in COMMON_WORDS.read_text(encoding="utf-8").split())


def stemmed(words: Iterable[str]) -> Term:
    return tuple(_stem(word) for word in words)


def _stem(word: str) -> str:
    """A word without its end, so that its other forms fit."""
    return word[: max(_LEFT, len(word) - _CUT)] if len(word) >= _LONG else word


def _fits(part: str, piece: str) -> bool:
    """Whether a word of a site is one of a category, or a longer form of it."""
    return piece == part or (
        piece.startswith(part) and (len(part) >= _STEM or (len(part) == _STEM - 1 and len(piece) <= _STEM))
    )


def _is_meant(words: str, term: Term, text: str) -> bool:
    """Whether an abbreviation of few letters is one, and no word of another language: CRM, but no mes."""
    is_short = len(term) == 1 and len(words) <= _ABBREVIATION and words.isascii()
    return not is_short or words.isupper() or language_of(text) == "en"


@lru_cache(maxsize=4)
def vocabulary(hints: tuple[CategoryHint, ...]) -> Vocabulary:
    """The words of a category tree, prepared once."""
    return Vocabulary(hints)
