"""What of a list of listings is a person's own, voted for or followed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef, Q

from directory import limits
from directory.models import Follow, LaunchReminder, Listing, Site, Vote
from directory.reviews.rating import Rating


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
