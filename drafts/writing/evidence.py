"""Let only those values pass that their quotes carry; what fails is left blank.

Where a site contradicts itself, the field is blank too, and both quotes are shown.
"""

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from directory.facts import FACTS
from drafts.crawl.extract_parts import PageText, Segment, SiteText
from drafts.limits import EVIDENCE_QUOTE, FAQS, FOUNDERS, SOCIAL_LINK, SUGGESTIONS
from drafts.processor import Allowance
from drafts.writing.checks import faq_follows, follows, founder_follows, social_follows
from drafts.writing.founding import founding_years, marked_years
from drafts.writing.identity import identify
from drafts.writing.places import places_in, same_place
from drafts.writing.port import Evidence, FaqDraft, FieldDraft, FounderDraft, Suggestion, Written
from drafts.writing.quoting import MIN_QUOTE
from drafts.writing.reading import Reading
from drafts.writing.roles import NOT_OURS, is_placeholder, is_review, speaks, states_facts
from drafts.writing.text import squashed

_VOICES = {"founders": "company"} | {name: fact.voice for name, fact in FACTS.items()}
_LINKS = {"socials"} | {name for name, fact in FACTS.items() if fact.kind == "link"}
CHECK_SECONDS, EACH_SECONDS = 5.0, 2.0  # of the processor, for all checks and for one
_NOT_CARRIED = FieldDraft(reason="not_on_site")
_RIVAL_FREE = {"founders"} | {name for name, fact in FACTS.items() if fact.is_hidden_from_rivals}


def verify(site: SiteText, written: Written, *, reading: Reading | None = None) -> Written:
    """The same draft without the values that no quote of this crawl carries, or that take too long to check.

    `reading` is what somebody has read of the site under the name that the draft gives.
    """
    if not site.pages:
        return written
    return _Verifier(site, written, reading).verified()


class _Verifier:
    def __init__(self, site: SiteText, written: Written, reading: Reading | None) -> None:
        self.written = written
        name = written.fields.get("name")
        named = name.value if name and isinstance(name.value, str) else None
        self.reading = reading or Reading(site, identify(site, named))
        self.own = self.reading.own
        self.pages = {page.url: page for page in site.pages}
        self.text = "\n".join(page.text for page in site.pages)
        self.time = Allowance(seconds=CHECK_SECONDS, each=EACH_SECONDS)

    def verified(self) -> Written:
        fields = {
            field: self.time.spend(partial(self._field, field, draft), otherwise=_NOT_CARRIED)
            for field, draft in self.written.fields.items()
        }
        return replace(
            self.written,
            fields=fields,
            faqs=self.time.spend(self._faqs, otherwise=()),
            founders=self.time.spend(self._founders, otherwise=()),
            company_socials=self.time.spend(
                partial(self._socials, self.written.company_socials), otherwise={}
            ),
            founder_socials=self.time.spend(
                partial(self._socials, self.written.founder_socials), otherwise={}
            ),
        )

    def _faqs(self) -> tuple[FaqDraft, ...]:
        return tuple(checked for faq in self.written.faqs if (checked := self._faq(faq)))[:FAQS]

    def _founders(self) -> tuple[FounderDraft, ...]:
        founders = (self._founder(founder) for founder in self.written.founders)
        return tuple(filter(None, founders))[:FOUNDERS]

    def _field(self, field: str, draft: FieldDraft) -> FieldDraft:
        checked = self._value(field, draft)
        if checked.reason == "conflicting":
            return checked
        others = filter(None, (self._suggestion(field, other) for other in draft.suggestions))
        fresh = tuple(other for other in others if other.value != checked.value)
        return replace(checked, suggestions=fresh[:SUGGESTIONS])

    def _suggestion(self, field: str, other: Suggestion) -> Suggestion | None:
        evidence = tuple(self._valid(field, other.evidence))
        value = follows(field, other.value, [e.quote for e in evidence]) if evidence else None
        return replace(other, value=value, evidence=evidence) if value is not None else None

    def _value(self, field: str, draft: FieldDraft) -> FieldDraft:
        evidence = tuple(self._valid(field, draft.evidence))
        if draft.value is None:
            return replace(draft, evidence=evidence, reason=draft.reason or "not_on_site")
        value = follows(field, draft.value, [e.quote for e in evidence]) if evidence else None
        if value is None:
            return FieldDraft(reason="not_on_site")
        return uncontradicted(
            self.reading, field, replace(draft, value=value, evidence=evidence, reason=None)
        )

    def _faq(self, faq: FaqDraft) -> FaqDraft | None:
        evidence = tuple(self._valid("faqs", faq.evidence))
        if not evidence or len(evidence) < len(faq.evidence):
            return None
        page = self.pages[evidence[0].url]
        existing = "\n".join([page.text, *(s.text for s in page.marked)])
        return (
            replace(faq, evidence=evidence)
            if faq_follows(faq, [e.quote for e in evidence], existing)
            else None
        )

    def _founder(self, founder: FounderDraft) -> FounderDraft | None:
        evidence = tuple(self._valid("founders", founder.evidence))
        quotes = [e.quote for e in evidence] + ["founder"] * any(self._names_founder(e) for e in evidence)
        if not evidence or not founder_follows(founder, quotes, self.text):
            return None
        bio = founder.bio
        if bio and not any(squashed(e.quote)[:40] in squashed(bio) for e in evidence):
            bio = None
        return replace(founder, evidence=evidence, bio=bio)

    def _names_founder(self, evidence: Evidence) -> bool:
        """Whether a string of markup stands where markup names a founder."""
        marked = self.pages[evidence.url].marked if evidence.source == "json_ld" else ()
        return any(s.text == evidence.quote and "founder" in s.key for s in marked)

    def _socials(self, socials: dict[str, FieldDraft]) -> dict[str, FieldDraft]:
        checked = {}
        for platform, draft in socials.items():
            evidence = tuple(self._valid("socials", draft.evidence))
            if (
                isinstance(draft.value, str)
                and len(draft.value) <= SOCIAL_LINK
                and social_follows(platform, draft.value, [e.quote for e in evidence])
            ):
                checked[platform] = replace(draft, evidence=evidence)
        return checked

    # -- quotes ---------------------------------------------------------------------------------------------

    def _valid(self, field: str, evidence: Iterable[Evidence]) -> Iterable[Evidence]:
        for entry in evidence:
            page = self.pages.get(entry.url)
            if page is None or len(entry.quote) < MIN_QUOTE or is_placeholder(entry.quote):
                continue
            if field in _RIVAL_FREE and self.own.rival_in(entry.quote):
                continue
            if _stands(page, entry, field):
                yield entry


