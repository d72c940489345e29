"""What an order keeps from others while it is being paid: places in launch weeks, and the use of its code.

Whoever holds a place locks its week.
"""

from collections.abc import Iterable
from datetime import date, datetime

from django.db import transaction

from core.cache import changed
from directory import weeks
from directory.launches.staff_queue import follows_moves
from directory.models import Site
from directory.sites.lookup import rules_of
from orders import limits, promos
from orders.checkout import items_of
from orders.errors import Refusal, WeekUnavailableError, raise_for
from orders.models import LaunchWeek, Order, OrderLine, SlotHold
from orders.selectors.catalogue import places_in, places_left
from orders.timeline import lines_of

State = SlotHold.State


def lines_with_week(order: Order) -> list[OrderLine]:
    """The lines that need a place, in the order in which weeks are locked."""
    lines = ((line.week, line.pk, line) for line in lines_of(order) if line.week and line.listing_id)
    return [line for _, _, line in sorted(lines)]


def hold(*, order: Order, until: datetime, at: datetime) -> None:
    """Hold the places of an order, or prolong them. Raises WeekUnavailableError for what cannot be had."""
    lines = lines_with_week(order)
    refusals = [
        refusal
        for line in lines
        if (refusal := _too_many(order, line, at=at))
        or (refusal := _reserve(line, State.RESERVED, until, at))
    ]
    raise_for(refusals)
    _tell(lines)


def take(*, order: Order, at: datetime) -> list[OrderLine]:
    """Make held places taken, as they are paid for. The lines whose week is full by now come back."""
    lines = lines_with_week(order)
    full = [line for line in lines if _reserve(line, State.TAKEN, at, at)]
    _tell(lines)
    return full


def release(*, order: Order) -> None:
    _free(SlotHold.objects.filter(line__order=order))


def free(*, line: OrderLine) -> None:
    _free(SlotHold.objects.filter(line=line))


def place(*, line: OrderLine) -> None:
    """A launch stands for the line now, so the place is counted by it."""
    if line.week is not None and SlotHold.objects.filter(line=line).update(state=State.PLACED):
        _tell([line])


def move_to_week(*, line: OrderLine, week: date, at: datetime) -> None:
    """Give a paid line another week on sale, as its person chose. Raises WeekUnavailableError if it cannot be had."""
    site_id = line.listing.site_id if line.listing else line.order.site_id
    if week not in places_left(site_id=site_id, at=at):
        raise_for([_no_place(line, f"The week of {week:%-d %B %Y} isn’t on sale. Choose another one.")])
    line.week = week
    refusal = _reserve(line, State.TAKEN, at, at)
    raise_for([refusal] if refusal else [])
    line.save(update_fields=["week"])
    _tell([line])


def _reserve(line: OrderLine, state: str, until: datetime, at: datetime) -> Refusal | None:
    """Hold or take a place, unless the week is full for others' sake, or has begun before anything was paid."""
    if line.listing is None or line.week is None:
        return None
    site_id, week = line.listing.site_id, line.week
    if state == State.RESERVED and week <= weeks.week_of(at):
        return _no_place(line, f"The week of {week:%-d %B %Y} has begun. Choose a later one.")
    LaunchWeek.objects.select_for_update().get_or_create(site_id=site_id, week=week)
    own = SlotHold.objects.filter(line=line, week=week, state__in=(State.RESERVED, State.TAKEN))
    is_reserved = own.exclude(state=State.RESERVED, held_until__lte=at).exists()
    if not is_reserved and not places_in(site_id=site_id, week=week, at=at):
        return _no_place(line, f"The week of {week:%-d %B %Y} is full. Choose another one.")
    SlotHold.objects.update_or_create(
        line=line, defaults={"site_id": site_id, "week": week, "state": state, "held_until": until}
    )
    return None


def _no_place(line: OrderLine, message: str) -> Refusal:
    return Refusal(code="week_unavailable", pointer=f"/items/{line.position - 1}/week", message=message)


