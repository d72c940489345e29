"""Slugs, phrases and the one source of chance."""

import re
import unicodedata
from random import Random

NOT_A_WORD = re.compile(r"[^a-z0-9]+")
LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "ß": "ss", "æ": "ae", "đ": "d", "ı": "i", "&": " and ", "'": "", "’": ""}
)


def slugify(text: str) -> str:
    """The slug of a name: ASCII letters, digits and hyphens."""
    lower = unicodedata.normalize("NFKD", text.lower().translate(LETTERS))
    return NOT_A_WORD.sub("-", lower.encode("ascii", "ignore").decode()).strip("-")


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
    return Random(seed)
