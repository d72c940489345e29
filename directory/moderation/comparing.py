"""What would move and what would stay, before staff merge, ban or move."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Prefetch, QuerySet

from directory.engagement.models import VoteQuerySet
from directory.errors import ListingCannotMoveError
from directory.launches.featuring import places_ahead
from directory.models import Category, Follow, Listing, ListingCategory, Vote
from directory.undoing import merges

COUNTED, DESCRIBED = 100, 300


@dataclass(frozen=True, kw_only=True)
class Merge:
    votes: int
    voted_for_both: int
    followers: int
    places: int


def moved_votes(*, listing: Listing, into: Listing) -> VoteQuerySet:
    """Its votes by people who have not voted for the other and do not own it."""
    both = Vote.objects.filter(listing=into).values("user")
    rows = Vote.objects.filter(listing=listing).exclude(user__in=both)
    return rows.exclude(user=into.owner_id) if into.owner_id else rows


def moved_follows(*, listing: Listing, into: Listing) -> QuerySet[Follow]:
    both = Follow.objects.filter(listing=into).values("user")
    return Follow.objects.filter(listing=listing).exclude(user__in=both)


def merge_of(*, listing: Listing, into: Listing, at: datetime) -> Merge:
    all_votes = Vote.objects.filter(listing=listing).counted().count()
    moved = moved_votes(listing=listing, into=into).counted().count()
    return Merge(
        votes=all_votes,
        voted_for_both=all_votes - moved,
        followers=moved_follows(listing=listing, into=into).count(),
        places=places_ahead(listing_id=listing.pk, at=at)[:COUNTED].count(),
    )


ROWS: dict[str, Callable[[Any], str]] = {
    "address": lambda listing: f"/listings/{listing.slug}",
    "website": lambda listing: listing.url,
    "tagline": lambda listing: listing.tagline,
    "description": lambda listing: listing.short_description or listing.description[:DESCRIBED],
    "state": lambda listing: listing.get_status_display(),
    "plan": lambda listing: listing.get_plan_display(),
    "owner": lambda listing: listing.owner.email if listing.owner else "nobody",
    "claimed": lambda listing: listing.claimed_by_method or "no",
    "launched": lambda listing: f"{listing.launched_at:%-d %B %Y}" if listing.launched_at else "not yet",
    "made": lambda listing: f"{listing.created_at:%-d %B %Y}",
    "filed in": lambda listing: ", ".join(row.category.name for row in listing.filed.all()),
    "votes": lambda listing: str(listing.stats.votes if hasattr(listing, "stats") else 0),
    "followers": lambda listing: str(listing.stats.followers if hasattr(listing, "stats") else 0),
}


def beside_each_other(*, listing: Listing, into: Listing) -> list[tuple[str, str, str]]:
    """What both say of themselves, row by row, in two statements."""
    rows = Listing.objects.select_related("owner", "stats").prefetch_related(
        Prefetch("filed", queryset=ListingCategory.objects.select_related("category").order_by("position"))
    )
    result = rows.in_bulk([listing.pk, into.pk])
    entry, other = result[listing.pk], result[into.pk]
    return [(name.capitalize(), read(entry), read(other)) for name, read in ROWS.items()]


def whole_of(listing: Listing) -> str:
    """What a listing is part of since it was merged, by its name; nothing where it is on the site."""
    if listing.status not in Listing.OFF_SITE:
        return ""
    whole = listing.pk
    for part, into, _ in merges():
        whole = into if part == whole else whole
    others = Listing.objects.filter(pk=whole).exclude(pk=listing.pk)
    return others.values_list("name", flat=True).first() or ""


def refuse_unfit(*, listing: Listing, into: Listing) -> None:
    """Raise ListingCannotMoveError for two that cannot be one."""
    why = ""
    if listing.pk == into.pk:
        why = "That is the same listing. Choose the one that stays."
    elif listing.site_id != into.site_id:
        why = "They are on different sites."
    elif part := whole_of(listing):
        why = f"{listing.name} is part of {part} already. Undo that first."
    elif into.status in Listing.OFF_SITE:
        why = f"{into.name} is {into.get_status_display().lower()}. Choose one that is on the site."
    if why:
        raise ListingCannotMoveError(f"{why} Nothing was changed.", current=into.status, allowed=())


def listings_of(user_id: int) -> QuerySet[Listing]:
    """What a person owns alone and is on the site or on the way to it, oldest first."""
    return Listing.objects.filter(owner=user_id).exclude(status__in=Listing.OFF_SITE).order_by("pk")


@dataclass(frozen=True, kw_only=True)
class CategoryMerge:
    listings: int
    below: list[str]


def category_merge_of(*, category: Category) -> CategoryMerge:
    return CategoryMerge(
        listings=ListingCategory.objects.filter(category=category).count(),
        below=list(
            Category.objects.filter(parent=category).order_by("position").values_list("name", flat=True)
        ),
    )
