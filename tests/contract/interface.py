"""The interface as data: every operation with its address, scope, bounds and statuses."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

SLUG = {"type": "string", "pattern": "^[a-z0-9][a-z0-9-]{0,219}$"}
COUNTRY = {"type": "string", "pattern": "^[A-Za-z]{2}$"}
UUID = {"type": "string", "format": "uuid"}
NUMBER = {"type": "integer", "minimum": 1}
PAGE = {
    "page": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 1},
    "per_page": {"type": "integer", "minimum": 1, "maximum": 100, "default": 20},
}
Schema = Mapping[str, Any]


def text(limit: int) -> Schema:
    """A string of at most so many characters."""
    return {"type": "string", "maxLength": limit}


def texts(items: int, limit: int | None = None) -> Schema:
    """A list of strings."""
    return {"type": "array", "maxItems": items, "items": text(limit) if limit else {"type": "string"}}


def choice(*values: str, default: str | None = None) -> Schema:
    """One of a closed list."""
    found: dict[str, Any] = {"type": "string", "enum": list(values)}
    return found | {"default": default} if default else found


def shape(*, required: tuple[str, ...] = (), **properties: Schema) -> Schema:
    """An object that allows nothing else, with at least these required."""
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def many(item: Schema, limit: int) -> Schema:
    """A list of objects."""
    return {"type": "array", "maxItems": limit, "items": item}


@dataclass(frozen=True, kw_only=True)
class Row:
    """One line of the interface's tables. `required` names required query parameters."""

    id: str
    method: str
    path: str
    scope: tuple[str, ...] = ()
    status: int = 200
    parts: Mapping[str, Schema] = field(default_factory=dict)
    query: Mapping[str, Schema] = field(default_factory=dict)
    required: tuple[str, ...] = ()
    body: Schema | None = None
    keyed: bool = True

    @property
    def statuses(self) -> set[int]:
        """Success and every refusal the interface lists."""
        signed_in = {401, 403} if self.scope else set()
        return {self.status, 400, 429} | signed_in | ({404} if "{" in self.path else set())


READ, WRITE, ORDERS = ("account:read",), ("listings:write",), ("orders:write",)
PLATFORMS = (
    "linkedin",
    "x",
    "facebook",
    "instagram",
    "tiktok",
    "youtube",
    "threads",
    "pinterest",
    "github",
    "reddit",
    "producthunt",
    "medium",
    "website",
    "custom",
)
LINKS = shape(**{name: text(500) for name in PLATFORMS})
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
FAQS = many(shape(required=("question", "answer"), question=text(300), answer=text(1500)), 10)
MILESTONE = shape(
    required=("date", "title"),
    date={"type": "string", "format": "date"},
    title=text(200),
    description=text(2000),
    url=text(500),
)
DRAFT_FIELDS = shape(
    name=text(500),
    tagline=text(500),
    short_description=text(500),
    description=text(20_000),
    stage=text(500),
    categories=texts(20, 200),
    tags=texts(20, 200),
    pricing_model=text(500),
    pricing_summary=text(500),
    country=text(500),
    city=text(500),
    founded_year=text(500),
    features=texts(20, 200),
    usps=texts(20, 200),
    keywords=texts(20, 200),
    contact_email=text(500),
    demo_video_url=text(500),
    logo_url=text(500),
)
LISTING_FIELDS = shape(
    tagline=text(200),
    short_description=text(300),
    description=text(20_000),
    pricing_model=text(40),
    pricing_summary=text(300),
    country=text(2),
    city=text(120),
    founded_year={"type": "integer", "minimum": 1800, "maximum": 2100},
    demo_video_url=text(500),
    contact_email=text(254),
    features=texts(20, 200),
    usps=texts(20, 200),
    keywords=texts(20, 200),
    headline=text(200),
    summary=text(20_000),
    seo_title=text(200),
    seo_description=text(320),
)
CART = shape(
    required=("items",),
    items={
        "type": "array",
        "minItems": 1,
        "maxItems": 20,
        "items": shape(
            required=("product",),
            product=text(60),
            listing_id=NUMBER,
            week=text(10),
            amount_cents={"type": "integer", "minimum": 1, "maximum": 100_000_000},
            categories=texts(10),
            options={"type": "object", "maxProperties": 20},
        ),
    },
    billing_country=COUNTRY,
    vat_number=text(32),
    promo_code=text(40),
)

