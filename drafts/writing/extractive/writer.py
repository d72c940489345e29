"""The writer that needs no model: it quotes, and what it cannot quote it leaves blank."""

import math
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from functools import partial

from drafts.crawl.extract_parts import SiteText
from drafts.limits import FIELDS
from drafts.processor import Allowance
from drafts.writing.choosing import Candidate, Judges, shipped
from drafts.writing.evidence import uncontradicted
from drafts.writing.extractive.categories import draft_categories, draft_keywords, draft_stage
from drafts.writing.extractive.contacts import draft_contact_email
from drafts.writing.extractive.faqs import draft_faqs
from drafts.writing.extractive.features import draft_features, draft_usps, ordered_groups
from drafts.writing.extractive.media import draft_demo_video, draft_logo
from drafts.writing.extractive.names import draft_name
from drafts.writing.extractive.people import draft_founders
from drafts.writing.extractive.prices import draft_prices
from drafts.writing.extractive.socials import draft_socials
from drafts.writing.extractive.texts import (
    draft_description,
    draft_short_description,
    draft_tagline,
    with_features,
)
from drafts.writing.founding import draft_founded_year
from drafts.writing.identity import identify
from drafts.writing.places import draft_places
from drafts.writing.port import COLLECTIONS, CategoryHint, FieldDraft, FounderDraft, Suggestion, Written
from drafts.writing.reading import Reading, missing_reason
from drafts.writing.sureness import JUDGED, Sureness

WRITE_SECONDS, RULE_SECONDS = 5.0, 2.0
"""Of the processor's time, for all rules and for one: the largest site of the corpus takes 0.7 for all."""

Rule = Callable[[Reading], tuple[FieldDraft, ...]]
_SOCIALS = frozenset({"company_socials", "founder_socials"})
_SINGLE: dict[str, Callable[[Reading], FieldDraft]] = {
    "tagline": draft_tagline,
    "short_description": draft_short_description,
    "stage": draft_stage,
    "founded_year": draft_founded_year,
    "keywords": draft_keywords,
    "contact_email": draft_contact_email,
    "demo_video_url": draft_demo_video,
    "logo_url": draft_logo,
}


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
        reading = Reading(site, own, judges=self.judges)
        time = Allowance(seconds=self.seconds, each=self.each)
        written = self._draft(reading, name, requested, time=time)
        return _only(Sureness(reading).settled(written), requested)

    def weighed(self, site: SiteText) -> Iterator[tuple[str, FieldDraft, list[Candidate[Suggestion]]]]:
        """The values of each field, with all that can be told of them: to learn from."""
        name = draft_name(site)
        own = identify(site, name.value if isinstance(name.value, str) else None)
        reading = Reading(site, own, judges=self.judges)
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
        socials: tuple[dict[str, FieldDraft], dict[str, FieldDraft]] = ({}, {})
        if requested & {"founders", *_SOCIALS}:
            founders = time.spend(lambda: draft_founders(reading), otherwise=())
        if requested & _SOCIALS:
            names = tuple(founder.name for founder in founders)
            socials = time.spend(lambda: draft_socials(reading, names), otherwise=socials)
        return Written(
            fields={key: uncontradicted(reading, key, drafted[key]) for key in FIELDS if key in drafted},
            faqs=time.spend(lambda: draft_faqs(reading), otherwise=()) if "faqs" in requested else (),
            founders=founders if "founders" in requested else (),
            company_socials=socials[0] if "company_socials" in requested else {},
            founder_socials=socials[1] if "founder_socials" in requested else {},
            warnings=reading.site.warnings,
        )

    def rules(self) -> dict[tuple[str, ...], Rule]:
        """Every rule, by the fields that it drafts."""
        return {
            **{(key,): partial(_alone, draft) for key, draft in _SINGLE.items()},
            ("features", "usps", "description"): _featured,
            ("country", "city"): draft_places,
            ("pricing_model", "pricing_summary"): draft_prices,
            ("categories", "tags"): lambda reading: draft_categories(reading, self.categories),
        }

    def _fields(
        self, reading: Reading, requested: frozenset[str], *, time: Allowance
    ) -> dict[str, FieldDraft]:
        drafted: dict[str, FieldDraft] = {}
        for keys, draft in self.rules().items():
            if requested & set(keys):
                result = time.spend(partial(draft, reading), otherwise=(reading.blank,) * len(keys))
                drafted |= dict(zip(keys, result, strict=True))
        return drafted


def _alone(draft: Callable[[Reading], FieldDraft], reading: Reading) -> tuple[FieldDraft]:
    return (draft(reading),)


def _featured(reading: Reading) -> tuple[FieldDraft, FieldDraft, FieldDraft]:
    groups = ordered_groups(reading)
    features = draft_features(reading, groups)
    texts = features.value if isinstance(features.value, tuple) else ()
    return features, draft_usps(reading, groups, texts), draft_description(reading)


def _only(written: Written, requested: frozenset[str]) -> Written:
    """The fields that were asked for; the description ends with the features where these are set."""
    fields = dict(written.fields)
    if "description" in fields and "features" in fields:
        fields["description"] = with_features(fields["description"], fields["features"])
    return replace(written, fields={key: draft for key, draft in fields.items() if key in requested})
