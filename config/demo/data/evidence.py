"""Quotes for what the product's website states, and reasons for what it does not."""

from collections.abc import Mapping, Sequence
from functools import cache
from random import Random
from typing import Any

from config.demo.data.files import CONTENT, read_json
from config.demo.data.product import Product
from config.demo.data.shapes import DemoFounder, DemoQuote
from config.demo.data.wording import Facts, filled
from directory.data.categories import Faq

SOUGHT = {"demo_video_url": 0.3}
PAGES = {"": "", "pricing": "Pricing", "about": "About", "contact": "Contact", "features": "Features"}


@cache
def history_texts() -> dict[str, Any]:
    """Sentences about what happened, and how websites state their facts."""
    texts: dict[str, Any] = read_json(CONTENT / "history.json")
    return texts


def quotes(product: Product, *, rng: Random, facts: Facts) -> dict[str, tuple[DemoQuote, ...]]:
    """Evidence by field, as a reader of the website would have kept it."""
    row, texts, url = product.row, history_texts(), facts["url"]
    stated: list[tuple[str, str, str, str]] = [
        ("name", facts["name"], "", "meta"),
        ("tagline", row["tagline"], "", "text"),
        ("short_description", row["short"], "", "meta"),
        *(("description", part.split(". ")[0].removesuffix(".") + ".", "", "text") for part in row["about"]),
        ("categories", row["short"], "", "meta"),
    ]
    stated += [("features", feature, "features", "text") for feature in row["features"]]
    if facts["pricing_summary"]:
        stated.append(("pricing_summary", facts["pricing_summary"], "pricing", "text"))
        stated.append(("pricing_model", facts["pricing_summary"], "pricing", "text"))
    if facts["city"]:
        where = filled(rng.choice(texts["place_quotes"]), facts)
        stated += [("city", where, "about", "text"), ("country", where, "about", "text")]
    elif facts["country"]:
        stated.append(("country", facts["country_name"], "contact", "text"))
    if facts["founded_year"]:
        stated.append(("founded_year", filled(rng.choice(texts["year_quotes"]), facts), "about", "text"))
    if facts["contact_email"]:
        stated.append(("contact_email", facts["contact_email"], "contact", "text"))
    found: dict[str, tuple[DemoQuote, ...]] = {}
    for field, quote, page, source in stated:
        title = f"{PAGES[page]} | {facts['name']}" if page else f"{facts['name']}: {row['tagline']}"
        found[field] = (
            *found.get(field, ()),
            DemoQuote(quote=quote, url=f"{url}/{page}", page_title=title, source=source),
        )
    return found


def quotes_of_lists(
    *, facts: Facts, founders: Sequence[DemoFounder], faqs: Sequence[Faq], socials: Mapping[str, str]
) -> dict[str, tuple[DemoQuote, ...]]:
    """Evidence for people, questions and links; the last question is its owner's own, when there are several."""
    asked = faqs[: max(1, len(faqs) - 1)]
    stated = {
        "founders": [(f"{person.name}, {person.title}", "about", "text") for person in founders],
        "faqs": [(faq.question, "", "text") for faq in asked],
        "socials": [(url, "", "meta") for url in socials.values()],
    }
    return {
        name: tuple(
            DemoQuote(
                quote=quote,
                url=f"{facts['url']}/{page}",
                page_title=f"{PAGES[page]} | {facts['name']}" if page else facts["name"],
                source=source,
            )
            for quote, page, source in rows
        )
        for name, rows in stated.items()
        if rows
    }


def missing(facts: Facts, *, rng: Random) -> tuple[tuple[str, str], ...]:
    """The facts that are blank, each with the reason."""
    reasons = history_texts()["not_found_reasons"]
    blank = [field for field in reasons if not facts[field]]
    return tuple(
        (field, rng.choice(reasons[field])) for field in blank if rng.random() < SOUGHT.get(field, 1)
    )
