"""Countries and cities by their names in many languages."""

import re
from collections.abc import Collection
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
    spaced = [n for n in _table(name) if not CJK.search(n)]
    dense = [n for n in _table(name) if CJK.search(n) and len(n) > 1]
    return re.compile(rf"(?<!\w){_any_of(spaced)}(?!\w)|{_any_of(dense)}")


def _any_of(words: Collection[str]) -> str:
    """A pattern for the longest of these words, by their beginnings: a list would be gone through at each letter."""
    rests: dict[str, list[str]] = {}
    for word in filter(None, words):
        rests.setdefault(word[0], []).append(word[1:])
    if not rests:
        return ""
    branches = "|".join(re.escape(letter) + _any_of(ends) for letter, ends in sorted(rests.items()))
    return f"(?:{branches})" + ("?" if "" in words else "")


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
    names = [match.group() for match in _pattern("cities.tsv").finditer(folded(text))]
    written = {name: re.search(re.escape(name), text, re.IGNORECASE) for name in set(names)}
    return [place.group() for name in names if (place := written[name])]


def is_ambiguous(name: str) -> bool:
    """Whether a country's name is also a first name, a state or a common word."""
    return folded(name) in _AMBIGUOUS
