"""The best of a year: what launched in it, by the votes of its launch weeks and nothing else."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.core.cache import cache
from django.db.models import Exists, Min, OuterRef, QuerySet, Sum

from core.api.errors import NotFoundError
from core.api.pagination import capped_count
from directory import weeks
from directory.categories.tree import below
from directory.launches.calendar import RANKED
from directory.models import Category, Launch, Listing, ListingCategory, Site
from directory.search.cards import rows_of, summary

FEWEST = 5  # products that make a list
PLACES, TWICE = 20, 2  # a product may have launched twice in a year
COUNTED_EVERY = 3600.0


@dataclass(frozen=True, kw_only=True)
class Best:
    """One list as it was counted: how many launched, and the first ones with the votes of their launch weeks."""

    counted_at: datetime
    total: int
    places: list[tuple[int, int]]
    votes: int = 0  # of all of them; a list that the former release counted has none


def years(*, site: Site, at: datetime) -> list[int]:
    """The years that have launches, newest first. A week belongs to the year of its Monday."""
    public = Launch.objects.filter(site=site, is_hidden=False, launched_at__isnull=False)
    first = public.aggregate(week=Min("week"))["week"]
    return list(range(weeks.week_of(at).year, first.year - 1, -1)) if first else []


def is_final_on(year: int) -> date:
    """The day on which the last launch week of a year is over: the first Monday of the next."""
    return weeks.monday(date(year, 12, 31)) + weeks.WEEK


def best_of(*, site: Site, year: int, category: Mapping[str, Any] | None, at: datetime) -> dict[str, Any]:
    """Rank, card and votes of the first of a year, of a category with all under it or of everything.

    Counted once an hour. Raises NotFoundError for another year than this without launches.
    """
    if year != weeks.week_of(at).year and year not in years(site=site, at=at):
        raise NotFoundError("Nothing launched in that year.")
    best = _best(site=site, year=year, category=category, at=at)
    live = set(
        Listing.objects.live().filter(pk__in=[pk for pk, _ in best.places]).values_list("pk", flat=True)
    )
    cards = rows_of([pk for pk, _ in best.places if pk in live])
    ranked = [(summary(cards[pk]), votes) for pk, votes in best.places if pk in cards]
    return {
        "year": year,
        "total": best.total,
        "counted_at": best.counted_at,
        "is_list": best.total >= FEWEST,
        "final_on": is_final_on(year),
        "is_final": at.date() >= is_final_on(year),
        "rows": [(rank, card, votes) for rank, (card, votes) in enumerate(ranked, start=1)],
    }


def lists_in_front(
    *, site: Site, tree: Sequence[Mapping[str, Any]], most: int, of_each: int, at: datetime
) -> list[tuple[Mapping[str, Any], Best, list[tuple[int, int]]]]:
    """Lists of this year, as they were counted within the hour, with the first of each that no list before has.

    The list whose first has most votes comes first, so that the year's largest are there.
    """
    year = weeks.week_of(at).year
    left = [(node, _best(site=site, year=year, category=node, at=at)) for node in tree]
    left = [(node, best) for node, best in left if best.total >= FEWEST]
    lists: list[tuple[Mapping[str, Any], Best, list[tuple[int, int]]]] = []
    taken: set[int] = set()
    while left and len(lists) < most:
        rest = [[place for place in best.places if place[0] not in taken] for _, best in left]
        number = max(range(len(left)), key=lambda n: max((votes for _, votes in rest[n]), default=0))
        if not rest[number]:
            break  # what is left has no votes, or stands in a list already
        lists.append((*left.pop(number), rest[number][:of_each]))
        taken.update(pk for pk, _ in lists[-1][2])
    return lists


def _best(*, site: Site, year: int, category: Mapping[str, Any] | None, at: datetime) -> Best:
    key = f"best:{site.pk}:{year}:{category['slug'] if category else ''}"
    best: Best | None = cache.get(key)
    if best is None:
        best = _counted(_launches(site=site, year=year, category=category), at=at)
        cache.set(key, best, COUNTED_EVERY)
    return best


def _launches(*, site: Site, year: int, category: Mapping[str, Any] | None) -> QuerySet[Launch]:
    rows = Launch.objects.filter(
        site=site,
        week__range=(date(year, 1, 1), date(year, 12, 31)),
        is_hidden=False,
        launched_at__isnull=False,
        listing__stats__is_live=True,
    )
    if category is None:
        return rows
    within = below(Category.objects.filter(slug=category["slug"]).values_list("pk", flat=True))
    filed = ListingCategory.objects.filter(listing=OuterRef("listing"), category__in=within)
    return rows.filter(Exists(filed))


def _counted(rows: QuerySet[Launch], *, at: datetime) -> Best:
    voted = rows.filter(votes__gt=0).order_by(*RANKED).values_list("listing", "votes")
    first: dict[int, int] = {}
    for listing_id, votes in voted[: PLACES * TWICE]:
        first.setdefault(listing_id, votes)  # its better launch
    total, votes = (
        capped_count(rows.values("listing").distinct()),
        rows.aggregate(all=Sum("votes"))["all"] or 0,
    )
    return Best(counted_at=at, total=total, places=list(first.items())[:PLACES], votes=votes)


def lists_beside(tree: Sequence[Mapping[str, Any]], *, chosen: str, most: int) -> list[Mapping[str, Any]]:
    """The fullest categories that have products enough for a list of their own."""
    full = [node for node in tree if node["total_listings_count"] >= FEWEST and node["slug"] != chosen]
    return sorted(full, key=lambda node: -node["total_listings_count"])[:most]
