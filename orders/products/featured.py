"""A listing in marked places for some days. Its dates are told before it is paid."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.db.models.functions import Now

from directory import weeks
from directory.launches import paid
from directory.launches.featuring import WAITING, Span, earliest_start, next_span
from directory.listings.sellable import Sellable
from directory.models import FeaturedPlace, Listing
from orders import limits
from orders.errors import Refusal
from orders.models import OrderLine
from orders.products.base import NOW, PUBLIC, CartContext, CartItem, Effect, Option, Product, Spot, listing_of

LENGTH = timedelta(days=limits.FEATURED_DAYS)


class Featured(Product):
    """Begins now or on a Monday on sale, not before its listing is live, and not twice at once."""

    position = 30
    code, name = "featured", "Featured listing"
    description = (
        f"Your listing for {limits.FEATURED_DAYS} days in three marked places: on the home page, beside the "
        "launch week and above its primary category. It changes no vote and no rank."
    )
    statuses = PUBLIC
    card = "featured"
    only_for = "Once its launch is certain, or it’s live."
    options = (Option(key="start", type="text", takes_week=True),)
    is_advertising = True
    is_featured = True
    on_refund = "it is no longer featured for this time"

    def starts_for(
        self, listing: Listing, mondays: Sequence[date], at: datetime
    ) -> list[tuple[str, Span, bool]]:
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

    def spots(self, listing: Listing) -> Sequence[Spot]:
        filed = listing.filed.select_related("category").order_by("position").first()
        above = [Spot(drawing="category", place=filed.category.name, where="above the list")] if filed else []
        return [
            Spot(drawing="home", place="Home", where="in the column beside the week"),
            Spot(drawing="week_aside", place="Launch week", where="beside the list"),
            *above,
        ]

    def refuse(self, item: CartItem, context: CartContext) -> Iterator[Refusal]:
        start = item.options.get("start", NOW)
        if start == NOW or not isinstance(start, str):
            return
        monday = weeks.day_of(start)
        if monday is None or monday not in item.places(context):
            message = f"This must be {NOW} or the Monday (YYYY-MM-DD) of a week on sale."
            yield item.refuse("option_invalid", "options/start", message)
        elif item.listing:
            begins = _span(item, item.listing, context)[0]
            if begins > weeks.start(monday):
                message = (
                    f"It can’t begin on {monday:%-d %B %Y}: the listing launches later, or is featured then already. "
                    f"The first moment it could is {begins:%-d %B %Y, %H:%M} UTC; choose a later Monday, or now."
                )
                yield item.refuse("option_invalid", "options/start", message)

    def stated(self, item: CartItem, context: CartContext) -> Mapping[str, Any]:
        """When it begins and ends; the next one of the cart comes after it."""
        if item.listing is None:
            return {}
        span = _span(item, item.listing, context)
        context.featured[item.listing.pk].append(span)
        begins, ends = (f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}" for moment in span)
        start = {"start": item.options.get("start", NOW)} if item.product is self else {}
        return {**start, "from": begins, "until": ends}

    def effects(self, line: OrderLine) -> list[Effect]:
        """The home page once it has begun, and at any time the listing's own page with dates and figures."""
        if line.listing is None:
            return []
        running = FeaturedPlace.objects.filter(order_line=line.pk, begins_at__lte=Now(), ends_at__gt=Now())
        own = f"/account/listings/{line.listing.pk}"
        home = Effect(page="/", name="The home page", words=line.listing.name)
        figures = Effect(page=own, name="Dates and figures", words="Featured: ")
        return [home, figures] if running.exclude(WAITING).exists() else [figures]

    def do(self, line: OrderLine, at: datetime) -> bool:
        start, length = _start(line.options), LENGTH * line.quantity
        paid.feature(listing_id=listing_of(line), line_id=line.pk, start=start, length=length, at=at)
        return True

    def undo(self, line: OrderLine, at: datetime) -> None:
        paid.feature_no_longer(listing_id=listing_of(line), line_id=line.pk, at=at)


def _start(options: Mapping[str, Any]) -> date | None:
    """The Monday that was chosen; nothing for now."""
    start = options.get("start", NOW)
    return None if start == NOW else date.fromisoformat(start)


def _span(item: CartItem, listing: Sellable, context: CartContext) -> Span:
    """From and until when the place would be: never before the launch, after what the listing has."""
    week = listing.launch_week
    launch = context.launching.get(listing.pk)
    if launch is not None:
        week = weeks.day_of(launch)
    is_live = listing.is_live or launch == ""
    earliest, _ = earliest_start(is_live=is_live, launch_week=week, start=_start(item.options), at=context.at)
    return next_span(taken=context.featured[listing.pk], earliest=earliest, length=LENGTH)
