"""Money of the last thirty days for the start page, as the documents say it: net, VAT, refunds, test money apart."""

from datetime import date, datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Count, Q, Sum

from orders.models import Invoice
from orders.seller import local

DAYS = 30
HEIGHT, BELOW, STEP = 62, 10, 10  # of the drawing
SOLD = Q(kind=Invoice.Kind.INVOICE, corrects=None)
# What an invoice in another's place takes back was not refunded
BACK = Q(kind=Invoice.Kind.CORRECTION) | Q(kind=Invoice.Kind.CREDIT_NOTE, refund__isnull=False)


def last_thirty_days(*, at: datetime) -> dict[str, Any]:
    """Figures and one bar a day, by the dates of documents."""
    until = local(at).date()
    since = until - timedelta(days=DAYS - 1)
    days = list(
        Invoice.objects.filter(issued_on__range=(since, until))
        .values("issued_on", "test_money")
        .annotate(
            net=Sum("net_cents", filter=SOLD, default=0),
            number=Count("pk", filter=SOLD),
            back=Sum("net_cents", filter=BACK, default=0),
            vat=Sum("vat_cents"),
        )
        .order_by("issued_on")
    )
    real = [row for row in days if not row["test_money"]]
    test = [row for row in days if row["test_money"]]
    sold = {row["issued_on"]: row["net"] for row in real}
    refunded = {row["issued_on"]: max(0, -row["back"]) for row in real}
    return {
        "since": since,
        "until": until,
        "currency": settings.CURRENCY,
        "net": sum(sold.values()),
        "vat": sum(row["vat"] for row in real),
        "orders": sum(row["number"] for row in real),
        "refunded": -sum(row["back"] for row in real),
        "test": sum(row["net"] for row in test),
        "test_orders": sum(row["number"] for row in test),
        "highest": _highest(sold, refunded),
        "bars": _bars(sold, refunded, first=since),
    }


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
