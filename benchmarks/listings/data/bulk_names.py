"""Names for any number of further products: compounds and coined words first, then with a second word."""

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

from benchmarks.listings.data.files import CONTENT, read_json
from benchmarks.listings.data.product import products
from benchmarks.listings.data.wording import seeded


@cache
def bulk_texts() -> dict[str, Any]:
    """Words and sentence frames for generated listings."""
    texts: dict[str, Any] = read_json(CONTENT / "bulk.json")
    return texts


@cache
def stems() -> tuple[str, ...]:
    """All single-word names, each once, without those that a hand-written product uses or begins with."""
    words = bulk_texts()
    used = {part.slug.split("-")[0] for part in products()}
    compounds = (a + b for a, b in product(words["first"], words["second"]) if a != b)
    coined = ("".join(parts).lower() for parts in product(words["onset"], words["middle"], words["coda"]))
    every = dict.fromkeys((*compounds, *coined))
    return tuple(
        stem for stem in every if stem not in used and not any(bad in stem for bad in words["avoid"])
    )


@cache
def shuffled(seed: int) -> tuple[str, ...]:
    """The single-word names in an order that the seed decides."""
    pool = list(stems())
    seeded(f"{seed}:names").shuffle(pool)
    return tuple(pool)


def bulk_names(*, start: int, count: int, seed: int) -> Iterator[tuple[str, str]]:
    """Slug and name of the products number `start` to `start + count`; no two are ever the same."""
    pool, suffixes = shuffled(seed), bulk_texts()["suffix"]
    size = len(pool)
    if start + count > size * (len(suffixes) + 1):
        raise ValueError(f"There are names for {size * (len(suffixes) + 1)} products.")
    for number in range(start, start + count):
        layer, index = divmod(number, size)
        stem = pool[index]
        if layer == 0:
            yield stem, stem.capitalize()
        else:
            suffix = suffixes[(layer - 1 + index) % len(suffixes)]
            yield f"{stem}-{suffix.lower()}", f"{stem.capitalize()} {suffix}"
