"""What all rules of the extractive writer share: the site, its identity and its sentences."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from drafts.crawl.extract_parts import PageText, Segment, SiteText
from drafts.writing.identity import Identity
from drafts.writing.port import Evidence, FieldDraft, Reason
from drafts.writing.quoting import quotes
from drafts.writing.roles import is_placeholder, speaks, states_facts
from drafts.writing.text import sentence_spans


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a segment."""

    segment: Segment
    text: str


@dataclass(frozen=True)
class Reading:
    """One site, read by the rules."""

    site: SiteText
    own: Identity

    @cached_property
    def home(self) -> PageText:
        """The page that was submitted."""
        return self.site.pages[0]

    @cached_property
    def blank(self) -> FieldDraft:
        """A field that no page states, with the most honest reason."""
        return FieldDraft(reason=missing_reason(self.site))

    def segments(self, allowed: Callable[[Segment], bool]) -> Iterator[Segment]:
        """The readable segments of all pages that a field may use."""
        for page in self.site.pages:
            for segment in page.texts:
                if allowed(segment):
                    yield segment

    @cached_property
    def facts(self) -> tuple[Sentence, ...]:
        """The sentences that may state facts about the company."""
        return tuple(self._sentences(states_facts))

    @cached_property
    def telling(self) -> tuple[Sentence, ...]:
        """The sentences that speak about the product."""
        return tuple(self._sentences(speaks))

    def _sentences(self, allowed: Callable[[Segment], bool]) -> Iterator[Sentence]:
        for segment in self.segments(allowed):
            for start, end in sentence_spans(segment.text):
                text = segment.text[start:end]
                if not self.own.rival_in(text):
                    yield Sentence(segment, text)

    def marked(self, *keys: str) -> Iterator[Segment]:
        """The meta strings of all pages under some names, home first."""
        for page in self.site.pages:
            for segment in page.marked:
                if segment.key in keys and "instruction" not in segment.roles and not is_placeholder(segment.text):
                    yield segment

    def quote(self, *parts: tuple[Segment, str | None]) -> tuple[Evidence, ...]:
        """Evidence cut from this site."""
        return quotes(self.site, *parts)


def missing_reason(site: SiteText) -> Reason:
    """Why a value could be missing: it may stand on a page that was closed or that failed."""
    if site.robots == "blocked":
        return "robots_blocked"
    if not site.pages:
        return "fetch_failed"
    return "not_on_site"
