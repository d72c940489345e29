"""What every writer of drafts takes and gives."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from drafts.crawl.extract_parts import Source

Reason = Literal["not_on_site", "robots_blocked", "fetch_failed", "conflicting"]
Value = str | tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """One quote that stands literally on a page of the crawl."""

    quote: str
    url: str
    page_title: str
    source: Source
    page_sha256: str
    fetched_at: datetime | None
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, kw_only=True)
class Suggestion:
    """One value that the site may mean, with its quotes and how likely it is right."""

    value: Value
    evidence: tuple[Evidence, ...]
    confidence: float


@dataclass(frozen=True, kw_only=True)
class FieldDraft:
    """One drafted value with its quotes, or the reason why there is none.

    A conflicting field has no value and carries the quotes that disagree. Suggestions are other values, the likeliest
    first: beside a value, or in its place where none is sure enough.
    """

    value: Value | None = None
    evidence: tuple[Evidence, ...] = ()
    reason: Reason | None = None
    confidence: float | None = None
    suggestions: tuple[Suggestion, ...] = ()

    @property
    def offered(self) -> tuple[Value, ...]:
        """All values, the likeliest first."""
        return (*((self.value,) if self.value else ()), *(other.value for other in self.suggestions))


@dataclass(frozen=True, kw_only=True)
class Refused:
    """One value of a model that the check did not let pass, and why."""

    field: str
    value: Value
    why: str


@dataclass(frozen=True, kw_only=True)
class FaqDraft:
    question: str
    answer: str
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, kw_only=True)
class FounderDraft:
    name: str
    evidence: tuple[Evidence, ...]
    title: str | None = None
    bio: str | None = None


@dataclass(frozen=True, kw_only=True)
class Usage:
    """What a model was used for one draft. Answers that were kept from before cost nothing."""

    model: str = ""
    tokens_in: int = 0
    tokens_out: int = 0


NO_USE = Usage()


@dataclass(frozen=True, kw_only=True)
class Written:
    """A whole draft: every field of the interface is a key of `fields` unless only some were asked for.

    `note` says in a sentence for the owner where the writer fell short.
    """

    fields: dict[str, FieldDraft]
    faqs: tuple[FaqDraft, ...] = ()
    founders: tuple[FounderDraft, ...] = ()
    company_socials: dict[str, FieldDraft] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    writer: str = "extractive"
    usage: Usage = NO_USE
    note: str = ""
    refused: tuple[Refused, ...] = ()


@dataclass(frozen=True, kw_only=True)
class CategoryHint:
    """One category of the directory and the words that speak for it."""

    slug: str
    name: str
    terms: tuple[str, ...] = ()
    parent: str | None = None


COLLECTIONS: tuple[str, ...] = ("faqs", "founders", "company_socials")
"""What is drafted beside the fields."""
