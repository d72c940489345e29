"""The ledger, document by document, and returns as CSV: dates as 2026-12-31, amounts with a point, UTF-8."""

import csv
from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import date
from decimal import Decimal
from io import StringIO
from typing import Any

from django.conf import settings
from django.db.models import F, OuterRef, Subquery, Value
from django.db.models.functions import Coalesce

from accounts.staff.files import BYTE_ORDER_MARK, is_formula
from orders.ledger.returns import (
    DOMESTIC,
    ELSEWHERE,
    OSS,
    OUTSIDE,
    REVERSE,
    Returns,
    Row,
    documents_of,
    vies_country,
)
from orders.models import Payment
from orders.pricing import Sums
from orders.timeline import HAS_MONEY

AT_ONCE = 1000


def entries(first: date, last: date) -> Iterator[Any]:
    """Every document of these days, test money left out; portions of a thousand, each one statement by key.

    Each says its `order_number`, the number it `corrected`, and whose money it is (`provider`, `reference`).
    """
    paid = Payment.objects.filter(order=OuterRef("order"), status__in=HAS_MONEY).order_by("settled_at", "pk")
    rows = documents_of(first, last).annotate(
        order_number=F("order__number"),
        corrected=Coalesce("corrects__number", Value("")),
        provider=Coalesce(
            "refund__payment__provider",
            "corrects__refund__payment__provider",
            Subquery(paid.values("provider")[:1]),
            Value(""),
        ),
        reference=Coalesce(
            "refund__provider_reference",
            "corrects__refund__provider_reference",
            Subquery(paid.values("provider_reference")[:1]),
            Value(""),
        ),
    )
    after = 0
    while part := list(rows.filter(pk__gt=after).defer("document").order_by("pk")[:AT_ONCE]):
        yield from part
        after = part[-1].pk


Cells = Iterable[object]
LEDGER = (
    *("date", "number", "kind", "order", "buyer", "buyer_country", "treatment", "vat_number"),
    *("net", "rate", "vat", "gross", "currency", "provider", "reference", "refund_of"),
)
# The columns of parts 2a to 2d of the union scheme's return, and its corrections of former periods
UNION = (
    *("period", "member_state_of_consumption", "supply_type", "established_in", "vat_identification_number"),
    *("rate_type", "vat_rate", "taxable_amount", "vat_amount", "currency", "corrects_period"),
)
RECAPITULATIVE = ("period", "country", "vat_number", "transaction", "net", "currency", "corrects_period")
FIGURES = ("period", "part", "country", "rate", "net", "vat", "gross", "currency", "corrects_period")


def amount(cents: int) -> str:
    return f"{Decimal(cents) / 100:.2f}"


def ledger(rows: Iterable[Any]) -> Iterator[bytes]:
    return _lines(LEDGER, map(_of_entry, rows))


def _of_entry(row: Any) -> Cells:
    sums = [amount(row.net_cents), f"{row.rate:.2f}", amount(row.vat_cents), amount(row.total_cents)]
    return (
        *(row.issued_on, row.number, row.kind, row.order_number, _text(row.buyer_name), row.vat_country),
        *(row.vat_treatment, row.buyer_vat_number, *sums, row.currency, row.provider, _text(row.reference)),
        row.corrected,
    )


def union_scheme(returns: Returns) -> Iterator[bytes]:
    """The one-stop shop's return, union scheme: supplies of the quarter, then corrections of former ones."""
    rows = sorted(returns.part(OSS), key=lambda row: (row.key.of, row.key))
    return _lines(UNION, (_of_union(returns, row) for row in rows))


def _of_union(returns: Returns, row: Row) -> Cells:
    key = row.key
    return (
        *(returns.quarter, vies_country(key.country), "services", vies_country(settings.SELLER_COUNTRY)),
        *(settings.SELLER_VAT_NUMBER, "standard", f"{key.rate:.2f}", amount(row.sums.net_cents)),
        *(amount(row.sums.vat_cents), key.currency, key.of),
    )


def recapitulative(returns: Returns) -> Iterator[bytes]:
    """Services to businesses of other member states, by customer; S stands for services."""
    return _lines(
        RECAPITULATIVE,
        (
            (
                *(returns.quarter, vies_country(row.key.country), row.key.customer, "S"),
                *(amount(row.sums.net_cents), row.key.currency, row.key.of),
            )
            for row in returns.part(REVERSE)
        ),
    )


def figures(returns: Returns) -> Iterator[bytes]:
    """The figures of the seller's own return: domestic by rate, and what is none of it by part and country."""
    order = (DOMESTIC, OSS, REVERSE, ELSEWHERE, OUTSIDE)
    merged: dict[tuple[str, str, Decimal, str, str], Sums] = defaultdict(Sums)
    for row in returns.rows:
        merged[row.key.part, row.key.country, row.key.rate, row.key.currency, row.key.of] += row.sums
    rows = sorted(merged.items(), key=lambda item: (order.index(item[0][0]), item[0]))
    return _lines(
        FIGURES,
        (
            (
                *(returns.quarter, part, country, f"{rate:.2f}", amount(sums.net_cents)),
                *(amount(sums.vat_cents), amount(sums.total_cents), currency, of),
            )
            for (part, country, rate, currency, of), sums in rows
        ),
    )


def _text(text: str) -> str:
    return f"'{text}" if is_formula(text) else text


def _lines(head: Cells, rows: Iterable[Cells]) -> Iterator[bytes]:
    """In portions, so that a long file is never in memory as a whole."""
    text = StringIO()
    writer = csv.writer(text)
    text.write(BYTE_ORDER_MARK)
    writer.writerow(head)
    for number, row in enumerate(rows, start=1):
        writer.writerow(row)
        if number % AT_ONCE == 0:
            yield _taken(text)
    yield _taken(text)


def _taken(text: StringIO) -> bytes:
    part = text.getvalue().encode()
    text.seek(0)
    text.truncate()
    return part
