"""Any number of further listings, combined from the words of the hand-written ones."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product as combinations
from math import log
from random import Random
from typing import Any

from benchmarks.listings.data.bulk_names import bulk_names, bulk_texts
from benchmarks.listings.data.files import CONTENT, read_json
from benchmarks.listings.data.people import Place, names, places
from benchmarks.listings.data.product import Product, products
from benchmarks.listings.data.shapes import DemoFounder, DemoListing, DemoQuote, DemoRating
from benchmarks.listings.data.wording import lowered, seeded, slugify
from directory.data.categories import Faq

Look = dict[str, Any]
RATING_SOURCE, MONTHS = "Open web graph", 12
PAST_WEEKS, MOST_VOTES = 104, 940
STAGES = ("mvp", "launched", "launched", "growing", None)
AMOUNTS = (
    4,
    5,
    6,
    7,
    8,
    9,
    10,
    12,
    14,
    15,
    18,
    19,
    22,
    24,
    25,
    29,
    35,
    39,
    45,
    49,
    59,
    69,
    79,
    89,
    99,
    120,
    150,
    190,
)
QUESTIONS = ("What does {name} cost?", "How is {name} priced?", "Is {name} free?")
BARE: dict[str, Any] = {
    "usps": (),
    "demo_video_url": None,
    "sites": ("main",),
    "is_featured": False,
    "story": {},
}
CAN_BE_MISSING = ("founded_year", "country", "city", "contact_email")


def bulk(*, start: int, count: int, seed: int, year: int) -> Iterator[DemoListing]:
    """Listings number `start` to `start + count`; number n is the same whatever the range."""
    rng, categories = seeded(seed), looks()
    for number, (slug, name) in enumerate(bulk_names(start=start, count=count, seed=seed), start=start):
        rng.seed(seed << 40 | number)
        category, seen = pick(rng, categories)
        yield _listing(slug, name, category=category, look=pick(rng, seen), rng=rng, year=year)


def pick(rng: Random, items: Sequence[Any]) -> Any:
    """One of the items; a tenth of the cost of `choice`, which tells at a million listings."""
    return items[int(rng.random() * len(items))]


@cache
def looks() -> tuple[tuple[str, tuple[Look, ...]], ...]:
    """For each category the ways its products can look, made from what was written for it by hand."""
    own: dict[str, list[Product]] = {}
    for product in products():
        own.setdefault(product.row["category"], []).append(product)
    blocks = read_json(CONTENT / "blocks.json")
    return tuple((slug, tuple(_looks(block, own[slug]))) for slug, block in blocks.items())


def _looks(block: dict[str, list[str]], own: list[Product]) -> Iterator[Look]:
    features = tuple(dict.fromkeys(feature for product in own for feature in product.row["features"]))
    keywords = tuple(dict.fromkeys(word for product in own for word in product.row["keywords"]))
    for thing, does, first in combinations(block["things"], range(len(block["does"])), range(len(features))):
        a_thing = f"{'an' if thing[0] in 'aeiouA' else 'a'} {thing}"
        shown = tuple(dict.fromkeys(features[(first + step) % len(features)] for step in (0, 3, 5, 7)))
        feature = lowered(shown[0])
        yield {
            "features": shown,
            "keywords": tuple(dict.fromkeys(keywords[(first + step) % len(keywords)] for step in (0, 1, 2))),
            "tags": own[first % len(own)].tags,
            "thing": thing,
            "a_thing": a_thing,
            "A_thing": capital(a_thing),
            "does": block["does"][does],
            "Does": capital(block["does"][does]),
            "does2": block["does"][does - 1],
            "feature_lower": feature,
            "Feature": capital(feature),
            "feature2_lower": lowered(shown[1]),
        }


def capital(text: str) -> str:
    """A phrase for the beginning of a sentence."""
    return text[0].upper() + text[1:]


@cache
def prices() -> tuple[tuple[str, str], ...]:
    """Pricing models with their sentence."""
    return tuple(
        (model, text.format(n=amount))
        for (model, text), amount in combinations(bulk_texts()["prices"], AMOUNTS)
    )


@cache
def audiences() -> tuple[tuple[str, str], ...]:
    """Who a product is for, also for the beginning of a sentence."""
    return tuple((who, capital(who)) for who in bulk_texts()["audiences"])


@cache
def weighted_places() -> tuple[Place, ...]:
    """Each place as often as its weight."""
    return tuple(place for place in places() for _ in range(place.weight))


@cache
def person_slug(name: str) -> str:
    """The slug of one of the few thousand names."""
    return slugify(name)


def _listing(slug: str, name: str, *, category: str, look: Look, rng: Random, year: int) -> DemoListing:
    frames, chance = bulk_texts(), rng.random()
    place: Place = pick(rng, weighted_places())
    who, who_cap = pick(rng, audiences())
    words = {"name": name, "who": who, "who_cap": who_cap, **look}
    model, price = pick(rng, prices())
    facts: dict[str, Any] = {
        "domain": f"{slug}.example",
        "country": place.code if chance < 0.85 else None,
        "city": pick(rng, place.cities) if chance < 0.7 else None,
        "founded_year": year - 1 - int(-9 * log(1 - rng.random())) % 26 if rng.random() < 0.55 else None,
        "contact_email": f"hello@{slug}.example" if chance < 0.6 else None,
    }
    is_claimed = rng.random() < 0.55
    return DemoListing(
        slug=slug,
        name=name,
        url=f"https://{slug}.example",
        tagline=pick(rng, frames["taglines"]).format_map(words),
        short_description=pick(rng, frames["shorts"]).format_map(words),
        description=_description(words, frames=frames, rng=rng),
        features=look["features"],
        keywords=look["keywords"],
        tags=look["tags"],
        categories=(category,),
        pricing_model=model,
        pricing_summary=price,
        stage=pick(rng, STAGES),
        socials={"linkedin": f"https://linkedin.example/{slug}"} if chance > 0.4 else {},
        faqs=_faqs(name, price, rng=rng),
        founders=(_founder(slug, place, rng=rng),) if rng.random() < 0.3 else (),
        evidence={"pricing_summary": (_price_quote(name, price, f"https://{slug}.example"),)},
        not_found=tuple((field, "not_on_site") for field in CAN_BE_MISSING if facts[field] is None),
        claimed_by_method="meta" if is_claimed else None,
        plan="paid" if is_claimed and chance < 0.08 else "free",
        rating=_rating(rng),
        **facts,
        **BARE,
        **_standing(rng),
    )


def _description(words: dict[str, Any], *, frames: dict[str, Any], rng: Random) -> str:
    opening, middle = pick(rng, frames["openings"]), pick(rng, frames["middles"])
    text = f"{opening}\n\n{middle}"
    if rng.random() < 0.7:
        text = f"{text}\n\n{pick(rng, frames['closings'])}"
    return text.format_map(words)


def _faqs(name: str, price: str, *, rng: Random) -> tuple[Faq, ...]:
    if rng.random() < 0.6:
        return ()
    return (Faq(question=pick(rng, QUESTIONS).format(name=name), answer=f"{price}."),)


def _founder(slug: str, place: Place, *, rng: Random) -> DemoFounder:
    given, family = names()[place.origin]
    name = f"{pick(rng, given)} {pick(rng, family)}"
    return DemoFounder(
        slug=f"{person_slug(name)}-{slug}",
        name=name,
        title="Founder",
        bio=None,
        country=place.code,
        socials={},
    )


def _price_quote(name: str, price: str, url: str) -> DemoQuote:
    return DemoQuote(quote=price, url=f"{url}/pricing", page_title=f"Pricing | {name}", source="text")


def _rating(rng: Random) -> DemoRating | None:
    """A year of measurements for a third of the domains, as most new ones were never measured."""
    if rng.random() < 0.66:
        return None
    value, rise = int(rng.random() ** 2 * 70), 1 + int(rng.random() * 6)
    return DemoRating(
        source=RATING_SOURCE,
        series=tuple((ago, max(0, value - ago // rise)) for ago in range(MONTHS - 1, -1, -1)),
    )


def _standing(rng: Random) -> dict[str, Any]:
    """Votes by a Pareto law with a mean of about three; one in ten was never launched."""
    chance, votes = rng.random(), min(MOST_VOTES, int((1 - rng.random()) ** (-1 / 1.3)))
    week = (
        None
        if chance < 0.1
        else 1 + int(rng.random() * 4)
        if chance < 0.12
        else -int(rng.random() * PAST_WEEKS)
    )
    is_upcoming = week is not None and week > 0
    votes = 0 if is_upcoming else votes
    return {
        "status": "upcoming" if is_upcoming else "live",
        "launch_week": week,
        "listed_days_ago": 20 + int(rng.random() * 680) if week is None else None,
        "votes": votes,
        "launch_votes": 0 if week is None else votes if week == 0 else votes - votes // 4,
        "followers": votes // 3,
        "views": votes * (6 + int(rng.random() * 20)) + int(rng.random() * 40),
    }
