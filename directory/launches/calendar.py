"""Launch weeks, the launch feeds, and the best of a year: by the votes of its launch weeks and nothing else."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import Any

import orjson
from django.core.cache import cache
from django.db.models import Exists, Min, OuterRef, QuerySet, Sum

from core.api.errors import FieldError, InvalidRequestError, NotFoundError
from core.api.pagination import TOTAL_EXACT_UP_TO, Page, capped, capped_count
from core.postgresql.base import fetch_all
from directory import weeks
from directory.categories.tree import below
from directory.launches import badges
from directory.models import Category, Launch, Listing, ListingCategory, Site
from directory.search.cards import COLUMNS, page_of, rows_of, summary, with_summaries
from directory.search.query.browsing import browse_ids

WEEK_LISTED = 250
RANKED = ("-votes", "launched_at", "listing_id")
BOOKED = ("booked_at", "pk")
# Few listings have awards, and a small index knows which: nothing is read of the wide rows of the others.
WEEK = """
SELECT l.votes, l.listings, l.id,
    (
        SELECT a.awards::text FROM directory_listing AS a
        WHERE a.id = l.listing_id AND NOT a.awards = '[]'::jsonb
    ),
    {columns}
FROM (
    SELECT l.id, l.listing_id, l.votes, {keys}, (
        SELECT count(*) FROM (SELECT FROM directory_launch AS l WHERE {rows} LIMIT {counted}) AS counted
    ) AS listings
    FROM directory_launch AS l WHERE {rows} ORDER BY {order} LIMIT {shown}
) AS l
JOIN directory_listingcard AS c ON c.listing_id = l.listing_id
JOIN directory_listingstats AS s ON s.listing_id = l.listing_id
ORDER BY {order}
"""
FIXED = {"columns": COLUMNS, "counted": TOTAL_EXACT_UP_TO + 1, "shown": WEEK_LISTED}
PUBLIC = "l.site_id = %(site)s AND l.week = %(week)s::date AND NOT l.is_hidden"
LAUNCHED = WEEK.format(
    rows=f"{PUBLIC} AND l.launched_at IS NOT NULL",
    keys="l.launched_at",
    order="l.votes DESC, l.launched_at, l.listing_id",
    **FIXED,
)
# what has a place in a week to come, in booking order; what was let out early is among it
BOOKED_IN = WEEK.format(rows=PUBLIC, keys="l.booked_at", order="l.votes DESC, l.booked_at, l.id", **FIXED)
FEWEST = 5  # products that make a list
PLACES, TWICE = 20, 2  # a product may have launched twice in a year
COUNTED_EVERY = 3600.0


def requested_week(text: str, *, at: datetime) -> date:
    """The Monday that a path or query part `week` stands for. Raises InvalidRequestError."""
    try:
        return weeks.parse(text, at=at)
    except ValueError as error:
        message = "Use this, next, last or a date YYYY-MM-DD."
        raise InvalidRequestError(
            "This is not a week.", errors=[FieldError(code="invalid_week", parameter="week", message=message)]
        ) from error


def launched(*, site: Site, week: date) -> QuerySet[Launch]:
    """What launched in a week and is public, best first: most votes, then the earlier launch."""
    return Launch.objects.filter(site=site, week=week, launched_at__isnull=False, is_hidden=False).order_by(
        *RANKED
    )


def scheduled(*, site: Site, since: date) -> QuerySet[Launch]:
    return Launch.objects.filter(site=site, week__gte=since, launched_at=None, is_hidden=False)


def launch_week(*, site: Site, week: date, at: datetime) -> dict[str, Any]:
    """The launches of a week: ranked by votes, or in booking order when the week is still to come."""
    current = weeks.week_of(at)
    status = "current" if week == current else "past" if week < current else "future"
    statement = BOOKED_IN if status == "future" else LAUNCHED
    rows = fetch_all(statement, {"site": site.pk, "week": week})
    total, _ = capped(rows[0][1] if rows else 0)
    items, ids, awards = [], [], []
    for place, (votes, _, launch_id, won, *columns) in enumerate(rows, start=1):
        card = summary(columns)
        listing = {**card, "rank": place}
        items.append({"rank": place, "votes": votes, "listing": listing})
        ids.append(launch_id)
        awards += [
            _award(award, card) for award in orjson.loads(won or "[]") if award["week"] == week.isoformat()
        ]
    return {
        "week": week,
        "start": weeks.start(week),
        "end": weeks.end(week),
        "status": status,
        # awards are given once, when a week closes; one without votes has none to wait for
        "final": bool(awards) or (status == "past" and _is_final(items, site=site, week=week)),
        "previous": week - weeks.WEEK,
        "next": week + weeks.WEEK,
        "awards": sorted(awards, key=lambda award: award["rank"]),
        "items": items,
        "launch_ids": ids,
        **({"total": total} if total > len(items) else {}),
    }


def _is_final(items: Sequence[dict[str, Any]], *, site: Site, week: date) -> bool:
    """Whether a past week that shows no award has none to give: nobody had votes, or who won is off the site."""
    won = Launch.objects.filter(site=site, week=week, listing__awards__contains=[{"week": week.isoformat()}])
    return not any(item["votes"] for item in items) or won.exists()


def _award(award: dict[str, Any], card: dict[str, Any]) -> dict[str, Any]:
    return {**award, "listing": card, "badge_url": badges.image_url(card["slug"], award["code"])}


def launched_today(site: Site, at: datetime) -> QuerySet[Launch]:
    today = at.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return launched(site=site, week=weeks.week_of(at)).filter(launched_at__gte=today)


def launched_this_week(site: Site, at: datetime) -> QuerySet[Launch]:
    return launched(site=site, week=weeks.week_of(at))


def upcoming(site: Site, at: datetime) -> QuerySet[Launch]:
    """What is scheduled, next week first, then in the order of booking."""
    return scheduled(site=site, since=weeks.week_of(at)).order_by("week", *BOOKED)


LAUNCHES: dict[str, Callable[[Site, datetime], QuerySet[Launch]]] = {
    "today": launched_today,
    "this-week": launched_this_week,
    "upcoming": upcoming,
}
LISTINGS = {
    "trending": "trending",
    "most-voted": "votes",
    "recent": "newest",
    "most-viewed": "most_viewed",
    "most-followed": "most_followed",
}
RULES = {
    "today": "launched today (UTC), most votes of the week first",
    "this-week": "launched this week (Monday to Sunday, UTC), most votes of the week first",
    "trending": "all live listings, by votes of the last days, each counting less as it ages",
    "most-voted": "all live listings, most votes first",
    "recent": "all live listings, latest launch first",
    "most-viewed": "all live listings, most views first",
    "most-followed": "all live listings, most followers first",
    "upcoming": "scheduled launches, next week first, then in the order they were booked",
}


def list_launches(*, site: Site, section: str, at: datetime, page: int, per_page: int) -> Page:
    """One page of a section, as `RULES` states it. Every order ends in the id."""
    if section in LISTINGS:
        return with_summaries(browse_ids(site=site, sort=LISTINGS[section], page=page, per_page=per_page))
    result = page_of(LAUNCHES[section](site, at), fields=("listing_id",), page=page, per_page=per_page)
    return with_summaries(replace(result, items=[listing_id for (listing_id,) in result.items]))


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
