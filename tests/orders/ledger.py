"""A year of documents written in bulk, with refunds, failed refunds and VAT that went back alone: seeded."""

import random
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.db import connection

from directory.models import Site
from orders.models import Invoice, Order
from orders.pricing import spread

YEAR, SEED = 2025, 331
BUYERS = (
    ("domestic", "DE", "19.00", ""),
    ("destination", "FR", "20.00", ""),
    ("destination", "FI", "25.50", ""),
    ("destination", "GB", "20.00", ""),
    ("reverse_charge", "FR", "0.00", "FR40303265045"),
    ("reverse_charge", "GR", "0.00", "EL094259216"),
    ("outside_scope", "US", "0.00", ""),
    ("assumed", "", "19.00", ""),
)


class Year:
    """Builds the rows; nothing is saved before the end."""

    def __init__(self, site: Site, *, orders: int) -> None:
        self.random = random.Random(SEED)
        self.site, self.rows, self.numbers = site, [], {"INV": 0, "CN": 0, "COR": 0}
        self.rows: list[Invoice] = []
        self.orders = [self._order(number) for number in range(orders)]
        for order in self.orders:
            self._life_of(order)

    def save(self) -> None:
        """Two statements for each thousand rows."""
        Order.objects.bulk_create(self.orders, batch_size=2000)
        for row in self.rows:
            row.order = row.order  # it has a key now; a key set by itself would have it read again
        for depth in (0, 1, 2):
            part = [row for row in self.rows if _depth(row) == depth]
            for row in part:
                row.corrects = row.corrects
            Invoice.objects.bulk_create(part, batch_size=2000)
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE orders_invoice, orders_order")  # as the database does by itself in time

    def _order(self, number: int) -> Order:
        treatment, country, rate, vat_number = self.random.choice(BUYERS)
        net = self.random.randint(50, 40_000)
        vat = round(net * float(rate) / 100)
        at = datetime(YEAR, 1, 1, 12, tzinfo=UTC) + timedelta(
            minutes=self.random.randint(0, 365 * 1440 - 721)
        )
        return Order(
            number=f"PL-{number:08d}",
            site=self.site,
            status="paid",
            currency="EUR",
            subtotal_cents=net,
            discount_cents=0,
            net_cents=net,
            vat_cents=vat,
            total_cents=net + vat,
            vat_country=country,
            vat_rate=rate,
            vat_treatment=treatment,
            vat_number=vat_number,
            vat_number_status="valid" if vat_number else "none",
            created_at=at,
            expires_at=at,
            paid_at=at,
        )

    def _life_of(self, order: Order) -> None:
        """Sold; one in four is given back in part or whole, some of those fail, some give back the VAT alone."""
        paid_on: datetime = order.paid_at  # type: ignore[assignment]
        invoice = self._issue("INV", "invoice", order, order.net_cents, order.vat_cents, paid_on.date())
        if self.random.random() > 0.25:
            return
        later = min(paid_on.date() + timedelta(days=self.random.randint(0, 120)), date(YEAR, 12, 31))
        if order.vat_treatment == "destination" and order.vat_country == "FR" and self.random.random() < 0.5:
            moves = {"to": "reverse_charge", "net_cents": order.net_cents}
            known = {"vat_number": "FR40303265045", "moves": moves}
            self._issue("CN", "credit_note", order, 0, -order.vat_cents, later, corrects=invoice, **known)
            return
        if self.random.random() < 0.1:  # the wrong buyer: all of it credited, and invoiced anew
            self._issue(
                "CN", "credit_note", order, -order.net_cents, -order.vat_cents, later, corrects=invoice
            )
            self._issue("INV", "invoice", order, order.net_cents, order.vat_cents, later, corrects=invoice)
            return
        gross = self.random.choice((order.total_cents, self.random.randint(1, order.total_cents)))
        vat = spread(order.vat_cents, (gross, order.total_cents - gross))[0]
        note = self._issue("CN", "credit_note", order, vat - gross, -vat, later, corrects=invoice)
        if self.random.random() < 0.2:
            failed = min(later + timedelta(days=30), date(YEAR, 12, 31))
            self._issue("COR", "correction", order, gross - vat, vat, failed, corrects=note)

    def _issue(
        self, series: str, kind: str, order: Order, net: int, vat: int, day: date, **more: Any
    ) -> Invoice:
        self.numbers[series] += 1
        sequence = self.numbers[series]
        document: dict[str, Any] = {
            "issued_on": day.isoformat(),
            "buyer": {
                "name": "Ö=1+1" if net % 2 else "=cmd",
                "vat_number": more.get("vat_number", order.vat_number),
            },
            "vat": {
                "country": order.vat_country,
                "treatment": order.vat_treatment,
                "rate": str(order.vat_rate),
            },
            "lines": [],
        }
        if "moves" in more:
            document["moves"] = more["moves"]
        row = Invoice(
            kind=kind,
            series=series,
            year=YEAR,
            sequence=sequence,
            number=f"{series}-{YEAR}-{sequence:06d}",
            order=order,
            corrects=more.get("corrects"),
            currency="EUR",
            net_cents=net,
            vat_cents=vat,
            total_cents=net + vat,
            document=document,
            issued_at=datetime(day.year, day.month, day.day, 12, tzinfo=UTC),
        )
        self.rows.append(row)
        return row


def _depth(row: Invoice) -> int:
    return 0 if row.corrects is None else 1 + _depth(row.corrects)
