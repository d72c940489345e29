"""The interface's bounds and shapes as data."""

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


def own_list(statuses: str) -> Mapping[str, Schema]:
    """The query of a person's own list: paging, and the filters that decision 0140 adds."""
    return {
        **PAGE,
        "status": {"type": "string", "enum": statuses.split()},
        "since": {"type": "string", "format": "date-time"},
    }


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
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


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
