"""The hand-written products, and what can be told about each from its own words."""

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from config.demo.data.files import CONTENT, read_json
from config.demo.data.wording import slugify
from directory.data.categories import category_tree

LOCAL = (
    "device", "locally", "own computer", "no server", "own server", "on-premise", "self-hosted", "text file",
    "works offline", "no cloud", "stays on", "without a cloud", "plain files", "no account", "in the house",
    "in the practice", "servers in", "eu servers", "in the eu", "hosted in", "hosted by",
    "your own postgresql", "own storage", "your network", "in the firm",
)  # fmt: skip
AT_HOME = frozenset(
    {
        "health-and-life", "games-and-publishing", "education", "apps-and-utilities", "physical-products",
        "communities-and-social",
    }
)  # fmt: skip
FOR_ONE = frozenset(
    {"personal-finance", "note-taking", "focus-and-habits", "photo-editing", "audio-and-music"}
)
RECURRING = frozenset({"subscription", "freemium", "usage"})
FOR_MONEY = RECURRING | {"one_time"}
TAGS = {
    "open source": ("open source", "open licence", "gpl", "mit license", "apache", "public domain"),
    "works offline": ("offline", "without signal", "without internet"),
    "self-hosted": ("self-hosted", "own server", "on-premise"),
    "end-to-end encryption": ("end-to-end", "from end to end"),
    "accessibility": ("screen reader", "wcag", "accessib", "easy language", "deaf", "blind"),
    "no tracking": ("no tracking", "no cookies", "without cookies", "never tracks", "no profiles"),
    "mobile": ("ios", "android", "on the phone", "on phones"),
    "api": ("rest api", " api", "webhook"),
    "eu hosting": ("eu servers", "in the eu", "eu region", "hosted in"),
    "open standards": ("open standards", "ical", "opentelemetry", "openapi", "peppol", "imap"),
}


@dataclass(frozen=True)
class Product:
    """One concept with everything that was written for it by hand."""

    row: dict[str, Any]

    @property
    def name(self) -> str:
        """The product's name."""
        return str(self.row["name"])

    @property
    def slug(self) -> str:
        """The name as a slug."""
        return slugify(self.name)

    @cached_property
    def root(self) -> str:
        """The root category it belongs to."""
        return parents()[self.row["category"]] or str(self.row["category"])

    @cached_property
    def words(self) -> str:
        """Everything written about it, for looking things up."""
        row = self.row
        parts = [
            row["tagline"],
            row["short"],
            *row["about"],
            *row["features"],
            *row["usps"],
            *row["keywords"],
        ]
        return " ".join([*parts, row["pricing"][1] or ""]).lower()

    @cached_property
    def flags(self) -> frozenset[str]:
        """Which general sentences may be said about it."""
        model, summary = self.row["pricing"]
        told = {
            "software": "service" not in self.row,
            "hosted": "service" not in self.row and not any(cue in self.words for cue in LOCAL),
            "business": self.root not in AT_HOME and self.row["category"] not in FOR_ONE,
            "priced": model in FOR_MONEY,
            "listed_price": model in FOR_MONEY and summary is not None,
            "recurring": model in RECURRING,
        }
        return frozenset(flag for flag, holds in told.items() if holds)

    @cached_property
    def tags(self) -> tuple[str, ...]:
        """Short labels that its own words justify."""
        return tuple(tag for tag, cues in TAGS.items() if any(cue in self.words for cue in cues))


@cache
def parents() -> dict[str, str | None]:
    """Each category's parent."""
    return {category.slug: category.parent for category in category_tree()}


@cache
def products() -> tuple[Product, ...]:
    """All of them, in the order of their files."""
    files = sorted((CONTENT / "products").glob("*.json"))
    return tuple(Product(row) for file in files for row in read_json(file))
