"""The way of a listing to its launch: the free queue, the badge, and Monday morning."""

from datetime import date, datetime, timedelta

from django.db import transaction
from django.db.models import Count

from core import jobs, mail
from core.cache import changed
from core.links import absolute
from directory import badges, weeks
from directory.errors import ListingCannotMoveError, ListingNotFoundError
from directory.models import Launch, Listing, Site, SiteSettings
from directory.services import badge_check, public_data
from directory.services.badge_check import Sighting
from directory.services.moves import locked, move

Status = Listing.Status
QUEUED = (Status.AWAITING_BADGE, Status.SCHEDULED)
WEEKS_MISSED_MAX = 2
FURTHEST_WEEKS = 104
LOOK_AGAIN_AFTER = timedelta(hours=1)


def next_free_week(*, site: Site, not_before: date) -> date:
    """The first week from `not_before` on with a place in the free queue; the site's row must be locked."""
    rules = SiteSettings.objects.filter(site=site).order_by("-changed_at", "-id").first()
    capacity = rules.free_slots_per_week if rules else 0
    horizon = not_before + FURTHEST_WEEKS * weeks.WEEK
    taken = dict(
        Launch.objects.filter(site=site, kind=Launch.Kind.FREE, week__gte=not_before, week__lt=horizon)
        .values_list("week")
        .annotate(Count("id"))
    )
    week = not_before
    while taken.get(week, 0) >= capacity and week < horizon:
        week += weeks.WEEK
    return week


def queue_starts(*, site: Site, at: datetime) -> date:
    """The earliest week of the free queue, as staff have set it."""
    rules = SiteSettings.objects.filter(site=site).order_by("-changed_at", "-id").first()
    return weeks.week_of(at) + (rules.free_queue_weeks if rules else 0) * weeks.WEEK


def see_badge_now(*, owner_id: int, listing_id: int) -> Sighting | None:
    """A quick look at the homepage before a free launch is chosen; None when the answer would not matter."""
    listing = Listing.objects.owned_by(owner_id).filter(pk=listing_id, status=Status.DRAFT).first()
    if listing is None:
        return None
    return badge_check.look(homepage=listing.url, slug=listing.slug, seconds=badge_check.AT_ONCE_SECONDS)


@transaction.atomic
def choose_free_listing(
    *, owner_id: int, listing_id: int, sighting: Sighting | None, at: datetime
) -> Listing:
    """Queue a saved listing for a free launch week. A second call keeps the week it has.

    `sighting` says whether the badge was on the homepage a moment ago. Raises ListingCannotMoveError for a listing
    that is live, archived, rejected or suspended, or whose launch was paid for.
    """
    listing = Listing.objects.select_for_update().owned_by(owner_id).filter(pk=listing_id).first()
    if listing is None:
        raise ListingNotFoundError("There is no such listing.")
    if listing.status in QUEUED:
        return listing
    if listing.status != Status.DRAFT:
        raise ListingCannotMoveError(
            f"A free launch is for a saved listing; this one is {listing.status}.",
            current=listing.status,
            allowed=listing.MOVES[listing.status],
        )
    site = Site.objects.select_for_update().get(pk=listing.site_id)
    week = next_free_week(site=site, not_before=queue_starts(site=site, at=at))
    is_there = bool(sighting and sighting.found)
    _queue(
        listing,
        week=week,
        to=Status.SCHEDULED if is_there else Status.AWAITING_BADGE,
        by=f"user:{owner_id}",
        at=at,
    )
    if sighting:
        next_at = None if is_there else at + LOOK_AGAIN_AFTER
        badge_check.record(listing=listing, sighting=sighting, at=at, next_at=next_at)
    return listing


def _queue(listing: Listing, *, week: date, to: str, by: str, at: datetime, reason: str = "") -> None:
    listing.launch_week = week
    move(
        listing=listing,
        to=to,
        by=by,
        reason=reason or f"Free launch in the week of {week}.",
        at=at,
        saving=("launch_week", "missed_weeks"),
    )
    Launch.objects.filter(listing=listing, launched_at=None).delete()
    Launch.objects.create(
        site_id=listing.site_id, listing=listing, week=week, kind=Launch.Kind.FREE, booked_at=at
    )
    public_data.refresh(listing_ids=[listing.pk])


