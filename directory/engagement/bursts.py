"""Votes at risk: bursts that are held, what makes them one, and what they would do to the week's order."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Max, Min, Q, QuerySet

from directory import weeks
from directory.models import Launch, Listing, Vote

LISTED, VOTES_LISTED, RANKED_UP_TO = 50, 200, 1000


def votes_on_hold() -> QuerySet[Vote]:
    return Vote.objects.filter(held_at__isnull=False, released_at=None, voided_at=None)


@dataclass(frozen=True, kw_only=True)
class Burst:
    listing: Listing
    votes: int
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
    rows = list(
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
    return [
        Burst(
            listing=listings[row["listing"]],
            votes=row["votes"],
            first_at=row["first_at"],
            last_at=row["last_at"],
            networks=row["networks"],
            youngest=row["youngest"],
            oldest=row["oldest"],
        )
        for row in rows
    ]


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
    ahead = ahead.exclude(pk=own.pk)
    ranks = [
        1
        + ahead.filter(Q(votes__gt=votes) | Q(votes=votes, launched_at__lt=own.launched_at))[
            :RANKED_UP_TO
        ].count()
        for votes in (own.votes, own.votes + in_week)
    ]
    return Effect(without=ranks[0], rank_with=ranks[1])
