"""Queries of ten kinds about listings, and what each should bring up; the same whatever the size."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from benchmarks.listings.data.shapes import DemoListing
from benchmarks.parts.search_data import listings
from benchmarks.parts.typos import LETTERS, edited
from directory.search.documents import Stems
from directory.search.words import words_of

ABOUT = 9_000
LONG, RARE, KEYWORD = 8, 3, 4
COMMON = slice(5, 60)


@dataclass(frozen=True)
class Question:
    """A query of a kind. A hit is right when it has this name, and when its tagline has all these words."""

    kind: str
    text: str
    name: str = ""
    words: tuple[str, ...] = ()

    def is_right(self, *, name: str, tagline: str) -> bool:
        """Whether a hit is what was meant. Names and taglines repeat, so several listings can be."""
        if self.name and " ".join(words_of(name)) != self.name:
            return False
        return set(self.words) <= set(words_of(tagline))

    @property
    def has_answer(self) -> bool:
        """Whether there is anything to find."""
        return bool(self.name or self.words)


def questions(*, each: int) -> list[Question]:
    """So many queries of each kind, about the first listings."""
    known = [one for one in listings(count=ABOUT) if one.status == "live" and "main" in one.sites]
    texts = [set(words_of(f"{one.tagline} {one.short_description} {one.description}")) for one in known]
    counts = Counter(word for text in texts for word in text)
    stems = Stems()
    stems.learn(counts)
    common = [word for word, _ in counts.most_common(300) if stems.of(word) and len(word) > 2][COMMON]
    rng = Random("questions")
    found: list[Question] = []
    for _ in range(each):
        found += _about_name(known, rng)
        found += _about_words(known, counts, rng)
        found.append(Question("common", rng.choice(common)))
        found.append(Question("common2", " ".join(rng.sample(common, 2))))
        found.append(Question("nohit", "zq" + "".join(rng.choices(LETTERS, k=6)) + "xj"))
    return found


def _about_name(known: Sequence[DemoListing], rng: Random) -> list[Question]:
    one = rng.choice(known)
    long = next(
        other for other in iter(lambda: rng.choice(known), None) if len(words_of(other.name)[0]) >= LONG
    )
    name, long_name = " ".join(words_of(one.name)), " ".join(words_of(long.name))
    typo = _misspelt(name, edits=1, rng=rng)
    keyword = rng.choice(words_of(" ".join(one.keywords)))
    return [
        Question("exact_name", one.name, name),
        Question("typo1_name", typo, name),
        Question("typo2_name", _misspelt(long_name, edits=2, rng=rng), long_name),
        Question("prefix_name", name[: max(3, round(len(name) * 0.65))], name),
        Question("name_plus_kw_typo1", f"{typo} {keyword}", name),
    ]


def _about_words(known: Sequence[DemoListing], counts: Counter[str], rng: Random) -> list[Question]:
    words: list[str] = []
    while len(words) < RARE:
        tagline = dict.fromkeys(words_of(rng.choice(known).tagline))
        words = sorted((word for word in tagline if len(word) >= KEYWORD), key=lambda word: counts[word])[
            :RARE
        ]
    at = rng.randrange(RARE)
    wrong = [edited(word, rng) if number == at else word for number, word in enumerate(words)]
    return [
        Question("tagline3", " ".join(words), words=tuple(words)),
        Question("tagline3_typo1", " ".join(wrong), words=tuple(words)),
    ]


def _misspelt(name: str, *, edits: int, rng: Random) -> str:
    first, _, rest = name.partition(" ")
    for _ in range(edits):
        first = edited(first, rng)
    return f"{first} {rest}".strip()
