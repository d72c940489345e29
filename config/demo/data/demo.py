"""Invented content for a directory that looks alive: listings, posts, interview questions and sites.

Everything is deterministic: the same seed and number give the same listings on every machine.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from config.demo.data.bulk import bulk
from config.demo.data.files import CONTENT, read_json
from config.demo.data.handmade import handmade
from config.demo.data.product import products
from config.demo.data.shapes import DemoListing, DemoPost, DemoQuestion, DemoSite
from directory.data.categories import Faq

SEED = 7
YEAR = 2026
HEAD_END = "---\n"


def handmade_count() -> int:
    """How many listings are written by hand; a good number for a first look."""
    return len(products())


def demo_listings(*, count: int, seed: int = SEED, year: int = YEAR) -> Iterator[DemoListing]:
    """The hand-written listings, then combined ones up to `count`. Founding years lie before `year`."""
    yield from islice(handmade(seed=seed, year=year), count)
    further = count - handmade_count()
    if further > 0:
        yield from bulk(start=0, count=further, seed=seed, year=year)


def demo_posts() -> Iterator[DemoPost]:
    """The blog, newest first."""
    files = sorted((CONTENT / "posts").glob("*.md"))
    posts = [_post(file.stem, file.read_text(encoding="utf-8")) for file in files]
    yield from sorted(posts, key=lambda post: post.days_ago)


def interview_questions() -> tuple[DemoQuestion, ...]:
    """The questions for founders, in their order."""
    return tuple(DemoQuestion(**row) for row in read_json(CONTENT / "interview.json"))


def demo_sites() -> tuple[DemoSite, ...]:
    """The sites of the installation; the first is the default."""
    return tuple(DemoSite(**row) for row in read_json(CONTENT / "sites.json"))


def _post(slug: str, text: str) -> DemoPost:
    head, markdown = text.split(HEAD_END, 1)
    told: dict[str, Any] = {}
    faqs = []
    for line in head.strip().splitlines():
        key, _, value = line.partition(": ")
        if key == "faq":
            question, _, answer = value.partition(" | ")
            faqs.append(Faq(question=question, answer=answer))
        else:
            told[key] = value
    return DemoPost(
        slug=slug,
        title=told["title"],
        excerpt=told["excerpt"],
        author=told["author"],
        days_ago=int(told["days_ago"]),
        markdown=markdown.strip() + "\n",
        faqs=tuple(faqs),
    )
