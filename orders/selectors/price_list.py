"""Prices as staff see them: scheduled, now and past of each product, with what was sold of it."""

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db.models import Count, Q, Sum

from orders.models import OrderLine, ProductPrice, PromoCode, PromoUse, VatRate
from orders.products import PRODUCTS, Product

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
    """A product with its prices, the latest first."""

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
    """The VAT rates that changed last."""
    return list(VatRate.objects.filter(withdrawn_at=None).order_by("-valid_from", "country")[:RATES])


def uses_of(promo: PromoCode, *, at: datetime) -> tuple[int, int]:
    """How often a code was used, and how often it is held for somebody who pays at this moment."""
    used = promo.uses.filter(state=PromoUse.State.USED)[:USES].count()
    reserved = promo.uses.filter(Q(state=PromoUse.State.RESERVED, held_until__gt=at))[:USES].count()
    return used, reserved
