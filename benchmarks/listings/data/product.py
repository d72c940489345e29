"""The hand-written products, and what can be told about each from its own words."""

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from benchmarks.listings.data.files import CONTENT, read_json
from benchmarks.listings.data.wording import slugify

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
    def tags(self) -> tuple[str, ...]:
        """Short labels that its own words justify."""
        return tuple(tag for tag, cues in TAGS.items() if any(cue in self.words for cue in cues))


@cache
def products() -> tuple[Product, ...]:
    """All of them, in the order of their files."""
    files = sorted((CONTENT / "products").glob("*.json"))
    return tuple(Product(row) for file in files for row in read_json(file))
