"""How a listing changes its status, locked and its owner told; and the free queue: which week it gets, or another."""

from collections.abc import Collection
from datetime import date, datetime
from itertools import islice
from typing import Any

from django.db import connection, transaction
from django.db.models import Count

from core import events, mail
from core.api.links import absolute, on_site
from directory import weeks
from directory.addresses import product_address
from directory.errors import DuplicateListingError, ListingCannotMoveError, WeekOverError
from directory.launches import badges, launch_mail
from directory.launches.featuring import follow_launch
from directory.launches.launchable import live_twin, missing_facts
from directory.mail_kinds import readers_of
from directory.models import Launch, Listing, ListingMove, Site, SiteSettings
from directory.search import public_data
from directory.sites.lookup import addresses_of_listing, rules_of
from directory.wording import in_a_row, words_of

EMITTED = (
    Listing.Status.SCHEDULED,
    Listing.Status.AWAITING_BADGE,
    Listing.Status.LIVE,
    Listing.Status.SUSPENDED,
)
Status = Listing.Status
QUEUED = (Status.AWAITING_BADGE, Status.SCHEDULED)
FURTHEST_WEEKS = 104
WEEKS_OFFERED = 12


def move(
    *, listing: Listing, to: str, by: str, reason: str, at: datetime, saving: tuple[str, ...] = ()
) -> None:
    """Move a locked listing and record it. `saving` names what else the caller has set on it.

    Raises ListingCannotMoveError for a move that is not one of `Listing.MOVES`.
    """
    if not listing.can_become(to):
        raise ListingCannotMoveError.of(
            listing,
            f"A listing that is {words_of(listing.status).lower()} can’t become {words_of(to).lower()}.",
        )
    _record(listing, to=to, by=by, reason=reason, at=at, saving=("status", *saving))


def stay(*, listing: Listing, week: date, reason: str, at: datetime, by: str = "system") -> None:
    """Give a locked listing another week and leave its status as it is; that is recorded like a move."""
    listing.launch_week = week
    _record(listing, to=listing.status, by=by, reason=reason, at=at, saving=("launch_week", "missed_weeks"))


def _record(
    listing: Listing, *, to: str, by: str, reason: str, at: datetime, saving: tuple[str, ...]
) -> None:
    ListingMove.objects.create(
        listing=listing, from_status=listing.status, to_status=to, by=by, reason=reason[:300], at=at
    )
    listing.status, listing.status_reason, listing.updated_at = to, reason[:300], at
    listing.save(update_fields=["status_reason", "updated_at", *saving])
    if "launch_week" in saving:
        follow_launch(listing, at=at)
    if to in EMITTED:
        emit_to_owners(f"listing.{to}", listing_ids=[listing.pk])


def emit_to_owners(name: str, *, listing_ids: Collection[int]) -> None:
    """Tell the programs of everybody who owns these listings what happened to them."""
    events.emit_each(name, things=owners_of(listing_ids))


def owners_of(listing_ids: Collection[int]) -> dict[int, list[int]]:
    owners: dict[int, dict[int, None]] = {listing_id: {} for listing_id in listing_ids}
    rows = Listing.objects.filter(pk__in=listing_ids).order_by("pk", "co_owners")
    for listing_id, *people in rows.values_list("pk", "owner", "co_owners"):
        owners[listing_id] |= dict.fromkeys(pk for pk in people if pk is not None)
    return {listing_id: list(people) for listing_id, people in owners.items()}


def locked(listing_id: int) -> Listing:
    """The listing, held until the transaction ends."""
    return Listing.objects.select_for_update().get(pk=listing_id)


def write_to_owners(listing: Listing, *, template: str, key: str, **context: Any) -> None:
    """Mail everybody who owns it. The same key is sent once to each."""
    with addresses_of_listing(listing):
        context = {
            "listing": listing,
            "page_url": on_site(f"/listings/{listing.slug}"),
            "account_url": absolute(f"/account/listings/{listing.pk}"),
            "badge_html": badges.badge_html(slug=listing.slug, name=listing.name),
            **context,
        }
        for user, own in readers_of(listing, key=key):
            mail.send(
                template=f"directory/mail/{template}",
                to=user.email,
                key=own,
                context=context,
                envelope=mail.Envelope(person_id=user.pk, thing=listing),
            )


def next_free_week(*, site: Site, not_before: date) -> date:
    """The first week from `not_before` on with a place in the free queue; the site's row must be locked."""
    result = weeks_with_a_place(site=site, not_before=not_before, most=1, rules=rules_of(site.pk))
    return result[0] if result else not_before + FURTHEST_WEEKS * weeks.WEEK


def weeks_with_a_place(*, site: Site, not_before: date, most: int, rules: SiteSettings) -> list[date]:
    """The next weeks of the free queue with a place, in one statement."""
    capacity = rules.free_slots_per_week
    horizon = not_before + FURTHEST_WEEKS * weeks.WEEK
    taken = dict(
        Launch.objects.filter(site=site, kind=Launch.Kind.FREE, week__gte=not_before, week__lt=horizon)
        .values_list("week")
        .annotate(Count("id"))
    )
    every = (not_before + number * weeks.WEEK for number in range(FURTHEST_WEEKS))
    return list(islice((week for week in every if taken.get(week, 0) < capacity), most))


