"""What the owner of a saved listing chooses between, and a free launch that is chosen, now or once more."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db import transaction

from core import jobs
from core.api import throttling
from core.parts import Several
from directory import weeks
from directory.addresses import homepage_of, host_of
from directory.launches import badge_check, badge_watch, badges, launch_mail
from directory.launches.badge_check import Check
from directory.launches.launchable import live_twin, missing_facts
from directory.launches.queueing import (
    QUEUED,
    book,
    next_free_week,
    queue_starts,
    refuse_beside_a_live_twin,
    refuse_unless_launchable,
    refuse_unless_saved,
)
from directory.models import Launch, Listing, Site
from directory.sites.lookup import addresses_of_listing

Status = Listing.Status


def check_badge_at_once(*, owner_id: int, listing_id: int) -> Check | None:
    """A quick check of the homepage before a free launch is chosen, for the first time or again.

    None when the answer would not matter, or when it is left to a job. Raises RateLimitedError for a listing that
    waits and whose owner asks too often.
    """
    undecided = (Status.DRAFT, Status.AWAITING_BADGE)
    listing = Listing.objects.owned_by(owner_id).filter(pk=listing_id, status__in=undecided).first()
    if listing is None or not listing.needs_badge or missing_facts(listing) or live_twin(listing):
        return None
    if listing.status == Status.AWAITING_BADGE:
        throttling.spend("crawl", user_id=owner_id)
    with addresses_of_listing(listing):
        return badge_check.check_at_once(homepage=homepage_of(listing.url), slug=listing.slug)


@transaction.atomic
def choose_free_listing(*, owner_id: int, listing_id: int, check: Check | None, at: datetime) -> Listing:
    """Queue a saved listing for a free launch week. A second call keeps the week it has, and goes by the check.

    `check` says whether the badge was on the homepage a moment ago; unless that is certain, a job checks again at once.
    A draft whose paid launch was refused when its week began gets the next week with a place, without a badge.
    Raises ListingCannotMoveError for a listing that is live, archived, rejected or suspended, whose launch was paid
    for, or that lacks what a listing needs, and DuplicateListingError while another is live at its address.
    """
    listing = Listing.objects.locked_own(owner_id, listing_id)
    is_paid = listing.plan == Listing.Plan.PAID
    if listing.status in QUEUED and not (is_paid and listing.launches.filter(kind=Launch.Kind.PAID).exists()):
        refuse_beside_a_live_twin(listing)
        return badge_watch.go_by(check, listing=listing, at=at)
    refuse_unless_saved(listing)
    refuse_unless_launchable(listing)
    site = Site.objects.select_for_update().get(pk=listing.site_id)
    starts = weeks.week_of(at) + weeks.WEEK if is_paid else queue_starts(site=site, at=at)
    week = next_free_week(site=site, not_before=starts)
    is_there = not listing.needs_badge or (check is not None and check.is_seen)
    listing.missed_weeks = 0
    book(
        listing,
        week=week,
        to=Status.SCHEDULED if is_there else Status.AWAITING_BADGE,
        by=f"user:{owner_id}",
        at=at,
        reason=f"Booked: week of {week:%-d %B %Y}.",
    )
    if check is not None and check.is_final:
        badge_check.record(listing=listing, check=check, at=at)
    elif not is_there:
        jobs.add("directory.check_badge", key=f"{listing.pk}-chosen-{at.isoformat()}", listing_id=listing.pk)
    launch_mail.write_booked(listing, week=week)
    return listing


TellPaid = Callable[[Listing, int, datetime], Any]
tells_paid_launch = Several[TellPaid]()  # what a paid launch costs a person: an area above sells them
LIGHT, DARK = badges.BadgeStyle(mode="light"), badges.BadgeStyle(mode="dark")


@dataclass(frozen=True, kw_only=True)
class LaunchChoice:
    """The next free week with the place in its line, what is left of this one, the badge, what a paid launch costs."""

    host: str
    left: str
    week: date
    place: int
    badge_html: str
    light: str
    dark: str
    paid: Any


def launch_choice(listing: Listing, *, user_id: int, at: datetime) -> LaunchChoice:
    """What may be chosen now. Nothing is held by looking."""
    week = next_free_week(site=listing.site, not_before=queue_starts(site=listing.site, at=at))
    before = Launch.objects.filter(site=listing.site, week=week, launched_at=None).count()
    with addresses_of_listing(listing):
        code = badges.badge_html(slug=listing.slug, name=listing.name)
    return LaunchChoice(
        host=host_of(homepage_of(listing.url)),
        left=weeks.time_left(weeks.end(weeks.week_of(at)), at=at),
        week=week,
        place=before + 1,
        badge_html=code,
        light=f"/badges/{listing.slug}/listed.svg{LIGHT.query}",
        dark=f"/badges/{listing.slug}/listed.svg{DARK.query}",
        paid=next((offer for tell in tells_paid_launch if (offer := tell(listing, user_id, at))), None),
    )
