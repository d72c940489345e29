"""Names of people, and the shapes in which a site calls them its founders."""

import re
from functools import cache
from pathlib import Path

from drafts.crawl.pages import bare
from drafts.languages import Shape
from drafts.writing.text import CJK

NAMES = Path(__file__).parent.with_name("data") / "names.txt"

US = Shape(r"{we}", r"{organisation}")
LEGAL_FORM = (
    r"(?:GmbH(?: & Co\.? KG)?|UG(?: \(haftungsbeschränkt\))?|AG|KG|e\.? ?K\.?|SE|Ltd\.?|Limited|LLC|LLP|PBC|"
    r"Inc\.?|Corp\.?|Corporation|Co\.?|S\.?A\.?|S\.?r\.?l\.?s?\.?|S\.?p\.?A\.?|S\.?A\.?S\.?|S\.?A\.?R\.?L\.?|"
    r"S\.?L\.?U?\.?|B\.?V\.?|N\.?V\.?|Lda\.?|Ltda\.?|s\.?r\.?o\.?|a\.?s\.?|sp\. ?z ?o\.? ?o\.?|OÜ|Oy|AB|ApS|A/S|AS|"
    r"(?:Sdn\.? )?Bhd\.?|ehf\.?|d\.o\.o\.|Kft\.?|SIA|UAB|Pty\.?(?: Ltd\.?)?|株式会社|有限公司)"
)
"""What follows a company's name and makes it one; written as it is registered, whatever the language."""
COMPANY = Shape(rf"(?<=[\w,] ){LEGAL_FORM}(?![\w-])", flags=0)
_UP = "A-ZÀ-ÖØ-ÞĀĂĄĆČĎĐĒĖĘĚĞĢĪĮİĶĻŁŃŅŇŌŐŒŔŘŚŠŞȘŢŤŪŮŰŲŹŻŽ"
_LOW = "a-zß-öø-ÿāăąćčďđēėęěğģīįıķļłńņňōőœŕřśšşșţťūůűųźżž"
_PART = (
    rf"(?:[{_UP}][{_LOW}]+(?:['’\-][{_UP}]?[{_LOW}]+)*|[{_UP}]['’][{_UP}][{_LOW}]+|"
    rf"[{_UP}][{_LOW}]+[{_UP}][{_LOW}]+|[{_UP}]\.(?:\s?[{_UP}]\.)*)"
)
HONORIFIC = Shape(r"(?:{honorific}\.\s)*", flags=0)
PERSON = Shape(rf"{{honorific}}{_PART}(?:\s(?:{{particle}}\s)?{_PART}){{1,3}}", flags=0, honorific=HONORIFIC)
HAN = r"[\u4e00-\u9fff]{1,3}[ 　][\u4e00-\u9fff]{1,3}|[\u4e00-\u9fff]{2,4}"
HANGUL = r"[가-힣]{2,4}"
_CYRILLIC = r"[А-ЯЁ][а-яё]+(?:-[А-ЯЁ][а-яё]+)?(?:\s[А-ЯЁ][а-яё]+(?:-[А-ЯЁ][а-яё]+)?){1,2}"
ANY = Shape("{person}", _CYRILLIC, flags=0, person=PERSON)
IS_NAME = Shape("{any}", HAN, HANGUL, flags=0, any=ANY)
_WORDS = r"(?:(?!(?:{at_company}|{in}|{founder}|for|ex|the)\b)[a-zà-ÿł-ž]+\s+){0,3}"
_ASIDE = r"(?:\s*\([^)]{1,40}\))?"
_HIS = Shape(r"(?:{his}\s)?")
_JOB = Shape(r"(?:{of_whom}(?:[a-z]+\s)?{job}\s)?", of_whom=_HIS)
_MORE = Shape(
    rf"{_ASIDE}(?:(?:\s*,\s*(?:{{and}}\s+)?|,?\s+(?:{{and}}|&)\s+){{with_job}}(?:{{any}}){_ASIDE})*",
    flags=0,
    any=ANY,
    with_job=_JOB,
)
_WHEN = rf"(?:[{_LOW}]+\s){{0,4}}\d{{4}}(?:\sr\.)?"
_WHERE = rf"[{_UP}][\w'’-]*(?:,?\s[{_UP}][\w'’-]*){{0,3}}"
_ASIDES = rf"(?:,?\s+(?:{{in}}\s+(?:{_WHEN}|(?:\w+\s+)?\d{{4}}|{_WHERE})|\d{{4}}),?){{0,2}}"
"""When and where, between a word for founding and the founder: no verb may stand there."""


