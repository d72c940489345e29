"""Everything a listing states, in the order of its page, each with the quotes that carry it or who says it."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise
from typing import Any

from core.parts import Several
from directory.listings.profile import statements
from directory.models import Site

Quote = Mapping[str, Any]
# a language that is written without spaces goes letter by letter
WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W_]{2,}")
STEM = 5
EXACTLY, SURELY, PERHAPS = 2.0, 0.6, 0.25
MARKUP = set("[]<>`*_")  # a quote mark must not stand within a link
BLANK_LINES = re.compile(r"\n[ \t]*\n\s*")
SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")
NO_PROSE = ("#", "|", ">", "```", "---")
Profile = Mapping[str, Any]
Origin = tuple[str, datetime | None]
WHOLE = frozenset({"description", "features", "usps", "tags", "keywords"})
Pages = list[tuple[str, str]]  # address and text
Suggestions = dict[str, list[dict[str, Any]]]  # by fact: value, evidence, confidence
# What a website says, as it was read last, and may mean: the area that reads websites adds itself here.
reads_websites = Several[Callable[[int], Pages]]()
suggests = Several[Callable[[int], Suggestions]]()
shows_photos = Several[Callable[[int], dict[str, Any]]]()


def quoted(texts: Sequence[str], quotes: Sequence[Quote]) -> list[list[Quote]]:
    """The quotes of each text: those that say it literally, else by the words both have, else what fits best."""
    existing = [(text.casefold(), _words(text.casefold())) for text in texts]
    rows: list[list[Quote]] = [[] for _ in texts]
    for quote in quotes:
        message = str(quote["quote"]).casefold()
        words = _words(message)
        fits = [_fit(text, own, quote=message, words=words) for text, own in existing]
        best = max(fits, default=0.0)
        least = EXACTLY if best == EXACTLY else min(SURELY, max(PERHAPS, best))
        for number, fit in enumerate(fits):
            if fit >= least:
                rows[number].append(quote)
    return rows


def _fit(text: str, own: set[str], *, quote: str, words: set[str]) -> float:
    if text in quote:
        return EXACTLY
    return len(words & own) / (min(len(words), len(own)) or 1)


def paragraphs(text: str) -> list[str]:
    """The parts of a Markdown text that state something, without its headings."""
    parts = (_without_heading(part) for part in BLANK_LINES.split(text.strip()))
    return [part for part in parts if part]


def proved_part(part: str, quotes: Sequence[Quote]) -> int:
    """How far into a paragraph its quotes reach: the end of the last sentence that they carry."""
    ends = [match.start() for match in SENTENCE_END.finditer(part)] + [len(part)]
    sentences = [part[start:end] for start, end in pairwise([0, *ends])]
    carried = [end for end, own in zip(ends, quoted(sentences, quotes), strict=True) if own]
    return max(carried, default=len(part)) if not set(part) & MARKUP else len(part)


def is_prose(part: str) -> bool:
    """Whether a quote mark can stand at its end."""
    return not part.lstrip().startswith(NO_PROSE)


def _without_heading(part: str) -> str:
    lines = part.split("\n")
    return "\n".join(lines[1:] if lines[0].lstrip().startswith("#") else lines).strip()


def _words(text: str) -> set[str]:
    return {word[:STEM] for word in WORD.findall(text)}


@dataclass(frozen=True, kw_only=True)
class Statement:
    """One statement. `kind` is how its value is worded; `by` says on whose word it stands."""

    fact: str
    value: Any
    kind: str = "text"
    quotes: list[Any] = field(default_factory=list)
    origin: Origin = ("owner", None)

    @property
    def by(self) -> str:
        """`website` with a quote; `drafted` from it without one; else `owner`, `staff` or `measured`."""
        return "website" if self.quotes else self.origin[0]


def sources_of(profile: Profile, *, site: Site) -> list[tuple[str, list[Statement]]]:
    """The statements of a profile in groups; a group that states nothing is left out."""
    reader = _Reader(profile, origin=statements(site=site, slug=profile["slug"]))
    groups = {
        "In short": [*reader.text_of("tagline"), *reader.text_of("short_description"), *reader.paragraphs()],
        "Features": [*reader.each("features")],
        "What sets it apart": [*reader.each("usps")],
        "Price and company": [*reader.company()],
        "People, questions and links": [*reader.people(), *reader.questions(), *reader.links()],
        "Words to find it by": [*reader.each("tags"), *reader.each("keywords")],
    }
    return [(title, rows) for title, rows in groups.items() if rows]


class _Reader:
    def __init__(self, profile: Profile, *, origin: Mapping[str, Origin]) -> None:
        self.profile, self._origins = profile, origin

    def _quotes(self, *names: str) -> list[Any]:
        return next(
            (self.profile["evidence"][name] for name in names if self.profile["evidence"].get(name)), []
        )

    def _of(self, name: str, value: Any, quotes: list[Any], *, kind: str = "text") -> Statement:
        text = self._origins.get(name, self._origins[""])
        if name in WHOLE and self.profile["evidence"].get(name):
            text = ("drafted", None)  # the fact was drafted as a whole, and not edited since
        return Statement(fact=name, value=value, kind=kind, quotes=quotes, origin=text)

    def text_of(self, name: str, *, kind: str = "text") -> Iterator[Statement]:
        if self.profile[name]:
            yield self._of(name, self.profile[name], self._quotes(name), kind=kind)

    def each(self, name: str) -> Iterator[Statement]:
        result = quoted(self.profile[name], self._quotes(name))
        yield from (self._of(name, *row) for row in zip(self.profile[name], result, strict=True))

    def paragraphs(self) -> Iterator[Statement]:
        parts = paragraphs(self.profile["description"] or "")
        result = quoted(parts, self._quotes("description"))
        yield from (self._of("description", *row, kind="markdown") for row in zip(parts, result, strict=True))

    def company(self) -> Iterator[Statement]:
        pricing = self.profile["pricing"]
        if pricing["model"]:
            yield self._of("pricing_model", pricing["model"], self._quotes("pricing_model"), kind="words")
        if pricing["summary"]:
            yield self._of("pricing_summary", pricing["summary"], self._quotes("pricing_summary"))
        if self.profile["city"] or self.profile["country"]:
            place = (self.profile["city"], self.profile["country"])
            yield self._of("country", place, self._quotes("country", "city"), kind="place")
        yield from self.text_of("founded_year")
        yield from self.text_of("stage", kind="words")
        names = [category["name"] for category in self.profile["categories"]]
        if names:
            yield self._of("categories", ", ".join(names), self._quotes("categories"))
        if (rating := self.profile["domain_rating_detail"]) and rating["value"] is not None:
            yield Statement(fact="domain_rating", value=rating, kind="rating", origin=("measured", None))

    def people(self) -> Iterator[Statement]:
        people = self.profile["founders"]
        result = quoted([person["name"] for person in people], self._quotes("founders"))
        yield from (self._of("founders", *row, kind="person") for row in zip(people, result, strict=True))

    def questions(self) -> Iterator[Statement]:
        result = quoted([faq["question"] for faq in self.profile["faqs"]], self._quotes("faqs"))
        yield from (
            self._of("faqs", *row, kind="question") for row in zip(self.profile["faqs"], result, strict=True)
        )

    def links(self) -> Iterator[Statement]:
        links = list(self.profile["socials"].items())
        result = quoted([url for _, url in links], self._quotes("socials"))
        yield from (self._of("socials", *row, kind="link") for row in zip(links, result, strict=True))
        if video := self.profile["links"]["demo_video"]:
            yield self._of(
                "demo_video_url", ("demo video", video), self._quotes("demo_video_url"), kind="link"
            )
        if mail := self.profile["links"]["contact_email"]:
            yield self._of("contact_email", mail, self._quotes("contact_email"))


def website_text(listing_id: int) -> Pages:
    """Addresses and texts of the pages that were read; none when the website was never read here."""
    return [page for read in reads_websites for page in read(listing_id)]


def suggestions_for(listing_id: int) -> Suggestions:
    """Values that the website may mean, by the name of the fact, the likeliest first."""
    return {name: others for read in suggests for name, others in read(listing_id).items()}


def photos_for(listing_id: int) -> dict[str, Any]:
    """Photos that the website shows of its founders, by their names, as their owner may take them or has."""
    return {name: photo for show in shows_photos for name, photo in show(listing_id).items()}
