"""Judge what a model answered, sentence by sentence and item by item: what stays, and what is refused and why."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial

from core.domains import host_of, registrable
from drafts import limits
from drafts.crawl.extract_parts import Segment, SiteText
from drafts.languages import Shape
from drafts.processor import Allowance
from drafts.writing import pricing
from drafts.writing.addresses import addresses_in
from drafts.writing.answer import Claim
from drafts.writing.checks import faq_follows, follows, founder_follows
from drafts.writing.cues.money import MONEY, is_nothing
from drafts.writing.evidence import may_speak, uncontradicted
from drafts.writing.extractive.contacts import FREE_MAIL
from drafts.writing.identity import identify
from drafts.writing.port import Evidence, FaqDraft, FieldDraft, FounderDraft, Refused, Written
from drafts.writing.prompt import LISTS
from drafts.writing.quoting import MIN_QUOTE, cut
from drafts.writing.reading import Reading
from drafts.writing.roles import is_placeholder
from drafts.writing.support import WORDS, Support, site_language, timed
from drafts.writing.text import CJK, folded, has_words, sentence_spans, sentences, shorten, squashed, tokens
from drafts.writing.wording import Words, periods, words_of

Lines = Sequence[Segment]
_PLACED = Shape("{based}", "{made}", "{address}", "{seat_of}", "{organisation}", "{founded}")
_PLACE_PAGES = frozenset({"legal", "contact"})
_MAIL_PAGES = frozenset({"home", "contact", "legal", "about"})
_ADDRESS = re.compile(r"[\w.+-]+@([\w-]+(?:\.[\w-]+)+)|\b(?:https?://)?www\.([\w-]+(?:\.[\w-]+)+)")
_PLACE_KEYS = re.compile(r"address|country|locality|region|location|geo", re.IGNORECASE)
_IDENTIFIER = re.compile(r"\w_\w|\S@\S|https?:")
CHECK_SECONDS, EACH_SECONDS = 5.0, 2.0  # of the processor, for all checks and for one
_ASKING = frozenset({"subscription", "paid", "one_time", "usage", "commission"})


def is_in_place(site: SiteText, name: str, value: str, lines: Lines, *, product: str) -> bool:
    """Whether a value stands where such a value belongs; beside others' addresses, only where the product is named."""
    check = _CHECKS.get(name)
    if name in {"country", "city"}:
        lines = [line for line in lines if has_words(line.text, product) or not _is_of_others(site, line)]
    if name == "contact_email" and any(has_words(line.text, product) for line in lines):
        return True
    return check is None or check(site, value, lines)


def is_identifier(text: str) -> bool:
    """Whether a text is an address or a name of machines rather than language."""
    return not CJK.search(text) and bool(_IDENTIFIER.search(text))


def _is_repeated(site: SiteText, name: str, _lines: Lines) -> bool:
    title = folded(site.pages[0].title)
    return len(name) <= 60 and (has_words(title, name) or squashed(name) in squashed(host_of(site.home_url)))


def _is_country(site: SiteText, _code: str, lines: Lines) -> bool:
    return any(_places(site, line) for line in lines)


def _is_city(site: SiteText, city: str, lines: Lines) -> bool:
    return any(_places(site, line) for line in lines if has_words(line.text, city))


def _is_of_others(site: SiteText, line: Segment) -> bool:
    """Whether the address of somebody else stands in a line."""
    own = {registrable(host_of(site.home_url)), *FREE_MAIL}
    hosts = (match[1] or match[2] for match in _ADDRESS.finditer(line.text.lower()))
    return any(registrable(host) not in own for host in hosts)


def _places(site: SiteText, line: Segment) -> bool:
    """Whether a line says where a company is."""
    if line.kind != "text":
        return bool(_PLACE_KEYS.search(line.key))
    return (
        bool(_PLACED.search(line.text))
        or "contact" in line.all_roles
        or site.pages[line.page - 1].kind in _PLACE_PAGES
        or any(True for _ in addresses_in(line.text))
        or "address" in line.text
    )


def _is_own_mail(site: SiteText, value: str, lines: Lines) -> bool:
    domain = value.rpartition("@")[2].lower()
    if registrable(domain) == registrable(host_of(site.home_url)):
        return True
    return domain in FREE_MAIL and bool({site.pages[line.page - 1].kind for line in lines} & _MAIL_PAGES)


def _is_priced(site: SiteText, model: str, lines: Lines) -> bool:
    """Whether a model of prices rests on a price; on legal pages sums of nothing are no price."""
    text = "\n".join(line.text for line in lines)
    if model in _ASKING:
        is_on_its_page = any(site.pages[line.page - 1].kind == "pricing" for line in lines)
        return is_on_its_page or bool(MONEY.search(text)) or bool(periods(text, site_language(site)))
    return not all("legal" in line.roles and is_nothing(line.text) for line in lines)


_CHECKS: dict[str, Callable[[SiteText, str, Lines], bool]] = {
    "name": _is_repeated,
    "country": _is_country,
    "city": _is_city,
    "contact_email": _is_own_mail,
    "pricing_model": _is_priced,
}


NO_LINES = "It names no line of the website."
NOT_STATED = "The lines it names do not state this."
MISPLACED = "The lines it names do not stand where such a value is stated of this product."
NO_CATEGORY = "There is no such category."
NO_TEXT = "It is no sentence, or too short."
CONTRADICTED = "The website says something else in another place."
TOO_LITTLE = "Too little of it is carried by the lines it names."
TOO_LONG = "It took too long to check."
TEXTS = frozenset({"tagline", "short_description", "description"})
ITEMS = frozenset({"features", "usps"})
WORDS_OF_THE_SITE = frozenset({"tags", "keywords"})
MOST_REFUSALS, REFUSED_LENGTH = 40, 300
_LEAST_SHARE = 0.5
_LEAST = {"description": 60, "short_description": 25, "tagline": 8, "features": 2, "usps": 4}
_MOST = {
    "features": limits.DRAFTED_FEATURES,
    "usps": limits.DRAFTED_USPS,
    "tags": limits.DRAFTED_TAGS,
    "keywords": limits.DRAFTED_KEYWORDS,
    "categories": limits.DRAFTED_CATEGORIES,
}
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
        return self._text(claims[0]) if name in TEXTS else self._fact(claims[0])

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
        if len(text) < _LEAST[claim.field] or is_placeholder(text):
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
            elif len(accepted) < _MOST[name]:
                accepted.setdefault(claim.value, claim)
        if not accepted:
            return None
        quotes = (
            quote for claim in accepted.values() for quote in self._evidence(claim.lines[:2], claim.value)
        )
        evidence = tuple(dict.fromkeys(quotes))[: limits.EVIDENCE_PER_VALUE]
        return FieldDraft(value=tuple(accepted), evidence=evidence) if evidence else None

    def _item_fault(self, claim: Claim) -> str:
        value = claim.value
        if claim.field == "categories":
            return "" if value in self.categories else NO_CATEGORY
        if len(value) > limits.LIST_ITEM or is_placeholder(value):
            return NO_TEXT
        if claim.field in WORDS_OF_THE_SITE:
            return "" if self._stands(value, claim.lines) else WORDS
        if len(value) < _LEAST[claim.field] or is_identifier(value):
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
            is_placed = is_in_place(self.site, claim.field, claim.value, lines, product=self.name)
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
        if any(follows(claim.field, claim.value, quotes) for quotes in (texts, *([text] for text in texts))):
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
