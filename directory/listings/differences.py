"""Both sides of an edit in words, with what differs between them."""

import difflib
import re
from collections.abc import Collection
from datetime import date
from typing import Any

from directory import limits
from directory.wording import PLATFORMS, words_of

PIECES = re.compile(r"\w+\s*|[^\w\s]\s*|\s+")
WORD = re.compile(r"\w+")
COMPARED = 90
Piece = tuple[str, str]
UNREAD = {"id", "posted_at", "followers_notified", "file", "type", "width", "height"}  # of news and pictures
# the database gives the parts of an object back in an order of its own
PARTS = ("title", "question", "answer", "name", "date", *limits.STORY_SECTIONS, "description", "bio", "url")


def as_text(value: Any) -> str:
    """A value as people read it: lists have one entry a line."""
    if isinstance(value, dict):
        return "\n".join(f"{_words(name)}: {as_text(value[name])}" for name in _ordered(value) if value[name])
    if isinstance(value, list | tuple):
        return "\n".join(_entry(entry) for entry in value)
    return "" if value is None else str(value)


def _entry(entry: Any) -> str:
    if not isinstance(entry, dict):
        return str(entry)
    order = sorted(_ordered(entry), key=lambda name: name != "date")
    return ", ".join(_part(name, entry[name]) for name in order if entry[name])


def _part(name: str, value: Any) -> str:
    """One value of an entry; a date in words."""
    if name != "date":
        return as_text(value)
    try:
        return f"{value if isinstance(value, date) else date.fromisoformat(value):%-d %B %Y}"
    except (TypeError, ValueError):  # typed, and refused where it is checked
        return as_text(value)


def _ordered(value: dict[str, Any]) -> list[str]:
    places = {name: number for number, name in enumerate(PARTS)}
    return sorted(value.keys() - UNREAD, key=lambda name: (places.get(name, len(PARTS)), name))


def _words(name: str) -> str:
    return PLATFORMS.get(name) or words_of(name)


def word_diff(before: str, after: str) -> tuple[list[Piece], list[Piece]]:
    """Both texts in pieces: `same`, or `del` in the first and `ins` in the second.

    What both begin and end with is found at once; of what is left, only a few words are compared one by one, because
    that takes the square of their number.
    """
    old, new = PIECES.findall(before), PIECES.findall(after)
    a, b = _bare(old), _bare(new)
    shorter = min(len(a), len(b))
    head = next((n for n in range(shorter) if a[n] != b[n]), shorter)
    tail = next((n for n in range(shorter - head) if a[-1 - n] != b[-1 - n]), shorter - head)
    first, second = _compared(old[head : len(old) - tail], new[head : len(new) - tail])
    return _whole(old, head, first, tail), _whole(new, head, second, tail)


def _bare(words: list[str]) -> list[str]:
    """Words without the space after them: a comma more does not change the word before it."""
    return [word.rstrip(" ") for word in words]


def _whole(words: list[str], head: int, middle: list[Piece], tail: int) -> list[Piece]:
    ends = ("same", "".join(words[:head])), ("same", "".join(words[len(words) - tail :]))
    return [piece for piece in (ends[0], *middle, ends[1]) if piece[1]]


def _compared(old: list[str], new: list[str]) -> tuple[list[Piece], list[Piece]]:
    if max(len(old), len(new)) > COMPARED:
        return [("del", "".join(old))], [("ins", "".join(new))]
    first: list[Piece] = []
    second: list[Piece] = []
    for kind, a, b, c, d in difflib.SequenceMatcher(a=_bare(old), b=_bare(new), autojunk=False).get_opcodes():
        word = "same" if kind == "equal" else ""
        first.append((word or "del", "".join(old[a:b])))
        second.append((word or "ins", "".join(new[c:d])))
    return first, second


def is_carried(*, before: str, after: str, quotes: Collection[str]) -> bool:
    """Whether every word that an edit brought stands in what was quoted from the website."""
    brought = "".join(text for kind, text in word_diff(before, after)[1] if kind == "ins")
    existing = set(WORD.findall(" ".join(quotes).casefold()))
    words = set(WORD.findall(brought.casefold()))
    return bool(words) and words <= existing
