"""What the demo content is made of. Times are relative: weeks, days or months before the loading."""

from dataclasses import dataclass

from directory.data.categories import Faq


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
class DemoRevenue:
    """One month's revenue in EUR, verified by a method or told by the owner."""

    months_ago: int
    amount_cents: int
    is_verified: bool
    method: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoUpdate:
    """News of a product, in plain text."""

    days_ago: int
    title: str
    body: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoMilestone:
    """A dated step in a product's history."""

    days_ago: int
    title: str
    description: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoListing:
    """A whole invented listing. The first of its categories is the primary one.

    `launch_week` counts weeks from the current one. It is None for a live listing that was never launched and
    has only been in the directory for `listed_days_ago`. `launch_day` counts days from that week's Monday.
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
    launch_day: int
    listed_days_ago: int | None
    plan: str
    claimed_by_method: str | None
    is_featured: bool
    votes: int
    launch_votes: int
    followers: int
    views: int
    rating: DemoRating | None
    revenue: tuple[DemoRevenue, ...]
    contributed_cents: int
    updates: tuple[DemoUpdate, ...]
    milestones: tuple[DemoMilestone, ...]
    story: dict[str, str]
    alternatives: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoPost:
    """A blog post in Markdown."""

    slug: str
    title: str
    excerpt: str
    author: str
    days_ago: int
    markdown: str
    faqs: tuple[Faq, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoQuestion:
    """A question the site asks founders."""

    question: str
    help: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoSite:
    """One launch site of the installation."""

    key: str
    name: str
    purpose: str
