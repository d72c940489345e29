"""What money changes on a listing: each is done once for a payment, and most can be taken back."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from django.db import transaction

from directory import limits, weeks
from directory.categories import filing
from directory.categories.filing import PAID_SECTIONS
from directory.errors import CategoryLimitError, ListingCannotMoveError, WeekOverError
from directory.launches import featuring, launch_mail, publishing, queueing
from directory.launches.queueing import locked, move, stay
from directory.models import Category, FeaturedPlace, Launch, Listing, ListingCategory
from directory.search import public_data
from directory.wording import words_of

Status = Listing.Status
BEFORE_LAUNCH = (Status.DRAFT, Status.AWAITING_BADGE, Status.SCHEDULED)
PAID_COLUMNS = ("plan", "unlocked_sections")


@transaction.atomic(savepoint=False)
def launch_paid(*, listing_id: int, week: date | None, by: str, at: datetime) -> list[str]:
    """Put a listing on the paid plan and launch it: at once, or in a week to come. No badge is needed.

    Categories that waited for the plan are filed, and named in return.
    Raises what `go_live` raises, and ListingCannotMoveError for a listing that staff or its owner took off the site,
    or that has the plan already: whoever paid for it twice reads so.
    """
    listing = locked(listing_id)
    _refuse_unless(listing, statuses=(*BEFORE_LAUNCH, Status.LIVE))
    if listing.plan == Listing.Plan.PAID:
        raise ListingCannotMoveError("The listing has the paid plan already.", current=listing.status)
    listing.plan, listing.unlocked_sections = Listing.Plan.PAID, list(PAID_SECTIONS)
    filed = filing.refile(listing)
    if listing.is_live:
        listing.save(update_fields=PAID_COLUMNS)
        public_data.refresh_locked(listing_ids=[listing.pk])
    elif week is None or weeks.start(week) <= at:
        Launch.objects.filter(listing=listing, launched_at=None).delete()
        publishing.publish(listing, at=at, by=by, reason="Paid launch.", saving=PAID_COLUMNS)
    else:
        queueing.refuse_unless_launchable(listing)
        listing.save(update_fields=PAID_COLUMNS)
        _book(listing, week=week, by=by, at=at, reason=f"Paid launch booked: week of {week:%-d %B %Y}.")
    return filed


@transaction.atomic
def skip_queue(*, listing_id: int, week: date, by: str, at: datetime) -> Listing:
    """Give a listing of the free queue the week that was bought; on Monday its badge is looked for as always.

    Raises ListingCannotMoveError for one that is not in the queue or has that week or an earlier one, and WeekOverError
    for a week that is over.
    """
    listing = locked(listing_id)
    _refuse_unless(listing, statuses=queueing.QUEUED)
    _refuse_over(week, at=at)
    if listing.launch_week is not None and listing.launch_week <= week:
        raise ListingCannotMoveError(
            f"The listing launches in the week of {listing.launch_week:%-d %B %Y} already.",
            current=listing.status,
        )
    _book(listing, week=week, by=by, at=at, reason=f"Skipped the queue. Booked: week of {week:%-d %B %Y}.")
    return listing


def _book(listing: Listing, *, week: date, by: str, at: datetime, reason: str) -> None:
    """A place in a week to come, in the place of any other that has not been used."""
    Launch.objects.filter(listing=listing, launched_at=None).delete()
    Launch.objects.create(
        site_id=listing.site_id, listing=listing, week=week, kind=Launch.Kind.PAID, booked_at=at
    )
    if listing.status == Status.SCHEDULED:
        stay(listing=listing, week=week, reason=reason, at=at)
    else:
        listing.launch_week = week
        move(listing=listing, to=Status.SCHEDULED, by=by, reason=reason, at=at, saving=("launch_week",))
    public_data.refresh_locked(listing_ids=[listing.pk])
    launch_mail.write_booked(listing, week=week)


@transaction.atomic
def relaunch(*, listing_id: int, week: date, not_since: date, at: datetime) -> Launch:
    """Book a live listing's new launch; its votes of that week begin at 0, those of all time stay.

    Raises ListingCannotMoveError for one that is not live, launches in that week already or has another relaunch in a
    week after `not_since`, and WeekOverError.
    """
    listing = locked(listing_id)
    _refuse_unless(listing, statuses=(Status.LIVE,))
    _refuse_over(week, at=at)
    others = Launch.objects.filter(listing=listing, kind=Launch.Kind.RELAUNCH, week__gt=not_since)
    if other := others.exclude(week=week).first():
        raise ListingCannotMoveError(
            f"The listing is relaunched in the week of {other.week:%-d %B %Y} already.",
            current=listing.status,
        )
    launch, is_new = Launch.objects.get_or_create(
        listing=listing,
        week=week,
        defaults={"site_id": listing.site_id, "kind": Launch.Kind.RELAUNCH, "booked_at": at},
    )
    if not is_new:
        raise ListingCannotMoveError(
            f"The listing has a launch in the week of {week:%-d %B %Y} already.", current=listing.status
        )
    public_data.refresh_locked(listing_ids=[listing.pk])
    launch_mail.write_booked(listing, week=week)
    return launch


@transaction.atomic
def begin_relaunches(*, at: datetime) -> int:
    """Relaunches whose week has begun; one that comes too late for its week is part of the running one."""
    running = weeks.week_of(at)
    due = Launch.objects.filter(kind=Launch.Kind.RELAUNCH, launched_at=None, week__lte=running)
    begun = 0
    for launch in due.filter(listing__status=Status.LIVE).order_by("week", "pk"):
        listing = locked(launch.listing_id)
        others = Launch.objects.filter(listing=listing, week=running).exclude(pk=launch.pk)
        if not listing.is_live or others.exists():
            continue
        launch.week, launch.launched_at, listing.launch_week = running, at, running
        launch.save(update_fields=["week", "launched_at"])
        listing.save(update_fields=["launch_week"])
        public_data.refresh_locked(listing_ids=[listing.pk])
        launch_mail.write_live(listing)
        begun += 1
    return begun


@transaction.atomic
def feature(
    *, listing_id: int, line_id: int, start: date | None, length: timedelta, at: datetime
) -> FeaturedPlace | None:
    """Feature a listing for so long, less what the line had already: from now, from its launch or from a Monday.

    Never before it is live, and after whatever it has. Nothing when the line has had it all. Raises
    ListingCannotMoveError for a listing that is neither live nor scheduled.
    """
    listing = locked(listing_id)
    _refuse_unless(listing, statuses=(Status.LIVE, Status.SCHEDULED))
    place = featuring.give_place(listing=listing, line_id=line_id, start=start, length=length, at=at)
    public_data.refresh_locked(listing_ids=[listing.pk])
    return place


@transaction.atomic
def feature_no_longer(*, listing_id: int, line_id: int, at: datetime) -> None:
    """What a line bought ends this minute, and what has not begun never does; also where a merge took it."""
    places = featuring.unused(FeaturedPlace.objects.filter(order_line=line_id), at=at)
    listing_ids = sorted({listing_id, *places.values_list("listing", flat=True)})
    for pk in listing_ids:
        featuring.take_back(listing=locked(pk), line_id=line_id, at=at)
    public_data.refresh_locked(listing_ids=listing_ids)


@transaction.atomic
def add_extra_categories(*, listing_id: int, slugs: Sequence[str]) -> list[str]:
    """File a listing under further categories, beside those of its plan. Returns them.

    Raises CategoryLimitError when more than three would be bought, or one is gone or there already.
    """
    listing = locked(listing_id)
    rows = {row.category.slug: row for row in listing.filed.select_related("category").order_by("position")}
    primary = next(iter(rows), None)
    bought = [slug for slug, row in rows.items() if row.is_bought]
    fresh = [slug for slug in dict.fromkeys(slugs) if slug not in bought and slug != primary]
    if len(fresh) < len(set(slugs)):
        raise CategoryLimitError("The listing has one of these categories already.")
    existing = {category.slug: category for category in Category.objects.filter(slug__in=fresh)}
    if len(existing) < len(fresh) or len(bought) + len(fresh) > limits.EXTRA_CATEGORIES:
        raise CategoryLimitError(
            f"A listing has the categories of its plan and at most {limits.EXTRA_CATEGORIES} bought ones."
        )
    listing.beyond_plan += [rows[slug].category_id for slug in fresh if slug in rows]
    listing.save(update_fields=["beyond_plan"])
    listing.filed.filter(category__slug__in=fresh).update(is_bought=True)
    first = max((row.position for row in rows.values()), default=-1) + 1
    ListingCategory.objects.bulk_create(
        ListingCategory(listing=listing, category=existing[slug], position=position, is_bought=True)
        for position, slug in enumerate((slug for slug in fresh if slug not in rows), start=first)
    )
    filing.refile(listing)
    public_data.refresh_locked(listing_ids=[listing.pk])
    return fresh


@transaction.atomic
def remove_extra_categories(*, listing_id: int, slugs: Sequence[str]) -> None:
    """Take bought categories back; those that its plan holds of them are its own again. One stays whatever is named."""
    listing = locked(listing_id)
    if not listing.filed.exclude(is_bought=True, category__slug__in=slugs).exists():
        first = listing.filed.order_by("position").values_list("pk", flat=True)[:1]
        listing.filed.filter(pk__in=list(first)).update(is_bought=False)
    listing.filed.filter(is_bought=True, category__slug__in=slugs).delete()
    filing.refile(listing)
    public_data.refresh_locked(listing_ids=[listing.pk])


@transaction.atomic
def take_launch_back(*, listing_id: int, at: datetime) -> None:
    """The paid plan ends. What has not launched is merely saved again; what is live stays live on the free plan."""
    listing = locked(listing_id)
    listing.plan, listing.unlocked_sections = Listing.Plan.FREE, []
    listing.save(update_fields=PAID_COLUMNS)
    filing.refile(listing)
    if listing.launched_at is None and listing.status != Status.AWAITING_BADGE:
        Launch.objects.filter(listing=listing, launched_at=None).delete()
        if listing.status == Status.SCHEDULED:
            queueing.back_to_draft(listing, reason="Its paid launch was refunded.", at=at)
        else:
            _leave_week(listing)
    public_data.refresh_locked(listing_ids=[listing.pk])


@transaction.atomic
def take_place_back(*, listing_id: int, week: date, at: datetime) -> None:
    """A bought week that has not begun is given back; a listing of the free queue gets the next open one.

    The week of the listing's plan stays, also where it was bought by itself before.
    """
    listing = locked(listing_id)
    rows = Launch.objects.filter(listing=listing, week=week, launched_at=None)
    gone, _ = rows.exclude(kind__in=(Launch.Kind.FREE, listing.plan)).delete()
    is_own = gone and listing.launch_week == week
    if is_own and listing.status in queueing.QUEUED:
        queueing.next_week(listing, at=at, reason="The bought week was refunded.")
    elif gone:
        if is_own and listing.launched_at is None:
            _leave_week(listing)
        public_data.refresh_locked(listing_ids=[listing.pk])


def _leave_week(listing: Listing) -> None:
    """One that is off the site when its week goes is merely saved once it is put back."""
    listing.launch_week = None
    listing.save(update_fields=["launch_week"])


def _refuse_unless(listing: Listing, *, statuses: Sequence[str]) -> None:
    if listing.status not in statuses:
        raise ListingCannotMoveError.of(
            listing, f"A listing that is {words_of(listing.status).lower()} can’t have this."
        )


def _refuse_over(week: date, *, at: datetime) -> None:
    if weeks.end(week) <= at:
        raise WeekOverError(f"The week of {week:%-d %B %Y} is over.")
