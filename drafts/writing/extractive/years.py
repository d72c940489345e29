"""The founding year: only where a founding word stands beside it."""

import re
from dataclasses import dataclass

from drafts.crawl.extract_structured import first_text
from drafts.writing.extractive.names import COMPANY_TYPES
from drafts.writing.extractive.reading import Reading, Sentence
from drafts.writing.port import Evidence, FieldDraft

YEAR = r"(?P<year>1[89]\d\d|20[0-4]\d)"
_GAP = r"[^.!?\n]{0,40}?"
FOUNDING = re.compile(
    rf"(?:\b(?:co-?)?founded|\bestablished|\best\.|\bincorporated|\bfounding year\s*:?|\byear (?:founded|established)\s*:?|"
    rf"\bsince our (?:founding|foundation)|"
    rf"\b(?:ge|be)?gr[üu](?:e)?ndet|\bgr[üu]ndungsjahr\s*:?|\bgegründet|\bfond[ée]e?s?\b|\bcr[ée]{{2}}e?s?\b|\bann[ée]e de (?:cr[ée]ation|fondation)\s*:?|\bdate de cr[ée]ation\s*:?|"
    rf"\bfundad[ao]s?|\bfundamos|\bcread[ao] en|\baño de fundaci[óo]n\s*:?|\bfund[aá]mos|\bcriad[ao] em|\bano de funda[çc][ãa]o\s*:?|"
    rf"\bfondat[aoie]\b|\bnat[ao] nel|\banno di fondazione\s*:?|\bopgericht|\boprichtingsjaar\s*:?|\bza[łl]o[żz]on[aeoy]|\bza[łl]o[żz]yli[śs]my|\brok za[łl]o[żz]enia\s*:?|"
    rf"\bzalo[žz]en[ao]?|\bzalo[žz]ili|\brok zalo[žz]en[íi]\s*:?|основан[аоы]?|основали|год основания\s*:?)"
    rf"{_GAP}\b{YEAR}\b"
    rf"|\b(?:in|im jahr|en|nel|em|w|roku|v roce|в)\s+{YEAR.replace('year', 'year2')}\b[^.!?\n]{{0,25}}?\b(?:founded|established|gegründet|fondée?|créée?|fundad[ao]|criad[ao]|fondat[ao]|opgericht|"
    rf"założon[aeoy]|zalo[žz]en[ao]?|основан[аоы]?|gründete[n]?|we started|was started|was born)"
    rf"|(?:創業|設立|創立|成立|创立|創辦|创办|创建于|成立于|成立時間|成立时间|설립|창립|창업)(?:年月日|年月|年|일|연도|于|於|\s|[:：])*{YEAR.replace('year', 'year3')}"
    rf"|{YEAR.replace('year', 'year4')}\s?(?:年|년)(?:\s?\d{{1,2}}\s?(?:月|월)(?:\s?\d{{1,2}}\s?(?:日|일))?)?\s?(?:に|에|、)?\s?(?:創業|設立|創立|成立|创立|创办|설립|창립|창업)",
    re.IGNORECASE,
)
STARTED = re.compile(
    rf"\b(?:we|us)\s+(?:\w+\s+){{0,2}}?(?:started|began|opened)\b[^.!?\n]{{0,40}}?\bin\s+{YEAR}\b"
    rf"|\bin\s+{YEAR.replace('year', 'year2')},?\s+(?:\w+\s+){{0,4}}?(?:started|began|set out)\b",
    re.IGNORECASE,
)
SINCE = re.compile(
    rf"(?:\bsince|\bseit|\bdepuis|\bdesde|\bdal|\bsinds|\bod(?: roku)?|\bс)\s+{YEAR}\b|{YEAR.replace('year', 'year2')}\s?(?:年から|年以来|년부터)", re.IGNORECASE
)
NOT_FOUNDING = re.compile(
    r"©|\(c\)|copyright|version|\bv\d|release|\bevent|conference|summit|registered (?:in|with)|registr|updated|last (?:modified|update)|"
    r"law|act of|regulation|verordnung|gesetz|standard|iso \d|rfc|study|survey|born in \d{4} in|patent|festival|"
    r"policy|members? since|customer since|raised|series [a-e]\b|funding round|acquired|mis à jour|stand:",
    re.IGNORECASE,
)
_WE = re.compile(
    r"\b(?:we|our|us|the company|company|the project|the firm|the studio|the team|wir|unser\w*|uns|das unternehmen|die firma|nous|notre|l.entreprise|la soci[ée]t[ée]|nuestr\w+|la empresa|nosotros|noss[ao]\w*|"
    r"a empresa|noi|nostr\w+|l.azienda|la società|wij|ons|onze|het bedrijf|firma|spółka|nasz\w*|jeste\w+|jsme|naše\w*|společnost|мы|наш\w*|компания)\b"
    r"|当社|弊社|私たち|会社|公司|我们|本社|저희|우리|회사",
    re.IGNORECASE,
)
_STARTS = re.compile(
    r"^(?:\W*|about[^:]{0,20}:\s*)(?:founded|established|est\.|incorporated|founding|year founded|gegründet|gründung|fondée?|créée?|année|date de|fundad|creada|año|criad|ano de|fondat|nata?o?\b|anno|"
    r"opgericht|oprichting|założon|rok za|založ|основан|год осн|創業|設立|創立|成立|创|설립|창립|in \d{4}|im jahr|en \d{4}|nel \d{4}|em \d{4}|since|seit|depuis|desde|dal|sinds|od )",
    re.IGNORECASE,
)
_SHORT = 70


