"""What the payer fills in on the checkout page, and what the order costs then."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime

from django.db import transaction

from orders import promos
from orders.cart import weeks_taken
from orders.checkout import reprice, usable_promo
from orders.errors import OrderCannotMoveError, PromoRefusedError, WeekUnavailableError
from orders.models import Order, OrderLine, SlotHold
from orders.places import release_reservations
from orders.promos import Caller
from orders.selectors.catalogue import places_left
from orders.selectors.payers import COLUMNS
from orders.timeline import end_payments, locked
from orders.vat import NumberCheck


@dataclass(frozen=True, kw_only=True)
class Billing:
    """What was filled in, and whether by the order's owner; empty texts for what was left out.

    `weeks` holds the other weeks that lines get.
    """

    email: str
    name: str
    company: str
    address: str
    postcode: str
    city: str
    country: str
    promo_code: str
    by_owner: bool = False
    network: str = ""  # the country of the network it was sent from
    weeks: Mapping[int, date] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Filled:
    """The order as it costs now, what it cost before, and the code that was taken off it because it has died."""

    order: Order
    before_cents: int
    dropped: str = ""

    @property
    def has_changed(self) -> bool:
        return self.order.total_cents != self.before_cents


def fill_in(*, order_id: int, billing: Billing, number: NumberCheck, buyer: Caller, at: datetime) -> Filled:
    """Save who pays and price the order anew. `number` was found out before, outside of any transaction.

    A code of the order that can no longer be used is taken off, and said so; one that was typed just now and cannot be
    used raises PromoRefusedError, and nothing changes. Raises VatNumberInvalidError, WeekUnavailableError, what refuses
    a total, and OrderCannotMoveError for an order that cannot be paid.
    """
    before = Order.objects.filter(pk=order_id).values_list("promo__code", flat=True).get() or ""
    is_new = billing.promo_code != before
    if billing.promo_code and is_new:
        promos.refuse_guessing(buyer)
    try:
        return _fill_in(order_id, billing, number, billing.promo_code, at)
    except PromoRefusedError:
        if is_new:
            promos.count_wrong_try(buyer)
            raise
    return _fill_in(order_id, billing, number, "", at)


@transaction.atomic
def _fill_in(order_id: int, billing: Billing, number: NumberCheck, code: str, at: datetime) -> Filled:
    order = locked(order_id)
    refuse_unless_open(order, at=at)
    before = order.total_cents
    for line_id, week in billing.weeks.items():
        _change_week(order, line_id=line_id, week=week, at=at)
    for column in COLUMNS:
        setattr(order, f"billing_{column}", getattr(billing, column))
    order.billing_by_owner = billing.by_owner
    if billing.network:
        order.place_evidence = {**order.place_evidence, "network": billing.network}
    columns = ["billing_by_owner", "place_evidence", *(f"billing_{column}" for column in COLUMNS)]
    order.save(update_fields=columns)
    reprice(
        order=order,
        country=billing.country,
        postcode=billing.postcode,
        number=number,
        promo=usable_promo(order, code=code, at=at),
        at=at,
    )
    if order.total_cents != before or billing.weeks:
        end_payments(order=order)
        release_reservations(order=order)
    return Filled(order=order, before_cents=before, dropped="" if code else billing.promo_code)


def refuse_unless_open(order: Order, *, at: datetime) -> None:
    """Raise OrderCannotMoveError unless the order can be paid now."""
    if order.status != Order.Status.PENDING or order.expires_at <= at:
        raise OrderCannotMoveError("This order can no longer be changed.", current=order.status)


def _change_week(order: Order, *, line_id: int, week: date, at: datetime) -> None:
    line = order.lines.select_related("listing").filter(pk=line_id).exclude(week=None).first()
    if line is None or line.week == week:
        return
    if not _places(line, order, at=at).get(week):
        raise WeekUnavailableError(f"The week of {week:%-d %B %Y} is full too. Choose another one.")
    line.week = week
    line.save(update_fields=["week"])


def _places(line: OrderLine, order: Order, *, at: datetime) -> Mapping[date, int]:
    return places_left(site_id=line.listing.site_id if line.listing else order.site_id, at=at)


def weeks_to_choose(order: Order, *, at: datetime) -> dict[int, list[date]]:
    """The lines whose week can no longer be had, each with the weeks that still can and that its listing takes."""
    weeks = {}
    for line in order.lines.select_related("listing", "slot"):
        if line.week is None:
            continue
        places = _places(line, order, at=at)
        slot = getattr(line, "slot", None)
        holds = (
            slot and slot.week == line.week and slot.state == SlotHold.State.RESERVED and slot.held_until > at
        )
        if not holds and not places.get(line.week):
            weeks[line.pk] = weeks_taken(line, weeks=[week for week, left in places.items() if left], at=at)
    return weeks