def _too_many(order: Order, line: OrderLine, *, at: datetime) -> Refusal | None:
    """One person holds few places of a week, or all of them could be kept from others for nothing."""
    if order.owner_id is None or line.week is None:
        return None
    theirs = SlotHold.objects.filter(line__order__owner_id=order.owner_id, week=line.week)
    others = theirs.filter(state=State.RESERVED, held_until__gt=at).exclude(line__order=order)
    if others.count() < limits.WEEK_HOLDS_PER_USER:
        return None
    return _no_place(
        line,
        f"You are paying for {limits.WEEK_HOLDS_PER_USER} places in the week of {line.week:%-d %B %Y} already.",
    )


def _free(holds: Iterable[SlotHold]) -> None:
    counting = [hold for hold in holds if hold.state in {State.RESERVED, State.TAKEN}]
    SlotHold.objects.filter(pk__in=[hold.pk for hold in counting]).update(state=State.RELEASED)
    _tell(counting)


def _tell(touched: Iterable[object]) -> None:
    """What list_products says of the weeks is another."""
    if list(touched):
        changed("products")


@transaction.atomic
def give_places(
    *, site_id: int, week: date, places: int | None, at: datetime
) -> tuple[LaunchWeek, int | None]:
    """Give a week to come a number of paid places, or with None as many as the settings say; and what it had.

    Whoever holds or has a place keeps it. Raises WeekUnavailableError for a week that has begun, and for no Monday.
    """
    if week <= weeks.week_of(at) or week != weeks.monday(week):
        raise WeekUnavailableError(f"The week of {week:%-d %B %Y} can’t be booked. Choose a later Monday.")
    LaunchWeek.objects.get_or_create(site_id=site_id, week=week)
    row = LaunchWeek.objects.select_for_update().get(site_id=site_id, week=week)
    was, row.capacity = row.capacity, places
    row.save(update_fields=["capacity"])
    changed("products")
    return row, was


@follows_moves
def follow_move(listing_id: int, was: date | None, week: date) -> None:
    """What was bought for a week is for the one that staff gave in its place: a refund gives that one back."""
    OrderLine.objects.filter(
        listing=listing_id, week=was, fulfilment_status=OrderLine.Fulfilment.DONE
    ).update(week=week)


def open_weeks(*, at: datetime) -> None:
    """Make a row of each week on sale, so that staff see it before anybody buys."""
    first = weeks.week_of(at)
    LaunchWeek.objects.bulk_create(
        (
            LaunchWeek(site=site, week=first + number * weeks.WEEK)
            for site in Site.objects.order_by("pk")
            for number in range(rules_of(site.pk).weeks_shown + 1)
        ),
        ignore_conflicts=True,
    )


@transaction.atomic
def reserve_for_payment(*, order: Order, until: datetime, at: datetime) -> None:
    """Hold everything for a locked order, or prolong it.

    Raises WeekUnavailableError or PromoRefusedError, and then nothing is held.
    """
    promos.hold(order=order, items=items_of(lines_of(order)), until=until, at=at)
    hold(order=order, until=until, at=at)


@transaction.atomic
def prolong_reservations(*, order: Order, until: datetime, at: datetime) -> None:
    """Hold everything of a locked order for longer, as its money is on its way. What a code says now is no matter.

    Raises WeekUnavailableError.
    """
    promos.prolong(order=order, until=until)
    hold(order=order, until=until, at=at)


@transaction.atomic
def release_reservations(*, order: Order) -> None:
    """Give everything back: the payment failed or lapsed, or the order was canceled."""
    promos.release(order=order)
    release(order=order)


@transaction.atomic(savepoint=False)
def confirm_reservations(*, order: Order, at: datetime) -> list[OrderLine]:
    """Keep everything for good: the order is paid. Lines whose week is full by now come back, to be blocked."""
    promos.use(order=order, at=at)
    return take(order=order, at=at)
