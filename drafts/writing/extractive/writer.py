"""The writer that needs no model: it quotes, and what it cannot quote it leaves blank."""

from collections.abc import Callable, Collection

from drafts.crawl.extract_parts import SiteText
from drafts.limits import FIELDS
from drafts.writing.evidence import verify
from drafts.writing.extractive.categories import draft_categories, draft_keywords, draft_stage
from drafts.writing.extractive.contacts import draft_contact_email
from drafts.writing.extractive.faqs import draft_faqs
from drafts.writing.extractive.features import draft_features, draft_usps
from drafts.writing.extractive.media import draft_demo_video, draft_logo
from drafts.writing.extractive.names import draft_name
from drafts.writing.extractive.people import draft_founders
from drafts.writing.extractive.places import draft_places
from drafts.writing.extractive.prices import draft_prices
from drafts.writing.extractive.socials import draft_socials
from drafts.writing.extractive.texts import draft_description, draft_short_description, draft_tagline
from drafts.writing.extractive.years import draft_founded_year
from drafts.writing.identity import identify
from drafts.writing.port import COLLECTIONS, CategoryHint, FieldDraft, Written
from drafts.writing.reading import Reading, missing_reason


class ExtractiveWriter:
    """Drafts by rules. `categories` are the directory's own, as hints for what to look for."""

    name = "extractive"

    def __init__(self, categories: tuple[CategoryHint, ...] = ()) -> None:
        self.categories = categories

    def write(self, site: SiteText, *, fields: Collection[str] | None = None) -> Written:
        """Draft the named fields, or all of them, and keep only what the verifier lets pass."""
        wanted = frozenset(fields) if fields is not None else frozenset(FIELDS + COLLECTIONS)
        if not site.pages:
            blank = FieldDraft(reason=missing_reason(site))
            return Written(fields={name: blank for name in FIELDS if name in wanted})
        return verify(site, self._draft(site, wanted))

    def _draft(self, site: SiteText, wanted: frozenset[str]) -> Written:
        name = draft_name(site)
        reading = Reading(site, identify(site, name.value if isinstance(name.value, str) else None))
        drafted = {"name": name} | self._fields(reading, wanted)
        founders = (
            draft_founders(reading) if wanted & {"founders", "founder_socials", "company_socials"} else ()
        )
        company, founder = (
            draft_socials(reading, tuple(f.name for f in founders))
            if wanted & {"company_socials", "founder_socials"}
            else ({}, {})
        )
        return Written(
            fields={key: drafted[key] for key in FIELDS if key in wanted},
            faqs=draft_faqs(reading) if "faqs" in wanted else (),
            founders=founders if "founders" in wanted else (),
            company_socials=company if "company_socials" in wanted else {},
            founder_socials=founder if "founder_socials" in wanted else {},
            warnings=site.warnings,
        )

    def _fields(self, reading: Reading, wanted: frozenset[str]) -> dict[str, FieldDraft]:
        single: dict[str, Callable[[Reading], FieldDraft]] = {
            "tagline": draft_tagline,
            "short_description": draft_short_description,
            "stage": draft_stage,
            "founded_year": draft_founded_year,
            "keywords": draft_keywords,
            "contact_email": draft_contact_email,
            "demo_video_url": draft_demo_video,
            "logo_url": draft_logo,
        }
        drafted = {key: draft(reading) for key, draft in single.items() if key in wanted}
        if wanted & {"features", "usps", "description"}:
            drafted |= _featured(reading)
        if wanted & {"country", "city"}:
            drafted["country"], drafted["city"] = draft_places(reading)
        if wanted & {"pricing_model", "pricing_summary"}:
            drafted["pricing_model"], drafted["pricing_summary"] = draft_prices(reading)
        if wanted & {"categories", "tags"}:
            drafted["categories"], drafted["tags"] = draft_categories(reading, self.categories)
        return drafted


def _featured(reading: Reading) -> dict[str, FieldDraft]:
    features = draft_features(reading)
    texts = features.value if isinstance(features.value, tuple) else ()
    return {
        "features": features,
        "usps": draft_usps(reading, texts),
        "description": draft_description(reading, texts, features.evidence),
    }
