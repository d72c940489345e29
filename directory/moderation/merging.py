"""Two listings of one product become one: votes, followers, featured places and the address move; undone in 30 days."""

from collections.abc import Collection
from datetime import datetime

from django.db import transaction
from django.db.models import F, Q

from directory import weeks
from directory.engagement.models import VoteQuerySet
from directory.errors import CannotUndoError
from directory.launches import featuring, queueing
from directory.launches.queueing import move, write_to_owners
from directory.models import Follow, FormerSlug, Launch, Listing, ListingStats, Undo, Vote
from directory.moderation.comparing import moved_follows, moved_votes, refuse_unfit
from directory.reviews import deciding
from directory.search import public_data
from directory.undoing import came_back, came_from, close, merges, taken_up, unused

Status = Listing.Status


@transaction.atomic
def merge(*, listing_id: int, into_id: int, staff_id: int, at: datetime) -> Undo:
    """Make a listing part of another: whoever voted for both counts once, and its address leads to the other.

    Orders stay with their buyers, results of past weeks as they are; updates, story and awards stay with the listing,
    which is no longer shown. Each row says where it was at first, through whatever merges it came.
    Raises ListingCannotMoveError for two that cannot be one.
    """
    listing, into = _both(listing_id, into_id)
    refuse_unfit(listing=listing, into=into)
    votes = moved_votes(listing=listing, into=into)
    counted, in_week = _counted(votes, at=at)
    votes.update(listing=into, merged_from=came_from(listing.pk))
    _count(listing, votes=-counted, in_week=-in_week, at=at)
    _count(into, votes=counted, in_week=in_week, at=at)
    following = moved_follows(listing=listing, into=into)
    follows = following.update(listing=into, merged_from=came_from(listing.pk))
    _follow(listing, -follows)
    _follow(into, follows)
    ahead = list(featuring.places_ahead(listing_id=listing.pk, at=at))
    places = featuring.hand_over(listing=listing, into=into, rows=ahead, at=at)
    came_by = list(FormerSlug.objects.filter(listing=listing).values_list("pk", flat=True))
    FormerSlug.objects.filter(pk__in=came_by).update(listing=into)
    FormerSlug.objects.update_or_create(
        site_id=listing.site_id, slug=listing.slug, defaults={"listing": into}
    )
    deciding.move_texts(listing=listing, into=into)
    was = listing.status
    if was not in Listing.OFF_SITE:
        to = Status.ARCHIVED if listing.is_live else Status.REJECTED
        move(listing=listing, to=to, by=f"staff:{staff_id}", reason=f"Merged into {into.name}.", at=at)
    public_data.refresh(listing_ids=[listing.pk, into.pk])
    write_to_owners(listing, template="merged", key=f"merged-{listing.pk}-{at.isoformat()}", into=into)
    details = {"into": into.pk, "was": was, "came_by": came_by, "places": [row.pk for row in places]}
    return Undo.objects.create(kind=Undo.Kind.MERGE, listing=listing, details=details, at=at)


@transaction.atomic
def undo_merge(*, undo_id: int, staff_id: int, at: datetime) -> Listing:
    """What the merge moved goes back, and the listing is where it was.

    Votes of weeks that have ended meanwhile stay: they are in the results of those. So does what somebody has again on
    the listing. Raises CannotUndoError when it is too late, was done already or a later merge has to be undone first,
    and what keeps the listing from being live again.
    """
    undo = unused(undo_id, kind=Undo.Kind.MERGE, at=at)
    listing, into = _both(undo.listing_id or 0, undo.details["into"])
    if any(source == into.pk and merged_at > undo.at for source, _, merged_at in merges()):
        raise CannotUndoError(f"{into.name} was merged since. Undo that first; nothing was changed.")
    origins = taken_up(listing.pk, rows=[row for row in merges() if row[2] < undo.at])
    _move_back(listing, into, origins=origins, since=undo.at, at=at)
    FormerSlug.objects.filter(pk__in=undo.details["came_by"]).update(listing=listing)
    FormerSlug.objects.filter(listing=into, site=listing.site_id, slug=listing.slug).delete()
    deciding.move_texts_back(listing=listing, into=into, origins=origins)
    was = undo.details["was"]
    if listing.status != was:
        if was == Status.LIVE:
            queueing.refuse_unless_launchable(listing)
        reason = f"No longer merged into {into.name}."
        move(listing=listing, to=was, by=f"staff:{staff_id}", reason=reason, at=at)
    places = featuring.places_ahead(listing_id=into.pk, at=at).filter(pk__in=undo.details.get("places", ()))
    featuring.hand_over(listing=into, into=listing, rows=places, at=at)
    public_data.refresh(listing_ids=[listing.pk, into.pk])
    close(undo, at=at)
    return listing


def _move_back(
    listing: Listing, into: Listing, *, origins: Collection[int], since: datetime, at: datetime
) -> None:
    """The votes and followers that came with a listing and those merged into it before."""
    came = {"listing": into, "merged_from__in": origins}
    votes = Vote.objects.filter(Q(week__lt=weeks.week_of(since)) | Q(week__gte=weeks.week_of(at)), **came)
    votes = votes.exclude(user__in=Vote.objects.filter(listing=listing).values("user"))
    counted, in_week = _counted(votes, at=at)
    votes.update(listing=listing, merged_from=came_back(listing.pk))
    _count(into, votes=-counted, in_week=-in_week, at=at)
    _count(listing, votes=counted, in_week=in_week, at=at)
    again = Follow.objects.filter(listing=listing).values("user")
    following = Follow.objects.filter(**came).exclude(user__in=again)
    follows = following.update(listing=listing, merged_from=came_back(listing.pk))
    _follow(into, -follows)
    _follow(listing, follows)


def _both(*listing_ids: int) -> tuple[Listing, Listing]:
    rows = Listing.objects.select_for_update().filter(pk__in=listing_ids).order_by("pk")
    result = {listing.pk: listing for listing in rows}
    return result[listing_ids[0]], result[listing_ids[1]]


def _counted(votes: VoteQuerySet, *, at: datetime) -> tuple[int, int]:
    rows = list(votes.counted().values_list("week", flat=True))
    return len(rows), rows.count(weeks.week_of(at))


def _count(listing: Listing, *, votes: int, in_week: int, at: datetime) -> None:
    ListingStats.objects.filter(pk=listing.pk, votes__gte=-votes).update(votes=F("votes") + votes)
    launches = Launch.objects.filter(listing=listing, week=weeks.week_of(at), votes__gte=-in_week)
    launches.exclude(launched_at=None).update(votes=F("votes") + in_week)


def _follow(listing: Listing, by: int) -> None:
    ListingStats.objects.filter(pk=listing.pk, followers__gte=-by).update(followers=F("followers") + by)
