"""Listings to measure search with: texts by Zipf's law, and a new word in nearly every name, as in real directories.

The demo's own further listings are put together from a few thousand words, so a million of them have hardly more
words than ten thousand. Here 40,000 words are used as often as words of a language are, a fifth of them from the
words of the category, which therefore go together; and every brand is a word of its own.
"""

import argparse
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import accumulate, product
from pathlib import Path
from random import Random

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
django.setup()

from django.db import connection  # noqa: E402
from django.utils import timezone  # noqa: E402

from benchmarks.listings.bulk import TABLES, TERMS, without_indexes  # noqa: E402
from benchmarks.listings.data.bulk import bulk  # noqa: E402
from benchmarks.listings.data.demo import SEED, YEAR  # noqa: E402
from benchmarks.listings.data.shapes import DemoListing  # noqa: E402
from benchmarks.listings.loading import Loader  # noqa: E402
from benchmarks.listings.progress import Progress  # noqa: E402
from config.demo.people import ensure_sites  # noqa: E402
from directory.search.lexemes import recount_terms  # noqa: E402
from directory.search.tiers import refresh_tiers  # noqa: E402
from directory.sites.catalogue import load_categories  # noqa: E402

WORDS, EXPONENT, INFLECTED = 40_000, 1.05, 0.25
TOPICAL, TOPICAL_RANKS, EVERY = 40, (300, 8_000), 5
TAGLINE, SHORT, DESCRIPTION, KEYWORDS = 6, 12, 48, 3
ONSETS = "b br c cl d dr f fl g gl h j k l m n p pl qu r s st t tr v w z"
VOWELS = "a e i o u ai ea io"
CODAS = " l m n r s x nd rt"
BRAND_ENDINGS = ["", "", "", "a", "o", "ly", "ify", "io", "hub", "kit", "base", "flow"]
SPREAD, SECOND_WORD, FROM_WORD = 7_368_787, 0.35, 0.25


@dataclass(frozen=True)
class Language:
    """Words from the most common to the rarest, and how often each is used, added up."""

    words: list[str]
    weights: list[float]


@cache
def syllables() -> list[str]:
    """What words and brands are made of."""
    return ["".join(parts) for parts in product(ONSETS.split(" "), VOWELS.split(" "), CODAS.split(" "))]


@cache
def language() -> Language:
    """The same on every machine. A quarter of the words are inflections of others, as a stemmer knows them."""
    rng = Random("language")
    words: list[str] = []
    while len(words) < WORDS:
        if words and rng.random() < INFLECTED:
            words.append(rng.choice(words[-200:]) + rng.choice(("s", "ing", "ed")))
        else:
            words.append("".join(rng.choices(syllables(), k=rng.choice((1, 2, 2, 2, 3)))))
        if len(words) == WORDS:
            words = list(dict.fromkeys(words))
    weights = accumulate(1 / rank**EXPONENT for rank in range(1, WORDS + 1))
    return Language(words=words, weights=list(weights))


@cache
def topical(category: str) -> list[str]:
    """The words that listings of a category have in common."""
    return Random(category).sample(language().words[slice(*TOPICAL_RANKS)], TOPICAL)


def brand(number: int, rng: Random) -> str:
    """A name of one or two words, the first of which hardly any other listing has."""
    if rng.random() < FROM_WORD:
        first = rng.choice(language().words[: TOPICAL_RANKS[1]]) + rng.choice(BRAND_ENDINGS[3:])
    else:
        sounds = syllables()
        number = number * SPREAD % (len(sounds) ** 2 * len(BRAND_ENDINGS))
        number, ending = divmod(number, len(BRAND_ENDINGS))
        one, other = divmod(number, len(sounds))
        first = sounds[one] + sounds[other] + BRAND_ENDINGS[ending]
    second = f" {rng.choice(language().words[:2_000]).capitalize()}" if rng.random() < SECOND_WORD else ""
    return first.capitalize() + second


def listings(*, count: int) -> Iterator[DemoListing]:
    """Listing number n is the same whatever the count; all but its texts is as the demo has it."""
    for number, one in enumerate(bulk(start=0, count=count, seed=SEED, year=YEAR)):
        yield _reworded(one, number=number, rng=Random(number))


def _reworded(one: DemoListing, *, number: int, rng: Random) -> DemoListing:
    known, own = language(), topical(one.categories[0])
    name = brand(number, rng)
    words = rng.choices(known.words, cum_weights=known.weights, k=TAGLINE + SHORT + DESCRIPTION)
    words[::EVERY] = rng.choices(own, k=len(words[::EVERY]))
    tagline, short = words[:TAGLINE], words[TAGLINE : TAGLINE + SHORT]
    slug = f"{name.replace(' ', '-').lower()}-{number}"
    return replace(
        one,
        slug=slug,
        name=name,
        domain=f"{slug}.example",
        url=f"https://{slug}.example",
        tagline=" ".join(tagline).capitalize(),
        short_description=f"{name} {' '.join(short)}.",
        description=f"{' '.join(words[TAGLINE + SHORT :]).capitalize()}.",
        keywords=tuple(dict.fromkeys(rng.choices(own, k=KEYWORDS))),
        founders=(),
    )


def load(count: int) -> None:
    """Copy them in, with everything that lists and search read."""
    at = timezone.now().replace(microsecond=0)
    load_categories()
    sites = ensure_sites(at=at)
    progress = Progress(total=count, out=sys.stdout)
    with without_indexes():
        loader = Loader(sites=sites, at=at)
        loader.add_more(listings(count=count), told=progress.advance)
        loader.finish()
        refresh_tiers(site_id=sites["main"].pk)
    progress.finish()
    with without_indexes(TERMS):
        recount_terms(site_id=sites["main"].pk)
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
        for table in (*TABLES, *TERMS):
            cursor.execute(f"VACUUM (ANALYZE) {table}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--listings", type=int, required=True)
    load(parser.parse_args().listings)
