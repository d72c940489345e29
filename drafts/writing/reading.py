"""What all rules of the extractive writer share: the site, its identity and its sentences."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice, pairwise
from typing import Any, TypeVar

from drafts.crawl.extract_parts import PageText, Segment, SiteText
from drafts.limits import EVIDENCE_QUOTE
from drafts.writing.choosing import Judges, likelihood, shipped
from drafts.writing.identity import Identity
from drafts.writing.measuring import SiteMeasures
from drafts.writing.port import CategoryHint, Evidence, FieldDraft, Reason, Suggestion, Value
from drafts.writing.quoting import cut
from drafts.writing.roles import is_left_over, page_is_ours, speaks, states_facts
from drafts.writing.support import site_language, speaks_other
from drafts.writing.text import sentence_spans, shorten

Result = TypeVar("Result")
Scored = tuple[float, str, Evidence]
"""What speaks for a value, the value and its quote."""
_SHORT = 120
_LABEL = 40
OPTIONS = 5
"""So many values of a field are weighed at most."""
WEAK = 0.1
"""What speaks for a value that is only mentioned, beside one that is stated."""


@dataclass(frozen=True, slots=True)
class Sentence:
    segment: Segment
    text: str
    label: Segment | None = None

    @property
    def parts(self) -> tuple[tuple[Segment, str | None], ...]:
        """What has to be quoted to show the sentence."""
        if self.label is not None:
            return ((self.label, None), (self.segment, None))
        return ((self.segment, shorten(self.text, EVIDENCE_QUOTE)),)


_SHOWING = frozenset({"features", "other"})


@dataclass(eq=False)
class Reading:
    site: SiteText
    own: Identity
    judges: Judges = field(default_factory=shipped)
    hints: tuple[CategoryHint, ...] = ()
    _results: dict[object, Any] = field(default_factory=dict, init=False, repr=False)

    def once(self, find: Callable[["Reading"], Result]) -> Result:
        """What is looked for all over the site, and found once, for rules and for what contradicts them."""
        if find not in self._results:
            self._results[find] = find(self)
        result: Result = self._results[find]
        return result

    @cached_property
    def measured(self) -> SiteMeasures:
        return SiteMeasures(self.site, self.own)

    @cached_property
    def home(self) -> PageText:
        return self.site.pages[0]

    @cached_property
    def pages(self) -> tuple[PageText, ...]:
        return tuple(page for page in self.site.pages if page_is_ours(page) and self.names_us(page))

    @cached_property
    def written(self) -> tuple[PageText, ...]:
        return tuple(page for page in self.site.pages if not is_left_over(page) and self.names_us(page))

    def names_us(self, page: PageText) -> bool:
        """Whether a page that shows something names the product: else it is a sample of work, or its theme's."""
        is_plain = page.index == 1 or page.kind not in _SHOWING or not self.own.names
        texts = (entry.text for entry in (*page.marked, *page.texts))
        return is_plain or any(map(self.own.named_in, (*texts, *(image.alt for image in page.images))))

    @cached_property
    def translated(self) -> frozenset[int]:
        """The pages in another language than the site's, whose words are none for its texts."""
        language = site_language(self.site)
        return frozenset(p.index for p in self.site.pages[1:] if speaks_other(p, language))

    @cached_property
    def blank(self) -> FieldDraft:
        """A field that no page states, with the most honest reason."""
        return FieldDraft(reason=missing_reason(self.site))

    def best(self, scored: Iterable[Scored]) -> FieldDraft:
        """The value that most speaks for, of equal ones the first, and the next ones as alternatives."""
        rows: dict[str, tuple[float, FieldDraft]] = {}
        for score, value, quote in sorted(scored, key=lambda entry: -entry[0]):
            if value:
                rows.setdefault(value, (score, FieldDraft(value=value, evidence=(quote,))))
        return ranked(rows.values(), otherwise=self.blank)

    def choose(
        self, field: str, ordered: Iterable[tuple[float, FieldDraft]], *, is_sure: bool = True
    ) -> FieldDraft:
        """The best of the ordered values of a field if enough speaks for it, and the next as alternatives."""
        rows = [(score, draft) for score, draft in islice(ordered, OPTIONS) if draft.value]
        is_sure = is_sure and bool(rows) and rows[0][0] >= self.judges[field].threshold
        likely = [(likelihood(score), draft) for score, draft in rows]
        first = replace(likely[0][1], confidence=likely[0][0]) if is_sure else self.blank
        return replace(first, suggestions=_alternatives(likely[is_sure:], 1.0))

    @cached_property
    def facts(self) -> tuple[Sentence, ...]:
        """The sentences that may state facts about the company."""
        return tuple(self._sentences(states_facts))

    @cached_property
    def telling(self) -> tuple[Sentence, ...]:
        return tuple(self._sentences(speaks))

    def _sentences(self, allowed: Callable[[Segment], bool]) -> Iterator[Sentence]:
        for page in self.written:
            labels = _labels(page)
            for segment in page.texts:
                if allowed(segment):
                    yield from (
                        s for s in _cut(segment, labels.get(segment.id)) if not self.own.rival_in(s.text)
                    )

    def quote(self, *parts: tuple[Segment, str | None]) -> tuple[Evidence, ...]:
        rows = (cut(self.site, segment, quote) for segment, quote in parts)
        return tuple(filter(None, rows))