@transaction.atomic
def go_live(
    *, listing_id: int, at: datetime, by: str = "system", reason: str = "Its launch week has begun."
) -> Listing:
    """Publish a listing. A second call on a live listing is a no-op, so retries are safe."""
    listing = locked(listing_id)
    if listing.status == Status.LIVE:
        return listing
    listing.launched_at = listing.launched_at or at
    listing.launch_week = listing.launch_week or weeks.week_of(at)
    move(listing=listing, to=Status.LIVE, by=by, reason=reason, at=at, saving=("launched_at", "launch_week"))
    launch, _ = Launch.objects.get_or_create(
        listing=listing,
        week=listing.launch_week,
        defaults={"site_id": listing.site_id, "kind": listing.plan, "booked_at": at},
    )
    Launch.objects.filter(pk=launch.pk, launched_at=None).update(launched_at=at)
    public_data.refresh(listing_ids=[listing.pk])
    _write_to_owner(listing, template="launched", key=f"launched-{listing.pk}-{listing.launch_week}")
    return listing


def due_to_launch(*, at: datetime) -> list[int]:
    """Listings whose week has begun, oldest week first."""
    return list(
        Listing.objects.filter(status=Status.SCHEDULED, launch_week__lte=weeks.week_of(at))
        .order_by("launch_week", "pk")
        .values_list("pk", flat=True)
    )


def launch_one(*, listing_id: int, at: datetime) -> None:
    """Publish one listing whose week has begun; on the free plan its badge must still be there."""
    listing = Listing.objects.filter(pk=listing_id, status=Status.SCHEDULED).first()
    if listing is None or listing.launch_week is None or weeks.start(listing.launch_week) > at:
        return
    if listing.plan == Listing.Plan.PAID:
        go_live(listing_id=listing_id, at=at)
        return
    sighting = badge_check.look(homepage=listing.url, slug=listing.slug)
    with transaction.atomic():
        listing = locked(listing_id)
        if listing.status != Status.SCHEDULED:
            return
        next_at = None if sighting.found else at + LOOK_AGAIN_AFTER
        badge_check.record(listing=listing, sighting=sighting, at=at, next_at=next_at)
        if sighting.found:
            go_live(listing_id=listing_id, at=at)
        else:
            _send_back(listing, reason="The badge was gone when the launch week began.", at=at)


def _send_back(listing: Listing, *, reason: str, at: datetime) -> None:
    site = Site.objects.select_for_update().get(pk=listing.site_id)
    week = next_free_week(site=site, not_before=weeks.week_of(at) + weeks.WEEK)
    _queue(
        listing,
        week=week,
        to=Status.AWAITING_BADGE,
        by="system",
        at=at,
        reason=f"{reason} Now in the week of {week}.",
    )
    _write_to_owner(listing, template="badge_gone", key=f"badge-gone-{listing.pk}-{week}")


def waiting_for_badge() -> list[int]:
    """Every listing that waits for its badge, earliest week first."""
    waiting = Listing.objects.filter(status=Status.AWAITING_BADGE)
    return list(waiting.order_by("launch_week", "pk").values_list("pk", flat=True))


def due_for_badge(*, at: datetime) -> list[int]:
    """Listings that wait for their badge and have not been looked at within the hour."""
    waiting = Listing.objects.filter(status=Status.AWAITING_BADGE).exclude(badge_checks__next_at__gt=at)
    return list(waiting.order_by("launch_week", "pk").values_list("pk", flat=True))


