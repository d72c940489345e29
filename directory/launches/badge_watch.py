"""Badges over time: who waits for one is checked every hour; one that was seen is looked for around its launch."""

from collections import Counter
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from core import jobs
from core.api import throttling
from core.cache import changed
from directory import weeks
from directory.addresses import homepage_of
from directory.launches import badge_check, queueing
from directory.launches.badge_check import Check
from directory.launches.publishing import launch_or_explain
from directory.launches.queueing import locked, move, write_to_owners
from directory.models import BadgeCheck, Launch, Listing, Site
from directory.search import public_data
from directory.sites.lookup import addresses_of_listing

Status = Listing.Status
CHECKED = (Status.AWAITING_BADGE, Status.SCHEDULED, Status.LIVE)
WEEKS_MISSED_MAX = 2
GIVE_UP_AFTER = timedelta(weeks=4)
LIVE_WEEKS_WATCHED = 8
PLANNED_AT_ONCE = 1_000  # the others at the next look, ten minutes later
WARNINGS_MAX = 2
DAY = timedelta(days=1)
SEEN = "The badge is on the homepage."


def waiting_for_badge() -> list[int]:
    waiting = Listing.objects.filter(status=Status.AWAITING_BADGE)
    return list(waiting.order_by("launch_week", "pk").values_list("pk", flat=True))


def had_badge(*, at: datetime) -> list[int]:
    """Listings whose badge was seen and is looked for again: before their launch daily, after it every week."""
    running = weeks.week_of(at)
    ahead = Listing.objects.filter(
        status=Status.SCHEDULED, plan=Listing.Plan.FREE, badge_waived=False, launch_week=running + weeks.WEEK
    )
    launches = Launch.objects.filter(
        site__in=Site.objects.values("pk"),
        week__in=[running - number * weeks.WEEK for number in range(LIVE_WEEKS_WATCHED)],
        kind=Launch.Kind.FREE,
        launched_at__lte=at - weeks.WEEK,
        listing__status=Status.LIVE,
        listing__plan=Listing.Plan.FREE,
        listing__badge_waived=False,
    )
    live = Listing.objects.filter(pk__in=launches.values("listing"))
    return [*_not_checked(ahead, since=at - DAY), *_not_checked(live, since=at - weeks.WEEK)]


def _not_checked(listings: QuerySet[Listing], *, since: datetime) -> list[int]:
    checks = BadgeCheck.objects.filter(listing=OuterRef("pk"), at__gt=since)
    return list(listings.filter(~Exists(checks)).order_by("launch_week", "pk").values_list("pk", flat=True))


def plan_badge_checks(*, at: datetime) -> int:
    """Add a job for each listing whose homepage is due for a check; one at a time, as `plan_launches` does."""
    waiting = Listing.objects.filter(status=Status.AWAITING_BADGE).exclude(badge_checks__next_at__gt=at)
    rows = [*waiting.order_by("launch_week", "pk").values_list("pk", flat=True), *had_badge(at=at)]
    planned = rows[:PLANNED_AT_ONCE]
    checked = Counter(BadgeCheck.objects.filter(listing__in=planned).values_list("listing", flat=True))
    for listing_id in planned:
        checks = checked[listing_id]
        jobs.add("directory.watch_badge", key=f"{listing_id}-{checks}-{at:%Y%m%d%H}", listing_id=listing_id)
    return len(planned)


def check_badge(*, listing_id: int, at: datetime) -> Listing | None:
    """Check the homepage of a listing on the free plan and do what follows: see `apply_check`."""
    listing = Listing.objects.filter(pk=listing_id, plan=Listing.Plan.FREE, status__in=CHECKED).first()
    if listing is None or listing.badge_waived:
        return None
    with addresses_of_listing(listing):
        check = badge_check.check_homepage(homepage=homepage_of(listing.url), slug=listing.slug)
    return apply_check(listing_id=listing_id, check=check, at=at)


def check_badge_soon(*, owner_id: int, listing_id: int, at: datetime) -> Listing:
    """Check the homepage of a waiting listing because its owner asks: at once if that is quick, or else by a job."""
    listing = Listing.objects.owned_by(owner_id).get(pk=listing_id)
    if listing.status != Status.AWAITING_BADGE:
        return listing
    throttling.spend("crawl", user_id=owner_id)
    with addresses_of_listing(listing):
        check = badge_check.check_at_once(homepage=homepage_of(listing.url), slug=listing.slug)
    return go_by(check, listing=listing, at=at)


