"""Prices as staff see them: scheduled, now and past of each product, with what was sold of it."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta

from django.conf import settings
from django.db.models import Count, Q, QuerySet, Sum

from orders import limits
from orders.models import Order, OrderLine, ProductPrice, PromoCode, PromoUse, VatRate
from orders.products import PRODUCTS, Product

NAMED = 5
MONEY = (Order.Status.PROCESSING, Order.Status.REVIEW)
READ, PAST, RATES, USES = 1000, 5, 5, 1000
SOLD_WITHIN = timedelta(days=30)
PAID_WITHIN = timedelta(days=14)  # between an order and its payment


@dataclass(frozen=True, kw_only=True)
class PriceRow:
    """A price and when it holds; `state` is scheduled, now, past or withdrawn."""

    price: ProductPrice
    until: datetime | None
    state: str


@dataclass(kw_only=True)
class PriceGroup:
    product: Product
    rows: list[PriceRow] = field(default_factory=list)
    more: int = 0  # past prices that are not shown
    sold: int = 0
    sold_cents: int = 0

    @property
    def now(self) -> ProductPrice | None:
        return next((row.price for row in self.rows if row.state == "now"), None)


def price_groups(*, at: datetime) -> list[PriceGroup]:
    """Every product, in two statements."""
    groups = {code: PriceGroup(product=product) for code, product in PRODUCTS.items()}
    rows: dict[str, list[ProductPrice]] = defaultdict(list)
    for price in ProductPrice.objects.order_by("product", "-effective_at", "-pk")[:READ]:
        rows[price.product].append(price)
    for code, prices in rows.items():
        if code in groups:
            _fill(groups[code], prices, at=at)
    sold = (
        OrderLine.objects.filter(
            order__created_at__gte=at - SOLD_WITHIN - PAID_WITHIN,
            order__paid_at__gte=at - SOLD_WITHIN,
            order__test_money=False,
        )
        .values_list("product")
        .annotate(Count("pk"), Sum("net_cents"))
    )
    for code, number, cents in sold:
        groups[code].sold, groups[code].sold_cents = number, cents
    return list(groups.values())


def _fill(group: PriceGroup, prices: list[ProductPrice], *, at: datetime) -> None:
    until: datetime | None = None
    state = "scheduled"
    for price in prices:
        if price.withdrawn_at is not None:
            group.rows.append(PriceRow(price=price, until=price.withdrawn_at, state="withdrawn"))
            continue
        if price.effective_at <= at:
            state = "now" if state == "scheduled" else "past"
        if state == "past" and sum(row.state == "past" for row in group.rows) == PAST:
            group.more += 1
            continue
        group.rows.append(PriceRow(price=price, until=until, state=state))
        until = price.effective_at


def newest_rates() -> list[VatRate]:
    return list(VatRate.objects.filter(withdrawn_at=None).order_by("-valid_from", "country")[:RATES])


def uses_of(promo: PromoCode, *, at: datetime) -> tuple[int, int]:
    """How often a code was used, and how often it is held for somebody who pays at this moment."""
    used = promo.uses.filter(state=PromoUse.State.USED)[:USES].count()
    reserved = promo.uses.filter(Q(state=PromoUse.State.RESERVED, held_until__gt=at))[:USES].count()
    return used, reserved


@dataclass(frozen=True, kw_only=True)
class Touched:
    bought: QuerySet[Order]
    pending: QuerySet[Order]


def priced_by(row: ProductPrice, *, at: datetime) -> Touched:
    newer = ProductPrice.objects.filter(product=row.product, withdrawn_at=None).filter(
        Q(effective_at__gt=row.effective_at) | Q(effective_at=row.effective_at, pk__gt=row.pk)
    )
    until = newer.order_by("effective_at").values_list("effective_at", flat=True).first() or at
    lines = OrderLine.objects.filter(
        product=row.product, order__created_at__gte=row.effective_at, order__created_at__lte=until
    )
    if PRODUCTS[row.product].price_kind != "amount":
        lines = lines.filter(unit_cents=row.amount_cents)
    return _touched(Order.objects.filter(pk__in=lines.values("order")))


def taxed_by(row: VatRate, *, at: datetime) -> Touched:
    since = max(row.entered_at, datetime.combine(row.valid_from, time(), tzinfo=UTC))
    own = Q(vat_treatment="destination", vat_country=row.country)
    if row.country == settings.SELLER_COUNTRY:
        own |= Q(vat_treatment__in=["domestic", "assumed"])
    orders = Order.objects.filter(own, vat_rate=row.percent, created_at__gt=since - limits.PENDING_FOR)
    newer = VatRate.objects.filter(country=row.country, withdrawn_at=None, valid_from__gt=row.valid_from)
    following = newer.order_by("valid_from").values_list("valid_from", flat=True).first()
    until = datetime.combine(following, time(), tzinfo=UTC) if following else at
    orders = orders.filter(created_at__lte=max(until, since)) if since <= at else orders.none()
    touched = _touched(orders)
    return Touched(
        bought=touched.bought.filter(Q(paid_at=None) | Q(paid_at__gte=since)), pending=touched.pending
    )


def _touched(orders: QuerySet[Order]) -> Touched:
    orders = orders.order_by("pk")
    return Touched(
        bought=orders.filter(Q(paid_at__isnull=False) | Q(status__in=MONEY)),
        pending=orders.filter(status=Order.Status.PENDING),
    )


def named(orders: Sequence[Order]) -> str:
    numbers = ", ".join(order.number for order in orders[:NAMED])
    return f"{numbers} and more" if len(orders) > NAMED else numbers