def _naming(*templates: str) -> Shape:
    """A shape with {name} for a person and {more} for further ones; each template has names of its own."""
    named = [
        template.replace("{name}", f"(?P<{letter}>{{any}})(?P<{letter}2>{{more}})")
        for letter, template in zip("abcdefgh", templates, strict=False)
    ]
    return Shape(*named, flags=0, any=ANY, more=_MORE)


BY = _naming(
    rf"{{founded_by}}{_ASIDES}\s+{{by}}\s+{_WORDS}{{name}}",
    r"{by}\s+{name}\s+(?:\d{4}\s+)?(?:{in}\s+[A-Z]\w+\s+)?{founded_by}",
    r"{founded_by}\s+{has}\s+(?:\w+\s+){0,2}?(?:(?:{in}\s+(?:\w+\s+)?)?\d{4}\s+)?(?:{by}\s+)?{name}",
    rf"{{founded_it}}\s+(?:{{in}}\s+(?:[{_LOW}]+\s+)?\d{{4}}\s+)?(?:[a-zà-žа-яё]+\s){{0,2}}{{name}}",
)
DID = _naming(r"{name}\s+{did_found}")
IS = _naming(
    r"{name}\s*(?:[,(–—-]|{is})\s*(?:{article}\s)?(?P<title>(?:[\w-]+\s(?:{and}|&)\s)?(?![A-ZÀ-Þ]){founder})",
    r"(?<!, )(?:{article}\s)?(?P<title2>{founder}|{founders})(?:\s+(?:{and}|&)\s+(?:CEO|CTO|[a-z]+er))?"
    r"\s*[:,–—-]?\s+(?:{is}\s+)?{name}",
)
MADE_BY = Shape(
    r"^(?:{fondly}\s)?{made}(?:\s+{with}\s+\S+)?(?:\s+{and}\s+\w+)?\s+(?:{by})?\s*"
    r"(?P<a>{person})(?P<a2>{more})(?P<rest>.*)$",
    flags=0,
    person=PERSON,
    more=_MORE,
)
"""A sentence, without the name and the verb it may begin with, that says who made this."""
WAS = Shape(r"{was}\s+")
_THING = Shape(r"(?!\s+{founder_thing})")
TITLE = Shape(
    r"(?<!best ){founder}{thing}", r"{proprietor}", r"{owner}(?=\s*$|\s*[,&/|]|\s+and\b)", thing=_THING
)
ELSEWHERE = Shape(
    r"(?:{at_company}|@)\s+(?:{article}\s|l['’])?(?P<org>[A-ZÀ-Þ@][\w.&-]+(?: [A-Z][\w.&-]+)?)",
    flags=0,
)
FORMER = Shape(r"{former}")
NOT_A_PERSON = Shape(r"{not_name}")
_FOUNDING = "founded begun made founder founders did_found founded_it i_made i_founded owner proprietor"
FOUNDER_WORD = Shape(*(f"{{{kind}}}" for kind in _FOUNDING.split()))
CREDIT = Shape(r"{credit}")


def names_person(name: str, everything: str) -> bool:
    """Whether words are a person's name: known as one, or such that the site never writes them small."""
    if re.fullmatch(HANGUL, name):
        return _is_first_name(name[0]) or _is_first_name(name[:2])
    if CJK.search(name):
        return len(re.sub(r"\W", "", name)) <= 8
    words = [word for word in re.findall(r"[^\W\d_]+", name) if len(word) > 1]
    if not any(word[0].isupper() for word in words):
        return False
    never_small = [not re.search(rf"(?<!\w){re.escape(word.lower())}(?!\w)", everything) for word in words]
    return any(never_small) and (all(never_small) or has_first_name(name))


def has_first_name(name: str) -> bool:
    """Whether the names of the world know one part of a name."""
    return any(_is_first_name(word) for word in re.findall(r"[^\W\d_]{2,}", name))


def _is_first_name(word: str) -> bool:
    return f"\n{bare(word)}\n".encode() in _names()


@cache
def _names() -> bytes:
    """The file as it is; a set of its names would take ten times its size."""
    return NAMES.read_bytes()
