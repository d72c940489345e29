"""Votes and follows: people only, once each, counted in their own transaction. No API operation leads here."""

from datetime import datetime

from django.db import transaction
from django.db.models import F

from accounts.models import User
from core.statements import fetch_one
from directory import weeks
from directory.errors import ListingNotFoundError, OwnListingError
from directory.models import Follow, Launch, Listing, ListingStats, Vote

# The row and both counters: see the migration that makes the function.
CAST = """
SELECT directory_cast_vote(%(listing)s::bigint, %(user)s::bigint, %(week)s::date, %(at)s::timestamptz)
"""


def votable(*, user: User, listing_id: int) -> Listing:
    """The live listing, unless it is the person's own."""
    listing = Listing.objects.live().filter(pk=listing_id).first()
    if listing is None:
        raise ListingNotFoundError("There is no such listing.")
    if listing.owner_id == user.pk:
        raise OwnListingError("You cannot vote for your own product.")
    return listing


@transaction.atomic
def cast_vote(*, user: User, listing_id: int, at: datetime) -> bool:
    """Vote for a live listing. A second vote changes nothing; returns whether this one counted."""
    votable(user=user, listing_id=listing_id)
    asked = {"listing": listing_id, "user": user.pk, "week": weeks.week_of(at), "at": at}
    return fetch_one(CAST, asked) == (True,) or _given_again(user=user, listing_id=listing_id)


def _given_again(*, user: User, listing_id: int) -> bool:
    """Give a vote back its place in the week it was cast in, after it was taken back."""
    taken_back = Vote.objects.filter(user=user, listing_id=listing_id, void_reason=Vote.TAKEN_BACK)
    if not taken_back.update(voided_at=None, void_reason=""):
        return False
    ListingStats.objects.filter(pk=listing_id).update(votes=F("votes") + 1)
    return True


@transaction.atomic
def take_back_vote(*, user: User, listing_id: int, at: datetime) -> bool:
    """Take a vote back. What it counted in a week that is over stays in that week's result, and so does its row.

    A vote that staff took out of the count cannot be taken back, or it could be cast anew.
    """
    vote = Vote.objects.select_for_update().filter(user=user, listing_id=listing_id, voided_at=None).first()
    if vote is None:
        return False
    ListingStats.objects.filter(pk=listing_id, votes__gt=0).update(votes=F("votes") - 1)
    if vote.week == weeks.week_of(at):
        in_week = Launch.objects.filter(
            listing_id=listing_id, week=vote.week, launched_at__isnull=False, votes__gt=0
        )
        in_week.update(votes=F("votes") - 1)
        vote.delete()
    else:
        Vote.objects.filter(pk=vote.pk).update(voided_at=at, void_reason=Vote.TAKEN_BACK)
    return True


@transaction.atomic
def void_votes(*, vote_ids: list[int], reason: str, at: datetime) -> int:
    """Staff take votes out of the count; the rows stay, with the reason."""
    votes = list(Vote.objects.select_for_update().filter(pk__in=vote_ids, voided_at=None).order_by("pk"))
    for vote in votes:
        ListingStats.objects.filter(pk=vote.listing_id, votes__gt=0).update(votes=F("votes") - 1)
        if vote.week == weeks.week_of(at):
            Launch.objects.filter(listing_id=vote.listing_id, week=vote.week, votes__gt=0).update(
                votes=F("votes") - 1
            )
    Vote.objects.filter(pk__in=[vote.pk for vote in votes]).update(voided_at=at, void_reason=reason[:200])
    return len(votes)


@transaction.atomic
def follow(*, user: User, listing_id: int, at: datetime) -> bool:
    """Follow a live listing. A second call changes nothing."""
    if not Listing.objects.live().filter(pk=listing_id).exists():
        raise ListingNotFoundError("There is no such listing.")
    _, is_new = Follow.objects.get_or_create(user=user, listing_id=listing_id, defaults={"created_at": at})
    if is_new:
        ListingStats.objects.filter(pk=listing_id).update(followers=F("followers") + 1)
    return is_new


@transaction.atomic
def unfollow(*, user: User, listing_id: int) -> bool:
    """Stop following."""
    deleted, _ = Follow.objects.filter(user=user, listing_id=listing_id).delete()
    if deleted:
        ListingStats.objects.filter(pk=listing_id, followers__gt=0).update(followers=F("followers") - 1)
    return bool(deleted)
