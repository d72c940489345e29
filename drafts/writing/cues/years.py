"""Founding words in many languages, and what makes a year no founding year."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

_YEAR = re.compile(r"(?<![\d.,/-])(?:1[89]\d\d|20[0-4]\d)(?![\d/]|[.,]\d|-\d)")
_FOUNDED = re.compile(
    r"\b(?:co-?)?founded\b|\bestablished\b|\best\.(?=\s|\d)|\bincorporated\b|\bfounding(?: year| "
    r"date)?\b|\bfoundation\b|"
    r"\bgegr[üu]e?ndet\b|\bgr[üu]ndung(?:sjahr|sdatum)?\b|\bgr[üu]ndeten?\b|\bfond[ée]{1,2}s?\b|"
    r"\bfond[èe]rent\b|\bfondation\b|"
    r"\bfundad[ao]s?\b|\bfundaci[óo]n\b|\bfunda[çc][ãa]o\b|\bfundamos\b|\bfund[óo]\b|\bfundou\b|"
    r"\bfundaram\b|\bfundaron\b|"
    r"\bfondat[aoie]\b|\bfondò\b|\bfondazione\b|\bopgericht\b|\boprichting(?:sjaar)?\b|"
    r"\bza[łl]o[żz](?:on[aeoy]|y[łl][aio]?|yli[śs]my|enia)\b|"
    r"\bzalo[žz](?:en[aoiy]?|il[aiy]?|en[íi])\b|\bоснован[аоы]?\b|\bосновали?\b|\bоснования\b",
    re.IGNORECASE,
)
_BEGUN = re.compile(
    r"\bstarted\b|\bbegan\b|\b(?:was|were) created\b|\bwas born\b|\bset up (?:shop|the company)\b|\bopened (?:our|its) "
    r"doors\b|\bcame to life\b|\bcr[ée]{2}e?s?\b|\bcread[ao]s?\b|"
    r"\bcriad[ao]s?\b|\bcreat[ao]\b|\bnaci[óo]\b|\bnacimos\b|\bnasceu\b|\bnascemos\b|\bnasce\b|"
    r"\bnat[ao] (?:nel|a|come)\b|\best n[ée]e?\b|\bsommes n[ée]e?s\b|"
    r"\bentstand(?:en)?\b|\bins leben gerufen\b|\bontsta(?:an|ond)\b|\bbegonnen\b|\bbegon\b|"
    r"\bpowsta[łl][ao]?\b|\bvznikl[aoiy]?\b|\bпоявил(?:ся|ась|ось)\b|\bсоздан[ао]?\b",
    re.IGNORECASE,
)
_CJK = re.compile(
    r"(?P<before>1[89]\d\d|20[0-4]\d)\s?(?:年|년)(?:\s?\d{1,2}\s?(?:月|월)(?:\s?\d{1,2}\s?(?:日|"
    r"일))?)?[^。，,.\n]{0,14}?(?:創業|設立|創立|成立|创立|创办|創辦|설립|창립|창업)"
    r"|(?:創業|設立|創立|成立|创立|創辦|创办|创建于|설립|창립|창업)(?:年月日|年月|年|일|연도|于|於|"
    r"時間|时间|\s|[:：])*(?P<after>1[89]\d\d|20[0-4]\d)"
)
_SINCE = re.compile(
    r"(?:\bsince|\bseit|\bdepuis|\bdesde|\bdal|\bsinds|\bod(?: roku)?|\bс)\s+(?P<since>1[89]\d\d|"
    r"20[0-4]\d)\b|(?P<from>1[89]\d\d|20[0-4]\d)\s?(?:年から|年以来|년부터)",
    re.IGNORECASE,
)
NOT_FOUNDING = re.compile(
    r"©|\(c\)|copyright|version|\bv\d|release|\bevents?\b|conference|summit|registered (?:in|with)|"
    r"\bregistr|updated|last modified|"
    r"\blaw\b|\bact of\b|regulation|verordnung|gesetz|\bstandards?\b|iso \d|\brfc\b|\bstudy\b|"
    r"survey|patent|festival|\bpolicy\b|members? since|"
    r"customers? since|\braised\b|series [a-e]\b|funding round|acquired|mis à jour|stand:",
    re.IGNORECASE,
)
_NEAR_BEFORE, _NEAR_AFTER = 90, 60


@dataclass(frozen=True)
class YearCue:
    """A year with the word that makes it a founding year."""

    year: str
    at: int
    strength: int


def year_cues(text: str) -> Iterator[YearCue]:
    """The years of one sentence that stand beside a founding word, the strongest words first."""
    years = list(_YEAR.finditer(text))
    for found in _CJK.finditer(text):
        yield YearCue(found["before"] or found["after"], found.start(), 3)
    for strength, pattern in ((3, _FOUNDED), (2, _BEGUN)):
        for word in pattern.finditer(text):
            near = [y for y in years if _is_near(text, word, y)]
            if near:
                best = min(near, key=lambda y: abs(y.start() - word.start()))
                yield YearCue(best.group(), word.start(), strength)
    for found in _SINCE.finditer(text):
        yield YearCue(found["since"] or found["from"], found.start(), 1)


def _is_near(text: str, word: re.Match[str], year: re.Match[str]) -> bool:
    if year.start() >= word.end():
        between, limit = text[word.end() : year.start()], _NEAR_AFTER
    else:
        between, limit = text[year.end() : word.start()], _NEAR_BEFORE
    return len(between) <= limit and not re.search(r"[;!?。]|\.\s", between)


def states_year(text: str, year: str) -> bool:
    """Whether a quote states a founding year."""
    flat = " ".join(text.split())
    return not NOT_FOUNDING.search(flat) and any(cue.year == year for cue in chain(year_cues(flat)))
