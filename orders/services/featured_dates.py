"""When a featured place begins and ends, as carts are checked and priced: its dates are told before it is paid."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

from directory import weeks
from directory.models import FeaturedPlace, Listing
from directory.selectors.sellable import Sellable
from directory.services.featuring import Span, earliest_start, next_span
from orders import limits
from orders.catalogue import NOW, PRODUCTS
from orders.models import Product

LENGTH = timedelta(days=limits.FEATURED_DAYS)


def is_featured(product: str) -> bool:
    """Whether a product is a featured place, or a bundle with one."""
    return product == Product.FEATURED or (
        product in PRODUCTS and Product.FEATURED in PRODUCTS[product].parts
    )


def spans_taken(items: Sequence[Mapping[str, Any]], *, at: datetime) -> dict[int, list[Span]]:
    """When the listings of these items are featured already, by listing."""
    ids = {item.get("listing_id", 0) for item in items if is_featured(item["product"])}
    taken: dict[int, list[Span]] = defaultdict(list)
    for row in FeaturedPlace.objects.filter(listing__in=ids, ends_at__gt=at) if ids else ():
        taken[row.listing_id].append((row.begins_at, row.ends_at))
    return taken


def chosen_start(options: Mapping[str, Any]) -> date | None:
    """The Monday that was chosen; nothing for now. It has been checked when it was stored."""
    chosen = options.get("start", NOW)
    return None if chosen == NOW else date.fromisoformat(chosen)


def planned(
    listing: Sellable, *, launch: str | None, start: date | None, taken: Sequence[Span], at: datetime
) -> Span:
    """From and until when the place would be: never before the launch, after what the listing has.

    `launch` is the week of a launch in the same cart, empty for one at once.
    """
    week = listing.launch_week
    if launch is not None:
        week = date.fromisoformat(launch) if weeks.DATE.match(launch) else None
    is_live = listing.is_live or launch == ""
    earliest, _ = earliest_start(is_live=is_live, launch_week=week, start=start, at=at)
    return next_span(taken=taken, earliest=earliest, length=LENGTH)


def why_not(start: date, *, span: Span) -> str:
    """Why a place cannot begin on the Monday that was chosen, or nothing."""
    begins = span[0]
    if begins <= weeks.start(start):
        return ""
    return (
        f"It cannot begin on {start}: the listing launches later, or is featured then already. "
        f"The first moment it could is {begins:%Y-%m-%d %H:%M} UTC; choose a later Monday, or now."
    )


def stated(span: Span) -> dict[str, str]:
    """The dates as a line states them among its options."""
    begins, ends = (f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}" for moment in span)
    return {"from": begins, "until": ends}


def starts_to_choose(
    *, listing: Listing, mondays: Iterable[date], at: datetime
) -> list[tuple[str, Span, bool]]:
    """What `start` may be for a listing, with the dates it would have and whether that is from its launch on."""
    rows = FeaturedPlace.objects.filter(listing=listing, ends_at__gt=at)
    taken = [(row.begins_at, row.ends_at) for row in rows]
    choices = []
    for start in (None, *mondays):
        earliest, with_launch = earliest_start(
            is_live=listing.is_live, launch_week=listing.launch_week, start=start, at=at
        )
        span = next_span(taken=taken, earliest=earliest, length=LENGTH)
        if start is None or span[0] == weeks.start(start):
            choices.append((str(start or NOW), span, with_launch and span[0] == earliest))
    return choices
