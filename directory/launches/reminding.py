"""Mails before a launch: a week, a day, and on its Monday when the badge is still missing. Each comes once."""

from datetime import date, datetime, timedelta

from core import jobs
from directory import weeks
from directory.launches import badges, launch_mail
from directory.launches.queueing import QUEUED
from directory.models import Launch, Listing

DAYS_BEFORE = (0, 1, 7)


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
    has_badge = launch_mail.is_badge_seen(listing) or not is_free
    launch_mail.write(
        listing,
        template=f"directory/mail/{'tomorrow' if days == 1 and has_badge else 'reminder'}",
        key=f"reminder-{listing.pk}-{week}-{days}",
        days=days,
        is_free=is_free,
        has_badge=has_badge,
        badge_html=badges.badge_html(slug=listing.slug, name=listing.name),
        **launch_mail.share_links(listing),
    )
