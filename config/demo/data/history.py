"""What happened to a product over time: ratings, revenue, updates, milestones and the founders' story."""

from random import Random
from typing import Any

from config.demo.data.evidence import history_texts
from config.demo.data.product import Product
from config.demo.data.shapes import DemoMilestone, DemoRating, DemoRevenue, DemoUpdate
from config.demo.data.wording import Facts, Rota, filled, fitting, sample

RATING_SOURCE = "Open web graph"
MONTHS = 12
SECTIONS = (
    "story",
    "why_started",
    "problem",
    "journey",
    "challenges",
    "achievements",
    "lessons",
    "whats_next",
)


def rating(*, rng: Random, popularity: float) -> DemoRating | None:
    """A year of measurements that mostly rises; a fifth of the domains were never measured."""
    if rng.random() < 0.22:
        return None
    value = min(88.0, rng.betavariate(2.0, 5.0) * 70 + popularity * 18)
    drift = rng.uniform(-0.15, 1.1)
    series = []
    for ago in range(MONTHS):
        series.append((ago, max(0, min(100, round(value)))))
        value = max(0.0, value - drift - rng.uniform(-0.8, 0.9))
    return DemoRating(source=RATING_SOURCE, series=tuple(reversed(series)))


def revenue(*, rng: Random) -> tuple[DemoRevenue, ...]:
    """Some months of revenue; verified ones more often than told ones."""
    months = rng.choice((1, 1, 3, 6, 12))
    is_verified = rng.random() < 0.62
    method = rng.choice(history_texts()["revenue_methods"]) if is_verified else "stated by the owner"
    amount = rng.lognormvariate(13.1, 1.0)
    told = []
    for ago in range(months):
        told.append(
            DemoRevenue(
                months_ago=ago + 1,
                amount_cents=int(amount / 100) * 100,
                is_verified=is_verified,
                method=method,
            )
        )
        amount *= rng.uniform(0.88, 1.03)
    return tuple(reversed(told))


def updates(
    product: Product, *, rota: Rota, rng: Random, facts: Facts, since_days: int
) -> tuple[DemoUpdate, ...]:
    """News since the launch, newest first."""
    fit = fitting(history_texts()["updates"], facts, product.flags)
    count = min(rng.choice((1, 1, 2, 3, 4)), max(0, since_days // 9))
    chosen = rota.take(fit, count=count, rng=rng, key="title")
    days = sorted(rng.sample(range(1, since_days), len(chosen))) if chosen else []
    return tuple(
        DemoUpdate(days_ago=ago, title=filled(row["title"], facts), body=filled(row["body"], facts))
        for ago, row in zip(days, chosen, strict=True)
    )


def milestones(product: Product, *, rng: Random, facts: Facts, age_days: int) -> tuple[DemoMilestone, ...]:
    """Three to six steps in the order in which they are usually taken."""
    chosen = sample(
        rng, fitting(history_texts()["milestones"], facts, product.flags), rng.choice((3, 4, 5, 6))
    )
    days = sorted(rng.sample(range(10, max(age_days, 200)), len(chosen)), reverse=True)
    return tuple(
        DemoMilestone(days_ago=ago, title=filled(row["title"], facts), description=filled(row["text"], facts))
        for ago, row in zip(days, chosen, strict=True)
    )


def story(product: Product, *, rota: Rota, rng: Random, facts: Facts) -> dict[str, str]:
    """A title and three to six sections, in their order."""
    texts: dict[str, Any] = history_texts()
    titles = fitting([{"text": t, "when": ()} for t in texts["story_titles"]], facts, frozenset())
    told = {"title": filled(rota.take(titles, count=1, rng=rng)[0]["text"], facts)}
    for section in sample(rng, SECTIONS, rng.choice((3, 4, 5, 6))):
        fit = fitting(texts["story"][section], facts, product.flags)
        for row in rota.take(fit, count=1, rng=rng):
            told[section] = filled(row["text"], facts)
    return told
