"""The writer that needs no model: it quotes, and what it cannot quote it leaves blank."""

import math
import time
from collections.abc import Callable, Collection
from functools import partial
from typing import TypeVar

from drafts.crawl.extract_parts import SiteText
from drafts.limits import FIELDS
from drafts.writing.choosing import Judges, shipped
from drafts.writing.evidence import verify
from drafts.writing.extractive.categories import draft_categories, draft_keywords, draft_stage
from drafts.writing.extractive.contacts import draft_contact_email
from drafts.writing.extractive.faqs import draft_faqs
from drafts.writing.extractive.features import draft_features, draft_usps, ordered_groups
from drafts.writing.extractive.media import draft_demo_video, draft_logo
from drafts.writing.extractive.names import draft_name
from drafts.writing.extractive.people import draft_founders
from drafts.writing.extractive.places import draft_places
from drafts.writing.extractive.prices import draft_prices
from drafts.writing.extractive.socials import draft_socials
from drafts.writing.extractive.texts import draft_description, draft_short_description, draft_tagline
from drafts.writing.extractive.years import draft_founded_year
from drafts.writing.identity import identify
from drafts.writing.port import COLLECTIONS, CategoryHint, FieldDraft, FounderDraft, Written
from drafts.writing.reading import OutOfTimeError, Reading, missing_reason

WRITE_SECONDS = 5.0
"""Of the processor's time: the largest site of the corpus takes 0.7 on a busy machine."""

Drafted = TypeVar("Drafted")
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
        judges: Judges | None = None,
    ) -> None:
        self.categories = categories
        self.seconds = seconds
        self.judges = judges or shipped()

    def write(self, site: SiteText, *, fields: Collection[str] | None = None) -> Written:
        """Draft the named fields, or all of them, and keep only what the verifier lets pass."""
        wanted = frozenset(fields) if fields is not None else frozenset(FIELDS + COLLECTIONS)
        if not site.pages:
            blank = FieldDraft(reason=missing_reason(site))
            return Written(fields={name: blank for name in FIELDS if name in wanted})
        ends_at = time.thread_time() + self.seconds
        name = draft_name(site)
        own = identify(site, name.value if isinstance(name.value, str) else None)
        reading = Reading(site, own, ends_at=ends_at, judges=self.judges)
        written = self._draft(reading, name, wanted)
        reading.ends_at = math.inf  # what was written in time is checked whole
        return verify(site, written, reading=reading if "name" in wanted else None)

    def _draft(self, reading: Reading, name: FieldDraft, wanted: frozenset[str]) -> Written:
        drafted = {"name": name} | self._fields(reading, wanted)
        founders: tuple[FounderDraft, ...] = ()
        socials: tuple[dict[str, FieldDraft], dict[str, FieldDraft]] = ({}, {})
        if wanted & {"founders", *_SOCIALS}:
            founders = _in_time(lambda: draft_founders(reading), ())
        if wanted & _SOCIALS:
            names = tuple(founder.name for founder in founders)
            socials = _in_time(lambda: draft_socials(reading, names), socials)
        return Written(
            fields={key: drafted[key] for key in FIELDS if key in wanted},
            faqs=_in_time(lambda: draft_faqs(reading), ()) if "faqs" in wanted else (),
            founders=founders if "founders" in wanted else (),
            company_socials=socials[0] if "company_socials" in wanted else {},
            founder_socials=socials[1] if "founder_socials" in wanted else {},
            warnings=reading.site.warnings,
        )

    def _fields(self, reading: Reading, wanted: frozenset[str]) -> dict[str, FieldDraft]:
        rules: dict[tuple[str, ...], Callable[[Reading], tuple[FieldDraft, ...]]] = {
            **{(key,): partial(_alone, draft) for key, draft in _SINGLE.items()},
            ("features", "usps", "description"): _featured,
            ("country", "city"): draft_places,
            ("pricing_model", "pricing_summary"): draft_prices,
            ("categories", "tags"): lambda reading: draft_categories(reading, self.categories),
        }
        drafted: dict[str, FieldDraft] = {}
        for keys, draft in rules.items():
            if wanted & set(keys):
                found = _in_time(partial(draft, reading), (reading.blank,) * len(keys))
                drafted |= dict(zip(keys, found, strict=True))
        return drafted


def _in_time(draft: Callable[[], Drafted], blank: Drafted) -> Drafted:
    """What a rule finds, or a blank when the site's time is over."""
    try:
        return draft()
    except OutOfTimeError:
        return blank


def _alone(draft: Callable[[Reading], FieldDraft], reading: Reading) -> tuple[FieldDraft]:
    return (draft(reading),)


def _featured(reading: Reading) -> tuple[FieldDraft, FieldDraft, FieldDraft]:
    groups = ordered_groups(reading)
    features = draft_features(reading, groups)
    texts = features.value if isinstance(features.value, tuple) else ()
    description = draft_description(reading, texts, features.evidence)
    return features, draft_usps(reading, groups, texts), description