@dataclass(frozen=True)
class Found:
    """One year with its sentence."""

    year: str
    sentence: Sentence
    is_firm: bool


def draft_founded_year(reading: Reading) -> FieldDraft:
    """One year that all founding sentences agree on; two different years leave the field blank."""
    shown = [found for sentence in reading.facts if (found := year_in(reading, sentence))]
    firm = [found for found in shown if found.is_firm] or shown
    years = dict.fromkeys(found.year for found in firm)
    if len(years) > 1:
        evidence = tuple(e for year in years for e in _evidence(reading, next(f for f in firm if f.year == year)))
        return FieldDraft(reason="conflicting", evidence=evidence)
    if firm:
        if len({f.year for f in shown}) > 1:
            weak = next(f for f in shown if f.year != firm[0].year)
            return FieldDraft(reason="conflicting", evidence=_evidence(reading, firm[0]) + _evidence(reading, weak))
        return FieldDraft(value=firm[0].year, evidence=_evidence(reading, firm[0]))
    return _marked(reading)


def _evidence(reading: Reading, found: Found) -> tuple[Evidence, ...]:
    return reading.quote((found.sentence.segment, found.sentence.text[:300]))


def year_in(reading: Reading, sentence: Sentence) -> Found | None:
    """The founding year that a sentence states about the company."""
    text = sentence.text
    if NOT_FOUNDING.search(text) or sentence.segment.all_roles & {"legal"} and not FOUNDING.search(text):
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
    return is_telling and bool(reading.own.named_in(text) or _WE.search(text) or (at <= 3 and len(text) <= 40) or "footer" in segment.roles)


def _marked(reading: Reading) -> FieldDraft:
    years: dict[str, Evidence] = {}
    for page in reading.site.pages:
        for node in page.nodes:
            value = first_text(node.data.get("foundingDate")) if node.types & COMPANY_TYPES else ""
            found = re.match(r"(1[89]\d\d|20[0-4]\d)\b", value)
            name = first_text(node.data.get("name"))
            if not found or (name and not reading.own.resembles(name) and not reading.own.named_in(name)):
                continue
            segment = next((s for s in page.marked if s.text == value and "foundingDate" in s.key), None)
            for evidence in reading.quote((segment, None)) if segment else ():
                years.setdefault(found.group(1), evidence)
    if len(years) == 1:
        year, evidence = next(iter(years.items()))
        return FieldDraft(value=year, evidence=(evidence,))
    return FieldDraft(reason="conflicting", evidence=tuple(years.values())) if years else reading.blank
