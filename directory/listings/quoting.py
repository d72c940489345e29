"""Which of a fact's quotes carries which part of it: a feature, a paragraph, a person."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

Quote = Mapping[str, Any]
# a language that is written without spaces goes letter by letter
WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W_]{2,}")
STEM = 5
EXACTLY, SURELY, PERHAPS = 2.0, 0.6, 0.25
MARKUP = set("[]<>`*_")  # a quote mark must not stand within a link
BLANK_LINES = re.compile(r"\n[ \t]*\n\s*")
SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")
NO_PROSE = ("#", "|", ">", "```", "---")


def quoted(texts: Sequence[str], quotes: Sequence[Quote]) -> list[list[Quote]]:
    """The quotes of each text: those that say it literally, else by the words both have, else what fits best."""
    existing = [(text.casefold(), _words(text.casefold())) for text in texts]
    rows: list[list[Quote]] = [[] for _ in texts]
    for quote in quotes:
        message = str(quote["quote"]).casefold()
        words = _words(message)
        fits = [_fit(text, own, quote=message, words=words) for text, own in existing]
        best = max(fits, default=0.0)
        least = EXACTLY if best == EXACTLY else min(SURELY, max(PERHAPS, best))
        for number, fit in enumerate(fits):
            if fit >= least:
                rows[number].append(quote)
    return rows


def _fit(text: str, own: set[str], *, quote: str, words: set[str]) -> float:
    if text in quote:
        return EXACTLY
    return len(words & own) / (min(len(words), len(own)) or 1)


def paragraphs(text: str) -> list[str]:
    """The parts of a Markdown text that state something, without its headings."""
    parts = (_without_heading(part) for part in BLANK_LINES.split(text.strip()))
    return [part for part in parts if part]


def proved_part(part: str, quotes: Sequence[Quote]) -> int:
    """How far into a paragraph its quotes reach: the end of the last sentence that they carry."""
    ends = [match.start() for match in SENTENCE_END.finditer(part)] + [len(part)]
    sentences = [part[start:end] for start, end in pairwise([0, *ends])]
    carried = [end for end, own in zip(ends, quoted(sentences, quotes), strict=True) if own]
    return max(carried, default=len(part)) if not set(part) & MARKUP else len(part)


def is_prose(part: str) -> bool:
    """Whether a quote mark can stand at its end."""
    return not part.lstrip().startswith(NO_PROSE)


def _without_heading(part: str) -> str:
    lines = part.split("\n")
    return "\n".join(lines[1:] if lines[0].lstrip().startswith("#") else lines).strip()


def _words(text: str) -> set[str]:
    return {word[:STEM] for word in WORD.findall(text)}
