"""What of a listing is worth money or power, given and taken by staff: with a reason, and never to themselves."""

from collections.abc import Collection
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from accounts.models import User
from accounts.services import refuse_own_gain
from core.api.errors import InvalidRequestError
from directory.errors import DuplicateListingError
from directory.launches import featuring
from directory.launches.launchable import live_at
from directory.launches.queueing import locked, write_to_owners
from directory.listings import contents
from directory.listings.editing import StaffEdit
from directory.models import FormerSlug, Listing, ListingMove
from directory.reports.reporting import refuse_without_reason
from directory.search import public_data

NOTHING = "Nothing would change."


@dataclass(frozen=True, kw_only=True)
class Gain:
    before: dict[str, Any]
    after: dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Paid:
    plan: str
    featured_until: datetime | None
    unlocked_sections: list[str]


@transaction.atomic
def give_paid(*, listing_id: int, paid: Paid, staff_id: int, reason: str, at: datetime) -> Gain:
    """Set a listing's plan, until when it is featured, and its unlocked sections, without an order.

    Raises InvalidRequestError without a reason or a change, OwnGainError for staff's own listing.
    """
    listing = _others(listing_id, staff_id=staff_id, reason=reason)
    after = asdict(paid)
    before = {name: getattr(listing, name) for name in after}
    changed = _changed(before, after)
    for name in changed:
        setattr(listing, name, after[name])
    listing.updated_at = at
    listing.save(update_fields=[*changed, "updated_at"])
    if "featured_until" in changed:
        featuring.set_end(listing=listing, until=paid.featured_until, at=at)
    public_data.refresh(listing_ids=[listing.pk])
    return _gain(before, after, changed)


@transaction.atomic
def choose_co_owners(
    *, listing_id: int, people: Collection[User], staff_id: int, reason: str, at: datetime
) -> Gain:
    """Say who may edit a listing beside its owner; those who could until now are told.

    Raises InvalidRequestError without a reason or a change, OwnGainError when staff would be one of them.
    """
    listing = _others(listing_id, staff_id=staff_id, reason=reason)
    refuse_own_gain(staff_id=staff_id, people=[person.pk for person in people])
    closed = [person.email for person in people if not person.is_active or person.is_suspended]
    if closed:
        raise InvalidRequestError(f"The account of {closed[0]} is closed. Nothing was changed.")
    before = {"co_owners": sorted(listing.co_owners.values_list("pk", flat=True))}
    after = {"co_owners": sorted({person.pk for person in people} - {listing.owner_id})}
    _changed(before, after)
    key, emails = f"co-owners-{listing.pk}-{at.isoformat()}", [person.email for person in people]
    write_to_owners(listing, template="co_owners", key=key, emails=emails, reason=reason)
    listing.co_owners.set(after["co_owners"])
    _note(listing, text=f"Who may edit it was changed: {reason}", staff_id=staff_id, at=at)
    return Gain(before=before, after=after)


@transaction.atomic
def rename(*, listing_id: int, slug: str, url: str, staff_id: int, reason: str, at: datetime) -> Gain:
    """Change the address of a listing's page, or the website it is about. The former address leads on.

    Raises InvalidRequestError without a reason or a change, DuplicateListingError for an address that is another's,
    OwnGainError for staff's own listing.
    """
    edit = StaffEdit(listing_ids=[listing_id])
    listing = _others(listing_id, staff_id=staff_id, reason=reason)
    before, after = {"slug": listing.slug, "url": listing.url}, {"slug": slug, "url": url}
    changed = _changed(before, after)
    _refuse_taken(listing, slug=slug, url=url)
    if "slug" in changed:
        former: dict[str, Any] = {"site_id": listing.site_id, "slug": listing.slug}
        FormerSlug.objects.filter(site=listing.site_id, slug=slug).delete()
        FormerSlug.objects.update_or_create(**former, defaults={"listing": listing})
        listing.slug = slug
        listing.save(update_fields=["slug"])
    if "url" in changed:
        contents.write(listing, {"url": url}, at=at)
    _note(listing, text=f"Its address was changed: {reason}", staff_id=staff_id, at=at)
    edit.close(staff_id=staff_id, at=at)
    return _gain(before, after, changed)


def _refuse_taken(listing: Listing, *, slug: str, url: str) -> None:
    others = Listing.objects.filter(site=listing.site_id).exclude(pk=listing.pk)
    if others.filter(slug=slug).exists():
        raise DuplicateListingError("Another listing has that address. Nothing was changed.", slug=slug)
    if listing.is_live and live_at(site_id=listing.site_id, url=url, besides=listing.pk):
        raise DuplicateListingError("Another listing of that website is live. Nothing was changed.")


def _others(listing_id: int, *, staff_id: int, reason: str) -> Listing:
    """The listing, locked: not one of whoever acts."""
    refuse_without_reason(reason)
    listing = locked(listing_id)
    owners = [listing.owner_id, *listing.co_owners.values_list("pk", flat=True)]
    refuse_own_gain(staff_id=staff_id, people=owners)
    return listing


def _changed(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    changed = [name for name, value in after.items() if value != before[name]]
    if not changed:
        raise InvalidRequestError(NOTHING)
    return changed


def _gain(before: dict[str, Any], after: dict[str, Any], changed: list[str]) -> Gain:
    def stored(side: dict[str, Any]) -> dict[str, Any]:
        values = {name: side[name] for name in changed}
        return {name: v.isoformat() if isinstance(v, datetime) else v for name, v in values.items()}

    return Gain(before=stored(before), after=stored(after))


def _note(listing: Listing, *, text: str, staff_id: int, at: datetime) -> None:
    status = listing.status
    ListingMove.objects.create(
        listing=listing,
        from_status=status,
        to_status=status,
        by=f"staff:{staff_id}",
        reason=text[:300],
        at=at,
    )
