"""Choose and fill the hand-written sentences: only those whose facts are known and whose conditions hold."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from random import Random
from string import Formatter
from typing import Any

Facts = Mapping[str, Any]
NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven")
NOT_A_WORD = re.compile(r"[^a-z0-9]+")
LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "ß": "ss", "æ": "ae", "đ": "d", "ı": "i", "&": " and ", "'": "", "’": ""}
)


def slugify(text: str) -> str:
    """The slug of a name: ASCII letters, digits and hyphens."""
    lower = unicodedata.normalize("NFKD", text.lower().translate(LETTERS))
    return NOT_A_WORD.sub("-", lower.encode("ascii", "ignore").decode()).strip("-")


@cache
def slots(text: str) -> frozenset[str]:
    """The facts that a sentence needs."""
    return frozenset(slot for _, slot, _, _ in Formatter().parse(text) if slot)


def fitting(rows: Iterable[dict[str, Any]], facts: Facts, flags: frozenset[str]) -> list[dict[str, Any]]:
    """The rows whose `when` holds and whose texts need no unknown fact."""
    return [
        row
        for row in rows
        if flags.issuperset(row["when"])
        and all(
            facts.get(slot) is not None for key, text in row.items() if key != "when" for slot in slots(text)
        )
    ]


def filled(text: str, facts: Facts) -> str:
    """A sentence with its facts put in, beginning with a capital."""
    done = text.format_map(facts)
    return done[:1].upper() + done[1:]


def sample(rng: Random, items: Sequence[Any], count: int) -> list[Any]:
    """At most `count` of the items, in their own order."""
    chosen = set(rng.sample(range(len(items)), min(count, len(items))))
    return [item for index, item in enumerate(items) if index in chosen]


@dataclass(slots=True)
class Rota:
    """Takes what was taken least so far, so that readers of many pages meet few repetitions."""

    taken: Counter[str] = field(default_factory=Counter)

    def take(
        self, rows: Sequence[dict[str, Any]], *, count: int, rng: Random, key: str = "text"
    ) -> list[dict[str, Any]]:
        """At most `count` different rows."""
        mixed = rng.sample(list(rows), len(rows))
        chosen = sorted(mixed, key=lambda row: self.taken[row[key]])[:count]
        self.taken.update(row[key] for row in chosen)
        return chosen


def lowered(text: str) -> str:
    """A phrase for the middle of a sentence: its first letter small, unless it begins a name."""
    first = text.split(" ", 1)[0]
    return text if first[1:] != first[1:].lower() or first in KEPT else text[:1].lower() + text[1:]


KEPT = frozenset({
    "Android", "Braille", "Dutch", "English", "European", "Excel", "French", "Friday", "German", "I",
    "Kubernetes", "Linux", "Markdown", "Monday", "Peppol", "Postgres", "Python", "Sunday", "Sundays", "Swiss",
    "Windows", "Word",
})  # fmt: skip


def seeded(seed: int | str) -> Random:
    """The one source of chance here: the same seed gives the same content on every machine."""
    return Random(seed)  # noqa: S311 - content, not secrets
