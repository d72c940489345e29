"""Countries and cities by their names in many languages."""

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from directory.countries import country_names
from drafts.caching import cached
from drafts.languages import alternation
from drafts.writing.text import CJK, folded

TOWNS = Path(__file__).with_name("data") / "towns.tsv"
"""The towns of the world above 5,000 people, to tell a town from another capitalised word."""
_CITIES = Path(__file__).with_name("data") / "cities.tsv"


class _Names:
    """Names, each with the code of a country."""

    def __init__(self, rows: Iterable[tuple[str, Iterable[str]]]) -> None:
        self.codes: dict[str, str] = {}
        for code, names in rows:
            for name in names:
                self.codes.setdefault(folded(name), code)
        spaced = alternation(name for name in self.codes if not CJK.search(name))
        dense = alternation(name for name in self.codes if CJK.search(name) and len(name) > 1)
        self._pattern = re.compile(rf"(?<!\w){spaced}(?!\w)|(?<![ァ-ヺー가-힣]){dense}(?![ァ-ヺー])")

    def names_in(self, text: str) -> list[str]:
        """The names in a text that are written as names: `seul` is no town and `im` no country."""
        names = self._pattern.findall(folded(text))
        return names if text == text.lower() else [name for name in names if _is_written(name, text)]


def _is_written(name: str, text: str) -> bool:
    places = [place.group() for place in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE)]
    return not places or any(
        place.isupper() or (place != place.lower() and len(place) > len("im")) for place in places
    )


@cache
def _countries() -> _Names:
    return _Names(country_names().items())


@cache
def _cities() -> _Names:
    lines = (line.split("\t") for line in _CITIES.read_text(encoding="utf-8").splitlines())
    return _Names((code, names.split("|")) for code, names in lines)


def country_code(name: str) -> str | None:
    """The ISO code of a country by its whole name, or of a code in capitals."""
    name = name.strip(" .,;:()")
    if re.fullmatch(r"[A-Z]{2}", name) and name in country_names():
        return name
    key = folded(name)
    codes = _countries().codes
    return codes.get(key) or codes.get(key.removeprefix("the "))


def countries_in(text: str) -> list[tuple[str, str]]:
    """The countries that a text names, as codes with the words used."""
    return [(_countries().codes[name], name) for name in _countries().names_in(text)]


def city_country(name: str) -> str | None:
    return _cities().codes.get(folded(name.strip(" .,;:()")))


def cities_in(text: str) -> list[str]:
    names = _cities().names_in(text)
    written = {name: re.search(re.escape(name), text, re.IGNORECASE) for name in set(names)}
    return [place.group() for name in names if (place := written[name])]


@cache
def _towns() -> bytes:
    """The file as it is: searching it takes half a millisecond, a set of its names twenty times its size."""
    return TOWNS.read_bytes()


@cached(4096)
def countries_of_town(name: str) -> frozenset[str]:
    """The countries that have a town of this name; none when it is no town that we know."""
    needle = folded(name.strip(" .,;:()"))
    large = city_country(name)
    result = {large} if large else set()
    key, towns = f"|{needle}|".encode(), _towns()
    at = towns.find(key) if needle and "|" not in needle else -1
    while at >= 0:
        line = towns.rfind(b"\n", 0, at) + 1
        result.add(towns[line : line + 2].decode())
        at = towns.find(key, at + 1)
    return frozenset(result)
