"""What the listings of measurements are made of. Times are relative: weeks, days or months before the loading."""

from dataclasses import dataclass
from typing import Self

from config.demo.content import Row
from directory.data.categories import Faq

MAY_BE_MISSING = (
    "pricing_model",
    "pricing_summary",
    "stage",
    "country",
    "city",
    "founded_year",
    "contact_email",
    "demo_video_url",
    "claimed_by_method",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoFounder:
    """A person. The same slug on two listings is the same person; `title` is the role in this listing."""

    slug: str
    name: str
    title: str
    bio: str | None
    country: str | None
    socials: dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoQuote:
    """A sentence of the product's website that supports a value."""

    quote: str
    url: str
    page_title: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoRating:
    """A Domain Rating of the past twelve months: (months ago, value), oldest first."""

    source: str
    series: tuple[tuple[int, int], ...]

    @property
    def value(self) -> int:
        """The latest measurement."""
        return self.series[-1][1]


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoListing:
    """A whole invented listing. The first of its categories is the primary one.

    `launch_week` counts weeks from the current one. It is None for a live listing that was never launched and
    has only been in the directory for `listed_days_ago`.
    """

    slug: str
    name: str
    domain: str
    url: str
    tagline: str
    short_description: str
    description: str
    features: tuple[str, ...]
    usps: tuple[str, ...]
    keywords: tuple[str, ...]
    tags: tuple[str, ...]
    categories: tuple[str, ...]
    pricing_model: str | None
    pricing_summary: str | None
    stage: str | None
    country: str | None
    city: str | None
    founded_year: int | None
    contact_email: str | None
    demo_video_url: str | None
    socials: dict[str, str]
    faqs: tuple[Faq, ...]
    founders: tuple[DemoFounder, ...]
    evidence: dict[str, tuple[DemoQuote, ...]]
    not_found: tuple[tuple[str, str], ...]
    sites: tuple[str, ...]
    status: str
    launch_week: int | None
    listed_days_ago: int | None
    plan: str
    claimed_by_method: str | None
    is_featured: bool
    votes: int
    launch_votes: int
    followers: int
    views: int
    rating: DemoRating | None
    story: dict[str, str]

    @classmethod
    def of_row(cls, row: Row) -> Self:
        """A listing of the demo, as far as measurements read it."""
        facts = row["facts"]
        given = {name: facts[name] or None for name in MAY_BE_MISSING}
        lists = {name: tuple(facts[name]) for name in ("features", "usps", "keywords", "tags")}
        counts = {name: row[name] for name in ("votes", "launch_votes", "followers", "views")}
        same = ("slug", "name", "domain", "url", "tagline", "short_description", "description")
        return cls(
            **given,
            **lists,
            **counts,
            **{name: facts[name] for name in (*same, "socials", "story", "plan")},
            categories=tuple(row["categories"]),
            faqs=tuple(Faq(**faq) for faq in facts["faqs"]),
            founders=tuple(DemoFounder(**person) for person in row["founders"]),
            evidence={},
            not_found=tuple((gap["field"], gap["reason"]) for gap in facts["not_found"]),
            sites=tuple(row["sites"]),
            status="upcoming" if (row["launch_week"] or 0) > 0 else "live",
            launch_week=row["launch_week"],
            listed_days_ago=row["listed_days_ago"],
            is_featured=row["is_featured"],
            rating=None,
        )
