"""Votes and follows: people only, once each, counted in their own transaction. No API operation leads here."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from django.db import transaction
from django.db.models import BooleanField, Exists, ExpressionWrapper, F, OuterRef, Q

from accounts.models import User
from accounts.networks import network_digest
from core.postgresql.base import fetch_row
from directory import limits, weeks
from directory.engagement.holding import hold_burst, move_counters
from directory.errors import ListingNotFoundError, OwnListingError
from directory.models import Follow, LaunchReminder, Listing, ListingStats, Site, Vote
from directory.reviews.rating import Rating

# The row and both counters: see the migrations that make the function. Nobody votes for their own.
CAST = """
SELECT listing.status = 'live', whose.is_own, CASE WHEN listing.status = 'live' AND NOT whose.is_own THEN
    directory_cast_vote(listing.id, %(user)s::bigint, %(week)s::date, %(at)s::timestamptz, %(network)s)
END
FROM directory_listing AS listing, LATERAL (
    SELECT listing.owner_id IS NOT DISTINCT FROM %(user)s::bigint OR EXISTS (
        SELECT FROM directory_listing_co_owners AS shared
        WHERE shared.listing_id = listing.id AND shared.user_id = %(user)s::bigint
    ) AS is_own
) AS whose
WHERE listing.id = %(listing)s::bigint
"""
FOLLOW = """
WITH live AS (SELECT id FROM directory_listing WHERE id = %(listing)s::bigint AND status = 'live'), new AS (
    INSERT INTO directory_follow (listing_id, user_id, created_at)
    SELECT id, %(user)s::bigint, %(at)s::timestamptz FROM live ON CONFLICT (listing_id, user_id) DO NOTHING
    RETURNING listing_id
), counted AS (
    UPDATE directory_listingstats SET followers = followers + 1 WHERE listing_id IN (SELECT listing_id FROM new)
)
SELECT EXISTS (SELECT FROM live), EXISTS (SELECT FROM new)
"""
UNFOLLOW = """
WITH gone AS (
    DELETE FROM directory_follow WHERE listing_id = %(listing)s::bigint AND user_id = %(user)s::bigint
    RETURNING listing_id
), counted AS (
    UPDATE directory_listingstats SET followers = followers - 1
    WHERE listing_id IN (SELECT listing_id FROM gone) AND followers > 0
)
SELECT EXISTS (SELECT FROM gone)
"""


@transaction.atomic
def cast_vote(*, user: User, listing_id: int, at: datetime, address: str = "") -> bool:
    """Vote for a live listing from an IP address. A second vote changes nothing; returns whether this one is new.

    A vote that makes a burst full is held together with the others of it (`hold_burst`).
    """
    network = network_digest(address)
    values = {"listing": listing_id, "user": user.pk, "week": weeks.week_of(at), "at": at, "network": network}
    is_live, is_own, is_new = fetch_row(CAST, values) or (False, False, False)
    if not is_live:
        raise ListingNotFoundError("There is no such listing.")
    if is_own:
        raise OwnListingError("You cannot vote for your own product.")
    if not is_new:
        return _cast_again(user=user, listing_id=listing_id, at=at)
    hold_burst(user=user, listing_id=listing_id, network=network, at=at)
    return True


def _cast_again(*, user: User, listing_id: int, at: datetime) -> bool:
    """Give a vote back its place in the week it was cast in, after it was taken back."""
    taken_back = Vote.objects.select_for_update().filter(
        user=user, listing_id=listing_id, void_reason=Vote.TAKEN_BACK
    )
    vote = taken_back.first()
    if vote is None:
        return False
    vote.count_again(at=at)
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


def follow(*, user: User, listing_id: int, at: datetime) -> bool:
    """Follow a live listing. A second call changes nothing."""
    is_live, is_new = fetch_row(FOLLOW, {"listing": listing_id, "user": user.pk, "at": at}) or (False, False)
    if not is_live:
        raise ListingNotFoundError("There is no such listing.")
    return bool(is_new)


def unfollow(*, user: User, listing_id: int) -> bool:
    return fetch_row(UNFOLLOW, {"listing": listing_id, "user": user.pk}) == (True,)


@dataclass(frozen=True, kw_only=True)
class Marks:
    """Slugs of listings, by what a person has to do with them; and the ratings that everybody sees."""

    own: frozenset[str] = frozenset()
    voted: frozenset[str] = frozenset()
    followed: frozenset[str] = frozenset()
    on_hold: frozenset[str] = frozenset()
    awaited: frozenset[str] = frozenset()
    ratings: Mapping[str, Rating] = field(default_factory=dict)


def marks(*, user_id: int, site: Site, slugs: Iterable[str]) -> Marks:
    mine = {"listing": OuterRef("pk"), "user": user_id}
    voted = Vote.objects.filter(**mine).exclude(void_reason=Vote.TAKEN_BACK)
    quarantined = voted.filter(held_at__isnull=False, released_at=None, voided_at=None)
    shared = Listing.co_owners.through.objects.filter(listing_id=OuterRef("pk"), user_id=user_id)
    is_own = ExpressionWrapper(Q(owner=user_id) | Exists(shared), output_field=BooleanField())
    rows = list(
        Listing.objects.filter(site=site, slug__in=set(slugs)).values_list(
            "slug",
            is_own,
            Exists(voted),
            Exists(Follow.objects.filter(**mine)),
            Exists(quarantined),
            Exists(LaunchReminder.objects.filter(**mine)),
        )
    )
    return Marks(
        own=frozenset(slug for slug, owns, *_ in rows if owns),
        voted=frozenset(slug for slug, _, has_voted, *_ in rows if has_voted),
        followed=frozenset(slug for slug, *_, follows, _, _ in rows if follows),
        on_hold=frozenset(slug for slug, *_, is_on_hold, _ in rows if is_on_hold),
        awaited=frozenset(slug for slug, *_, waits in rows if waits),
    )


def followed_products(*, user_id: int, site: Site) -> list[Follow]:
    """The live products of a site that a person follows, the newest first, as many as are shown."""
    rows = Follow.objects.filter(user=user_id, listing__site=site, listing__status=Listing.Status.LIVE)
    return list(rows.select_related("listing").order_by("-created_at", "-pk")[: limits.FOLLOWS_LISTED])


def own_votes(*, user_id: int, site: Site) -> list[Vote]:
    """A person's votes on a site, newest first, those that do not count included; as many as are shown."""
    votes = Vote.objects.filter(user=user_id, listing__site=site).exclude(void_reason=Vote.TAKEN_BACK)
    return list(votes.select_related("listing").order_by("-created_at", "-pk")[: limits.FOLLOWS_LISTED])
