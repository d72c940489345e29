"""Judge what a model answered, sentence by sentence and item by item: what stays, and what is refused and why."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial

from drafts import limits
from drafts.crawl.extract_parts import Segment, SiteText
from drafts.processor import Allowance
from drafts.writing import pricing
from drafts.writing.answer import Claim
from drafts.writing.checks import faq_follows, founder_follows
from drafts.writing.evidence import may_speak, uncontradicted
from drafts.writing.facts import DRAFTED
from drafts.writing.identity import identify
from drafts.writing.port import Evidence, FaqDraft, FieldDraft, FounderDraft, Refused, Written
from drafts.writing.prompt import LISTS
from drafts.writing.quoting import MIN_QUOTE, cut
from drafts.writing.reading import Reading
from drafts.writing.roles import is_placeholder
from drafts.writing.support import WORDS, Support, site_language, timed
from drafts.writing.text import CJK, folded, sentence_spans, sentences, shorten, squashed, tokens
from drafts.writing.wording import Words, words_of

_IDENTIFIER = re.compile(r"\w_\w|\S@\S|https?:")
CHECK_SECONDS, EACH_SECONDS = 5.0, 2.0  # of the processor, for all checks and for one


def is_identifier(text: str) -> bool:
    """Whether a text is an address or a name of machines rather than language."""
    return not CJK.search(text) and bool(_IDENTIFIER.search(text))


NO_LINES = "It names no line of the website."
NOT_STATED = "The lines it names do not state this."
MISPLACED = "The lines it names do not stand where such a value is stated of this product."
NO_CATEGORY = "There is no such category."
NO_TEXT = "It is no sentence, or too short."
CONTRADICTED = "The website says something else in another place."
TOO_LITTLE = "Too little of it is carried by the lines it names."
TOO_LONG = "It took too long to check."
MOST_REFUSALS, REFUSED_LENGTH = 40, 300
_LEAST_SHARE = 0.5
Doubtful = tuple[str, tuple[str, ...]]
"""A sentence that words cannot decide, and its lines."""


@dataclass(kw_only=True)
class Judge:
    """Judges the claims of one answer about one site. `decided` says which doubtful sentences are carried."""

    site: SiteText
    name: str
    categories: frozenset[str]
    decided: Mapping[str, bool] = field(default_factory=dict)
    refused: list[Refused] = field(default_factory=list)
    doubtful: list[Doubtful] = field(default_factory=list)

    @cached_property
    def reading(self) -> Reading:
        return Reading(self.site, identify(self.site, self.name or None))

    @cached_property
    def _segments(self) -> list[Segment]:
        rows = (segment for page in self.site.pages for segment in page.segments)
        return [segment for segment in rows if "instruction" not in segment.roles]

    @cached_property
    def everything(self) -> str:
        return "\n".join(segment.text for segment in self._segments if segment.kind == "text")

    @cached_property
    def support(self) -> Support:
        language = site_language(self.site)
        words = frozenset[str]().union(*(words_of(segment.text, language) for segment in self._segments))
        return Support(language=language, everywhere=Words(words), own_words=words_of(self.name, language))

    def is_quoted(self, draft: FieldDraft) -> bool:
        """Whether a value stands on the site as a line of its own."""
        lines = (line for page in self.site.pages for segment in page.texts for line in segment.lines)
        return isinstance(draft.value, str) and any(squashed(line) == squashed(draft.value) for line in lines)

    def judged(self, claims: Iterable[Claim]) -> Written:
        time = Allowance(seconds=CHECK_SECONDS, each=EACH_SECONDS)
        by_field: dict[str, list[Claim]] = {}
        for claim in claims:
            if claim.lines:
                by_field.setdefault(claim.field, []).append(claim)
            else:
                self._refuse(claim, NO_LINES)
        fields: dict[str, FieldDraft] = {}
        people: tuple[FounderDraft, ...] = ()
        faqs: tuple[FaqDraft, ...] = ()
        for name, entries in by_field.items():
            if name == "founders":
                people = time.spend(partial(self._people, entries), otherwise=())
            elif name == "faqs":
                faqs = time.spend(partial(self._faqs, entries), otherwise=())
            else:
                draft = time.spend(partial(self._field, name, entries), otherwise=None)
                if draft is not None:
                    fields[name] = draft
        return Written(fields=fields, founders=people, faqs=faqs, refused=tuple(self.refused[:MOST_REFUSALS]))

    def _field(self, name: str, claims: list[Claim]) -> FieldDraft | None:
        if name in LISTS:
            return self._list(name, claims)
        return self._text(claims[0]) if DRAFTED[name].judged_by == "sentences" else self._fact(claims[0])

    def _refuse(self, claim: Claim, why: str, value: str = "") -> None:
        entry = Refused(field=claim.field, value=(value or claim.value)[:REFUSED_LENGTH], why=why)
        if entry not in self.refused:
            self.refused.append(entry)

    # -- texts ------------------------------------------------------------------------------------------------

    def _fault(self, sentence: str, lines: tuple[Segment, ...]) -> str:
        """Why lines, with the headings that they stand under, do not carry a sentence."""
        texts = list(dict.fromkeys([*(s.text for s in lines), *(h for s in lines for h in s.outline[-1:])]))
        fault = self.support.fault(sentence, texts)
        if fault in {"", WORDS} and self.support.is_doubtful(sentence, texts):
            if sentence in self.decided:
                return "" if self.decided[sentence] else WORDS
            self.doubtful.append((sentence, tuple(texts)))
        return fault

    def _text(self, claim: Claim) -> FieldDraft | None:
        paragraphs, accepted, all_of_it = [], 0, 0
        for paragraph in claim.value.split("\n\n"):
            stays = []
            for sentence in sentences(paragraph):
                all_of_it += 1
                if fault := self._fault(sentence, claim.lines):
                    self._refuse(claim, fault, sentence.strip())
                else:
                    accepted += 1
                    stays.append(sentence.strip())
            paragraphs.append(" ".join(stays))
        text = "\n\n".join(filter(None, paragraphs))
        if accepted < all_of_it * _LEAST_SHARE or not accepted:
            if accepted:
                self._refuse(claim, TOO_LITTLE)
            return None
        if len(text) < DRAFTED[claim.field].least or is_placeholder(text):
            self._refuse(claim, NO_TEXT)
            return None
        evidence = self._evidence(claim.lines, text)
        return FieldDraft(value=text, evidence=evidence) if evidence else None

    # -- lists ------------------------------------------------------------------------------------------------

    def _list(self, name: str, claims: list[Claim]) -> FieldDraft | None:
        accepted: dict[str, Claim] = {}
        for claim in claims:
            if fault := self._item_fault(claim):
                self._refuse(claim, fault)
            elif len(accepted) < DRAFTED[name].most:
                accepted.setdefault(claim.value, claim)
        if not accepted:
            return None
        quotes = (
            quote for claim in accepted.values() for quote in self._evidence(claim.lines[:2], claim.value)
        )
        evidence = tuple(dict.fromkeys(quotes))[: limits.EVIDENCE_PER_VALUE]
        return FieldDraft(value=tuple(accepted), evidence=evidence) if evidence else None

    def _item_fault(self, claim: Claim) -> str:
        value, fact = claim.value, DRAFTED[claim.field]
        if claim.field == "categories":
            return "" if value in self.categories else NO_CATEGORY
        if len(value) > limits.LIST_ITEM or is_placeholder(value):
            return NO_TEXT
        if fact.judged_by == "words":
            return "" if self._stands(value, claim.lines) else WORDS
        if fact.judged_by == "stated":
            return "" if fact.follows(value, "\n".join(line.text for line in claim.lines)) else NOT_STATED
        if len(value) < fact.least or is_identifier(value):
            return NO_TEXT
        return next(filter(None, (self._fault(sentence, claim.lines) for sentence in sentences(value))), "")

    def _stands(self, value: str, lines: tuple[Segment, ...]) -> bool:
        """Whether words stand on the site as they are, or all of them in their lines."""
        if folded(value) in folded(self.everything):
            return True
        cited = Words(words_of("\n".join(line.text for line in lines), self.support.language))
        words = words_of(value, self.support.language)
        return bool(words) and all(word in cited for word in words)

    # -- facts ------------------------------------------------------------------------------------------------

    def _fact(self, claim: Claim) -> FieldDraft | None:
        lines = tuple(line for line in claim.lines if may_speak(claim.field, line))
        texts = [line.text for line in lines]
        evidence = self._evidence(lines, claim.value)
        draft = FieldDraft(value=claim.value, evidence=evidence)
        if claim.field == "pricing_summary":
            fault = pricing.fault(claim.value, lines, self.support)
        elif not evidence or not self._follows(claim, texts):
            fault = NOT_STATED
        else:
            is_placed = DRAFTED[claim.field].stands(self.site, claim.value, lines, product=self.name)
            fault = "" if is_placed else MISPLACED
        if fault:
            self._refuse(claim, fault)
            return None
        certain = uncontradicted(self.reading, claim.field, draft)
        if certain.value is None:
            self._refuse(claim, CONTRADICTED)
        return certain

    def _follows(self, claim: Claim, texts: list[str]) -> bool:
        """Whether one line, or all of them together, state a fact."""
        fact = DRAFTED[claim.field]
        if any(fact.is_stated(claim.value, quotes) for quotes in (texts, *([text] for text in texts))):
            return True
        is_paid_again = any(timed(text, self.support.language) for text in texts)
        return claim.field == "pricing_model" and claim.value == "subscription" and is_paid_again

    def _people(self, claims: list[Claim]) -> tuple[FounderDraft, ...]:
        rows = []
        for claim in claims:
            lines = [line for line in claim.lines if may_speak("founders", line)]
            evidence = self._evidence(lines, f"{claim.value} {claim.more}")
            person = FounderDraft(name=claim.value, title=claim.more or None, evidence=evidence)
            if founder_follows(person, [line.text for line in lines], self.everything):
                rows.append(person)
            else:
                self._refuse(claim, NOT_STATED)
        return tuple(rows[: limits.FOUNDERS])

    def _faqs(self, claims: list[Claim]) -> tuple[FaqDraft, ...]:
        rows = []
        for claim in claims:
            faq = FaqDraft(
                question=claim.value, answer=claim.more, evidence=self._evidence(claim.lines, claim.value)
            )
            if faq_follows(faq, [line.text for line in claim.lines], self.everything):
                rows.append(faq)
            else:
                self._refuse(claim, NOT_STATED)
        return tuple(rows[: limits.FAQS])

    # -- quotes -----------------------------------------------------------------------------------------------

    def _evidence(self, lines: Iterable[Segment], text: str) -> tuple[Evidence, ...]:
        """Whole lines as quotes, or of long ones the sentence that says it best."""
        rows = (cut(self.site, line, best_quote(line.text, text)) for line in lines)
        quotes = (row for row in rows if row is not None and len(row.quote) >= MIN_QUOTE)
        return tuple(dict.fromkeys(quotes))[: limits.EVIDENCE_PER_VALUE]


def best_quote(text: str, value: str) -> str | None:
    """The part of a long text that a value most likely comes from; nothing when all of it can be quoted."""
    if len(text) <= limits.EVIDENCE_QUOTE:
        return None
    parts = [text[start:end] for start, end in sentence_spans(text)]
    needle, words = squashed(value), tokens(value)
    best = max(parts, key=lambda part: (needle in squashed(part), len(words & tokens(part))), default=text)
    return shorten(best, limits.EVIDENCE_QUOTE)