def queue_starts(*, site: Site, at: datetime) -> date:
    return weeks.week_of(at) + rules_of(site.pk).free_queue_weeks * weeks.WEEK


def refuse_unless_saved(listing: Listing) -> None:
    """Raise ListingCannotMoveError unless the listing is merely saved."""
    if listing.status != Status.DRAFT:
        raise ListingCannotMoveError.of(
            listing, f"A free launch is for a saved listing; this one is {words_of(listing.status).lower()}."
        )


def refuse_unless_launchable(listing: Listing) -> None:
    """Raise ListingCannotMoveError or DuplicateListingError for a listing that must not go live as it is.

    Two listings of one address that go live at the same moment do it one after the other, so the second is refused.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))",
            [f"live:{listing.site_id}:{product_address(listing.url)}"],
        )
    if lacking := missing_facts(listing):
        raise ListingCannotMoveError(
            f"The listing can’t launch yet. Left: {in_a_row([words_of(name).lower() for name in lacking])}.",
            current=listing.status,
            allowed=(),
            missing=lacking,
        )
    refuse_beside_a_live_twin(listing)


def refuse_beside_a_live_twin(listing: Listing) -> None:
    """Raise DuplicateListingError while another listing is live at the address."""
    if twin := live_twin(listing):
        raise DuplicateListingError(live_already(twin.name), **claim_instead(twin.slug))


def live_already(name: str) -> str:
    """Why a listing of the same address cannot launch."""
    return f"{name} is live at this address already. If the product is yours, claim that listing."


def claim_instead(slug: str) -> dict[str, Any]:
    """What a refusal names: the listing that is live at the address, and how to take it over."""
    why = f"Prove that the product is yours and take over the listing {slug}."
    action = {"operation": "claim_listing", "method": "POST", "path": "/api/v1/claims", "why": why}
    return {"slug": slug, "next_actions": [action]}


def book(listing: Listing, *, week: date, to: str, by: str, at: datetime, reason: str) -> None:
    """Give a locked listing a place in a week of the free queue and move it."""
    listing.launch_week = week
    move(listing=listing, to=to, by=by, reason=reason, at=at, saving=("launch_week", "missed_weeks"))
    _place(listing, week=week, at=at)


def next_week(listing: Listing, *, at: datetime, reason: str, to: str = Status.AWAITING_BADGE) -> None:
    """Give a locked listing the next open week; what it has not used of its old one is free again."""
    to = to if listing.needs_badge else Status.SCHEDULED
    site = Site.objects.select_for_update().get(pk=listing.site_id)
    week = next_free_week(site=site, not_before=weeks.week_of(at) + weeks.WEEK)
    reason = f"{reason} Moved to the week of {week:%-d %B %Y}."
    if listing.status == to:
        stay(listing=listing, week=week, reason=reason, at=at)
        _place(listing, week=week, at=at)
    else:
        book(listing, week=week, to=to, by="system", at=at, reason=reason)


def open_weeks(*, site: Site, at: datetime) -> list[date]:
    rules = rules_of(site.pk)
    first = weeks.week_of(at) + rules.free_queue_weeks * weeks.WEEK
    return weeks_with_a_place(site=site, not_before=first, most=WEEKS_OFFERED, rules=rules)


@transaction.atomic
def change_week(*, owner_id: int, listing_id: int, week: date, at: datetime) -> Listing:
    """Give a listing of the free queue another week that is open, as its owner chose.

    Raises ListingCannotMoveError for one whose week has begun or was paid for, and WeekOverError for a week without
    a place.
    """
    listing = Listing.objects.locked_own(owner_id, listing_id)
    site = Site.objects.select_for_update().get(pk=listing.site_id)
    own = Launch.objects.filter(listing=listing, launched_at=None, kind=Launch.Kind.FREE).first()
    if listing.status not in QUEUED or own is None or weeks.start(own.week) <= at:
        raise ListingCannotMoveError.of(listing, "Its week can’t be changed any more.")
    if week == own.week:
        return listing
    if week not in open_weeks(site=site, at=at):
        raise WeekOverError(f"The week of {week:%-d %B %Y} has no place any more. Choose another one.")
    reason = f"Week changed: booked for the week of {week:%-d %B %Y}."
    stay(listing=listing, week=week, reason=reason, by=f"user:{owner_id}", at=at)
    _place(listing, week=week, at=at)
    launch_mail.write_booked(listing, week=week)
    return listing


def _place(listing: Listing, *, week: date, at: datetime) -> None:
    Launch.objects.filter(listing=listing, launched_at=None).delete()
    Launch.objects.create(
        site_id=listing.site_id, listing=listing, week=week, kind=Launch.Kind.FREE, booked_at=at
    )
    public_data.refresh_locked(listing_ids=[listing.pk])


def back_to_draft(listing: Listing, *, reason: str, at: datetime) -> None:
    """Take a locked listing out of the queue. It stays saved, and a week that was paid for stays booked."""
    Launch.objects.filter(listing=listing, launched_at=None, kind=Launch.Kind.FREE).delete()
    listing.launch_week = None
    move(
        listing=listing,
        to=Status.DRAFT,
        by="system",
        reason=reason,
        at=at,
        saving=("launch_week", "missed_weeks"),
    )
    public_data.refresh_locked(listing_ids=[listing.pk])
