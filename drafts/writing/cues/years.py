"""Years beside founding words, and what makes a year no founding year."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from drafts.languages import Shape

_ANY_YEAR = r"(?:1[89]\d\d|20[0-4]\d)"
_YEAR = re.compile(rf"(?<![\d.,/-]){_ANY_YEAR}(?![\d/]|[.,]\d|-\d)")
_FOUNDED = Shape(r"{founded}")
_BEGUN = Shape(r"{begun}")
_SINCE = Shape(
    rf"{{since}}\s+(?P<since>{_ANY_YEAR})\b",
    rf"(?P<from>{_ANY_YEAR})\s?{{from_year}}",
)
NOT_FOUNDING = Shape(r"{not_founding}", r"©|\(c\)|\bv\d")
_NEAR_BEFORE, _NEAR_AFTER, _YEAR_LENGTH = 90, 60, 4
MOST_CUES = 50
"""Of one sentence: what names more years than this is a list."""


@dataclass(frozen=True)
class YearCue:
    """A year with the word that makes it a founding year."""

    year: str
    at: int
    strength: int


def year_cues(text: str) -> Iterator[YearCue]:
    """The years of one sentence that stand beside a founding word, the strongest words first."""
    years = list(_YEAR.finditer(text))
    starts = [year.start() for year in years]
    for strength, shape in ((3, _FOUNDED), (2, _BEGUN)):
        for word in shape.finditer(text) if years else ():
            first = bisect_left(starts, word.start() - _NEAR_BEFORE - _YEAR_LENGTH)
            last = bisect_left(starts, word.end() + _NEAR_AFTER + 1)
            near = [y for y in years[first:last] if _is_near(text, word, y)]
            if near:
                best = min(near, key=lambda y: abs(y.start() - word.start()))
                yield YearCue(best.group(), word.start(), strength)
    for result in _SINCE.finditer(text):
        yield YearCue(result["since"] or result["from"], result.start(), 1)


def _is_near(text: str, word: re.Match[str], year: re.Match[str]) -> bool:
    if year.start() >= word.end():
        between, limit = text[word.end() : year.start()], _NEAR_AFTER
    else:
        between, limit = text[year.end() : word.start()], _NEAR_BEFORE
    return len(between) <= limit and not re.search(r"[;!?。，、]|\.\s|[\"”»]\s?\($", between)