PUBLIC = (
    Row(id="get_site_info", method="GET", path="/site"),
    Row(
        id="search_listings",
        method="GET",
        path="/listings",
        query={
            "q": text(200),
            "category": SLUG,
            "stage": SLUG,
            "country": COUNTRY,
            "pricing_model": text(40),
            "domain": text(253),
            "status": choice("live", "upcoming", default="live"),
            "sort": choice(
                "relevance",
                "newest",
                "votes",
                "trending",
                "most_viewed",
                "most_followed",
                default="relevance",
            ),
            **PAGE,
        },
    ),
    Row(id="get_listing", method="GET", path="/listings/{slug}", parts={"slug": SLUG}),
    Row(id="get_alternatives", method="GET", path="/listings/{slug}/alternatives", parts={"slug": SLUG}),
    Row(
        id="compare_listings",
        method="GET",
        path="/compare",
        query={"a": SLUG, "b": SLUG},
        required=("a", "b"),
    ),
    Row(
        id="list_categories",
        method="GET",
        path="/categories",
        query={"include_empty": {"type": "boolean", "default": True}},
    ),
    Row(id="get_category", method="GET", path="/categories/{slug}", parts={"slug": SLUG}, query=PAGE),
    Row(id="get_launch_week", method="GET", path="/launches/weeks/{week}", parts={"week": text(10)}),
    Row(
        id="list_launches",
        method="GET",
        path="/launches",
        query={
            "section": choice(
                "today",
                "this-week",
                "trending",
                "most-voted",
                "recent",
                "most-viewed",
                "most-followed",
                "upcoming",
                default="this-week",
            ),
            **PAGE,
        },
    ),
    Row(
        id="get_leaderboard",
        method="GET",
        path="/leaderboards/{board}",
        parts={
            "board": choice("community-weekly", "community-all-time", "billboard", "domain-rating", "revenue")
        },
        query={"week": text(10), **PAGE},
    ),
    Row(
        id="list_founders", method="GET", path="/founders", query={"q": text(120), "country": COUNTRY, **PAGE}
    ),
    Row(id="get_founder", method="GET", path="/founders/{slug}", parts={"slug": SLUG}),
    Row(id="list_blog_posts", method="GET", path="/blog", query={"q": text(200), **PAGE}),
    Row(id="get_blog_post", method="GET", path="/blog/{slug}", parts={"slug": SLUG}),
    Row(id="list_awards", method="GET", path="/awards", query={"listing": SLUG, **PAGE}),
    Row(
        id="get_badges",
        method="GET",
        path="/listings/{slug}/badges",
        parts={"slug": SLUG},
        query={
            "shape": choice("standard", "outline", "pill", "banner", "square", default="standard"),
            "mode": choice("light", "dark", "auto", default="auto"),
            "size": choice("s", "m", "l", default="m"),
        },
    ),
    Row(id="list_interview_questions", method="GET", path="/interview-questions"),
    Row(id="list_products", method="GET", path="/products"),
)
ACCOUNT = (
    Row(id="get_account", method="GET", path="/me", scope=READ),
    Row(id="list_my_drafts", method="GET", path="/drafts", scope=READ, query=PAGE),
    Row(id="get_draft", method="GET", path="/drafts/{id}", scope=READ, parts={"id": UUID}),
    Row(id="list_my_listings", method="GET", path="/me/listings", scope=READ, query=PAGE),
    Row(
        id="get_my_listing",
        method="GET",
        path="/me/listings/{listing_id}",
        scope=READ,
        parts={"listing_id": NUMBER},
    ),
    Row(id="list_my_claims", method="GET", path="/claims", scope=READ, query=PAGE),
    Row(id="list_my_orders", method="GET", path="/orders", scope=READ, query=PAGE),
)
DRAFTS = (
    Row(
        id="submit_listing",
        method="POST",
        path="/drafts",
        scope=WRITE,
        status=201,
        body=shape(required=("url",), url=text(2048)),
    ),
    Row(
        id="update_draft",
        method="PATCH",
        path="/drafts/{id}",
        scope=WRITE,
        parts={"id": UUID},
        body=shape(
            fields=DRAFT_FIELDS,
            lock_fields=texts(20),
            regenerate=texts(5),
            restore=texts(20),
            faqs=FAQS,
            company_socials=LINKS,
            founder_socials=LINKS,
            founders=many(shape(required=("name",), name=text(160), title=text(160), bio=text(3000)), 6),
            story=shape(title=text(8000), **{name: text(8000) for name in SECTIONS}),
            milestones=many(MILESTONE, 50),
            competitor_url=text(2048),
            seo=shape(title=text(70), meta=text(170)),
        ),
    ),
    Row(
        id="invite_cofounder",
        method="POST",
        path="/drafts/{id}/invites",
        scope=WRITE,
        status=201,
        parts={"id": UUID},
        body=shape(required=("email",), email={"type": "string", "format": "email", "maxLength": 254}),
    ),
    Row(id="submit_draft", method="POST", path="/drafts/{id}/submit", scope=WRITE, parts={"id": UUID}),
)
MINE = "/me/listings/{listing_id}"
LISTINGS = (
    Row(
        id="update_my_listing",
        method="PATCH",
        path=MINE,
        scope=WRITE,
        parts={"listing_id": NUMBER},
        body=shape(fields=LISTING_FIELDS, apply_to=texts(60, 40), socials=LINKS, faqs=FAQS),
    ),
    Row(
        id="post_listing_update",
        method="POST",
        path=f"{MINE}/updates",
        scope=WRITE,
        status=201,
        parts={"listing_id": NUMBER},
        body=shape(required=("title", "body"), title=text(200), body=text(5000)),
    ),
    Row(
        id="add_milestone",
        method="POST",
        path=f"{MINE}/milestones",
        scope=WRITE,
        status=201,
        parts={"listing_id": NUMBER},
        body=MILESTONE,
    ),
    Row(
        id="delete_milestone",
        method="DELETE",
        path=f"{MINE}/milestones/{{milestone_id}}",
        scope=WRITE,
        parts={"listing_id": NUMBER, "milestone_id": NUMBER},
    ),
    Row(
        id="set_founder_story",
        method="PUT",
        path=f"{MINE}/story",
        scope=WRITE,
        parts={"listing_id": NUMBER},
        body=shape(title=text(200), **{name: text(8000) for name in SECTIONS}),
    ),
    Row(
        id="answer_interview",
        method="PUT",
        path="/me/interview",
        scope=WRITE,
        body=shape(
            required=("answers",),
            answers=many(shape(required=("question_id",), question_id=NUMBER, answer=text(4000)), 30),
        ),
    ),
    Row(
        id="choose_free_listing",
        method="POST",
        path=f"{MINE}/free",
        scope=WRITE,
        parts={"listing_id": NUMBER},
    ),
)
CLAIMS = (
    Row(
        id="claim_listing",
        method="POST",
        path="/claims",
        scope=WRITE,
        status=201,
        body=shape(
            required=("slug", "method"),
            slug=text(220),
            method=choice("dns", "meta", "file", "email"),
            email={"type": "string", "format": "email", "maxLength": 254},
        ),
    ),
    Row(
        id="verify_claim",
        method="POST",
        path="/claims/{claim_id}/verify",
        scope=WRITE,
        parts={"claim_id": NUMBER},
    ),
)
ORDERING = (
    Row(id="quote_order", method="POST", path="/orders/quote", scope=ORDERS, body=CART, keyed=False),
    Row(id="create_checkout", method="POST", path="/orders/checkout", scope=ORDERS, status=201, body=CART),
    Row(
        id="get_order",
        method="GET",
        path="/orders/{number}",
        scope=(*READ, *ORDERS),
        parts={"number": {"type": "string"}},
    ),
)
INTERFACE = {row.id: row for row in (*PUBLIC, *ACCOUNT, *DRAFTS, *LISTINGS, *CLAIMS, *ORDERING)}
