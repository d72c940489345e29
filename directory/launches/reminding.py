"""Mails before a launch: seven days, two days, and on its Monday when the badge is still missing. Each comes once."""

from datetime import date, datetime, timedelta

from core import jobs
from directory import weeks
from directory.launches.moves import write_to_owner
from directory.launches.queueing import QUEUED
from directory.models import BadgeCheck, Launch, Listing

DAYS_BEFORE = (0, 2, 7)


def days_before(week: date, *, at: datetime) -> int | None:
    """Which mail it is time for: the latest one that is due, so that an outage does not bring two at once."""
    left = weeks.start(week) - at
    return next((days for days in DAYS_BEFORE if left <= timedelta(days=days)), None)


def plan_reminders(*, at: datetime) -> int:
    """Add a job for each mail that is due. Its key says listing, week and days, so it is added once.

    Who booked the place when the mail was due already has read it all a moment ago.
    """
    planned = 0
    for week in (weeks.week_of(at), weeks.week_of(at) + weeks.WEEK):
        days = days_before(week, at=at)
        if days is None:
            continue
        due = weeks.start(week) - timedelta(days=days)
        booked = Launch.objects.filter(week=week, launched_at=None, booked_at__lt=due)
        status = (Listing.Status.AWAITING_BADGE,) if days == 0 else QUEUED
        waiting = Listing.objects.filter(status__in=status, launch_week=week, owner__isnull=False)
        rows = waiting.filter(pk__in=booked.values("listing")).order_by("pk").values_list("pk", flat=True)
        for listing_id in rows:
            jobs.add(
                "directory.remind_owner",
                key=f"{listing_id}-{week}-{days}",
                listing_id=listing_id,
                week=week.isoformat(),
                days=days,
            )
        planned += len(rows)
    return planned


def remind_owner(*, listing_id: int, week: date, days: int) -> None:
    """Mail the owner what the launch still needs, unless it has moved or gone live meanwhile."""
    result = Listing.objects.select_related("owner", "site")
    listing = result.filter(pk=listing_id, status__in=QUEUED, launch_week=week).first()
    if listing is None:
        return
    is_free = listing.needs_badge
    read = BadgeCheck.objects.filter(listing=listing, was_read=True).order_by("-at", "-pk").first()
    is_seen = listing.status == Listing.Status.SCHEDULED and (read is None or read.found)
    write_to_owner(
        listing,
        template="reminder",
        key=f"reminder-{listing.pk}-{week}-{days}",
        days=days,
        is_free=is_free,
        has_badge=is_seen or not is_free,
    )
