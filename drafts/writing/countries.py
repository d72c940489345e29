"""Countries and cities by their names in many languages."""

import re
from collections.abc import Collection, Iterable
from functools import cache
from pathlib import Path

from directory.countries import country_names
from drafts.languages import one_of
from drafts.writing.text import CJK, folded

_CITIES = Path(__file__).with_name("data") / "cities.tsv"


def _codes(rows: Iterable[tuple[str, list[str]]]) -> dict[str, str]:
    found: dict[str, str] = {}
    for code, names in rows:
        for name in names:
            found.setdefault(folded(name), code)
    return found


@cache
def _countries() -> dict[str, str]:
    return _codes(country_names().items())


@cache
def _cities() -> dict[str, str]:
    lines = _CITIES.read_text(encoding="utf-8").splitlines()
    return _codes((code, names.split("|")) for code, _, names in (line.partition("\t") for line in lines))


def _pattern(names: Collection[str]) -> re.Pattern[str]:
    spaced = [name for name in names if not CJK.search(name)]
    dense = [name for name in names if CJK.search(name) and len(name) > 1]
    return re.compile(rf"(?<!\w){one_of(spaced)}(?!\w)|{one_of(dense)}")


@cache
def _country_pattern() -> re.Pattern[str]:
    return _pattern(_countries())


@cache
def _city_pattern() -> re.Pattern[str]:
    return _pattern(_cities())


def country_code(name: str) -> str | None:
    """The ISO code of a country by its whole name, or of a code in capitals."""
    name = name.strip(" .,;:()")
    if re.fullmatch(r"[A-Z]{2}", name) and name in country_names():
        return name
    key = folded(name)
    return _countries().get(key) or _countries().get(key.removeprefix("the "))


def countries_in(text: str) -> list[tuple[str, str]]:
    """The countries that a text names, as codes with the words used."""
    low = folded(text)
    found = []
    for match in _country_pattern().finditer(low):
        found.append((_countries()[match.group()], match.group()))
    return found


def city_country(name: str) -> str | None:
    """The country of a known city."""
    return _cities().get(folded(name.strip(" .,;:()")))


def cities_in(text: str) -> list[str]:
    """The known cities that a text names, as written there."""
    names = [match.group() for match in _city_pattern().finditer(folded(text))]
    written = {name: re.search(re.escape(name), text, re.IGNORECASE) for name in set(names)}
    return [place.group() for name in names if (place := written[name])]
