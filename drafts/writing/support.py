"""Whether a text says what its quotes say: numbers, names and words."""

import re
import unicodedata
from functools import cache

from drafts import languages
from drafts.keeping import kept
from drafts.languages import Shape
from drafts.writing.text import CJK, folded, plain, sentences, squashed

_NUMBER = re.compile(r"(?<![\d.,])\d{1,3}(?:[ '’\u00a0\u202f]\d{3})+(?!\d)|\d+(?:[.,]\d+)*")
_NAME = re.compile(r"(?<![.!?:\n•-]\s)(?<!^)(?<![\"'“„(])\b[A-ZÀ-ÖØ-Þ][\w&-]*[A-Za-zß-ÿ0-9]\b")
_WORD = re.compile(r"[^\W\d_]{2,}")
_STEM = 5
_SHARE = 0.5
_SUPERLATIVE = Shape(r"{superlative}", r"#1\b")


@cache
def _stops() -> dict[str, frozenset[str]]:
    """The smallest words of each language that writes them."""
    return {name: frozenset(languages.listed(line)) for name, line in languages.lines("stop")}


@kept(4096)
def language_of(text: str) -> str:
    """A guess at a text's language by its script and its smallest words; empty when neither tells."""
    if CJK.search(text):
        return "ko" if re.search(r"[가-힣]", text) else "ja" if re.search(r"[\u3040-\u30ff]", text) else "zh"
    if len(re.findall(r"[а-яё]", text.casefold())) > len(text) / 4:
        return "ru"
    words = _WORD.findall(folded(text)) + re.findall(r"\b\w\b", folded(text))
    counts = {language: sum(word in stops for word in words) for language, stops in _stops().items()}
    best = max(counts, key=lambda language: counts[language])
    return best if counts[best] >= 2 else ""


def stems(text: str) -> set[str]:
    """The beginnings of the words that carry a text; for scripts without spaces, pairs of characters."""
    low = "".join(c for c in unicodedata.normalize("NFKD", folded(text)) if not unicodedata.combining(c))
    stops = _stops().get(language_of(text), frozenset())
    values: set[str] = set()
    for word in _WORD.findall(low):
        if CJK.search(word):
            values.update(word[i : i + 2] for i in range(max(1, len(word) - 1)))
        elif word not in stops and len(word) > 2:
            values.add(word[:_STEM])
    return values


def says_numbers(text: str, source: str) -> bool:
    """Whether each number of a text stands in its source, however its thousands are set apart."""
    existing = {re.sub(r"\D", "", number) for line in source.split("\n") for number in _NUMBER.findall(line)}
    parts = set(re.findall(r"\d+", plain(source)))
    numbers = (number for line in text.split("\n") for number in _NUMBER.findall(line))
    return all(
        re.sub(r"\D", "", n) in existing or set(re.findall(r"\d+", plain(n))) <= parts for n in numbers
    )


def _says_names(text: str, source: str) -> bool:
    if language_of(text) == "de":
        return True
    existing = squashed(source)
    return all(squashed(name) in existing for name in _NAME.findall(plain(text)))


def says(text: str, source: str, everything: str) -> bool:
    """Whether each sentence of a text is carried by its source, and its names and numbers by all that was accepted."""
    existing = squashed(source)
    return squashed(text) in existing or all(
        squashed(sentence) in existing or _carried(sentence, source, everything)
        for sentence in sentences(text)
    )


def _carried(sentence: str, source: str, everything: str) -> bool:
    if not says_numbers(sentence, everything) or not _says_names(sentence, everything):
        return False
    if any(folded(result.group()) not in folded(source) for result in _SUPERLATIVE.finditer(sentence)):
        return False
    told, existing = language_of(sentence), language_of(source)
    if told and existing and told != existing:
        return True
    wanted = stems(sentence)
    return not wanted or len(wanted & stems(source)) >= len(wanted) * _SHARE
