"""Which orders a price or a VAT rate touches: those that somebody paid, and those that wait for their payment."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time

from django.conf import settings
from django.db.models import Q, QuerySet

from orders import limits
from orders.models import Order, OrderLine, ProductPrice, VatRate
from orders.products import PRODUCTS

NAMED = 5
MONEY = (Order.Status.PROCESSING, Order.Status.REVIEW)


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
    day = datetime.combine(row.valid_from, time(), tzinfo=UTC)
    since = max(row.entered_at, day)
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
