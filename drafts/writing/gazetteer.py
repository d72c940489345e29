"""The towns of the world above 5,000 people, to tell a town from another capitalised word."""

from functools import cache
from pathlib import Path

from drafts.keeping import kept
from drafts.writing.countries import city_country
from drafts.writing.text import folded

TOWNS = Path(__file__).with_name("data") / "towns.tsv"


@cache
def _towns() -> bytes:
    """The file as it is: searching it takes half a millisecond, a set of its names twenty times its size."""
    return TOWNS.read_bytes()


@kept(4096)
def countries_of_town(name: str) -> frozenset[str]:
    """The countries that have a town of this name; none when it is no town that we know."""
    wanted = folded(name.strip(" .,;:()"))
    large = city_country(name)
    found = {large} if large else set()
    key, towns = f"|{wanted}|".encode(), _towns()
    at = towns.find(key) if wanted and "|" not in wanted else -1
    while at >= 0:
        line = towns.rfind(b"\n", 0, at) + 1
        found.add(towns[line : line + 2].decode())
        at = towns.find(key, at + 1)
    return frozenset(found)