def ranked(
    rows: Iterable[tuple[float, FieldDraft]],
    *,
    otherwise: FieldDraft,
    weaker: Iterable[FieldDraft] = (),
) -> FieldDraft:
    """The first of some values, of which each says how much speaks for it, and the next as alternatives.

    The weaker ones speak for too little to be set: they are alternatives at most.
    """
    (most, best), *rest = [*islice(rows, OPTIONS), (0.0, otherwise)]
    listed = {best.value, *(draft.value for _, draft in rest)}
    others: dict[Value | None, tuple[float, FieldDraft]] = {}
    for draft in (entry for entry in weaker if entry.evidence and entry.value not in listed):
        others.setdefault(draft.value, (WEAK, draft))
    likely = (*_alternatives(rest, most), *_alternatives(islice(others.values(), OPTIONS), 1.0))
    return replace(best, confidence=1.0 if best.value else None, suggestions=likely[:OPTIONS])


def _alternatives(rows: Iterable[tuple[float, FieldDraft]], most: float) -> tuple[Suggestion, ...]:
    """Other values, each with how much speaks for it beside the most that could."""
    return tuple(
        Suggestion(value=draft.value, evidence=draft.evidence, confidence=min(1.0, score / most))
        for score, draft in rows
        if draft.value and most > 0
    )


def _cut(segment: Segment, label: Segment | None) -> Iterator[Sentence]:
    if label is not None and len(segment.text) <= _SHORT:
        yield Sentence(segment, f"{label.flat.rstrip(' :：')}: {segment.flat}", label)
        return
    if "\n" in segment.text and len(segment.text) <= _SHORT:
        yield Sentence(segment, segment.flat)
        return
    for start, end in sentence_spans(segment.text):
        yield Sentence(segment, segment.text[start:end])


def _labels(page: PageText) -> dict[str, Segment]:
    """The label of each value in tables of two columns and in lists of terms."""
    result: dict[str, Segment] = {}
    for before, segment in pairwise(page.texts):
        if before.tag == "dt" and segment.tag == "dd":
            result[segment.id] = before
        elif before.tag in {"th", "td"} and segment.tag == "td" and len(before.text) <= _LABEL:
            row = page.blocks[segment.block].parent
            cells = page.blocks[row]
            if page.blocks[before.block].parent == row and cells.last - cells.first == 2:
                result[segment.id] = before
        elif before.text.endswith((":", "：")) and len(before.text) <= _LABEL and not segment.level:
            result[segment.id] = before
    return result


def missing_reason(site: SiteText) -> Reason:
    """Why a value could be missing: it may stand on a page that was closed or that failed."""
    if site.robots == "blocked":
        return "robots_blocked"
    if not site.pages:
        return "fetch_failed"
    return "not_on_site"
