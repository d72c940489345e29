"""The founders of listings."""

from dataclasses import replace
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.core.files.storage import default_storage
from django.db.models import (
    BooleanField,
    Exists,
    ExpressionWrapper,
    Func,
    OuterRef,
    Q,
    QuerySet,
    TextField,
    Value,
)
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import JSONObject

from core.links import on_site
from core.pagination import Page
from directory.errors import FounderNotFoundError
from directory.models import Founder, ListingFounder, Site
from directory.search.cards import summaries
from directory.selectors.listings import open_sections
from directory.selectors.pages import Counted, page_of


class Folded(Func):
    """A text without accents and capitals; a GIN index holds the names of founders like that."""

    function = "directory_folded"
    output_field = TextField()


PART = JSONObject(
    listing="listing_id",
    title="title",
    plan="listing__plan",
    unlocked="listing__unlocked_sections",
    has_story=ExpressionWrapper(~Q(listing__story={}), output_field=BooleanField()),
    story_title=KeyTextTransform("title", "listing__story"),
)
FIELDS = ("slug", "name", "title", "country", "photo", "companies")


def list_founders(*, site: Site, q: str = "", country: str | None = None, page: int, per_page: int) -> Page:
    """Founders of live listings by name; each word of `q` is a part of the name, accents aside."""
    rows = Founder.objects.filter(Exists(_parts(site).filter(founder=OuterRef("pk"))))
    rows = rows.alias(folded=Folded("name"))
    if any(letter.isalnum() for letter in q):  # only punctuation means browse
        for word in q.split():
            rows = rows.filter(folded__contains=Folded(Value(word)))
    if country:
        rows = rows.filter(country=country)
    rows = rows.annotate(companies=_companies(site)).order_by("name", "pk")
    found = page_of(rows, fields=FIELDS, page=page, per_page=per_page)
    return replace(found, items=[_card(**dict(zip(FIELDS, row, strict=True))) for row in found.items])


def get_founder(*, site: Site, slug: str) -> dict[str, Any]:
    """A founder with companies and stories. Raises FounderNotFoundError without a live listing here."""
    parts = _parts(site).filter(founder=OuterRef("pk")).order_by("-listing__launched_at", "listing")
    founder: Any = (
        Founder.objects.filter(slug=slug)
        .annotate(parts=ArraySubquery(parts.values(data=PART)), companies=_companies(site))
        .first()
    )
    if founder is None or not founder.parts:
        raise FounderNotFoundError("There is no such founder.")
    cards = summaries(listing_ids=[part["listing"] for part in founder.parts])
    companies = list(zip(cards, founder.parts, strict=True))
    return {
        **_card(**{name: getattr(founder, name) for name in FIELDS}),
        "bio": founder.bio or None,
        "socials": founder.socials,
        "companies": [{**card, "role": part["title"] or founder.title or None} for card, part in companies],
        "stories": [
            {
                "title": part["story_title"] or card["name"],
                "listing": card["slug"],
                "published_at": card["launched_at"],
            }
            for card, part in companies
            if part["has_story"] and "story" in open_sections(plan=part["plan"], unlocked=part["unlocked"])
        ],
    }


def _parts(site: Site) -> QuerySet[ListingFounder]:
    return ListingFounder.objects.filter(listing__stats__site=site, listing__stats__is_live=True)


def _companies(site: Site) -> Counted:
    return Counted(_parts(site).filter(founder=OuterRef("pk")).values("pk"))


def _card(*, slug: str, name: str, title: str, country: str, photo: Any, companies: int) -> dict[str, Any]:
    return {
        "slug": slug,
        "name": name,
        "title": title or None,
        "country": country or None,
        "photo_url": on_site(default_storage.url(str(photo))) if photo else None,
        "companies_count": companies,
        "page_url": on_site(f"/founders/{slug}"),
    }
