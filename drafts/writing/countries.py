"""Countries and cities by their names in many languages."""

import re
from functools import cache
from pathlib import Path

from drafts.writing.text import CJK, folded

_DATA = Path(__file__).with_name("data")
_AMBIGUOUS = frozenset(
    {
        "georgia",
        "jordan",
        "chad",
        "niger",
        "mali",
        "togo",
        "guinea",
        "turkey",
        "oman",
        "cuba",
        "peru",
        "man",
        "niue",
    }
)


@cache
def _table(name: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in (_DATA / name).read_text(encoding="utf-8").splitlines():
        code, _, names = line.partition("\t")
        for spelling in names.split("|"):
            found.setdefault(folded(spelling), code)
    return found


@cache
def _pattern(name: str) -> re.Pattern[str]:
    names = sorted(_table(name), key=len, reverse=True)
    spaced = "|".join(re.escape(n) for n in names if not CJK.search(n))
    dense = "|".join(re.escape(n) for n in names if CJK.search(n) and len(n) > 1)
    return re.compile(rf"(?<!\w)(?:{spaced})(?!\w)|(?:{dense})")


def country_code(name: str) -> str | None:
    """The ISO code of a country by its whole name, or of a code in capitals."""
    name = name.strip(" .,;:()")
    if re.fullmatch(r"[A-Z]{2}", name) and name in set(_table("countries.tsv").values()):
        return name
    key = folded(name)
    return _table("countries.tsv").get(key) or _table("countries.tsv").get(key.removeprefix("the "))


def countries_in(text: str) -> list[tuple[str, str]]:
    """The countries that a text names, as codes with the words used."""
    low = folded(text)
    found = []
    for match in _pattern("countries.tsv").finditer(low):
        found.append((_table("countries.tsv")[match.group()], match.group()))
    return found


def city_country(name: str) -> str | None:
    """The country of a known city."""
    return _table("cities.tsv").get(folded(name.strip(" .,;:()")))


def cities_in(text: str) -> list[str]:
    """The known cities that a text names, as written there."""
    found = []
    for match in _pattern("cities.tsv").finditer(folded(text)):
        written = re.search(re.escape(match.group()), text, re.IGNORECASE)
        if written:
            found.append(written.group())
    return found


def is_ambiguous(name: str) -> bool:
    """Whether a country's name is also a first name, a state or a common word."""
    return folded(name) in _AMBIGUOUS
