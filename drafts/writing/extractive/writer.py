"""The writer that needs no model: it quotes, and what it cannot quote it leaves blank."""

import math
from collections.abc import Callable, Collection, Iterator
from functools import partial

from drafts.crawl.extract_parts import SiteText
from drafts.limits import FIELDS
from drafts.processor import Allowance
from drafts.writing.choosing import Candidate, Judges, shipped
from drafts.writing.evidence import uncontradicted
from drafts.writing.extractive.faqs import draft_faqs
from drafts.writing.extractive.names import draft_name
from drafts.writing.extractive.people import draft_founders
from drafts.writing.extractive.socials import draft_socials
from drafts.writing.facts import DRAFTED
from drafts.writing.identity import identify
from drafts.writing.port import COLLECTIONS, CategoryHint, FieldDraft, FounderDraft, Suggestion, Written
from drafts.writing.reading import Reading, missing_reason
from drafts.writing.sureness import JUDGED, Sureness

WRITE_SECONDS, RULE_SECONDS = 5.0, 2.0
"""Of the processor's time, for all rules and for one: the largest site of the corpus takes 0.7 for all."""


class ExtractiveWriter:
    """Drafts by rules. `categories` are the directory's own, as hints for what to look for."""

    name = "extractive"

    def __init__(
        self,
        categories: tuple[CategoryHint, ...] = (),
        *,
        seconds: float = WRITE_SECONDS,
        each: float = RULE_SECONDS,
        judges: Judges | None = None,
    ) -> None:
        self.categories = categories
        self.seconds = seconds
        self.each = each
        self.judges = judges or shipped()

    def write(self, site: SiteText, *, fields: Collection[str] | None = None) -> Written:
        """Draft the named fields, or all of them, and set what is sure and nothing on the site contradicts.

        A rule that takes too long leaves its fields blank, and the others theirs as they are.
        """
        requested = frozenset(fields) if fields is not None else frozenset(FIELDS + COLLECTIONS)
        if not site.pages:
            blank = FieldDraft(reason=missing_reason(site))
            return Written(fields={name: blank for name in FIELDS if name in requested})
        name = draft_name(site)
        own = identify(site, name.value if isinstance(name.value, str) else None)
        reading = Reading(site, own, judges=self.judges, hints=self.categories)
        time = Allowance(seconds=self.seconds, each=self.each)
        written = self._draft(reading, name, requested, time=time)
        return Sureness(reading).settled(written)

    def weighed(self, site: SiteText) -> Iterator[tuple[str, FieldDraft, list[Candidate[Suggestion]]]]:
        """The values of each field, with all that can be told of them: to learn from."""
        name = draft_name(site)
        own = identify(site, name.value if isinstance(name.value, str) else None)
        reading = Reading(site, own, judges=self.judges, hints=self.categories)
        time = Allowance(seconds=math.inf, each=math.inf)
        written = self._draft(reading, name, frozenset(FIELDS), time=time)
        for field, draft in written.fields.items():
            if field in JUDGED and draft.reason != "conflicting":
                yield field, draft, list(Sureness(reading).candidates(field, draft))

    def _draft(
        self, reading: Reading, name: FieldDraft, requested: frozenset[str], *, time: Allowance
    ) -> Written:
        drafted = {"name": name} | self._fields(reading, requested, time=time)
        founders: tuple[FounderDraft, ...] = ()
        socials: dict[str, FieldDraft] = {}
        if "founders" in requested:
            founders = time.spend(lambda: draft_founders(reading), otherwise=())
        if "company_socials" in requested:
            socials = time.spend(lambda: draft_socials(reading), otherwise=socials)
        return Written(
            fields={
                key: uncontradicted(reading, key, drafted[key])
                for key in FIELDS
                if key in drafted and key in requested
            },
            faqs=time.spend(lambda: draft_faqs(reading), otherwise=()) if "faqs" in requested else (),
            founders=founders,
            company_socials=socials,
            warnings=reading.site.warnings,
        )

    def rules(self) -> dict[tuple[str, ...], Callable[[Reading], tuple[FieldDraft, ...]]]:
        """Every rule, by the fields that it drafts."""
        return dict(rule for fact in DRAFTED.values() if (rule := fact.rule()))

    def _fields(
        self, reading: Reading, requested: frozenset[str], *, time: Allowance
    ) -> dict[str, FieldDraft]:
        drafted: dict[str, FieldDraft] = {}
        for keys, draft in self.rules().items():
            if requested & set(keys):
                result = time.spend(partial(draft, reading), otherwise=(reading.blank,) * len(keys))
                drafted |= dict(zip(keys, result, strict=True))
        return drafted
