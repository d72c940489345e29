"""When the company was founded: a year counts where a founding word stands beside it, in a sentence about us."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from drafts.crawl.extract_structured import first_text
from drafts.languages import Shape
from drafts.writing.cues.people import US
from drafts.writing.port import Evidence, FieldDraft
from drafts.writing.reading import Reading, Sentence, ranked
from drafts.writing.text import squashed

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


_STARTS = Shape(
    *(rf"^(?:\W*|[^:.]{{0,25}}:\s*){words}" for words in ("{founded}", "{since}", "{year_of}")),
    r"^\W*(?:{in}\s+)?\d{4}\s?[年년]?",
)
_SHORT = 70
_FIRM = 2


@dataclass(frozen=True)
class FoundingYear:
    year: str
    sentence: Sentence
    is_firm: bool


def founding_years(reading: Reading) -> list[FoundingYear]:
    """Every founding year that the site states in its visible text; what all pages repeat is said once."""
    once = {squashed(sentence.text): sentence for sentence in reversed(reading.facts)}
    return [result for sentence in reversed(once.values()) if (result := year_in(reading, sentence))]


def marked_years(reading: Reading) -> dict[str, Evidence]:
    years: dict[str, Evidence] = {}
    for page in reading.site.pages:
        for node in page.nodes:
            value = first_text(node.data.get("foundingDate"))
            match = re.match(r"(1[89]\d\d|20[0-4]\d)\b", value)
            if not match or not reading.own.is_node(node):
                continue
            segment = next((s for s in page.marked if s.text == value and "foundingDate" in s.key), None)
            for evidence in reading.quote((segment, None)) if segment else ():
                years.setdefault(match.group(1), evidence)
    return years


def year_in(reading: Reading, sentence: Sentence) -> FoundingYear | None:
    if NOT_FOUNDING.search(sentence.text):
        return None
    about = _About(reading, sentence)
    for cue in islice(year_cues(sentence.text), MOST_CUES):
        if about.says(cue):
            return FoundingYear(cue.year, sentence, cue.strength >= _FIRM)
    return None


@dataclass(frozen=True)
class _About:
    """Whether a sentence speaks of the company: what holds for all of its years is looked up once."""

    reading: Reading
    sentence: Sentence

    @cached_property
    def named(self) -> bool:
        return self.reading.own.named_in(self.sentence.text)

    @cached_property
    def us(self) -> re.Match[str] | None:
        return US.search(self.sentence.text)

    def says(self, cue: YearCue) -> bool:
        """Whether it says this year of the company."""
        text, segment = self.sentence.text, self.sentence.segment
        roles = segment.all_roles
        if cue.strength > _FIRM:
            return bool(self.named or _STARTS.match(text) or roles & {"footer", "about"} or self.us)
        if cue.strength == _FIRM:
            before = self.us is not None and self.us.end() <= cue.at
            return (self.named or before) and "legal" not in roles
        if len(text) > _SHORT or "legal" in roles:
            return False
        is_telling = bool(roles & {"hero", "footer", "about", "header"}) or segment.page == 1
        alone = cue.at <= 3 and len(text) <= 40
        return is_telling and (self.named or alone or self.us is not None or "footer" in segment.roles)


def draft_founded_year(reading: Reading) -> FieldDraft:
    """The year that most sentences and the markup name; what contradicts it is looked for afterwards."""
    sentences, marked = reading.once(founding_years), marked_years(reading)
    counts = Counter([*(candidate.year for candidate in sentences), *marked])
    if sentences:
        best = max(sentences, key=lambda candidate: (counts[candidate.year], candidate.is_firm))
        ordered = sorted(
            sentences,
            key=lambda candidate: (candidate is not best, not candidate.is_firm, -counts[candidate.year]),
        )
        rows = {entry.year: (1.0, _draft(reading, entry)) for entry in reversed(ordered)}
        return ranked([rows[year] for year in reversed(rows)], otherwise=reading.blank)
    if len(marked) > 1:
        return FieldDraft(reason="conflicting", evidence=tuple(marked.values()))
    return next((FieldDraft(value=year, evidence=(quote,)) for year, quote in marked.items()), reading.blank)


def _draft(reading: Reading, candidate: FoundingYear) -> FieldDraft:
    return FieldDraft(value=candidate.year, evidence=reading.quote(*candidate.sentence.parts))