def check_badge(*, listing_id: int, at: datetime) -> Listing | None:
    """Look for the badge of a waiting listing and move it on: seen, its week ended without it, or still waiting."""
    listing = Listing.objects.filter(pk=listing_id, status=Status.AWAITING_BADGE).first()
    if listing is None:
        return None
    sighting = badge_check.look(homepage=listing.url, slug=listing.slug)
    with transaction.atomic():
        listing = locked(listing_id)
        if listing.status != Status.AWAITING_BADGE or listing.launch_week is None:
            return listing
        next_at = None if sighting.found else at + LOOK_AGAIN_AFTER
        badge_check.record(listing=listing, sighting=sighting, at=at, next_at=next_at)
        if sighting.found:
            _badge_seen(listing, at=at)
        elif weeks.end(listing.launch_week) <= at:
            _week_missed(listing, at=at)
        else:
            changed("listings")
    return listing


def _badge_seen(listing: Listing, *, at: datetime) -> None:
    week = listing.launch_week
    if week is None:
        return
    if weeks.end(week) <= at:
        site = Site.objects.select_for_update().get(pk=listing.site_id)
        week = next_free_week(site=site, not_before=weeks.week_of(at) + weeks.WEEK)
        _queue(
            listing,
            week=week,
            to=Status.SCHEDULED,
            by="system",
            at=at,
            reason="The badge is on the homepage.",
        )
    elif weeks.start(week) <= at:
        go_live(listing_id=listing.pk, at=at, reason="The badge is on the homepage and the week is running.")
        listing.refresh_from_db()
    else:
        move(listing=listing, to=Status.SCHEDULED, by="system", reason="The badge is on the homepage.", at=at)
        public_data.refresh(listing_ids=[listing.pk])


def _week_missed(listing: Listing, *, at: datetime) -> None:
    listing.missed_weeks += 1
    missed = listing.launch_week
    if listing.missed_weeks <= WEEKS_MISSED_MAX:
        site = Site.objects.select_for_update().get(pk=listing.site_id)
        week = next_free_week(site=site, not_before=weeks.week_of(at) + weeks.WEEK)
        Launch.objects.filter(listing=listing, launched_at=None).delete()
        Launch.objects.create(site=site, listing=listing, week=week, kind=Launch.Kind.FREE, booked_at=at)
        listing.launch_week, listing.updated_at = week, at
        listing.status_reason = f"The week of {missed} ended without the badge. Now in the week of {week}."
        listing.save(update_fields=["launch_week", "missed_weeks", "status_reason", "updated_at"])
        record_stay(listing, reason=listing.status_reason, at=at)
    else:
        Launch.objects.filter(listing=listing, launched_at=None).delete()
        listing.launch_week = None
        move(
            listing=listing,
            to=Status.DRAFT,
            by="system",
            reason=f"Three launch weeks ended without the badge, the last one that of {missed}.",
            at=at,
            saving=("launch_week", "missed_weeks"),
        )
    public_data.refresh(listing_ids=[listing.pk])
    _write_to_owner(listing, template="week_missed", key=f"week-missed-{listing.pk}-{missed}")


def record_stay(listing: Listing, *, reason: str, at: datetime) -> None:
    """Record a change of week that leaves the status as it is."""
    listing.moves.create(
        from_status=listing.status, to_status=listing.status, by="system", reason=reason[:300], at=at
    )


def _write_to_owner(listing: Listing, *, template: str, key: str) -> None:
    if listing.owner is None:
        return
    mail.send(
        template=f"directory/mail/{template}",
        to=listing.owner.email,
        key=key,
        context={
            "listing": listing,
            "page_url": absolute(f"/listings/{listing.slug}"),
            "account_url": absolute(f"/account/listings/{listing.pk}"),
            "badge_html": badges.badge_html(slug=listing.slug, name=listing.name),
        },
    )


def plan_launches(*, at: datetime) -> int:
    """Add a job for each listing that is due to launch."""
    found = due_to_launch(at=at)
    for listing_id in found:
        jobs.add("directory.launch_one", key=f"{listing_id}-{at:%Y%m%d%H%M}", listing_id=listing_id)
    return len(found)


def plan_badge_checks(*, at: datetime) -> int:
    """Add a job for each listing whose homepage is due for a look."""
    found = due_for_badge(at=at)
    for listing_id in found:
        jobs.add("directory.check_badge", key=f"{listing_id}-{at:%Y%m%d%H%M}", listing_id=listing_id)
    return len(found)
