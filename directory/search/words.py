"""From text to the words that are searched by, and to what they share with their misspellings."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import pairwise
from zlib import crc32

from core.normal_forms import normalize

WORD = 40
KEYED_FROM, TWO_EDITS_FROM, KEYED_LETTERS = 3, 8, 8
BUCKETS = (1 << 22) - 1

ASCII_WORDS = re.compile(r"[a-z0-9]+")
WORDS = re.compile(r"[^\W_]+")
UNSPACED = re.compile(r"[぀-ヿ㐀-鿿豈-﫿\U00020000-\U0003ffff]+")
HYPHENS = "-\u2010\u2011"
# from a word's beginning and never back into it, so that a long word costs its length and not the square of it
HYPHENATED = re.compile(rf"(?<![^\W_])[^\W_]++(?:[{HYPHENS}][^\W_]++)+")
NO_HYPHEN = re.compile(f"[{HYPHENS}]")
# pairs that others write as one word; a search for that could not find them, as one of the two says too little
APART = frozenset(
    {
        "to do", "e mail", "log in", "sign in", "sign up", "check in", "check out", "opt in", "plug in", "add on",
        "pop up", "set up", "back up", "follow up", "stand up", "start up", "on call",
    }
)  # fmt: skip
LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"})


def folded(text: str) -> str:
    """Lower case without accents, so that Café, CAFE and ｃａｆé are one."""
    if text.isascii():
        return text.lower()
    text = normalize("NFKD", normalize("NFKC", text).casefold())
    bare = "".join(letter for letter in text if not unicodedata.combining(letter))
    return normalize("NFC", bare).translate(LETTERS)


def words_of(text: str) -> list[str]:
    """The words of a text in its order, folded. Scripts without spaces come in overlapping pairs."""
    text = folded(text)
    if text.isascii():
        return [word[:WORD] for word in ASCII_WORDS.findall(text)]
    return [part for word in WORDS.findall(text) for part in _parts(word)]


def hyphenated(text: str) -> list[str]:
    """What a text writes with hyphens as single words: `to-do` is `todo`. Dates and numbers are none."""
    if not any(hyphen in text for hyphen in HYPHENS):
        return []
    rows = (NO_HYPHEN.sub("", entry) for entry in HYPHENATED.findall(folded(text)))
    return [word for word in rows if len(word) <= WORD and not word.isdecimal() and not UNSPACED.search(word)]


def written_apart(words: Sequence[str]) -> list[str]:
    """The well-known pairs among these words as single words: `to do` is `todo`."""
    return [first + second for first, second in pairwise(words) if f"{first} {second}" in APART]


def _parts(word: str) -> Iterator[str]:
    start = 0
    for run in UNSPACED.finditer(word):
        if run.start() > start:
            yield word[start : run.start()][:WORD]
        letters = run.group()
        yield from (letters[at : at + 2] for at in range(max(1, len(letters) - 1)))
        start = run.end()
    if start < len(word):
        yield word[start:][:WORD]


def is_keyed(word: str) -> bool:
    """Whether a word can be the correction of another: numbers and very short words are not."""
    return len(word) >= KEYED_FROM and not word.isdecimal()


def edits_allowed(word: str) -> int:
    """How many letters of a typed word may be wrong."""
    if not is_keyed(word):
        return 0
    return 2 if len(word) >= TWO_EDITS_FROM else 1


def edits_between(typed: str, meant: str) -> int:
    """How many letters may be wrong when this is meant: as many as in the longer one, as letters may be missing."""
    return edits_allowed(max(typed, meant, key=len))


def delete_keys(word: str, *, site_id: int) -> list[int]:
    """The buckets of a word's beginning with up to so many letters left out as may be wrong in it.

    Only the beginning counts: within the allowed edits, two words' beginnings have a key in common as well.
    """
    start = word[:KEYED_LETTERS]
    left = {start}
    fewer = [start]
    for _ in range(edits_allowed(word)):
        fewer = [rest[:at] + rest[at + 1 :] for rest in dict.fromkeys(fewer) for at in range(len(rest))]
        left.update(fewer)
    seed = crc32(b"%d:" % site_id)
    return sorted({crc32(rest.encode(), seed) & BUCKETS for rest in left})


def distance(word: str, other: str, *, at_most: int) -> int:
    """How many insertions, deletions, substitutions and swaps of neighbours apart; or more than `at_most`."""
    if abs(len(word) - len(other)) > at_most:
        return at_most + 1
    word, other = _differing(word, other)
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(word, 1):
        before, last, row = row, before, [i]
        for j, against in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != against))
            if i > 1 and j > 1 and letter == other[j - 2] and word[i - 2] == against:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
        if min(row) > at_most:
            return at_most + 1
    return row[-1]


def _differing(item: str, other: str) -> tuple[str, str]:
    """Both without what they begin and end with alike, which changes no distance: misspellings share most letters."""
    shorter = min(len(item), len(other))
    start = 0
    while start < shorter and item[start] == other[start]:
        start += 1
    end = 0
    while end < shorter - start and item[-1 - end] == other[-1 - end]:
        end += 1
    return item[start : len(item) - end], other[start : len(other) - end]
