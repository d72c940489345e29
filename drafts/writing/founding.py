"""Which sentences of a site say when the company was founded."""

import re
from dataclasses import dataclass

from drafts.writing.cues.years import FOUNDING, NOT_FOUNDING, SINCE, STARTED
from drafts.writing.reading import Reading, Sentence

_WE = re.compile(
    r"\b(?:empresa|entreprise|soci[ée]t[ée]|azienda|bedrijf|project|proyecto|projeto|projet|"
    r"progetto|projekt|проект|startup|start-up|family business|we|our|us|the company|company|the "
    r"project|the firm|the studio|the team|wir|unser\w*|uns|das unternehmen|die firma|nous|notre|"
    r"l.entreprise|la soci[ée]t[ée]|nuestr\w+|la empresa|nosotros|noss[ao]\w*|"
    r"a empresa|noi|nostr\w+|l.azienda|la società|wij|ons|onze|het bedrijf|firma|spółka|nasz\w*|"
    r"jeste\w+|jsme|naše\w*|společnost|мы|наш\w*|компания)\b"
    r"|当社|弊社|私たち|会社|公司|我们|本社|저희|우리|회사",
    re.IGNORECASE,
)
_STARTS = re.compile(
    r"^(?:\W*|about[^:]{0,20}:\s*)(?:founded|established|est\.|incorporated|founding|year founded|"
    r"gegründet|gründung|fondée?|créée?|année|date de|fundad|creada|año|criad|ano de|fondat|"
    r"nata?o?\b|anno|"
    r"opgericht|oprichting|założon|rok za|založ|основан|год осн|創業|設立|創立|成立|创|설립|창립|in \d{4}|im "
    r"jahr|en \d{4}|nel \d{4}|em \d{4}|since|seit|depuis|desde|dal|sinds|od )",
    re.IGNORECASE,
)
_SHORT = 70


@dataclass(frozen=True)
class Found:
    """One year with its sentence."""

    year: str
    sentence: Sentence
    is_firm: bool


def founding_years(reading: Reading) -> list[Found]:
    """Every founding year that the site states in its visible text."""
    return [found for sentence in reading.facts if (found := year_in(reading, sentence))]


def year_in(reading: Reading, sentence: Sentence) -> Found | None:
    """The founding year that a sentence states about the company."""
    text = sentence.text
    if NOT_FOUNDING.search(text) or (sentence.segment.all_roles & {"legal"} and not FOUNDING.search(text)):
        return None
    for pattern, firm in ((FOUNDING, True), (STARTED, True), (SINCE, False)):
        found = pattern.search(text)
        if not found:
            continue
        year = next(value for value in found.groupdict().values() if value)
        if _about_us(reading, sentence, found.start(), is_firm=firm):
            return Found(year, sentence, firm)
    return None


def _about_us(reading: Reading, sentence: Sentence, at: int, *, is_firm: bool) -> bool:
    text, segment = sentence.text, sentence.segment
    if is_firm:
        before = text[:at] if at else ""
        names_us = reading.own.named_in(text) or _WE.search(text)
        starts = bool(_STARTS.match(text)) and not re.search(r"[A-Z]\w+ (?:was|were|is)\s*$", before)
        return bool(names_us or starts)
    if len(text) > _SHORT:
        return False
    is_telling = bool(segment.all_roles & {"hero", "footer", "about", "header"}) or segment.page == 1
    return is_telling and bool(
        reading.own.named_in(text)
        or _WE.search(text)
        or (at <= 3 and len(text) <= 40)
        or "footer" in segment.roles
    )
