"""Whole listings from the hand-written products: each gets a place, people, a week and a history."""

from dataclasses import dataclass
from random import Random
from typing import Any

from config.demo.data import history
from config.demo.data.evidence import missing, quotes, quotes_of_lists
from config.demo.data.people import People, Place, company_texts, place_of
from config.demo.data.product import Product, products
from config.demo.data.schedule import Standing, standing, weeks
from config.demo.data.shapes import DemoFounder, DemoListing
from config.demo.data.wording import NUMBERS, Facts, Rota, filled, fitting, lowered, seeded
from directory.data.categories import Faq

EXTRA_CATEGORIES = 3
# first-level categories whose products came in without a launch week
NEVER_LAUNCHED = frozenset({"services", "apps-and-utilities", "physical-products", "communities-and-social"})
FEATURED_WEEKS = range(-12, 1)
METHODS = ("dns", "dns", "meta", "file", "email")
SOCIALS = {
    "developer-tools": ("github", "x", "reddit", "youtube"),
    "artificial-intelligence": ("github", "x", "linkedin", "youtube"),
    "design-and-media": ("instagram", "youtube", "pinterest", "x"),
    "health-and-life": ("instagram", "facebook", "tiktok", "youtube"),
    "games-and-publishing": ("youtube", "reddit", "threads", "instagram"),
    "education": ("youtube", "facebook", "instagram", "linkedin"),
}
USUAL_SOCIALS = ("linkedin", "x", "youtube", "facebook", "medium")


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What the listings of one run share."""

    people: People
    rota: Rota
    rivals: dict[str, list[str]]
    year: int


def handmade(*, seed: int, year: int) -> list[DemoListing]:
    """All hand-written products as listings, in an order that the seed decides."""
    chosen = [product for product in products() if product.root not in NEVER_LAUNCHED]
    others = [product for product in products() if product.root in NEVER_LAUNCHED]
    rng, rota = seeded(f"{seed}:order"), Rota()
    rng.shuffle(chosen)
    run = Run(people=People(rota), rota=rota, rivals=neighbours(), year=year)
    return [
        build(product, standing(week, rng=rng), run=run, rng=seeded(f"{seed}:{product.slug}"))
        for product, week in zip(chosen, weeks(len(chosen), rng=rng), strict=True)
    ] + [
        build(product, standing(None, rng=rng), run=run, rng=seeded(f"{seed}:{product.slug}"))
        for product in others
    ]


def neighbours() -> dict[str, list[str]]:
    """The slugs of each primary category."""
    found: dict[str, list[str]] = {}
    for product in products():
        found.setdefault(product.row["category"], []).append(product.slug)
    return found


def build(product: Product, at: Standing, *, run: Run, rng: Random) -> DemoListing:
    """One listing."""
    place, city = place_of(product, rng)
    facts = facts_of(product, at, place=place, city=city, rng=rng, year=run.year)
    is_claimed = at.is_upcoming or (at.week is not None and rng.random() < 0.78)
    is_paid = is_claimed and rng.random() < 0.27
    founders: tuple[DemoFounder, ...] = ()
    if is_claimed or "founder" in product.row or rng.random() < 0.5:
        founders = run.people.founders(product, rng=rng, place=place, facts=facts)
    facts |= {
        "founders": founders,
        "first": founders[0].name.split()[0] if founders else None,
        "is_claimed": is_claimed,
        "is_paid": is_paid,
    }
    categories = (product.row["category"], *(product.row["also"][:EXTRA_CATEGORIES] if is_paid else ()))
    told = stated(product, facts=facts, rota=run.rota, rng=rng)
    lists = quotes_of_lists(facts=facts, founders=founders, faqs=told["faqs"], socials=told["socials"])
    return DemoListing(
        **told,
        categories=categories,
        founders=founders,
        evidence={**quotes(product, rng=rng, facts=facts), **lists},
        not_found=missing(facts, rng=rng),
        sites=("main", "europe") if place.is_european and rng.random() < 0.3 else ("main",),
        status="upcoming" if at.is_upcoming else "live",
        launch_week=at.week,
        listed_days_ago=rng.randrange(20, 700) if at.week is None else None,
        launch_day=rng.choice((0, 1, 1, 2, 3)) if is_paid and at.since_days else 0,
        plan="paid" if is_paid else "free",
        claimed_by_method=rng.choice(METHODS) if is_claimed else None,
        is_featured=is_paid and at.week in FEATURED_WEEKS and rng.random() < 0.7,
        votes=at.votes,
        launch_votes=at.launch_votes,
        followers=at.followers,
        views=at.views,
        alternatives=approved(product, run.rivals[product.row["category"]], rng=rng) if is_claimed else (),
        **past(product, at, facts=facts, rota=run.rota, rng=rng),
    )


def facts_of(
    product: Product, at: Standing, *, place: Place, city: str, rng: Random, year: int
) -> dict[str, Any]:
    """What the website states about the product; what it does not is None."""
    slug = product.slug
    model, summary = product.row["pricing"]
    feature, second = rng.sample(product.row["features"], 2)
    states_country = rng.random() < 0.86
    founded = year - 1 - min(int(rng.expovariate(0.19)), 24) + min(0, (at.week or 0) // 52 + 1)
    domain = f"{slug}.example"
    team = NUMBERS[min(int(rng.expovariate(0.28)), len(NUMBERS) - 1)]
    return {
        "name": product.name,
        "slug": slug,
        "domain": domain,
        "url": f"https://{domain}",
        "country": place.code if states_country else None,
        "country_name": place.name if states_country else None,
        "city": city if states_country and rng.random() < 0.84 else None,
        "founded_year": founded if rng.random() < 0.62 else None,
        "year": founded if rng.random() < 0.5 else None,
        "team": team,
        "team_cap": team.capitalize(),
        "pricing_model": model,
        "pricing_summary": summary,
        "pricing_summary_lower": lowered(summary) if summary else None,
        "contact_email": f"{rng.choice(('hello', 'hello', 'info', 'post', 'team'))}@{domain}"
        if rng.random() < 0.72
        else None,
        "demo_video_url": f"https://video.example/{slug}" if rng.random() < 0.27 else None,
        "stage": product.row.get("stage") or stage(at, rng=rng),
        "feature": feature,
        "feature_lower": lowered(feature),
        "feature2_lower": lowered(second),
    }


def stage(at: Standing, *, rng: Random) -> str | None:
    """Where the product stands, if its website lets anyone know."""
    if rng.random() < 0.2:
        return None
    if at.is_upcoming:
        return rng.choice(("idea", "mvp", "mvp", "launched"))
    return rng.choice(
        ("mvp", "launched", "launched", "growing", "growing")
        if at.votes < 60
        else ("launched", "growing", "growing")
    )


def stated(product: Product, *, facts: Facts, rota: Rota, rng: Random) -> dict[str, Any]:
    """The profile as the website and its owner tell it."""
    row = product.row
    told = ("slug", "name", "domain", "url", "pricing_model", "pricing_summary", "stage", "country", "city")
    more = ("founded_year", "contact_email", "demo_video_url")
    platforms = SOCIALS.get(product.root, USUAL_SOCIALS)
    chosen = rng.sample(platforms, rng.choice((0, 1, 2, 2, 3)))
    return {
        **{key: facts[key] for key in told + more},
        "tagline": row["tagline"],
        "short_description": row["short"],
        "description": description(product, facts=facts, rota=rota, rng=rng),
        "features": tuple(row["features"]),
        "usps": tuple(row["usps"]),
        "keywords": tuple(row["keywords"]),
        "tags": tuple(dict.fromkeys((*product.tags, *row["keywords"][:2]))),
        "socials": {
            platform: f"https://{platform}.example/{facts['slug']}"
            for platform in platforms
            if platform in chosen
        },
        "faqs": faqs(product, facts=facts, rota=rota, rng=rng),
    }


def description(product: Product, *, facts: Facts, rota: Rota, rng: Random) -> str:
    """Two to four paragraphs of Markdown in one of several shapes."""
    row, texts = product.row, company_texts()
    parts = [row["about"][0]]
    if rng.random() < 0.4:
        parts.append(f"## {rng.choice(texts['headings'])}")
    parts += row["about"][1:]
    if rng.random() < 0.24 and len(row["features"]) > 4:
        listed = "\n".join(f"- {feature}" for feature in row["features"][1:5])
        parts.append(f"## {rng.choice(texts['list_headings'])}\n\n{listed}")
    fit = fitting(texts["company"], facts, product.flags)
    parts += [
        filled(row["text"], facts) for row in rota.take(fit, count=rng.choice((0, 0, 1, 1, 1, 2)), rng=rng)
    ]
    return "\n\n".join(parts[:6])


def faqs(product: Product, *, facts: Facts, rota: Rota, rng: Random) -> tuple[Faq, ...]:
    """Its own question, then some that everybody asks."""
    own = product.row.get("faq")
    found = [Faq(question=own[0], answer=own[1])] if own else []
    fit = fitting(company_texts()["faqs"], facts, product.flags)
    fit = list({row["topic"]: row for row in rng.sample(fit, len(fit))}.values())
    for row in rota.take(fit, count=rng.choice((1, 1, 2, 2, 3)), rng=rng, key="answer"):
        found.append(Faq(question=filled(row["question"], facts), answer=filled(row["answer"], facts)))
    return tuple(found)


def approved(product: Product, rivals: list[str], *, rng: Random) -> tuple[str, ...]:
    """Alternatives that the owner approved of, for a few."""
    others = [slug for slug in rivals if slug != product.slug]
    if not others or rng.random() > 0.22:
        return ()
    return tuple(rng.sample(others, min(len(others), rng.choice((1, 1, 2)))))


def past(product: Product, at: Standing, *, facts: Facts, rota: Rota, rng: Random) -> dict[str, Any]:
    """What happened since the launch, and what only paid listings show."""
    has_launched, is_paid = facts["is_claimed"] and at.since_days > 0, facts["is_paid"]
    age_days = at.since_days + rng.randrange(200, 900)
    found: dict[str, Any] = {
        "rating": history.rating(rng=rng, popularity=min(1.0, at.votes / 400)),
        "revenue": (),
        "contributed_cents": 0,
        "updates": (),
        "milestones": (),
        "story": {},
    }
    if has_launched and rng.random() < 0.24:
        found["revenue"] = history.revenue(rng=rng)
    if has_launched and rng.random() < 0.62:
        found["updates"] = history.updates(product, rota=rota, rng=rng, facts=facts, since_days=at.since_days)
    if has_launched and is_paid and rng.random() < 0.35:
        found["contributed_cents"] = rng.randrange(10, 900) * 500
    if is_paid:
        found["milestones"] = history.milestones(product, rng=rng, facts=facts, age_days=age_days)
    if is_paid and rng.random() < 0.8:
        found["story"] = history.story(product, rota=rota, rng=rng, facts=facts)
    return found
