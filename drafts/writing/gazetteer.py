"""The towns of the world above 5,000 people, to tell a town from another capitalised word."""

import unicodedata
from functools import cache, lru_cache
from pathlib import Path

from drafts.writing.countries import city_country
from drafts.writing.text import folded

TOWNS = Path(__file__).with_name("data") / "towns.tsv"


@cache
def _countries() -> tuple[tuple[str, str], ...]:
    """One text per country, with and without accents: a set of the names would take twenty times their size."""
    lines = TOWNS.read_text(encoding="utf-8").splitlines()
    return tuple(
        (code, f"{names}{_bare(names)}") for code, _, names in (line.partition("\t") for line in lines)
    )


def _bare(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


@lru_cache(maxsize=4096)
def countries_of_town(name: str) -> frozenset[str]:
    """The countries that have a town of this name; none when it is no town that we know."""
    key = folded(name.strip(" .,;:()"))
    large = city_country(name)
    found = {code for code, names in _countries() if f"|{key}|" in names} if key and "|" not in key else set()
    return frozenset(found | ({large} if large else set()))
