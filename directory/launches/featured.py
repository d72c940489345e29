"""Who stands in the marked places now: a few at a time, by turns."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef, QuerySet, Sum
from django.db.models.functions import JSONObject

from core.postgresql.base import fetch_all
from directory import limits
from directory.models import FeaturedCount, FeaturedPlace
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
    """The places of a listing that run or are to come, the nearest first."""
    return FeaturedPlace.objects.filter(listing=listing_id, ends_at__gt=at).order_by("begins_at", "pk")


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
    def has_begun(self) -> bool:
        return self.place.begins_at <= self.at

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
