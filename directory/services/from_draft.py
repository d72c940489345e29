"""A submitted draft becomes a listing, and goes on feeding it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.text import slugify

from accounts.models import User
from core.errors import FieldError, InvalidRequestError
from directory import limits
from directory.errors import ListingNotFoundError
from directory.facts import FACTS, LIST_COLUMNS, TEXT_COLUMNS, lacking
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
from directory.selectors.launchable import own_at
from directory.services import public_data

WHOLE = ("faqs", "socials", "story", "seo_title", "seo_description")
EVERYTHING = frozenset({*FACTS, *WHOLE, "founders", "milestones"})
COLUMNS = EVERYTHING - {"categories", "founders", "milestones"}
FOLLOWING = ("evidence", "not_found", "url", "domain", "host", "last_crawled_at", "updated_at")


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
    removed: frozenset[str] = frozenset()

    @property
    def said(self) -> frozenset[str]:
        """The names of what has a value or was removed by its owner. What a draft left blank says nothing."""
        own = {name: getattr(self, name) for name in ("founded_year", "categories", "founders", "milestones")}
        return self.removed.union(name for name in EVERYTHING if {**self.values, **own}.get(name))


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
    taken = set(Listing.objects.filter(site=site, slug__startswith=base).values_list("slug", flat=True))
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

    `only` names what of the draft was changed: the rest may have been edited on the listing since. A new draft of an
    address of which its owner has a listing goes into that one. A listing that is there loses nothing to what the draft
    left blank. Raises InvalidRequestError when a change would take away what every listing must have.
    """
    listing, before, only = _listing_for(
        owner=owner, site=site, listing_id=listing_id, drafted=drafted, at=at, only=only
    )
    columns = _fill(listing, drafted, only=only, at=at)
    listing.save(update_fields=columns if before else None)
    if "categories" in only:
        _file(listing, drafted.categories)
    if "founders" in only:
        _name_founders(listing, drafted.founders, at=at)
    if "milestones" in only:
        _write_milestones(listing, drafted.milestones)
    after = _facts(listing)
    _refuse_loss(before, after)
    changes = [
        {"field": name, "before": before.get(name), "after": value}
        for name, value in after.items()
        if value != before.get(name) and (before or value)
    ]
    if before and changes:
        _record(listing, changes=changes, by=owner, at=at)
    public_data.refresh(listing_ids=[listing.pk])
    return Saved(listing=listing, created=not before, changes=changes)


def _listing_for(
    *,
    owner: User,
    site: Site,
    listing_id: int | None,
    drafted: DraftedListing,
    at: datetime,
    only: frozenset[str],
) -> tuple[Listing, dict[str, Any], frozenset[str]]:
    """The listing to write to, its facts so far (none of a new one), and what of the draft it takes."""
    own = Listing.objects.select_for_update().owned_by(owner.pk)
    if listing_id is not None:
        found = own.filter(pk=listing_id).first()
        if found is None:
            raise ListingNotFoundError("The listing of this draft is no longer yours.")
        return found, _facts(found), drafted.said if only == EVERYTHING else only
    Site.objects.select_for_update().get(pk=site.pk)
    there = own_at(site_id=site.pk, owner_id=owner.pk, url=drafted.url)
    if there is not None:
        found = own.get(pk=there.pk)
        return found, _facts(found), drafted.said
    slug = free_slug(site=site, name=drafted.values.get("name") or "", host=drafted.host)
    return Listing(site=site, slug=slug, owner=owner, created_at=at, updated_at=at), {}, EVERYTHING


def _refuse_loss(before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    """Raise when a listing now lacks what it must have and had."""
    if lost := [name for name in lacking(after) if not before or name not in lacking(before)]:
        raise InvalidRequestError(
            "A listing needs a name, a tagline or a short description, and one category. Nothing was changed.",
            errors=[
                FieldError(
                    code="required",
                    pointer=f"/fields/{name}",
                    message="A listing cannot be without this; give another value instead.",
                )
                for name in lost
            ],
        )


def _record(listing: Listing, *, changes: list[dict[str, Any]], by: User, at: datetime) -> None:
    """Keep both sides of an edit for its history and the site team's review."""
    ListingRevision.objects.create(
        listing=listing,
        changed=[change["field"] for change in changes],
        before={change["field"]: change["before"] for change in changes},
        after={change["field"]: change["after"] for change in changes},
        by=by,
        at=at,
    )


def _fill(listing: Listing, drafted: DraftedListing, *, only: frozenset[str], at: datetime) -> list[str]:
    """Set what the draft says, and name the columns."""
    values = drafted.values
    for name in only.intersection(TEXT_COLUMNS):
        setattr(listing, name, values.get(name) or "")
    for name in only.intersection(LIST_COLUMNS):
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
    return [*only.intersection(COLUMNS), *FOLLOWING]


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
        row.save(update_fields=["title", "position"] if row.pk else None)
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


def _write_milestones(listing: Listing, milestones: Sequence[Mapping[str, Any]]) -> None:
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
    facts: dict[str, Any] = {name: getattr(listing, name) or None for name in TEXT_COLUMNS}
    facts |= {name: list(getattr(listing, name)) for name in LIST_COLUMNS}
    facts |= {name: getattr(listing, name) for name in WHOLE}
    facts["url"], facts["founded_year"] = listing.url, listing.founded_year
    filed = listing.filed.select_related("category").order_by("position")
    facts["categories"] = [row.category.slug for row in filed]
    people = listing.founded_by.select_related("founder").order_by("position")
    facts["founders"] = [{"name": row.founder.name, "title": row.title or None} for row in people]
    return facts
