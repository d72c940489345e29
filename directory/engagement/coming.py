"""Whoever waits for a product, or for a week, reads on its day that it is out: one mail, asked for with one press."""

from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from accounts.models import User
from core import jobs
from core.api.errors import NotFoundError
from core.api.links import addresses_of, on_site
from directory import limits, weeks
from directory.errors import ListingNotFoundError
from directory.launches.calendar import launched
from directory.mail_kinds import OF_COMING
from directory.models import LaunchReminder, Listing, Site, WeekReminder
from directory.sites.lookup import address_of, addresses_of_listing

LASTS = timedelta(days=2)  # later than that, an outage has made it old news
FURTHEST = timedelta(days=364)  # a reminder is forgotten a year after it was made (config/retention.py)
LISTED_IN_MAIL = 60


@transaction.atomic
def remind(*, user_id: int, listing_id: int, at: datetime) -> None:
    """Note that a person wants to hear of a launch that is to come. A second call changes nothing.

    Raises ListingNotFoundError for a product that waits for none.
    """
    if not Listing.objects.filter(pk=listing_id, status=Listing.Status.SCHEDULED).exists():
        raise ListingNotFoundError("There is no such launch to come.")
    LaunchReminder.objects.get_or_create(user_id=user_id, listing_id=listing_id, defaults={"created_at": at})
    _want(user_id, at=at)


def _want(user_id: int, *, at: datetime) -> None:
    if not OF_COMING.is_on(user_id=user_id):
        OF_COMING.choose(user_id=user_id, is_on=True, at=at)


def remind_no_longer(*, user_id: int, listing_id: int) -> None:
    LaunchReminder.objects.filter(user=user_id, listing=listing_id).delete()


def waiting(listing_id: int) -> int:
    return LaunchReminder.objects.filter(listing=listing_id).count()


@transaction.atomic
def remind_of_week(*, user_id: int, site: Site, week: date, at: datetime) -> None:
    """Note that a person wants to be there when a week opens. A second call changes nothing.

    Raises NotFoundError for a week that has begun, or is more than a year away.
    """
    if not at < weeks.start(week) <= at + FURTHEST:
        raise NotFoundError("There is no such week to come.")
    WeekReminder.objects.get_or_create(site=site, week=week, user_id=user_id, defaults={"created_at": at})
    _want(user_id, at=at)


def remind_of_week_no_longer(*, user_id: int, site: Site, week: date) -> None:
    WeekReminder.objects.filter(site=site, week=week, user=user_id).delete()


def is_week_awaited(*, user_id: int | None, site: Site, week: date) -> bool:
    return WeekReminder.objects.filter(site=site, week=week, user=user_id).exists() if user_id else False


def tell_waiting(*, listing_id: int, lease: jobs.Lease) -> None:
    """Mail everybody who waited for a product that is live, each once."""
    listing = Listing.objects.select_related("site").filter(pk=listing_id).first()
    if listing is None or not listing.is_live:
        return
    with addresses_of_listing(listing):
        context: dict[str, Any] = {
            "listing": listing,
            "page_url": on_site(f"/listings/{listing.slug}"),
            "card_url": on_site(f"/share/listings/{listing.slug}/card.png"),
        }
        _tell(
            LaunchReminder.objects.filter(listing=listing),
            write=lambda note: _write(note.user, "coming", key=f"coming-{note.pk}", thing=listing, **context),
            lease=lease,
        )


def plan_weeks(*, at: datetime) -> int:
    """On Monday morning, add a job for each site whose week somebody waits for; its key says which week."""
    week = weeks.week_of(at)
    due = weeks.start(week) + timedelta(hours=limits.DIGEST_HOUR)
    if not due <= at < due + LASTS:
        return 0
    site_ids = list(
        WeekReminder.objects.filter(week=week).order_by("site").values_list("site", flat=True).distinct()
    )
    for site_id in site_ids:
        jobs.add("directory.tell_week", key=f"{site_id}-{week}", site_id=site_id, week=week.isoformat())
    return len(site_ids)


def tell_week(*, site_id: int, week: date, lease: jobs.Lease) -> None:
    """Mail everybody who waited for a week what it opened with, each once; nobody where nothing launched."""
    site = Site.objects.get(pk=site_id)
    rows = WeekReminder.objects.filter(site=site, week=week)
    listings = [launch.listing for launch in launched(site=site, week=week).select_related("listing")]
    if not listings:
        rows.delete()
        return
    with addresses_of(lambda: address_of(site)):
        context: dict[str, Any] = {
            "listings": listings[:LISTED_IN_MAIL],
            "number": len(listings),
            "more": len(listings) - len(listings[:LISTED_IN_MAIL]),
            "listings_url": on_site("/listings"),
            "week_url": on_site("/weeks/this"),
        }
        _tell(
            rows,
            write=lambda note: _write(note.user, "week_open", key=f"week-open-{note.pk}", **context),
            lease=lease,
        )


def _tell(rows: QuerySet[Any], *, write: Callable[[Any], None], lease: jobs.Lease) -> None:
    """Each note goes in the transaction that queues its mail."""
    while rows.exists():
        lease.renew()
        with transaction.atomic():
            lease.guard()
            notes = list(rows.order_by("pk").select_related("user__mail_choice")[: limits.MAILED_AT_ONCE])
            for note in notes:
                write(note)
            rows.filter(pk__in=[note.pk for note in notes]).delete()


def _write(user: User, template: str, *, key: str, thing: Listing | None = None, **context: Any) -> None:
    choice = getattr(user, "mail_choice", None)
    if not user.is_active or user.is_suspended or (choice and not choice.of_coming):
        return
    OF_COMING.write(user, f"directory/mail/{template}", key=key, thing=thing, **context)