def go_by(check: Check | None, *, listing: Listing, at: datetime) -> Listing:
    """Do what follows of a quick check of a listing that waits; a job checks again where it was not certain."""
    if listing.status != Status.AWAITING_BADGE:
        return listing
    if check is not None and (check.is_seen or check.is_final):
        return apply_check(listing_id=listing.pk, check=check, at=at)
    jobs.add("directory.check_badge", key=f"{listing.pk}-asked-{at:%Y%m%d%H%M}", listing_id=listing.pk)
    return listing


def read_badge(*, owner_id: int, listing_id: int) -> Check | None:
    """What the homepage of a saved listing shows now, before its launch is chosen; None when too many ask at once."""
    listing = Listing.objects.owned_by(owner_id).get(pk=listing_id)
    throttling.spend("crawl", user_id=owner_id)
    with addresses_of_listing(listing):
        return badge_check.check_at_once(homepage=homepage_of(listing.url), slug=listing.slug)


@transaction.atomic
def apply_check(*, listing_id: int, check: Check, at: datetime) -> Listing:
    """Record a check. A listing that waits moves on: seen, its week ended without it, or still waiting.

    A badge that was seen and is gone before the launch or after it moves nothing yet: its owner is warned.
    """
    listing = locked(listing_id)
    week = listing.launch_week
    if listing.status == Status.AWAITING_BADGE and week is not None:
        badge_check.record(listing=listing, check=check, at=at)
        _move_on(listing, check=check, at=at)
    elif listing.is_live or (listing.status == Status.SCHEDULED and week and weeks.start(week) > at):
        badge_check.record(listing=listing, check=check, at=at)
        if check.was_read and not check.is_seen:
            _warn(listing, check=check)
    return listing


def _move_on(listing: Listing, *, check: Check, at: datetime) -> None:
    ends = weeks.end(listing.launch_week) if listing.launch_week else at
    if check.is_seen:
        _badge_seen(listing, at=at)
    elif ends <= at and check.was_read:
        _week_missed(listing, at=at)
    elif ends <= at and badge_check.is_grace_over(listing=listing, since=ends, at=at):
        _never_opened(listing, check=check, at=at)
    else:
        changed("listings")


def _warn(listing: Listing, *, check: Check) -> None:
    """Each time it goes: once before a launch, twice after it. Then it is for staff, whose list has a filter for it."""
    checks = BadgeCheck.objects.filter(listing=listing, was_read=True)
    seen = checks.filter(found=True).order_by("-at", "-pk").first()
    misses = checks.filter(found=False, **({"at__gt": seen.at} if seen else {})).count()
    number = misses if listing.is_live else 0
    if number <= WARNINGS_MAX:
        write_to_owners(
            listing,
            template="badge_missing",
            key=f"badge-missing-{listing.pk}-{listing.launch_week}-{number}{f'-{seen.pk}' if seen else ''}",
            detail=check.detail,
        )


def _badge_seen(listing: Listing, *, at: datetime) -> None:
    week = listing.launch_week
    if week is None:
        return
    if weeks.end(week) <= at:
        queueing.next_week(
            listing, at=at, reason=f"{SEEN} The week of {week:%-d %B %Y} was over.", to=Status.SCHEDULED
        )
        write_to_owners(listing, template="week_moved", key=f"week-moved-{listing.pk}-{week}")
    elif weeks.start(week) <= at:
        launch_or_explain(listing, at=at, reason=f"{SEEN} The week is running.")
    else:
        move(listing=listing, to=Status.SCHEDULED, by="system", reason=SEEN, at=at)
        public_data.refresh_locked(listing_ids=[listing.pk])


def _week_missed(listing: Listing, *, at: datetime) -> None:
    """On to the next week, twice at most; then the listing is a draft again."""
    missed = listing.launch_week
    listing.missed_weeks += 1
    if listing.missed_weeks <= WEEKS_MISSED_MAX:
        queueing.next_week(listing, at=at, reason=f"The week of {missed:%-d %B %Y} ended without the badge.")
    else:
        reason = f"Three launch weeks ended without the badge, the last on {missed:%-d %B %Y}."
        queueing.back_to_draft(listing, reason=reason, at=at)
    write_to_owners(listing, template="week_missed", key=f"week-missed-{listing.pk}-{missed}")


def _never_opened(listing: Listing, *, check: Check, at: datetime) -> None:
    """On to the next week without counting this one, until the homepage has been closed for too long."""
    week = listing.launch_week
    reason = f"We could not open the homepage: {check.detail}"[:240]
    if at - badge_check.unread_since(listing=listing, at=at) < GIVE_UP_AFTER:
        queueing.next_week(listing, at=at, reason=reason)
    else:
        queueing.back_to_draft(listing, reason=f"{reason} We tried for four weeks.", at=at)
    write_to_owners(
        listing,
        template="could_not_open",
        key=f"could-not-open-{listing.pk}-{week}",
        week=week,
        detail=check.detail,
    )
