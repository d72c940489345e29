"""What the back office's page of one listing shows beside its facts."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Q

from accounts.models import User
from core.parts import Named
from directory.launches.launchable import Why, why_not_live
from directory.models import BadgeCheck, Founder, Launch, Listing, Report, Vote

TRIES = 3
VOTES_LISTED = 100
OfListing = Callable[[int], Any]


# what areas above know of a listing, under the name by which its page asks
tells_staff = Named[OfListing]()


@dataclass(frozen=True, kw_only=True)
class Beside:
    """The right-hand column: launch and badge, people, money."""

    why: Why | None
    check: BadgeCheck | None
    launches: list[Launch]
    place: int | None
    tries_left: int
    founders: list[Founder]
    co_owners: list[User]
    reports: int
    facts: dict[str, Any]


def beside(listing: Listing, *, at: datetime) -> Beside:
    check = BadgeCheck.objects.filter(listing=listing).order_by("-at", "-pk").first()
    launches = list(Launch.objects.filter(listing=listing).order_by("-week")[:5])
    ahead = next((launch for launch in launches if launch.launched_at is None), None)
    return Beside(
        why=why_not_live(listing, check=check, at=at),
        check=check,
        launches=launches,
        place=_place(ahead) if ahead else None,
        tries_left=max(0, TRIES - listing.missed_weeks),
        founders=list(Founder.objects.filter(founded__listing=listing).order_by("founded__position")),
        co_owners=list(listing.co_owners.all()[:10]),
        reports=Report.objects.filter(listing=listing, status=Report.Status.OPEN)[:100].count(),
        facts={name: read(listing.pk) for name, read in tells_staff.items()},
    )


def _place(launch: Launch) -> int:
    """How many were booked before it in its week, and itself."""
    mates = Launch.objects.filter(site=launch.site_id, week=launch.week, launched_at=None)
    before = Q(booked_at__lt=launch.booked_at) | Q(booked_at=launch.booked_at, pk__lte=launch.pk)
    return mates.filter(before).count()


def newest_votes(listing: Listing) -> list[Vote]:
    return list(
        Vote.objects.filter(listing=listing).select_related("user").order_by("-created_at")[:VOTES_LISTED]
    )


def vote_counts(listing: Listing) -> dict[str, int]:
    return Vote.objects.filter(listing=listing).aggregate(
        waiting=Count("pk", filter=Q(held_at__isnull=False, released_at=None, voided_at=None)),
        voided=Count("pk", filter=Q(voided_at__isnull=False)),
        all=Count("pk"),
    )


def same_company(listing: Listing) -> list[Listing]:
    rows = Listing.objects.filter(domain=listing.domain).select_related("site").order_by("site", "pk")
    return list(rows[:50])
