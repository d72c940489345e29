"""The dates of the featured places that lines bought: as they are, or as they were planned when they were ordered."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from django.db.models import F, Max, Min, OuterRef, QuerySet, Subquery

from directory.launches.featured import Stay, stays
from directory.models import FeaturedPlace, Listing
from orders.models import OrderLine
from orders.products import NOW

Work = OrderLine.Fulfilment
DATES = ("from", "until")


def with_dates(lines: QuerySet[OrderLine]) -> QuerySet[OrderLine]:
    """Lines with `begins_at` and `ends_at` of what they bought, in the same statement."""
    places = FeaturedPlace.objects.filter(order_line=OuterRef("pk")).order_by().values("order_line")
    return lines.annotate(
        begins_at=Subquery(places.annotate(moment=Min("begins_at")).values("moment")),
        ends_at=Subquery(places.annotate(moment=Max("ends_at")).values("moment")),
        is_with_launch=Subquery(
            places.filter(with_launch=True).annotate(row=F("with_launch")).values("row")[:1]
        ),
    )


def dated_options(line: OrderLine) -> Mapping[str, Any]:
    """The options of a line with its dates: those of its place once there is one, none when it never began."""
    begins, ends = getattr(line, "begins_at", None), getattr(line, "ends_at", None)
    if begins and ends:
        stated = {"from": f"{begins:%Y-%m-%dT%H:%M:%SZ}", "until": f"{ends:%Y-%m-%dT%H:%M:%SZ}"}
        return {**line.options, **stated}
    if line.fulfilment_status in (Work.REVERSED, Work.DONE):
        return {name: value for name, value in line.options.items() if name not in DATES}
    return line.options


def span_of(line: OrderLine) -> tuple[datetime, datetime] | None:
    """From and until when its place is, or would be if it were paid now; nothing for a line without one."""
    options = dated_options(line)
    if not options.get("from") or not options.get("until"):
        return None
    begins, ends = (datetime.fromisoformat(options[name]).astimezone(UTC) for name in DATES)
    return begins, ends


def begins_when_paid(line: OrderLine, *, begins: datetime) -> bool:
    """Whether its dates move until somebody pays."""
    is_open = line.fulfilment_status == Work.WAITING and getattr(line, "begins_at", None) is None
    return is_open and line.options.get("start", NOW) == NOW and begins <= line.order.created_at


def dates_in_words(line: OrderLine) -> str:
    """From and until when, for a person; nothing for a line without a place."""
    span = span_of(line)
    if span is None:
        return ""
    begins, ends = span
    if begins_when_paid(line, begins=begins):
        return f"featured as soon as it is paid, for {(ends - begins).days} days"
    words = f"featured from {_moment(begins)} to {_moment(ends)} UTC"
    return f"{words}, beginning with its launch" if getattr(line, "is_with_launch", None) else words


def _moment(at: datetime) -> str:
    return f"{at:%-d %B %Y, %H:%M}"


def stays_of(lines: Iterable[OrderLine], *, at: datetime) -> dict[int, list[Stay]]:
    """The places that lines brought, with their figures, by line; where a place has not begun its figures are none."""
    places = FeaturedPlace.objects.filter(order_line__in=[line.pk for line in lines]).select_related(
        "listing"
    )
    by_key: dict[int, list[Stay]] = defaultdict(list)
    for stay in stays(places.order_by("begins_at", "pk"), at=at):
        by_key[stay.place.order_line or 0].append(stay)
    return by_key


def beside(*, listing: Listing, begins: datetime, ends: datetime) -> int:
    """How many other products of the site stand in the marked places within that time."""
    others = FeaturedPlace.objects.filter(
        listing__site=listing.site_id, begins_at__lt=ends, ends_at__gt=begins
    )
    return others.exclude(listing=listing).values("listing").distinct().count()
