"""Going live: Monday morning, or as soon as what stood in the way is gone."""

from datetime import datetime

from django.db import transaction

from core import jobs
from directory import weeks
from directory.addresses import homepage_of
from directory.errors import DuplicateListingError, ListingCannotMoveError
from directory.launches import badge_check, launch_mail, queueing
from directory.launches.badge_check import Check
from directory.launches.queueing import locked, move, write_to_owners
from directory.models import BadgeCheck, Launch, LaunchReminder, Listing
from directory.search import public_data
from directory.sites.lookup import addresses_of_listing

Status = Listing.Status


def publish(listing: Listing, *, at: datetime, by: str, reason: str, saving: tuple[str, ...] = ()) -> None:
    """Publish a locked listing, at its first launch in the running week. `saving` names what else is set on it.

    Raises ListingCannotMoveError for a listing that lacks what every listing needs, and DuplicateListingError while
    another one is live at its address. After a refusal the object at hand is no longer what is stored.
    """
    queueing.refuse_unless_launchable(listing)
    week, running = listing.launch_week, weeks.week_of(at)
    if week is not None and week < running and listing.launched_at is None:
        reason = f"{reason} The week of {week:%-d %B %Y} was over, so it launched in the week of {running:%-d %B %Y}."
    enter_week(listing, at=at)
    saving = ("launched_at", "launch_week", *saving)
    move(listing=listing, to=Status.LIVE, by=by, reason=reason, at=at, saving=saving)
    public_data.refresh_locked(listing_ids=[listing.pk])
    launch_mail.write_live(listing, reason=reason)
    if LaunchReminder.objects.filter(listing=listing).exists():
        jobs.add("directory.tell_waiting", key=f"{listing.pk}-{listing.launch_week}", listing_id=listing.pk)


def enter_week(listing: Listing, *, at: datetime) -> None:
    """Make a listing that never launched part of the running week: the only one whose votes are still to come.

    Votes count in the week in which they are cast, so a launch in a week that is over would have none, and a week that
    was closed would no longer follow from its votes. The place it had booked comes along, whatever else is booked.
    """
    if listing.launched_at is not None:
        return
    running = weeks.week_of(at)
    rows = {row.week: row for row in Launch.objects.filter(listing=listing)}
    booked = rows.get(listing.launch_week or running)
    listing.launched_at, listing.launch_week = at, running
    launch = rows.get(running)
    if launch and booked and booked is not launch and booked.launched_at is None:
        booked.delete()
    elif launch is None and booked and booked.launched_at is None:
        launch = booked
    if launch is None:
        new = {"site_id": listing.site_id, "week": running, "kind": listing.plan}
        Launch.objects.create(listing=listing, booked_at=at, launched_at=at, **new)
    elif launch.launched_at is None:
        launch.week, launch.launched_at = running, at
        launch.save(update_fields=["week", "launched_at"])


def begun(*, at: datetime) -> list[int]:
    scheduled = Listing.objects.filter(status=Status.SCHEDULED, launch_week__lte=weeks.week_of(at))
    return list(scheduled.order_by("launch_week", "pk").values_list("pk", flat=True))


def plan_launches(*, at: datetime) -> int:
    """Add a job for each listing that is due to launch, unless its homepage is to be tried later.

    The key is the same until the job has checked the homepage, so a queue that is slow does not fill up; it changes
    with the hour, so a job that died does not stand in the way for good.
    """
    later = BadgeCheck.objects.filter(listing__status=Status.SCHEDULED, next_at__gt=at)
    waiting = set(later.values_list("listing", flat=True))
    due = [listing_id for listing_id in begun(at=at) if listing_id not in waiting]
    for listing_id in due:
        checks = BadgeCheck.objects.filter(listing=listing_id).count()
        jobs.add("directory.launch_one", key=f"{listing_id}-{checks}-{at:%Y%m%d%H}", listing_id=listing_id)
    return len(due)


def launch_listing(*, listing_id: int, at: datetime) -> None:
    """Publish one listing whose week has begun; on the free plan its badge must still be there."""
    listing = Listing.objects.filter(pk=listing_id, status=Status.SCHEDULED).first()
    if listing is None or listing.launch_week is None or weeks.start(listing.launch_week) > at:
        return
    check = None
    if listing.needs_badge:
        with addresses_of_listing(listing):
            check = badge_check.check_homepage(homepage=homepage_of(listing.url), slug=listing.slug)
    with transaction.atomic():
        listing = locked(listing_id)
        if listing.status != Status.SCHEDULED:
            return
        if check is not None:
            badge_check.record(listing=listing, check=check, at=at)
        if check is None or check.is_seen:
            launch_or_explain(listing, at=at, reason="Live.")
        elif check.was_read:
            _badge_gone(listing, check=check, at=at)
        else:
            _could_not_open(listing, check=check, at=at)


def launch_or_explain(listing: Listing, *, at: datetime, reason: str) -> None:
    """Publish a locked listing; one that must not go live becomes a draft again, and its owner reads why."""
    try:
        with transaction.atomic():
            publish(listing, at=at, by="system", reason=reason)
    except (ListingCannotMoveError, DuplicateListingError) as refusal:
        listing.refresh_from_db()
        week = listing.launch_week
        queueing.back_to_draft(listing, reason=refusal.detail, at=at)
        write_to_owners(
            listing, template="launch_refused", key=f"launch-refused-{listing.pk}-{at.isoformat()}", week=week
        )


def _badge_gone(listing: Listing, *, check: Check, at: datetime) -> None:
    week = listing.launch_week
    queueing.next_week(listing, at=at, reason=f"The badge was gone when the week of {week:%-d %B %Y} began.")
    write_to_owners(
        listing, template="badge_gone", key=f"badge-gone-{listing.pk}-{week}", week=week, detail=check.detail
    )


def _could_not_open(listing: Listing, *, check: Check, at: datetime) -> None:
    """Keep the week as long as staff allow, and longer while the fault seems to be ours."""
    week = listing.launch_week
    if week is None or not badge_check.is_grace_over(listing=listing, since=weeks.start(week), at=at):
        listing.status_reason = badge_check.trying_again(check)
        listing.save(update_fields=["status_reason"])
        return
    queueing.next_week(listing, at=at, reason=f"We could not open the homepage: {check.detail}"[:240])
    write_to_owners(
        listing,
        template="could_not_open",
        key=f"could-not-open-{listing.pk}-{week}",
        week=week,
        detail=check.detail,
    )
