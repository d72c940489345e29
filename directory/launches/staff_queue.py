"""What staff do about a launch that is to come: look at the badge now, give another week, waive the badge."""

from collections.abc import Callable
from datetime import date, datetime

from django.db import transaction

from core import jobs
from directory import weeks
from directory.errors import ListingCannotMoveError, WeekOverError
from directory.launches.badge_watch import CHECKED
from directory.launches.publishing import launch_or_explain
from directory.launches.queueing import QUEUED, locked, move, stay, write_to_owners
from directory.models import Launch, Listing
from directory.search import public_data

Status = Listing.Status
_followers: list[Callable[[int, date | None, date], None]] = []


def follows_moves(rule: Callable[[int, date | None, date], None]) -> Callable[[int, date | None, date], None]:
    """Register what is done when staff move a listing from one week to another."""
    _followers.append(rule)
    return rule


@transaction.atomic
def check_badge_now(*, listing_id: int, at: datetime) -> None:
    """Have the homepage looked at now. Raises ListingCannotMoveError for one whose badge nobody waits for."""
    listing = locked(listing_id)
    if listing.status not in CHECKED or not listing.needs_badge:
        raise ListingCannotMoveError("Nobody waits for a badge of this listing.", current=listing.status)
    jobs.add("directory.check_badge", key=f"{listing_id}-staff-{at:%Y%m%d%H%M%S}", listing_id=listing_id)


@transaction.atomic
def move_week(*, listing_id: int, week: date, staff_id: int, at: datetime) -> Listing:
    """Give a listing that waits for its launch another week, full or not; what it paid for comes along.

    Raises ListingCannotMoveError for one that does not wait, WeekOverError for a week that is over or running.
    """
    listing = locked(listing_id)
    if listing.status not in QUEUED:
        raise ListingCannotMoveError(
            "Only a listing that waits for its launch has a week.", current=listing.status
        )
    if week != weeks.monday(week) or weeks.start(week) <= at:
        raise WeekOverError("Choose the Monday of a week that is still to come.")
    if week == listing.launch_week:
        return listing
    booked = Launch.objects.filter(listing=listing, launched_at=None).order_by("-booked_at").first()
    kind = booked.kind if booked else listing.plan
    Launch.objects.filter(listing=listing, launched_at=None).delete()
    Launch.objects.create(site_id=listing.site_id, listing=listing, week=week, kind=kind, booked_at=at)
    was = listing.launch_week
    for follow in _followers:
        follow(listing.pk, was, week)
    reason = f"The site team moved its launch from the week of {was:%-d %B %Y} to {week:%-d %B %Y}."
    stay(listing=listing, week=week, reason=reason, at=at, by=f"staff:{staff_id}")
    public_data.refresh_locked(listing_ids=[listing.pk])
    write_to_owners(listing, template="week_given", key=f"week-given-{listing.pk}-{at.isoformat()}")
    return listing


@transaction.atomic
def waive_badge(*, listing_id: int, staff_id: int, reason: str, at: datetime) -> Listing:
    """Let a free listing launch without the badge: in its week, or at once where that is running.

    Raises ListingCannotMoveError for one that needs none.
    """
    listing = locked(listing_id)
    if not listing.needs_badge or listing.status not in (*QUEUED, Status.LIVE):
        raise ListingCannotMoveError("No badge is asked of this listing.", current=listing.status)
    listing.badge_waived = True
    listing.save(update_fields=["badge_waived"])
    if listing.status != Status.AWAITING_BADGE or listing.launch_week is None:
        return listing
    says = f"The site team waived the badge: {reason}"
    if weeks.start(listing.launch_week) <= at:
        launch_or_explain(listing, at=at, reason=says)
    else:
        move(listing=listing, to=Status.SCHEDULED, by=f"staff:{staff_id}", reason=says, at=at)
        public_data.refresh_locked(listing_ids=[listing.pk])
    return listing
