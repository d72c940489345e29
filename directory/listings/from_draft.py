"""A submitted draft becomes a listing, and goes on feeding it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction

from accounts.models import User
from directory.addresses import product_address
from directory.categories import filing
from directory.errors import ListingNotFoundError
from directory.facts import FACTS, LIST_COLUMNS, TEXT_COLUMNS
from directory.launches.launchable import own_at
from directory.listings import contents, versions
from directory.models import Category, FormerSlug, Listing, Site
from directory.search import public_data

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
    def stated(self) -> frozenset[str]:
        """The names of what has a value or was removed by its owner. What a draft left blank says nothing."""
        own = {name: getattr(self, name) for name in ("founded_year", "categories", "founders", "milestones")}
        return self.removed.union(name for name in EVERYTHING if {**self.values, **own}.get(name))


@dataclass(frozen=True, kw_only=True)
class Saved:
    """The listing, whether it is new, what changed on it, and the categories that its plan does not hold."""

    listing: Listing
    created: bool
    changes: list[dict[str, Any]]
    waiting: list[Category]


def free_slug(*, site: Site, name: str, host: str) -> str:
    """A slug for a new listing: its name's, or its host's where the name has no Latin letters.

    Never one that leads to another listing since that was renamed or merged.
    """
    rows = (Listing.objects.filter(site=site), FormerSlug.objects.filter(site=site, listing__isnull=False))
    return contents.free_slug(name, host.replace(".", "-"), "listing", among=rows)


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
    listing, only = _listing_for(
        owner=owner, site=site, listing_id=listing_id, drafted=drafted, at=at, only=only
    )
    before = None if listing.pk is None else versions.begin(listing)
    waited = filing.waiting(listing)
    columns = _fill(listing, drafted, only=only, at=at)
    listing.save(update_fields=columns if before else None)
    if "categories" in only:
        filing.file(listing, drafted.categories)
    if "founders" in only:
        contents.name_founders(listing, drafted.founders, at=at)
    if "milestones" in only:
        contents.write_milestones(listing, drafted.milestones)
    edit = versions.close(listing, before=before, by_id=owner.pk, at=at)
    public_data.refresh_locked(listing_ids=[listing.pk])
    waiting = filing.waiting(listing)
    changes = [*edit.changes, *_waiting_anew(waited, waiting)]
    return Saved(listing=listing, created=before is None, changes=changes, waiting=waiting)


def _waiting_anew(before: Sequence[Category], after: Sequence[Category]) -> list[dict[str, Any]]:
    """That other categories wait for a plan than before, beside what changed on the listing."""
    slugs = [[category.slug for category in side] for side in (before, after)]
    return [{"field": "categories_waiting", "before": slugs[0], "after": slugs[1]}] if before != after else []


def _listing_for(
    *,
    owner: User,
    site: Site,
    listing_id: int | None,
    drafted: DraftedListing,
    at: datetime,
    only: frozenset[str],
) -> tuple[Listing, frozenset[str]]:
    """The listing to write to, not stored yet if it is new, and what of the draft it takes."""
    own = Listing.objects.select_for_update().owned_by(owner.pk)
    if listing_id is not None:
        row = own.filter(pk=listing_id).first()
        if row is None:
            raise ListingNotFoundError("The listing of this draft is no longer yours.")
        return row, drafted.stated if only == EVERYTHING else only
    Site.objects.select_for_update().get(pk=site.pk)
    there = own_at(site_id=site.pk, owner_id=owner.pk, url=drafted.url)
    if there is not None:
        row = own.get(pk=there.pk)
        return row, drafted.stated
    slug = free_slug(site=site, name=drafted.values.get("name") or "", host=drafted.host)
    return Listing(site=site, slug=slug, owner=owner, created_at=at, updated_at=at), EVERYTHING


def _fill(listing: Listing, drafted: DraftedListing, *, only: frozenset[str], at: datetime) -> list[str]:
    values = drafted.values
    for name in only.intersection(TEXT_COLUMNS):
        setattr(listing, name, values.get(name) or "")
    listing.name = contents.in_a_line(listing.name)
    for name in only.intersection(LIST_COLUMNS):
        setattr(listing, name, list(values.get(name) or []))
    for name in only.intersection(WHOLE).intersection(values):
        setattr(listing, name, values[name])
    if "founded_year" in only:
        listing.founded_year = drafted.founded_year
    versions.restore_evidence(listing, names=only, sources=values)
    if listing.pk is None or product_address(listing.url) == product_address(drafted.url):
        # another one is what staff gave it since
        listing.url, listing.domain, listing.host = drafted.url, drafted.domain, drafted.host
    listing.last_crawled_at = values.get("last_crawled_at", listing.last_crawled_at)
    listing.updated_at = at
    return [*only.intersection(COLUMNS), *FOLLOWING]
