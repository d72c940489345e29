"""Money of the last thirty days for the start page: net, VAT, refunds, and test money apart."""

from collections import defaultdict
from datetime import date, datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Count, Sum
from django.db.models.functions import TruncDate

from orders.models import Order, Refund

DAYS = 30
PAID_WITHIN = timedelta(days=14)  # between an order and its payment
HEIGHT, BELOW, STEP = 62, 10, 10  # of the drawing


def last_thirty_days(*, at: datetime) -> dict[str, Any]:
    """Figures and one bar a day. Orders are found by when they were made, which has an index."""
    since = (at - timedelta(days=DAYS - 1)).replace(hour=0, minute=0, second=0, microsecond=0)
    rows = (
        Order.objects.filter(created_at__gte=since - PAID_WITHIN, paid_at__gte=since, paid_at__lte=at)
        .annotate(day=TruncDate("paid_at"))
        .values("day", "test_money")
        .annotate(net=Sum("net_cents"), vat=Sum("vat_cents"), number=Count("pk"))
        .order_by("day")
    )
    items = list(rows)
    real = [row for row in items if not row["test_money"]]
    test = [row for row in items if row["test_money"]]
    refunded = _refunds(since=since, at=at)
    return {
        "since": since.date(),
        "until": at.date(),
        "currency": settings.CURRENCY,
        "net": sum(row["net"] for row in real),
        "vat": sum(row["vat"] for row in real),
        "orders": sum(row["number"] for row in real),
        "refunded": sum(refunded.values()),
        "test": sum(row["net"] for row in test),
        "test_orders": sum(row["number"] for row in test),
        "highest": _highest({row["day"]: row["net"] for row in real}, refunded),
        "bars": _bars({row["day"]: row["net"] for row in real}, refunded, first=since.date()),
    }


def _refunds(*, since: datetime, at: datetime) -> dict[date, int]:
    rows = (
        Refund.objects.filter(
            status=Refund.Status.DONE, finished_at__gte=since, finished_at__lte=at, payment__test_money=False
        )
        .annotate(day=TruncDate("finished_at"))
        .values_list("day")
        .annotate(Sum("amount_cents"))
    )
    result: dict[date, int] = defaultdict(int)
    result.update(rows)
    return result


def _highest(sold: dict[date, int], refunded: dict[date, int]) -> int:
    return max([0, *sold.values(), *refunded.values()])


def _bars(sold: dict[date, int], refunded: dict[date, int], *, first: date) -> list[dict[str, str]]:
    highest = max(1, _highest(sold, refunded))
    bars = []
    for number in range(DAYS):
        day = first + timedelta(days=number)
        up, down = HEIGHT * sold.get(day, 0) / highest, BELOW * refunded.get(day, 0) / highest
        bars.append(
            {
                "x": str(number * STEP + 1),
                "y": f"{HEIGHT - up:.1f}",
                "up": f"{up:.1f}",
                "down": f"{down:.1f}",
                "below": str(HEIGHT + 1),
            }
        )
    return bars
