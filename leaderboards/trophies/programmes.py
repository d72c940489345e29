"""Programmes: owners enter their listings, the votes of a window give the places, and they close by themselves."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.db import transaction
from django.db.models import Count

from core.api.errors import NotFoundError
from core.cache import changed
from directory import weeks
from directory.categories.tree import below
from directory.listings.own import own_row
from directory.models import Listing
from leaderboards import limits
from leaderboards.errors import NotEligibleError, ProgrammeClosedError, ProgrammeStillRunningError
from leaderboards.trophies import awarding
from leaderboards.trophies.models import Programme, ProgrammeEntry

Status = Programme.Status
NOT_OPEN = {
    Status.ANNOUNCED: "Entries aren’t open now: they run from {entry_from} to {entry_until} UTC.",
    Status.VOTING: "Entries ended on {entry_until} UTC.",
    Status.CLOSED: "This programme is over.",
}


@dataclass(frozen=True, kw_only=True)
class Ranked:
    entry_id: int
    listing_id: int
    votes: int


@transaction.atomic
def enter_programme(*, owner_id: int, listing_id: int, slug: str, at: datetime) -> Programme:
    """Enter a listing. A second entry changes nothing, whenever it comes.

    Raises NotFoundError, ProgrammeClosedError and NotEligibleError.
    """
    listing = own_row(owner_id=owner_id, listing_id=listing_id)
    rows = Programme.objects.select_for_update().filter(site=listing.site_id, slug=slug)
    programme = NotFoundError.unless(rows.first(), "programme")
    if programme.entries.filter(listing=listing).exists():
        return programme
    status = programme.status(at=at)
    if status != Status.OPEN:
        moments = {
            name: f"{getattr(programme, name):%-d %B %Y, %H:%M}" for name in ("entry_from", "entry_until")
        }
        rule = NOT_OPEN[status].format(**moments)
        raise ProgrammeClosedError(rule, rule=rule, current=status.value)
    if rule := broken_rule(programme, listing):
        raise NotEligibleError(rule, rule=rule)
    if programme.entries.count() >= limits.ENTRIES:
        rule = f"It has {limits.ENTRIES} entries, the most it takes."
        raise ProgrammeClosedError(rule, rule=rule, current="full")
    ProgrammeEntry.objects.create(programme=programme, listing=listing, entered_at=at)
    changed("boards")
    return programme


def broken_rule(programme: Programme, listing: Listing) -> str:
    """The rule that keeps a listing out, in a sentence; nothing when it may enter."""
    if not listing.is_live or listing.launched_at is None:
        return "Only live listings can enter."
    day = listing.launched_at.astimezone(UTC).date()
    if programme.launched_from and day < programme.launched_from:
        return f"Only for products launched on {programme.launched_from:%-d %B %Y} or later."
    if programme.launched_until and day > programme.launched_until:
        return f"Only for products launched by {programme.launched_until:%-d %B %Y}."
    allowed = list(programme.categories.values_list("pk", "name"))
    filed = set(listing.filed.values_list("category", flat=True))
    if allowed and not filed & below(pk for pk, _ in allowed):
        return f"Only for products in {', '.join(name for _, name in allowed)}."
    return ""


def count(programme: Programme, *, entries: Sequence[tuple[int, int]], at: datetime) -> list[Ranked]:
    """These entries by the votes of the window as of a moment.

    Equal votes: the earlier launch, then the earlier listing.
    """
    cast = awarding.counted(closed_at=programme.closed_at or at, corrected_at=programme.corrected_at)
    votes = dict(
        cast.filter(
            voted_for__in=[listing_id for _, listing_id in entries],
            created_at__gte=programme.votes_from,
            created_at__lt=programme.votes_until,
        )
        .values_list("voted_for")
        .annotate(number=Count("pk"))
    )
    launched = dict(
        Listing.objects.filter(pk__in=[listing_id for _, listing_id in entries]).values_list(
            "pk", "launched_at"
        )
    )
    rows = [
        Ranked(entry_id=entry_id, listing_id=listing_id, votes=votes.get(listing_id, 0))
        for entry_id, listing_id in entries
    ]
    latest = datetime.max.replace(tzinfo=UTC)
    return sorted(rows, key=lambda row: (-row.votes, launched.get(row.listing_id) or latest, row.listing_id))


def present(programme: Programme) -> list[tuple[int, int]]:
    """Its entries whose listings are live: once it is closed, those that were then."""
    rows = programme.entries.order_by("pk")
    present_rows = (
        rows.exclude(rank=None) if programme.closed_at else rows.filter(listing__stats__is_live=True)
    )
    return list(present_rows.values_list("pk", "listing"))


@transaction.atomic
def close_programme(*, programme_id: int, at: datetime) -> Programme:
    """Freeze a programme's places and give its awards. A second call changes nothing.

    Raises ProgrammeStillRunningError before its voting is over.
    """
    programme = Programme.objects.select_for_update().select_related("site").get(pk=programme_id)
    if programme.closed_at is not None:
        return programme
    if programme.votes_until > at:
        raise ProgrammeStillRunningError(f"Voting runs until {programme.votes_until:%-d %B %Y, %H:%M} UTC.")
    entries = present(programme)
    programme.closed_at = at
    programme.save(update_fields=["closed_at"])
    _write(programme, count(programme, entries=entries, at=at), at=at)
    return programme


@transaction.atomic
def correct_programme(*, programme_id: int, at: datetime) -> bool:
    """Take votes that staff voided since out of a closed programme's result. Returns whether an award moved."""
    programme = Programme.objects.select_for_update().select_related("site").get(pk=programme_id)
    if programme.closed_at is None:
        return False
    entries = present(programme)
    programme.corrected_at = at
    programme.save(update_fields=["corrected_at"])
    return bool(_write(programme, count(programme, entries=entries, at=at), at=at))


