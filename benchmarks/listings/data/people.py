"""Invented places and people: where a product is made, and the names of who made it."""

from dataclasses import dataclass
from functools import cache

from benchmarks.listings.data.files import CONTENT, read_json


@dataclass(frozen=True, slots=True)
class Place:
    """A country with some of its cities, and the kind of names most people there have."""

    code: str
    name: str
    origin: str
    weight: int
    cities: tuple[str, ...]
    is_european: bool


@cache
def places() -> tuple[Place, ...]:
    """All places that products come from."""
    return tuple(
        Place(p["code"], p["name"], p["origin"], p["weight"], tuple(p["cities"]), p["is_european"])
        for p in read_json(CONTENT / "places.json")
    )


@cache
def names() -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """Given and family names by origin."""
    return {o: (tuple(n["given"]), tuple(n["family"])) for o, n in read_json(CONTENT / "people.json").items()}
