"""The founders of listings."""

from dataclasses import replace
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.core.files.storage import default_storage
from django.db.models import Exists, OuterRef, QuerySet
from django.db.models.functions import JSONObject

from core.links import absolute
from core.pagination import Page
from directory.errors import FounderNotFoundError
from directory.models import Founder, Listing, ListingFounder, Site
from directory.selectors.cards import summaries
from directory.selectors.listings import open_sections
from directory.selectors.pages import Counted, page_of

FIELDS = ("slug", "name", "title", "country", "photo", "companies")


def list_founders(*, site: Site, q: str = "", country: str | None = None, page: int, per_page: int) -> Page:
    """Founders of live listings by name; each word of `q` is a part of the name, accents aside."""
    rows = Founder.objects.filter(Exists(_parts(site).filter(founder=OuterRef("pk"))))
    for word in q.split():
        rows = rows.filter(name__unaccent__icontains=word)
    if country:
        rows = rows.filter(country=country)
    rows = rows.annotate(companies=_companies(site)).order_by("name", "pk")
    found = page_of(rows, fields=FIELDS, page=page, per_page=per_page)
    return replace(found, items=[_card(**dict(zip(FIELDS, row, strict=True))) for row in found.items])


def get_founder(*, site: Site, slug: str) -> dict[str, Any]:
    """A founder with companies and stories. Raises FounderNotFoundError without a live listing here."""
    part = JSONObject(listing="listing_id", title="title")
    parts = _parts(site).filter(founder=OuterRef("pk")).order_by("-listing__launched_at", "listing")
    founder: Any = (
        Founder.objects.filter(slug=slug)
        .annotate(parts=ArraySubquery(parts.values(data=part)), companies=_companies(site))
        .first()
    )
    if founder is None or not founder.parts:
        raise FounderNotFoundError("There is no such founder.")
    ids = [row["listing"] for row in founder.parts]
    roles = [row["title"] or founder.title or None for row in founder.parts]
    card = _card(**{name: getattr(founder, name) for name in FIELDS})
    return {
        **card,
        "bio": founder.bio or None,
        "socials": founder.socials,
        "companies": [
            {**company, "role": role} for company, role in zip(summaries(listing_ids=ids), roles, strict=True)
        ],
        "stories": _stories(ids),
    }


def _parts(site: Site) -> QuerySet[ListingFounder]:
    return ListingFounder.objects.filter(listing__site=site, listing__status=Listing.Status.LIVE)


def _companies(site: Site) -> Counted:
    return Counted(_parts(site).filter(founder=OuterRef("pk")).values("pk"))


def _card(*, slug: str, name: str, title: str, country: str, photo: Any, companies: int) -> dict[str, Any]:
    return {
        "slug": slug,
        "name": name,
        "title": title or None,
        "country": country or None,
        "photo_url": absolute(default_storage.url(str(photo))) if photo else None,
        "companies_count": companies,
        "page_url": absolute(f"/founders/{slug}"),
    }


def _stories(listing_ids: list[int]) -> list[dict[str, Any]]:
    """The stories that everybody may read; a story is published with its listing."""
    rows = Listing.objects.filter(pk__in=listing_ids).exclude(story={}).order_by("-launched_at", "pk")
    return [
        {
            "title": listing.story.get("title") or listing.name,
            "listing": listing.slug,
            "published_at": listing.launched_at,
        }
        for listing in rows.only("slug", "name", "story", "plan", "unlocked_sections", "launched_at")
        if "story" in open_sections(listing)
    ]
