"""Which sentences of a site say when the company was founded."""

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from drafts.crawl.extract_structured import first_text
from drafts.languages import Shape
from drafts.writing.cues.companies import US
from drafts.writing.cues.years import MOST_CUES, NOT_FOUNDING, YearCue, year_cues
from drafts.writing.port import Evidence
from drafts.writing.reading import Reading, Sentence
from drafts.writing.text import squashed

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
