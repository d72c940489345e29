"""Featured places: who stands in one now, when one begins, what a launch moves, what is taken back and left of it."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef, Q, QuerySet, Sum
from django.db.models.functions import JSONObject, Now

from core.postgresql.base import fetch_all
from directory import limits, weeks
from directory.models import FeaturedCount, FeaturedPlace, Listing
from directory.search.cards import CARD, of_each, summary

# Every hour the next three stand there, and another one of them comes first: after as many hours as there are
# listings, each has been shown equally long. One statement, however many there are.
CURRENT = """
WITH running AS (
    SELECT place.listing_id, min(place.begins_at) AS since
    FROM directory_featuredplace AS place JOIN directory_listing AS listing ON listing.id = place.listing_id
    {within}
    WHERE place.begins_at <= %(at)s::timestamptz AND place.ends_at > %(at)s::timestamptz
        AND listing.site_id = %(site)s AND listing.status = 'live'
    GROUP BY place.listing_id
),
numbered AS (
    SELECT listing_id, count(*) OVER () AS total, row_number() OVER (ORDER BY since, listing_id) - 1 AS number
    FROM running
),
turns AS (
    SELECT listing_id, total, (
        (number - %(turn)s::bigint * CASE WHEN total > %(most)s THEN %(most)s ELSE 0 END) %% total + total
    ) %% total AS turn
    FROM numbered
)
SELECT {card} FROM turns {cards}
WHERE turns.turn < %(most)s AND card.body IS NOT NULL
ORDER BY (turns.turn + %(turn)s::bigint) %% least(turns.total, %(most)s)
"""
WITHIN = """
    JOIN directory_listingcategory AS filed ON filed.listing_id = listing.id AND filed.position = 0
    JOIN directory_category AS category ON category.id = filed.category_id AND category.slug = %(category)s