def _stands(page: PageText, evidence: Evidence, field: str) -> bool:
    needle = squashed(evidence.quote)
    if evidence.source == "meta" and _is_attribute(page, evidence.quote):
        return field in _LINKS or field == "contact_email"
    if len(evidence.quote) > EVIDENCE_QUOTE and evidence.source == "text":
        return False
    behind = [s for s in _candidates(page, evidence) if needle in squashed(s.text)]
    return any(may_speak(field, segment) for segment in behind)


def _candidates(page: PageText, evidence: Evidence) -> Iterable[Segment]:
    if evidence.source != "text":
        return (s for s in page.marked if s.kind == evidence.source)
    if evidence.start is None:
        return page.texts
    return (s for s in page.texts if 0 <= evidence.start - s.start < len(s.text))


def _is_attribute(page: PageText, raw: str) -> bool:
    existing = {link.raw for link in page.links} | {i.raw for i in page.images} | {v.raw for v in page.videos}
    return raw in {" ".join(value.split()) for value in existing} or raw in existing


def may_speak(field: str, segment: Segment) -> bool:
    if "instruction" in segment.roles:
        return False
    if segment.kind != "text":
        return True
    voice = _VOICES.get(field)
    if voice == "company":
        return states_facts(segment)
    if voice == "product":
        return speaks(segment)
    if voice == "site":
        return not is_review(segment) and not segment.all_roles & NOT_OURS
    return "struck" not in segment.roles


_QUOTED = 5  # of which the first that can be quoted is shown


def uncontradicted(reading: Reading, key: str, draft: FieldDraft) -> FieldDraft:
    """The value of a field, blank where another statement of equal weight says something else.

    The visible text beats markup: a value that only markup states does not contradict a shown one.
    """
    if isinstance(draft.value, str) and (quotes := _contrary_quotes(reading, key, draft.value)):
        return FieldDraft(reason="conflicting", evidence=draft.evidence[:1] + quotes[:1])
    return draft


def _contrary_quotes(reading: Reading, key: str, value: str) -> tuple[Evidence, ...]:
    """What the site says against the value of a field that can be contradicted."""
    if key == "founded_year":
        return _year_quotes(reading, value)
    return _place_quotes(reading, key, value) if key in {"country", "city"} else ()


def _year_quotes(reading: Reading, year: str) -> tuple[Evidence, ...]:
    """What the site says of another year, unless this one is said twice as often, the markup counted."""
    result = reading.once(founding_years)
    others = [each for each in result if each.year != year]
    if len(others) * 2 <= len(result) - len(others) + (year in marked_years(reading)):
        return ()
    return reading.quote(*(part for each in others[:_QUOTED] for part in each.sentence.parts))


def _place_quotes(reading: Reading, key: str, value: str) -> tuple[Evidence, ...]:
    """Statements of another place that are stronger than every statement of this one, or as strong and as many."""
    stated = [place for place in places_in(reading) if getattr(place, key)]
    ours = [p for p in stated if same_place(getattr(p, key), value)]
    theirs = [p for p in stated if not same_place(getattr(p, key), value)]
    rank = max((p.rank for p in ours), default=-1)
    strong = [p for p in theirs if p.rank > rank]
    equal = [p for p in theirs if p.rank == rank]
    if not strong and len(equal) * 2 <= sum(p.rank == rank for p in ours):
        return ()
    return reading.quote(*((place.segment, place.quote) for place in (strong or equal)[:_QUOTED]))
