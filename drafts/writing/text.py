"""Compare and cut texts of many languages."""

import re
from collections.abc import Iterator
from functools import cache

from core.normal_forms import normalize
from drafts import languages
from drafts.caching import cached

_QUOTES = {ord(c): "'" for c in "\u2018\u2019\u201b\u02bc"} | {
    ord(c): '"' for c in "\u201c\u201d\u201e\u00ab\u00bb"
}
_DASHES = {ord(c): "-" for c in "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"}
_NOTHING = {ord(c): None for c in "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u2063"}
_TABLE = _QUOTES | _DASHES | _NOTHING
_SPACE = re.compile(r"\s+")
CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_LETTER = r"[^\W_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
"""What goes on beside a letter of its own kind: scripts without spaces have no whole words."""
_WORD = re.compile(r"\w+")
_ASKS = re.compile(r"(?:[?？؟]|(?:です|ます|した|せん|しょう)か|[吗嗎]|(?:나|까|[인은한]가)요)\W{0,4}$")
"""A sign, or the ending of a verb or sentence that asks in Japanese, Chinese and Korean."""
_LAST = re.compile(r"\b[\w.]+$")
_STOP = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’»)\]]*+(?=\s)|[。！？]+[」』）]*|\n")


@cached(16384)
def plain(text: str) -> str:
    """NFKC with quote marks and dashes unified, invisible characters dropped and white space collapsed."""
    text = normalize("NFKC", text).translate(_TABLE)
    return _SPACE.sub(" ", text).strip()


def folded(text: str) -> str:
    """`plain`, without case."""
    return plain(text).casefold()


def squashed(text: str) -> str:
    """`folded`, without any white space."""
    return folded(text).replace(" ", "")


def asks(text: str) -> bool:
    """Whether a text ends as a question, with or without the sign that opens its answer."""
    return bool(_ASKS.search(text))


def tokens(text: str) -> set[str]:
    """The words of a text; for scripts without spaces, pairs of characters."""
    values: set[str] = set()
    for word in _WORD.findall(folded(text)):
        if CJK.search(word):
            values.update(word[i : i + 2] for i in range(max(1, len(word) - 1)))
        elif len(word) > 1 or word.isdigit():
            values.add(word)
    return values


def sentence_spans(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for end in _ends(text):
        sentence = text[start:end]
        if sentence.strip():
            yield end - len(sentence.lstrip()), start + len(sentence.rstrip())
        start = end


def _ends(text: str) -> Iterator[int]:
    for stop in _STOP.finditer(text):
        if stop[0][0] != "." or not _is_abbreviation(text[max(0, stop.end() - 12) : stop.start()]):
            yield stop.end()
    yield len(text)


def _is_abbreviation(text: str) -> bool:
    """Whether a text ends in what is written with a point: a known short form or a capital letter."""
    last = _LAST.search(text)
    return last is not None and (
        last.group() in _abbreviations() or (len(last.group()) == 1 and last.group().isupper())
    )


@cache
def _abbreviations() -> frozenset[str]:
    return frozenset(languages.phrases("abbreviation"))


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


def has_words(text: str, phrase: str) -> bool:
    """Whether a phrase stands in a text as whole words. Both are compared without case."""
    needle = folded(phrase)
    return bool(needle) and needle in (low := folded(text)) and bool(_whole(needle).search(low))


@cached(1024)
def _whole(phrase: str) -> re.Pattern[str]:
    before, after = (_LETTER if re.match(_LETTER, sign) else "(?!)" for sign in (phrase[0], phrase[-1]))
    return re.compile(rf"(?<!{before}){re.escape(phrase)}(?!{after})")


def shorten(text: str, limit: int) -> str:
    """Cut at the end of a sentence, else at a word, so that the rest still stands literally in the source."""
    text = text.strip()
    if len(text) <= limit:
        return text
    cut = ""
    for _, end in sentence_spans(text):
        if end > limit:
            break
        cut = text[:end]
    if len(cut) >= limit // 4:
        return cut
    head = text[:limit]
    return head if CJK.search(head[-1:]) else head.rsplit(" ", 1)[0].rstrip(" ,;:-–—")


_COMPATIBLE = re.compile(r"[\u2e80-\u2fdf\ufb00-\ufb06\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff61-\uff9f]+")
_INVISIBLE = re.compile(r"[\u00ad\u200b\u200e\u200f\u2060\ufeff]")


def tidy(text: str) -> str:
    """A quote as a value: one line, look-alike characters and ligatures in their usual form, nothing invisible."""
    text = _COMPATIBLE.sub(lambda sign: normalize("NFKC", sign.group()), text)
    return normalize("NFC", _SPACE.sub(" ", _INVISIBLE.sub("", text))).strip()


def is_cut(text: str) -> bool:
    """Whether a text breaks off: what followed is hidden, an animation's, or in the next line."""
    return (
        text.rstrip().endswith(("…", "...", ",", "、", "&")) or folded(text).rpartition(" ")[2] in _joining()
    )


@cache
def _joining() -> frozenset[str]:
    """Words after which a line goes on."""
    return frozenset(word for kind in ("article", "and") for word in languages.phrases(kind))