def _write(programme: Programme, rows: Sequence[Ranked], *, at: datetime) -> int:
    ProgrammeEntry.objects.bulk_update(
        [
            ProgrammeEntry(pk=row.entry_id, rank=rank, votes=row.votes)
            for rank, row in enumerate(rows, start=1)
        ],
        ["rank", "votes"],
    )
    last = programme.votes_until - timedelta(
        microseconds=1
    )  # midnight is the end of a week, not the next one
    occasion = awarding.Occasion(site=programme.site, week=weeks.week_of(last), programme=programme)
    winners = [awarding.Place(listing_id=row.listing_id, votes=row.votes) for row in rows[: programme.places]]
    return len(awarding.settle(occasion, winners, at=at))


def verify_programme(programme: Programme) -> bool:
    """Whether a closed programme's places and awards follow from the votes as they are stored now."""
    if programme.closed_at is None:
        return False
    stored = programme.entries.exclude(rank=None).order_by("rank").values_list("rank", "listing", "votes")
    rows = count(programme, entries=present(programme), at=programme.closed_at)
    again = [(rank, row.listing_id, row.votes) for rank, row in enumerate(rows, start=1)]
    awards = programme.awards.filter(revoked_at=None).order_by("rank").values_list("rank", "listing")
    winning = [(rank, listing) for rank, listing, votes in again[: programme.places] if votes]
    return list(stored) == again and list(awards) == winning


def close_due_programmes(*, at: datetime) -> int:
    """Close each programme whose voting is over, some minutes later, as weeks are. Returns how many."""
    due = Programme.objects.filter(closed_at=None, votes_until__lte=at - limits.SETTLES_IN).order_by("pk")
    ids = list(due.values_list("pk", flat=True))
    for pk in ids:
        close_programme(programme_id=pk, at=at)
    return len(ids)


def correct_programmes_of(*, listing_ids: Sequence[int], at: datetime) -> int:
    """Bring closed programmes of these listings in line with their votes. Returns in how many an award moved."""
    rows = Programme.objects.filter(entries__listing__in=listing_ids, closed_at__isnull=False)
    ids = list(rows.order_by("pk").values_list("pk", flat=True).distinct())
    return sum(correct_programme(programme_id=pk, at=at) for pk in ids)
