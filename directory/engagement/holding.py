"""Bursts of votes from new accounts that have something in common are held until staff have looked at them."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Count, F, Max, Min, Q, QuerySet

from accounts.models import User
from core.domains import is_free_mail
from directory import limits, weeks
from directory.models import Launch, Listing, ListingStats, Vote

LISTED, VOTES_LISTED, RANKED_UP_TO = 50, 200, 1000


def votes_on_hold() -> QuerySet[Vote]:
    return Vote.objects.filter(held_at__isnull=False, released_at=None, voided_at=None)


@dataclass(frozen=True, kw_only=True)
class Burst:
    listing: Listing
    votes: int
    since: datetime
    first_at: datetime
    last_at: datetime
    networks: int
    youngest: datetime
    oldest: datetime

    @property
    def minutes(self) -> int:
        return max(1, round((self.last_at - self.first_at) / timedelta(minutes=1)))


def bursts(*, listing_id: int | None = None) -> list[Burst]:
    """The listings with held votes, the one that waits longest first."""
    result = votes_on_hold().filter(listing=listing_id) if listing_id else votes_on_hold()
    rows: list[Any] = list(
        result.values("listing")
        .annotate(
            votes=Count("pk"),
            since=Min("held_at"),
            first_at=Min("created_at"),
            last_at=Max("created_at"),
            networks=Count("network", distinct=True, filter=~Q(network="")),
            youngest=Max("user__date_joined"),
            oldest=Min("user__date_joined"),
        )
        .order_by("since", "listing")[: LISTED + 1]
    )
    listings = Listing.objects.only("name", "slug", "launch_week", "site", "owner").in_bulk(
        [row["listing"] for row in rows]
    )
    return [Burst(**{**row, "listing": listings[row["listing"]]}) for row in rows]


def votes_of(listing_id: int) -> list[Vote]:
    """Held votes of a listing with their voters, in the order in which they came."""
    return list(
        votes_on_hold()
        .filter(listing=listing_id)
        .select_related("user")
        .order_by("created_at", "pk")[:VOTES_LISTED]
    )


@dataclass(frozen=True, kw_only=True)
class Effect:
    """Where a listing stands in the running week without its held votes, and where with them."""

    without: int
    rank_with: int


def effect_of(burst: Burst, *, at: datetime) -> Effect | None:
    """What the decision does to the running week's order; none for a listing that is not in it."""
    week = weeks.week_of(at)
    own = Launch.objects.filter(listing=burst.listing, week=week, launched_at__isnull=False).first()
    if own is None:
        return None
    in_week = votes_on_hold().filter(listing=burst.listing, week=week).count()
    ahead = Launch.objects.filter(site=own.site_id, week=week, is_hidden=False, launched_at__isnull=False)
    ranks = [
        1
        + ahead.filter(Q(votes__gt=votes) | Q(votes=votes, launched_at__lt=own.launched_at))[
            :RANKED_UP_TO
        ].count()
        for votes in (own.votes, own.votes + in_week)
    ]
    return Effect(without=ranks[0], rank_with=ranks[1])


def move_counters(vote: Vote, *, by: int, at: datetime) -> None:
    """Count a vote, or count it no longer. The count of a week that is over stays."""
    ListingStats.objects.filter(pk=vote.listing_id, votes__gte=-by).update(votes=F("votes") + by)
    if vote.week == weeks.week_of(at):
        launch = Launch.objects.filter(
            listing_id=vote.listing_id, week=vote.week, launched_at__isnull=False, votes__gte=-by
        )
        launch.update(votes=F("votes") + by)


def hold_burst(*, user: User, listing_id: int, network: str, at: datetime) -> None:
    """Hold what a vote just cast is the last of: enough votes of new accounts of one network or mail domain.

    The vote's transaction holds the listing's counter, so of votes that come at once each sees those before it.
    """
    if at - user.date_joined >= limits.NEW_ACCOUNT:
        return
    enough = max(2, round(limits.VOTE_BURST * settings.RATE_LIMIT_FACTOR))
    recent = Vote.objects.filter(
        listing_id=listing_id,
        created_at__gt=at - limits.VOTE_BURST_WINDOW,
        user__date_joined__gt=at - limits.NEW_ACCOUNT,
    )
    reasons: dict[int, list[str]] = defaultdict(list)
    for what, alike in _alike(user=user, network=network):
        ids = list(recent.filter(alike).values_list("pk", flat=True))
        if len(ids) >= enough:
            for pk in ids:
                reasons[pk].append(f"{len(ids)} votes of new accounts of {what}")
    # who is taking theirs back at this moment waits for the counter that is held here
    free = Vote.objects.counted().select_for_update(skip_locked=True).filter(pk__in=reasons, held_at=None)
    for vote in free.order_by("pk"):
        move_counters(vote, by=-1, at=at)
        vote.held_at, vote.held_for = at, "; ".join(reasons[vote.pk])[: limits.VOTE_REASON]
        vote.save(update_fields=["held_at", "held_for"])


def _alike(*, user: User, network: str) -> Iterator[tuple[str, Q]]:
    if network:
        yield "one network", Q(network=network)
    domain = user.email.rpartition("@")[2].lower()
    if not is_free_mail(domain):
        yield f"the mail domain {domain}", Q(user__email__endswith=f"@{domain}")


@transaction.atomic
def release_votes(*, vote_ids: list[int], at: datetime) -> int:
    """Staff let held votes count. The result of a week that is closed stays as it is."""
    votes = list(
        Vote.objects.select_for_update()
        .filter(pk__in=vote_ids, voided_at=None, held_at__isnull=False, released_at=None)
        .order_by("pk")
    )
    for vote in votes:
        vote.released_at = at
        vote.save(update_fields=["released_at"])
        move_counters(vote, by=1, at=at)
    return len(votes)
