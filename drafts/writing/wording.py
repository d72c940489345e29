"""Words that turn a sentence round: what denies it, what puts it off, what counts and measures; by language."""

import re
import unicodedata
from functools import cache

from core.normal_forms import normalize
from drafts import languages
from drafts.caching import cached
from drafts.writing.text import CJK, folded, plain

_WORD = re.compile(r"[^\W\d_]{2,}")
_KANA = re.compile(r"[\u3040-\u309f]")
_PAUSE = re.compile(r"[.;:!?。！？；：·•|\n]|\s[–—-]\s")
_COMMA = re.compile(r"[,、，]")
_ASIDE = re.compile(r"\(([^()]{1,80})\)|（([^（）]{1,80})）")
NUMBER = re.compile(r"(?<![\d.,])\d{1,3}(?:[ '’\u00a0\u202f]\d{3})+(?!\d)|\d+(?:[.,]\d+)*")
_BEFORE_ASIDE = 2
PERIODS = ("day_of", "week_of", "month_of", "year_of_time")
VERB_LAST = frozenset({"tr", "ja", "ko"})
"""Languages that deny at the end of what they say."""


def spoken(kind: str, language: str) -> re.Pattern[str] | None:
    """The words of one kind in one language and in English, whose words stand on pages of all languages."""
    return languages.pattern(frozenset({language, "en"}), kind)


@cache
def light_words(language: str) -> frozenset[str]:
    """The words that carry nothing by themselves."""
    rows = [*languages.of({language, "en"}, "stop"), *languages.of({language, "en"}, "light")]
    return frozenset(word for row in rows for word in languages.listed(row))


def _bare(text: str) -> str:
    return "".join(c for c in normalize("NFKD", folded(text)) if not unicodedata.combining(c))


@cached(8192)
def words_of(text: str, language: str) -> frozenset[str]:
    """The words that carry a text; for scripts without spaces, pairs of characters that are not grammar alone."""
    light = light_words(language)
    result: set[str] = set()
    for word in _WORD.findall(normalize("NFC", folded(text))):
        if CJK.search(word):
            pairs = (word[at : at + 2] for at in range(max(1, len(word) - 1)))
            result.update(pair for pair in pairs if not _KANA.search(pair))
        elif not _is_light(word, light):
            result.add(_bare(word))
    return frozenset(result)


def _is_light(word: str, light: frozenset[str]) -> bool:
    return word in light or any(f"{word[:at]}*" in light for at in range(2, len(word) + 1))


def alike(this: str, other: str) -> bool:
    """Whether two words are forms of one: all but their ends agree."""
    if this == other:
        return True
    short = min(len(this), len(other))
    if short < 4 or CJK.search(this):
        return False
    need = max(4, short - 2) if short < 8 else short - 3
    return this[:need] == other[:need]


class Words:
    def __init__(self, words: frozenset[str]) -> None:
        self.words = words
        self._heads: dict[str, list[str]] = {}
        for word in words:
            self._heads.setdefault(word[:4], []).append(word)

    def __contains__(self, word: str) -> bool:
        return word in self.words or any(alike(word, other) for other in self._heads.get(word[:4], ()))


def parted(text: str, kind: str, language: str) -> tuple[frozenset[str], frozenset[str]]:
    """The words of a text beyond, and those within, the reach of words that deny or put off."""
    shape = spoken(kind, language)
    free: set[str] = set()
    bound: set[str] = set()
    for part in _clauses(text):
        start, end = _reach(part, shape, kind, language) if shape else (len(part), len(part))
        bound |= words_of(part[start:end], language)
        free |= words_of(f"{part[:start]} {part[end:]}", language)
    return frozenset(free), frozenset(bound)


def _clauses(text: str) -> list[str]:
    return [part for part in _PAUSE.split(plain_lines(text)) if part.strip()]


def plain_lines(text: str) -> str:
    return "\n".join(plain(line) for line in text.split("\n"))


def _reach(part: str, shape: re.Pattern[str], kind: str, language: str) -> tuple[int, int]:
    """From where to where a word of the kind reaches in a part of a sentence."""
    result = shape.search(part)
    if result is None:
        return len(part), len(part)
    if kind == "soon":
        return _around(part, result.start())
    if language in VERB_LAST:
        commas = [c.end() for c in _COMMA.finditer(part, 0, result.start())]
        return (commas[-1] if commas else 0), result.end()
    comma = _COMMA.search(part, result.end())
    either = spoken("or", language)
    if comma is None or (either and either.search(part, comma.end())) or shape.search(part, comma.end()):
        return result.start(), len(part)
    return result.start(), comma.start()


def _around(part: str, at: int) -> tuple[int, int]:
    """What a word that puts off speaks of: its part of the sentence, or the words before its brackets."""
    for aside in _ASIDE.finditer(part):
        if aside.start() <= at < aside.end():
            before = part[: aside.start()].split()
            return len(" ".join(before[:-_BEFORE_ASIDE])), aside.end()
    commas = [c.start() for c in _COMMA.finditer(part)]
    return max((c for c in commas if c < at), default=0), min(
        (c for c in commas if c > at), default=len(part)
    )


def number_words(text: str, language: str) -> list[str]:
    rows = [list(languages.listed(row)) for row in languages.of({language, "en"}, "numbers")]
    low = set(_WORD.findall(folded(text)))
    return [str(at) for row in rows for at, word in enumerate(row, start=2) if word in low]


def periods(text: str, language: str) -> list[tuple[int, str]]:
    """Where a text names a stretch of time, and which: a day, a week, a month, a year."""
    rows = []
    for kind in PERIODS:
        if shape := spoken(kind, language):
            rows += [(result.start(), kind) for result in shape.finditer(text)]
    return sorted(rows)
