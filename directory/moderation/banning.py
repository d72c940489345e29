"""An account that spams is shut with all its listings, and opened again within 30 days if that was a mistake."""

from datetime import datetime

from django.db import transaction
from django.db.models import F

from accounts.models import User
from core import jobs, mail
from core.api.errors import ApiError
from core.api.links import absolute
from directory.errors import CannotBanError
from directory.models import Listing, ListingMove, Undo
from directory.moderation import status as moderation
from directory.moderation.comparing import listings_of
from directory.reports.reporting import refuse_without_reason
from directory.reviews import rating
from directory.undoing import close, unused

AT_ONCE = 100


@transaction.atomic
def ban(*, user_id: int, staff_id: int, reason: str, at: datetime) -> Undo:
    """End sign-ins and keys at once and suspend the listings; whoever owns very many, loses the rest in a job.

    Raises InvalidRequestError without a reason, CannotBanError for staff and for somebody banned already.
    """
    refuse_without_reason(reason)
    user = User.objects.select_for_update().get(pk=user_id)
    if user.is_staff or user.is_superuser:
        raise CannotBanError("Staff are not banned. Take their role away first.")
    if user.is_suspended:
        raise CannotBanError("That account is banned already. Nothing was changed.")
    user.suspended_at = at
    user.save(update_fields=["suspended_at"])
    details = {"staff": staff_id, "reason": reason, "listings": []}
    undo = Undo.objects.create(kind=Undo.Kind.BAN, user=user, details=details, at=at)
    suspend_more(undo_id=undo.pk, at=at)
    rating.recount_of_people([user.pk])
    mail.send(
        template="directory/mail/banned",
        to=user.email,
        key=f"banned-{undo.pk}",
        context={"reason": reason, "terms_url": absolute("/terms")},
        envelope=mail.Envelope(person_id=user.pk),
    )
    return undo


@transaction.atomic
def suspend_more(*, undo_id: int, at: datetime) -> None:
    """Suspend the next listings of a banned account, and leave the others to a job."""
    undo = Undo.objects.select_for_update().get(pk=undo_id)
    if undo.undone_at is not None or undo.user_id is None:
        return
    ids = list(listings_of(undo.user_id).values_list("pk", flat=True)[: AT_ONCE + 1])
    staff_id, reason = undo.details["staff"], undo.details["reason"]
    for listing_id in ids[:AT_ONCE]:
        to = Listing.Status.SUSPENDED
        moderation.moderate(listing_id=listing_id, to=to, staff_id=staff_id, at=at, reason=reason)
    undo.details["listings"] += ids[:AT_ONCE]
    undo.save(update_fields=["details"])
    if len(ids) > AT_ONCE:
        key = f"{undo.pk}-{len(undo.details['listings'])}"
        jobs.add("directory.suspend_banned", key=key, undo_id=undo.pk)


@transaction.atomic
def undo_ban(*, undo_id: int, staff_id: int, at: datetime) -> list[str]:
    """Open the account again and put its listings back where they were, as far as nobody moved them since.

    Returns what could not be put back, in words. Raises CannotUndoError.
    """
    undo = unused(undo_id, kind=Undo.Kind.BAN, at=at)
    User.objects.filter(pk=undo.user_id or 0, suspended_at=undo.at).update(suspended_at=None)
    rating.recount_of_people([undo.user_id or 0])
    close(undo, at=at)
    return restore_more(undo_id=undo.pk, staff_id=staff_id, at=at)


def restore_more(*, undo_id: int, staff_id: int, at: datetime) -> list[str]:
    """Put the next listings back, and leave the others to a job."""
    undo = Undo.objects.select_for_update().get(pk=undo_id)
    ids, undo.details["listings"] = undo.details["listings"][:AT_ONCE], undo.details["listings"][AT_ONCE:]
    remaining = []
    for listing_id in ids:
        moves = ListingMove.objects.filter(listing=listing_id).exclude(to_status=F("from_status"))
        last = moves.order_by("-at", "-pk").first()
        if (
            last is None
            or last.to_status != Listing.Status.SUSPENDED
            or last.reason != undo.details["reason"]
        ):
            continue
        try:
            with transaction.atomic():
                moderation.put_back(
                    listing_id=listing_id,
                    staff_id=staff_id,
                    at=at,
                    reason="The ban of the account was taken back.",
                )
        except ApiError as error:
            remaining.append(f"{last.listing.name}: {error.detail}")
    undo.save(update_fields=["details"])
    if undo.details["listings"]:
        key = f"{undo.pk}-{len(undo.details['listings'])}"
        jobs.add("directory.restore_banned", key=key, undo_id=undo.pk, staff_id=staff_id)
    return remaining
