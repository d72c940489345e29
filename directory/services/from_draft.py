"""A submitted draft becomes a listing, and goes on feeding it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.text import slugify

from accounts.models import User
from directory import limits
from directory.errors import ListingNotFoundError
from directory.models import (
    Category,
    Founder,
    Listing,
    ListingCategory,
    ListingFounder,
    ListingRevision,
    Milestone,
    Site,
)
from directory.services import public_data

TEXTS = (
    "name",
    "tagline",
    "short_description",
    "description",
    "stage",
    "pricing_model",
    "pricing_summary",
    "country",
    "city",
    "contact_email",
    "demo_video_url",
    "logo_url",
)
LISTS = ("features", "usps", "keywords", "tags")
WHOLE = (
    "faqs",
    "socials",
    "story",
    "seo_title",
    "seo_description",
)
EVERYTHING = frozenset({*TEXTS, *LISTS, *WHOLE, "founded_year", "categories", "founders", "milestones"})
RESERVED_SLUGS = {"new", "feed", "compare", "search"}


@dataclass(frozen=True, kw_only=True)
class DraftedListing:
    """What a draft says a listing should be. `values` holds the texts, lists and whole columns by name."""

    url: str
    domain: str
    host: str
    values: Mapping[str, Any]
    founded_year: int | None
    categories: Sequence[str]
    founders: Sequence[Mapping[str, Any]] = field(default=())
    milestones: Sequence[Mapping[str, Any]] = field(default=())


@dataclass(frozen=True, kw_only=True)
class Saved:
    """The listing, whether it is new, and what changed on it."""

    listing: Listing
    created: bool
    changes: list[dict[str, Any]]


def free_slug(*, site: Site, name: str, host: str) -> str:
    """A slug for a new listing: its name's, or its host's where the name has no Latin letters."""
    base = (slugify(name) or slugify(host.replace(".", "-")) or "listing")[: limits.SLUG - 8].strip(
        "-"
    ) or "listing"
    taken = (
        set(Listing.objects.filter(site=site, slug__startswith=base).values_list("slug", flat=True))
        | RESERVED_SLUGS
    )
    if base not in taken:
        return base
    return next(f"{base}-{number}" for number in range(2, len(taken) + 3) if f"{base}-{number}" not in taken)


@transaction.atomic
def save_from_draft(
    *,
    owner: User,
    site: Site,
    listing_id: int | None,
    drafted: DraftedListing,
    at: datetime,
    only: frozenset[str] = EVERYTHING,
) -> Saved:
    """Make a saved, unpublished listing from a draft, or bring the draft's listing up to date.

    `only` names what of the draft was changed: the rest may have been edited on the listing since.
    """
    if listing_id is None:
        Site.objects.select_for_update().get(pk=site.pk)
        slug = free_slug(site=site, name=drafted.values.get("name") or "", host=drafted.host)
        listing = Listing(site=site, slug=slug, owner=owner, created_at=at, updated_at=at)
        before: dict[str, Any] = {}
    else:
        found = Listing.objects.select_for_update().owned_by(owner.pk).filter(pk=listing_id).first()
        if found is None:
            raise ListingNotFoundError("The listing of this draft is no longer yours.")
        listing, before = found, _facts(found)
    only = only if before else EVERYTHING
    _fill(listing, drafted, only=only, at=at)
    listing.save()
    if "categories" in only:
        _file(listing, drafted.categories)
    if "founders" in only:
        _name_founders(listing, drafted.founders, at=at)
    if "milestones" in only:
        _write_milestones(listing, drafted.milestones, may_empty=only != EVERYTHING)
    after = _facts(listing)
    changes = [
        {"field": name, "before": before.get(name), "after": value}
        for name, value in after.items()
        if value != before.get(name) and (before or value)
    ]
    if before and changes:
        names = [change["field"] for change in changes]
        ListingRevision.objects.create(
            listing=listing,
            changed=names,
            before={name: before[name] for name in names},
            after={name: after[name] for name in names},
            by=owner,
            at=at,
        )
    public_data.refresh(listing_ids=[listing.pk])
    return Saved(listing=listing, created=listing_id is None, changes=changes)


def _fill(listing: Listing, drafted: DraftedListing, *, only: frozenset[str], at: datetime) -> None:
    values = drafted.values
    for name in only.intersection(TEXTS):
        setattr(listing, name, values.get(name) or "")
    for name in only.intersection(LISTS):
        setattr(listing, name, list(values.get(name) or []))
    for name in only.intersection(WHOLE).intersection(values):
        setattr(listing, name, values[name])
    if "founded_year" in only:
        listing.founded_year = drafted.founded_year
    quoted = {name: quotes for name, quotes in listing.evidence.items() if name not in only}
    listing.evidence = quoted | {n: q for n, q in values.get("evidence", {}).items() if n in only}
    blank = [entry for entry in listing.not_found if entry["field"] not in only]
    listing.not_found = blank + [e for e in values.get("not_found", ()) if e["field"] in only]
    listing.url, listing.domain, listing.host = drafted.url, drafted.domain, drafted.host
    listing.last_crawled_at = values.get("last_crawled_at", listing.last_crawled_at)
    listing.updated_at = at


def _file(listing: Listing, slugs: Sequence[str]) -> None:
    known = {category.slug: category for category in Category.objects.filter(slug__in=slugs)}
    wanted = [known[slug] for slug in dict.fromkeys(slugs) if slug in known][: 1 + limits.EXTRA_CATEGORIES]
    if listing.plan == Listing.Plan.FREE:
        wanted = wanted[:1]
    listing.filed.all().delete()
    ListingCategory.objects.bulk_create(
        ListingCategory(listing=listing, category=category, position=position)
        for position, category in enumerate(wanted)
    )


def free_founder_slug(*, name: str) -> str:
    """A slug for a new founder."""
    base = (slugify(name) or "founder")[: limits.SLUG - 8].strip("-") or "founder"
    taken = set(Founder.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    if base not in taken:
        return base
    return next(f"{base}-{number}" for number in range(2, len(taken) + 3) if f"{base}-{number}" not in taken)


def _name_founders(listing: Listing, founders: Sequence[Mapping[str, Any]], *, at: datetime) -> None:
    mine = {row.founder.name.casefold(): row for row in listing.founded_by.select_related("founder")}
    kept = set()
    for position, person in enumerate(founders[: limits.FOUNDERS]):
        row = mine.get(str(person["name"]).casefold())
        if row is None:
            founder = Founder.objects.create(
                slug=free_founder_slug(name=person["name"]), name=person["name"], created_at=at
            )
            row = ListingFounder(listing=listing, founder=founder)
        row.title, row.position = person.get("title") or "", position
        row.save()
        if row.founder.user_id is None:
            row.founder.title = person.get("title") or ""
            row.founder.bio = person.get("bio") or ""
            row.founder.socials = person.get("socials") or row.founder.socials
            row.founder.save(update_fields=["title", "bio", "socials"])
        kept.add(row.pk)
    gone = listing.founded_by.exclude(pk__in=kept)
    founder_ids = list(gone.values_list("founder_id", flat=True))
    gone.delete()
    Founder.objects.filter(pk__in=founder_ids, user=None, founded=None).delete()


def _write_milestones(listing: Listing, milestones: Sequence[Mapping[str, Any]], *, may_empty: bool) -> None:
    if not milestones and not may_empty:
        return
    listing.milestones.all().delete()
    Milestone.objects.bulk_create(
        Milestone(
            listing=listing,
            date=milestone["date"],
            title=milestone["title"],
            description=milestone.get("description") or "",
            url=milestone.get("url") or "",
        )
        for milestone in milestones
    )


def _facts(listing: Listing) -> dict[str, Any]:
    facts: dict[str, Any] = {name: getattr(listing, name) or None for name in TEXTS}
    facts |= {name: list(getattr(listing, name)) for name in LISTS}
    facts |= {
        name: getattr(listing, name) for name in ("faqs", "socials", "story", "seo_title", "seo_description")
    }
    facts["url"], facts["founded_year"] = listing.url, listing.founded_year
    filed = listing.filed.select_related("category").order_by("position")
    facts["categories"] = [row.category.slug for row in filed]
    people = listing.founded_by.select_related("founder").order_by("position")
    facts["founders"] = [{"name": row.founder.name, "title": row.title or None} for row in people]
    return facts
