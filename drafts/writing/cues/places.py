"""Shapes in which a site places its company."""

import re

from drafts.languages import Shape
from drafts.writing.cues.people import LEGAL_FORM, PERSON

WORD = r"(?<!\w)[A-ZÀ-ÖØ-ÞŁŚŻŹĆŠČŘŽĎŤŇĐİŐŰА-ЯЁІЇЄ][\w'’.]{0,40}"
"""Begun and ended so that endless letters cost no more than their number."""
_JOINT = Shape(r"{joint}", r"St\.", "/")
TOWN = rf"{WORD}(?:[ -](?:(?:{_JOINT.source})[ -])?{WORD}){{0,3}}"
_CJK = r"[\u4e00-\u9fff가-힣\u30a0-\u30ff]"
_UPPER = r"(?=[A-ZÀ-ÞŁŚŻČŘŠŽА-Я])"
_TELLING = r"(?:[^.!?\n]|(?<=\b[A-Z][a-z])\.|(?<=\b[A-Z][a-z][a-z])\.){0,90}?"
_WITH = r"(?:\s+{with}\s+\S+(?:\s+\S+)?)?"
BASED = Shape(r"{based}\s*:?\s*")
CJK_BASED = Shape(
    r"{seat_of}\s*[:：]?\s*(?P<after>[^。\n]{2,60})", rf"(?P<before>{_CJK}{{2,12}}){{based_after}}"
)
MADE = Shape(
    rf"{{made}}{_WITH}\s+{{from_place}}\s+",
    rf"{{made}}(?:\s+(?:{{and}}|&)\s+\w+)?{_WITH}(?:\s+{{by}}\s+[A-Z]\w+(?:\s[A-Z]\w+){{0,2}})?\s+{{in}}\s+",
)
FOUNDED_IN = Shape(
    rf"{{founded}}{_TELLING}{{in}}\s+{_UPPER}",
    rf"{{begun}}{_TELLING}{{in}}\s+{_UPPER}",
    rf"{{in}}\s+{_UPPER}(?=[^.!?\n]{{2,60}}{{founded_last}})",
    flags=0,
)
TOWN_COUNTRY = re.compile(rf"\b(?P<town>{TOWN}),\s+(?P<country>{TOWN})")
NOT_OURS = Shape(r"{not_ours}")
MAKER_TOWN = Shape(
    rf"^{{made}}\s+{{by}}\s+(?:{{person}}),?\s+(?:{{in}}\s+)?(?P<town>{TOWN})(?=\s*(?:$|[.,;|·•]))",
    flags=0,
    person=PERSON,
)
WE_ARE = Shape(r"{we_are}")
FORM_TOWN = re.compile(rf"{LEGAL_FORM}\s*[,|·•–—-]\s*(?P<town>{TOWN})(?=\s*(?:$|[.,;|·•(]))")
OTHERS = Shape(r"{elsewhere}")
IMPRINT = Shape(r"{imprint}")
VAT = Shape(
    r"{vat}[^\n]{0,60}?\b(?P<code>(?:DE ?\d{3} ?\d{3} ?\d{3}|ATU ?\d{8}|FR "
    r"?[A-Z0-9]{2} ?\d{3} ?\d{3} ?\d{3}|IT ?\d{11}|ES ?[A-Z]\d{7}[A-Z0-9]|"
    r"NL ?\d{9}B\d{2}|BE ?[01]?\d{3}[. ]?\d{3}[. ]?\d{3}|PL ?\d{10}|CZ ?\d{8,10}|PT ?\d{9}|SK "
    r"?\d{10}|LU ?\d{8}|DK ?\d{8}|SE ?\d{12}|FI ?\d{8}|CHE-?\d{3}\.?\d{3}\.?\d{3}))\b",
    flags=0,
)
REGION = Shape(r"{region}")
_SMALL = r"(?:{in}|{article})"
_JOINED = r"(?:{and}|in)"
PLACE = Shape(
    rf"(?P<first>{TOWN})(?P<rest>(?:\s*[,(/–—-]\s*(?:{_SMALL}\s)?(?:{TOWN})\)?|\s+{_JOINED}\s+{TOWN}){{0,3}})",
    flags=0,
)
PLACE_PARTS = Shape(r"\s*[,(/)–—]\s*(?:{in}\s)?", r"\s-\s", r"\s+(?:{and}|in)\s+", flags=0)
ARTICLE = Shape(rf"^{{article}}\s+{_UPPER}", rf"^{{fond}}\s+{_UPPER}", flags=0)
HOST = Shape(r"{hosts}")
DASH = re.compile(r"\s[—–-]\s")
