"""Two sides of an edit in words. Pure."""

import difflib
import re
from typing import Any

WORDS = re.compile(r"\S+\s*|\s+")
Piece = tuple[str, str]


def as_text(value: Any) -> str:
    """A value as people read it: lists have one entry a line."""
    if isinstance(value, dict):
        return "\n".join(f"{name}: {as_text(inner)}" for name, inner in value.items() if inner)
    if isinstance(value, list | tuple):
        return "\n".join(_entry(entry) for entry in value)
    return "" if value is None else str(value)


def _entry(entry: Any) -> str:
    return (
        ", ".join(as_text(inner) for inner in entry.values() if inner)
        if isinstance(entry, dict)
        else str(entry)
    )


def word_diff(before: str, after: str) -> tuple[list[Piece], list[Piece]]:
    """Both texts in pieces: `same`, or `del` in the first and `ins` in the second."""
    old, new = WORDS.findall(before), WORDS.findall(after)
    first: list[Piece] = []
    second: list[Piece] = []
    for kind, a, b, c, d in difflib.SequenceMatcher(a=old, b=new, autojunk=False).get_opcodes():
        if kind == "equal":
            first.append(("same", "".join(old[a:b])))
            second.append(("same", "".join(new[c:d])))
            continue
        if a < b:
            first.append(("del", "".join(old[a:b])))
        if c < d:
            second.append(("ins", "".join(new[c:d])))
    return first, second
