"""Votes and follows: people only, once each, counted in their own transaction. No API operation leads here."""

from datetime import datetime

from django.db import transaction
from django.db.models import Exists, F, OuterRef

from accounts.models import User
from accounts.networks import network_digest
from core.statements import fetch_one
from directory import weeks
from directory.engagement.holding import hold_burst, move_counters
from directory.errors import ListingNotFoundError, OwnListingError
from directory.models import Follow, Listing, ListingStats, Vote

# The row and both counters: see the migrations that make the function.
CAST = """
SELECT directory_cast_vote(%(listing)s::bigint, %(user)s::bigint, %(week)s::date, %(at)s::timestamptz, %(network)s)
"""


def votable(*, user: User, listing_id: int) -> Listing:
    """The live listing, unless it is the person's own."""
    shared = Listing.co_owners.through.objects.filter(listing=OuterRef("pk"), user=user)
    listing = Listing.objects.live().filter(pk=listing_id).annotate(is_shared=Exists(shared)).first()
    if listing is None:
        raise ListingNotFoundError("There is no such listing.")
    if listing.owner_id == user.pk or listing.is_shared:
        raise OwnListingError("You cannot vote for your own product.")
    return listing


@transaction.atomic
def cast_vote(*, user: User, listing_id: int, at: datetime, address: str = "") -> bool:
    """Vote for a live listing from an IP address. A second vote changes nothing; returns whether this one is new.

    A vote that makes a burst full is held together with the others of it (`hold_burst`).
    """
    votable(user=user, listing_id=listing_id)
    network = network_digest(address)
    values = {
        "listing": listing_id,
        "user": user.pk,
        "week": weeks.week_of(at),
        "at": at,
        "network": network,
    }
    if fetch_one(CAST, values) != (True,):
        return _given_again(user=user, listing_id=listing_id)
    hold_burst(user=user, listing_id=listing_id, network=network, at=at)
    return True


def _given_again(*, user: User, listing_id: int) -> bool:
    """Give a vote back its place in the week it was cast in, after it was taken back."""
    taken_back = Vote.objects.select_for_update().filter(
        user=user, listing_id=listing_id, void_reason=Vote.TAKEN_BACK
    )
    vote = taken_back.first()
    if vote is None:
        return False
    vote.voided_at, vote.void_reason = None, ""
    vote.save(update_fields=["voided_at", "void_reason"])
    if vote.is_counted:
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
    if vote.is_counted:
        move_counters(vote, by=-1, at=at)
    if vote.week == weeks.week_of(at):
        vote.delete()
    else:
        Vote.objects.filter(pk=vote.pk).update(voided_at=at, void_reason=Vote.TAKEN_BACK)
    return True


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
    deleted, _ = Follow.objects.filter(user=user, listing_id=listing_id).delete()
    if deleted:
        ListingStats.objects.filter(pk=listing_id, followers__gt=0).update(followers=F("followers") - 1)
    return bool(deleted)
