"""How a listing changes its status: locked, looked at again, recorded, and its owner told."""

from collections.abc import Collection
from datetime import date, datetime
from typing import Any

from core import events, mail
from core.api.links import absolute, on_site
from directory.errors import ListingCannotMoveError
from directory.launches import badges
from directory.launches.featuring import follow_launch
from directory.mail_kinds import readers_of
from directory.models import Listing, ListingMove
from directory.sites.lookup import addresses_of_listing
from directory.wording import words_of

EMITTED = (
    Listing.Status.SCHEDULED,
    Listing.Status.AWAITING_BADGE,
    Listing.Status.LIVE,
    Listing.Status.SUSPENDED,
)


def move(
    *, listing: Listing, to: str, by: str, reason: str, at: datetime, saving: tuple[str, ...] = ()
) -> None:
    """Move a locked listing and record it. `saving` names what else the caller has set on it.

    Raises ListingCannotMoveError for a move that is not one of `Listing.MOVES`.
    """
    if not listing.can_become(to):
        raise ListingCannotMoveError.of(
            listing,
            f"A listing that is {words_of(listing.status).lower()} can’t become {words_of(to).lower()}.",
        )
    _record(listing, to=to, by=by, reason=reason, at=at, saving=("status", *saving))


def stay(*, listing: Listing, week: date, reason: str, at: datetime, by: str = "system") -> None:
    """Give a locked listing another week and leave its status as it is; that is recorded like a move."""
    listing.launch_week = week
    _record(listing, to=listing.status, by=by, reason=reason, at=at, saving=("launch_week", "missed_weeks"))


def _record(
    listing: Listing, *, to: str, by: str, reason: str, at: datetime, saving: tuple[str, ...]
) -> None:
    ListingMove.objects.create(
        listing=listing, from_status=listing.status, to_status=to, by=by, reason=reason[:300], at=at
    )
    listing.status, listing.status_reason, listing.updated_at = to, reason[:300], at
    listing.save(update_fields=["status_reason", "updated_at", *saving])
    if "launch_week" in saving:
        follow_launch(listing, at=at)
    if to in EMITTED:
        emit_to_owners(f"listing.{to}", listing_ids=[listing.pk])


def emit_to_owners(name: str, *, listing_ids: Collection[int]) -> None:
    """Tell the programs of everybody who owns these listings what happened to them."""
    events.emit_each(name, things=owners_of(listing_ids))


def owners_of(listing_ids: Collection[int]) -> dict[int, list[int]]:
    owners: dict[int, dict[int, None]] = {listing_id: {} for listing_id in listing_ids}
    rows = Listing.objects.filter(pk__in=listing_ids).order_by("pk", "co_owners")
    for listing_id, *people in rows.values_list("pk", "owner", "co_owners"):
        owners[listing_id] |= dict.fromkeys(pk for pk in people if pk is not None)
    return {listing_id: list(people) for listing_id, people in owners.items()}


def locked(listing_id: int) -> Listing:
    """The listing, held until the transaction ends."""
    return Listing.objects.select_for_update().get(pk=listing_id)


def write_to_owners(listing: Listing, *, template: str, key: str, **context: Any) -> None:
    """Mail everybody who owns it. The same key is sent once to each."""
    with addresses_of_listing(listing):
        context = {
            "listing": listing,
            "page_url": on_site(f"/listings/{listing.slug}"),
            "account_url": absolute(f"/account/listings/{listing.pk}"),
            "badge_html": badges.badge_html(slug=listing.slug, name=listing.name),
            **context,
        }
        for user, own in readers_of(listing, key=key):
            mail.send(
                template=f"directory/mail/{template}",
                to=user.email,
                key=own,
                context=context,
                envelope=mail.Envelope(person_id=user.pk, thing=listing),
            )