"""
HOUR = 3600
DAY = timedelta(days=1)
Span = tuple[datetime, datetime]
# Its dates are none: it begins with a launch that has not come or is not booked.
WAITING = Q(listing__launched_at=None) & (
    Q(begins_at__lte=Now()) | Q(with_launch=True, listing__launch_week=None)
)


def featured(*, site_id: int, at: datetime, category: str = "") -> list[dict[str, Any]]:
    """The summaries of those whose turn it is, of a site or of the primary category."""
    statement = CURRENT.format(
        within=WITHIN if category else "", card=CARD, cards=of_each("turns.listing_id")
    )
    params = {
        "site": site_id,
        "at": at,
        "turn": int(at.timestamp()) // HOUR,
        "most": limits.FEATURED_LISTED,
        "category": category,
    }
    return [summary(row) for row in fetch_all(statement, params)]


def places_ahead(*, listing_id: int, at: datetime) -> QuerySet[FeaturedPlace]:
    """The places of a listing that run, are to come or wait for its launch, the nearest first."""
    return unused(FeaturedPlace.objects.filter(listing=listing_id), at=at).order_by("begins_at", "pk")


def featured_until(*, site_id: int, slug: str, at: datetime) -> datetime | None:
    """Until when a listing is featured that is so now, without a gap."""
    rows = FeaturedPlace.objects.filter(listing__site=site_id, listing__slug=slug, ends_at__gt=at)
    until = at
    for begins, ends in rows.order_by("begins_at").values_list("begins_at", "ends_at"):
        if begins > until:
            break
        until = ends
    return until if until > at else None


@dataclass(frozen=True, kw_only=True)
class Stay:
    """A place with what came of it, all its days together."""

    place: FeaturedPlace
    numbers: Mapping[str, int]
    at: datetime

    @property
    def is_waiting(self) -> bool:
        """Whether it waits for a launch, as `WAITING` asks."""
        listing = self.place.listing
        is_late = self.place.begins_at <= self.at or (self.place.with_launch and not listing.launch_week)
        return listing.launched_at is None and is_late

    @property
    def has_begun(self) -> bool:
        return self.place.begins_at <= self.at and not self.is_waiting

    @property
    def is_running(self) -> bool:
        return self.has_begun and self.at < self.place.ends_at

    @property
    def impressions(self) -> list[tuple[str, int]]:
        """On which pages, and to how many visitors of a day there."""
        return [(kind.label, self.numbers.get(kind, 0)) for kind in FeaturedCount.IMPRESSIONS]

    @property
    def impressions_in_all(self) -> int:
        return sum(number for _, number in self.impressions)

    @property
    def visits(self) -> int:
        """Visits to its page on these days, from anywhere."""
        return self.numbers.get(FeaturedCount.Kind.VISIT, 0)

    @property
    def clicks(self) -> int:
        return self.numbers.get(FeaturedCount.Kind.CLICK, 0)

    @property
    def days(self) -> int:
        """How many days it has, the last one begun counted as one."""
        return max(1, math.ceil((self.place.ends_at - self.place.begins_at) / DAY))

    @property
    def day_number(self) -> int:
        return min(self.days, (self.at - self.place.begins_at) // DAY + 1)

    @property
    def percent(self) -> int:
        part = (self.at - self.place.begins_at) / (self.place.ends_at - self.place.begins_at)
        return max(0, min(100, round(100 * part)))


def stays(places: QuerySet[FeaturedPlace], *, at: datetime) -> list[Stay]:
    counts = FeaturedCount.objects.filter(place=OuterRef("pk")).order_by().values("kind")
    summed = counts.annotate(data=JSONObject(kind="kind", number=Sum("number"))).values("data")
    rows = places.annotate(by_kind=ArraySubquery(summed))
    return [
        Stay(place=row, numbers={item["kind"]: item["number"] for item in row.by_kind}, at=at) for row in rows
    ]


def next_span(*, taken: Iterable[Span], earliest: datetime, length: timedelta) -> Span:
    """The first stretch of that length that begins no earlier and touches none of those that are taken."""
    begins = earliest
    for since, until in sorted(taken):
        if since < begins + length and begins < until:
            begins = until
    return begins, begins + length


def earliest_start(
    *, is_live: bool, launch_week: date | None, start: date | None, at: datetime
) -> tuple[datetime, bool]:
    """When a place can begin at the earliest, and whether that is the launch itself: never before it."""
    launch = at if is_live or launch_week is None else max(at, weeks.start(launch_week))
    chosen = launch if start is None else max(launch, weeks.start(start))
    return chosen, not is_live and chosen == launch


def give_place(
    *, listing: Listing, line_id: int | None, start: date | None, length: timedelta, at: datetime
) -> FeaturedPlace | None:
    """Give a locked listing so much time, less what this line has had already; nothing when it has had it all."""
    rows = list(listing.featured_places.all())
    if line_id is not None:
        had = FeaturedPlace.objects.filter(order_line=line_id)  # also where a merge took them
        length -= sum((row.ends_at - row.begins_at for row in had), timedelta())
    if length <= timedelta():
        return None
    earliest, with_launch = earliest_start(
        is_live=listing.is_live, launch_week=listing.launch_week, start=start, at=at
    )
    begins, ends = next_span(taken=_spans(rows), earliest=earliest, length=length)
    place = FeaturedPlace.objects.create(
        listing=listing, order_line=line_id, begins_at=begins, ends_at=ends, with_launch=with_launch
    )
    keep_end(listing, at=at)
    return place


def unused(places: QuerySet[FeaturedPlace], *, at: datetime) -> QuerySet[FeaturedPlace]:
    """Those of which something is left; what never launched was never shown, whatever the dates were."""
    return places.filter(Q(ends_at__gt=at) | Q(listing__launched_at=None))


def take_back(*, listing: Listing, line_id: int, at: datetime) -> None:
    """End what a line bought for a locked listing, this minute; what has not begun is gone."""
    end_places(listing, rows=unused(listing.featured_places.filter(order_line=line_id), at=at), at=at)


def end_places(listing: Listing, *, rows: Iterable[FeaturedPlace], at: datetime) -> None:
    for row in rows:
        if listing.launched_at is None or row.with_launch or row.begins_at >= at:
            row.delete()
        else:
            row.ends_at = at
            row.save(update_fields=["ends_at"])
    keep_end(listing, at=at)


def hand_over(
    *, listing: Listing, into: Listing, rows: Iterable[FeaturedPlace], at: datetime
) -> list[FeaturedPlace]:
    """What is left of these places goes from one locked listing to another; what was shown stays where it was shown.

    As everywhere a place begins no sooner than its listing is live, and after what that has already.
    """
    taken = _spans(into.featured_places.filter(ends_at__gt=at))
    moved = []
    for row in sorted(rows, key=lambda row: row.begins_at):
        was_shown = row.begins_at < at and listing.launched_at is not None
        begins, ends = at if was_shown else row.begins_at, row.ends_at
        earliest, with_launch = earliest_start(
            is_live=into.is_live, launch_week=into.launch_week, start=None, at=max(begins, at)
        )
        if was_shown:
            row.ends_at = at
            row.save(update_fields=["ends_at"])
            left = FeaturedPlace.objects.create(
                order_line=row.order_line, listing=into, begins_at=begins, ends_at=ends
            )
        else:
            left = row
        left.listing, left.with_launch = into, with_launch
        left.begins_at, left.ends_at = next_span(taken=taken, earliest=earliest, length=ends - begins)
        left.save(update_fields=["listing", "with_launch", "begins_at", "ends_at"])
        taken.append((left.begins_at, left.ends_at))
        moved.append(left)
    for side in (listing, into):
        keep_end(side, at=at)
    return moved


def set_end(*, listing: Listing, until: datetime | None, at: datetime) -> None:
    """Staff say until when a locked listing is featured: from now, or from the end of what it has, or no longer."""
    if until is None or until <= at:
        end_places(listing, rows=unused(listing.featured_places.all(), at=at), at=at)
        return
    listing.featured_places.filter(begins_at__gte=until).delete()
    listing.featured_places.filter(ends_at__gt=until).update(ends_at=until)
    last = listing.featured_places.filter(ends_at__gt=at).order_by("-ends_at").first()
    earliest, with_launch = earliest_start(
        is_live=listing.is_live, launch_week=listing.launch_week, start=None, at=at
    )
    begins = earliest if last is None else last.ends_at
    if begins < until:
        FeaturedPlace.objects.create(
            listing=listing, begins_at=begins, ends_at=until, with_launch=with_launch and last is None
        )
    keep_end(listing, at=at)


def follow_launch(listing: Listing, *, at: datetime) -> None:
    """A launch that gets another week, or happens, takes along what begins with it or would begin before it."""
    if listing.launch_week is None:
        return
    earliest = at if listing.is_live else max(at, weeks.start(listing.launch_week))
    is_first = listing.launched_at in (None, at)
    rows = list(listing.featured_places.order_by("begins_at", "pk")) if is_first else []
    moving = [row for row in rows if row.with_launch or row.begins_at < earliest]
    taken = _spans(row for row in rows if row not in moving)
    for row in moving:
        row.begins_at, row.ends_at = next_span(
            taken=taken, earliest=earliest, length=row.ends_at - row.begins_at
        )
        row.with_launch = not listing.is_live
        row.save(update_fields=["begins_at", "ends_at", "with_launch"])
        taken.append((row.begins_at, row.ends_at))
    if moving:
        keep_end(listing, at=at)


def keep_end(listing: Listing, *, at: datetime) -> None:
    """The end of the last place that is still to come, as the listing itself says it."""
    ahead = unused(listing.featured_places.all(), at=at).order_by("-ends_at")
    listing.featured_until = ahead.values_list("ends_at", flat=True).first()
    listing.save(update_fields=["featured_until"])


def _spans(rows: Iterable[FeaturedPlace]) -> list[Span]:
    return [(row.begins_at, row.ends_at) for row in rows]
