"""Invented places and people: where a product is made, and who made it."""

from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any

from config.demo.data.files import CONTENT, read_json
from config.demo.data.product import Product
from config.demo.data.shapes import DemoFounder
from config.demo.data.wording import Facts, Rota, filled, fitting, slugify


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


@cache
def company_texts() -> dict[str, Any]:
    """Sentences about companies and the people in them."""
    texts: dict[str, Any] = read_json(CONTENT / "company.json")
    return texts


def place_of(product: Product, rng: Random) -> tuple[Place, str]:
    """The product's own place, or a likely one."""
    if "place" in product.row:
        code, city = product.row["place"]
        return next(place for place in places() if place.code == code), city
    place = rng.choices(places(), [place.weight for place in places()])[0]
    return place, rng.choice(place.cities)


@dataclass(slots=True)
class People:
    """The founders of one run: no two share a name, and a few have more than one company."""

    rota: Rota
    taken: set[str] = field(default_factory=set)
    serial: dict[str, list[DemoFounder]] = field(default_factory=dict)

    def founders(
        self, product: Product, *, rng: Random, place: Place, facts: Facts
    ) -> tuple[DemoFounder, ...]:
        """One to three people for a listing, the first is primary."""
        texts = company_texts()
        size = rng.choices((1, 2, 3), (58, 34, 8))[0]
        titles = [rng.choice(texts["titles_single"])]
        if size > 1:
            titles = [*rng.choice(texts["titles_pair"]), "Co-founder"][:size]
        found = [self._known_or_new(product, title, rng=rng, place=place, facts=facts) for title in titles]
        return tuple({founder.slug: founder for founder in found}.values())

    def _known_or_new(
        self, product: Product, title: str, *, rng: Random, place: Place, facts: Facts
    ) -> DemoFounder:
        known = self.serial.setdefault(place.code, [])
        if known and rng.random() < 0.06 and not self._own(product):
            again = known.pop()
            return DemoFounder(
                slug=again.slug,
                name=again.name,
                title=title,
                bio=again.bio,
                country=again.country,
                socials=again.socials,
            )
        founder = self._new(product, title, rng=rng, place=place, facts=facts)
        known.append(founder)
        return founder

    def _new(self, product: Product, title: str, *, rng: Random, place: Place, facts: Facts) -> DemoFounder:
        origin = place.origin if rng.random() < 0.86 else rng.choice(sorted(names()))
        name = self._own(product) or self._name(origin, rng=rng)
        slug = slugify(name)
        self.taken.add(slug)
        platforms = rng.sample(("linkedin", "x", "github", "medium", "threads"), rng.choice((0, 1, 1, 2)))
        return DemoFounder(
            slug=slug,
            name=name,
            title=title,
            bio=bio(product, rota=self.rota, rng=rng, facts=facts) if rng.random() < 0.84 else None,
            country=place.code if rng.random() < 0.9 else None,
            socials={platform: f"https://{platform}.example/{slug}" for platform in sorted(platforms)},
        )

    def _own(self, product: Product) -> str:
        """The person whom the product names, until there is one."""
        own = str(product.row.get("founder", ""))
        return "" if slugify(own) in self.taken else own

    def _name(self, origin: str, *, rng: Random) -> str:
        given, family = names()[origin]
        for _ in range(200):
            name = f"{rng.choice(given)} {rng.choice(family)}"
            if slugify(name) not in self.taken:
                return name
        return self._name(rng.choice(sorted(names())), rng=rng)


def bio(product: Product, *, rota: Rota, rng: Random, facts: Facts) -> str:
    """Two or three sentences about a person of this trade."""
    texts = company_texts()
    first = [{"text": text, "when": ()} for text in texts["bio_first"][product.root]]
    second = fitting([{"text": text, "when": ()} for text in texts["bio_second"]], facts, frozenset())
    rows = rota.take(first, count=1, rng=rng) + rota.take(second, count=rng.choice((1, 1, 2)), rng=rng)
    return " ".join(filled(row["text"], facts) for row in rows)
