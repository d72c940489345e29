"""Staff's moves: reject, suspend, archive, put live, and put back. Each has a reason, which the owner reads."""

from datetime import datetime

from django.db import transaction

from core.api.links import absolute
from directory.errors import ListingCannotMoveError
from directory.launches import queueing
from directory.launches.launchable import why_not_live
from directory.launches.publishing import enter_week
from directory.launches.queueing import locked, move, write_to_owners
from directory.models import BadgeCheck, Listing
from directory.reports.reporting import close_reports_on, refuse_without_reason
from directory.search import public_data
from directory.wording import words_of

OUT = (Listing.Status.REJECTED, Listing.Status.SUSPENDED)


@transaction.atomic
def moderate(*, listing_id: int, to: str, staff_id: int, at: datetime, reason: str) -> Listing:
    """Move a listing as staff decide. Already there is success. Who owns it is told of what takes it out or back.

    Raises InvalidRequestError without a reason, ListingCannotMoveError, and for what must not go live as it is also
    DuplicateListingError.
    """
    listing = locked(listing_id)
    if listing.status == to:
        return listing
    refuse_without_reason(reason)
    was = listing.status
    if to == Listing.Status.LIVE:
        queueing.refuse_unless_launchable(listing)
        enter_week(listing, at=at)
    move(
        listing=listing,
        to=to,
        by=f"staff:{staff_id}",
        reason=reason,
        at=at,
        saving=("launched_at", "launch_week"),
    )
    public_data.refresh_locked(listing_ids=[listing.pk])
    if to in OUT:
        close_reports_on(listing, staff_id=staff_id, decision=f"We took it off the site. {reason}", at=at)
    if to in OUT or was in OUT:
        write_to_owners(
            listing,
            template="moderated",
            key=f"moderated-{listing.pk}-{at.isoformat()}",
            decision=to if to in OUT else "back",
            was=was,
            reason=reason,
            terms_url=absolute("/terms"),
        )
    return listing


def refuse_same(listing: Listing, *, to: str) -> None:
    """Raise ListingCannotMoveError for a listing that a colleague has moved there already."""
    if listing.status == to:
        raise ListingCannotMoveError(f"It is {words_of(to).lower()} already.", current=to)


@transaction.atomic
def put_back(*, listing_id: int, staff_id: int, at: datetime, reason: str) -> Listing:
    """Take a rejection or suspension back: the listing is where it was before, with the week it had booked.

    One whose bought week was refunded meanwhile is a draft.

    Raises ListingCannotMoveError for a listing that is neither, and what `moderate` raises.
    """
    listing = locked(listing_id)
    before = (
        listing.moves.filter(to_status__in=OUT).exclude(from_status__in=OUT).order_by("-at", "-pk").first()
    )
    if listing.status not in OUT or before is None:
        raise ListingCannotMoveError(
            f"A listing that is {words_of(listing.status).lower()} has nowhere to go back to.",
            current=listing.status,
        )
    has_lost_its_week = before.from_status in queueing.QUEUED and listing.launch_week is None
    to = Listing.Status.DRAFT if has_lost_its_week else before.from_status
    return moderate(listing_id=listing_id, to=to, staff_id=staff_id, at=at, reason=reason)


@transaction.atomic
def tell_why_not_live(*, listing_id: int, at: datetime) -> None:
    """Mail the sentence that staff read. Raises ListingCannotMoveError for a live listing and for one of nobody."""
    listing = Listing.objects.select_related("owner", "site").get(pk=listing_id)
    check = BadgeCheck.objects.filter(listing=listing).order_by("-at", "-pk").first()
    why = why_not_live(listing, check=check, at=at)
    if why is None or listing.owner is None:
        raise ListingCannotMoveError(
            "There is nothing to tell, or nobody to tell it to.", current=listing.status
        )
    write_to_owners(listing, template="why_not_live", key=f"why-{listing.pk}-{at:%Y%m%d%H%M}", why=why.says)
