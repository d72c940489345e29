"""The ledger: one entry a document, in the order in which they were issued, read in portions."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from django.db.models import F, OuterRef, Subquery
from django.db.models.functions import Coalesce

from orders.ledger.returns import documents_of
from orders.models import Invoice, Payment
from orders.timeline import HAS_MONEY

AT_ONCE = 1000


@dataclass(frozen=True, kw_only=True)
class Entry:
    issued_on: date
    number: str
    kind: str
    order: str
    buyer: str
    country: str
    treatment: str
    vat_number: str
    net_cents: int
    rate: Decimal
    vat_cents: int
    gross_cents: int
    moved_cents: int
    moved_from: str
    currency: str
    provider: str
    reference: str
    corrects: str


def entries(first: date, last: date) -> Iterator[Entry]:
    """Every document of these days, test money left out; portions of a thousand, each one statement by key."""
    paid = Payment.objects.filter(order=OuterRef("order"), status__in=HAS_MONEY).order_by("settled_at", "pk")
    rows = documents_of(first, last).annotate(
        order_number=F("order__number"),
        corrected=F("corrects__number"),
        provider=Coalesce(
            "refund__payment__provider",
            "corrects__refund__payment__provider",
            Subquery(paid.values("provider")[:1]),
        ),
        reference=Coalesce(
            "refund__provider_reference",
            "corrects__refund__provider_reference",
            Subquery(paid.values("provider_reference")[:1]),
        ),
    )
    after = 0
    while part := list(rows.filter(pk__gt=after).defer("document").order_by("pk")[:AT_ONCE]):
        yield from map(_entry, part)
        after = part[-1].pk


def _entry(row: Invoice) -> Entry:
    more = vars(row)
    return Entry(
        issued_on=row.issued_on,
        number=row.number,
        kind=row.kind,
        order=more["order_number"],
        buyer=row.buyer_name,
        country=row.vat_country,
        treatment=row.vat_treatment,
        vat_number=row.buyer_vat_number,
        net_cents=row.net_cents,
        rate=Decimal(row.vat_rate or 0),
        vat_cents=row.vat_cents,
        gross_cents=row.total_cents,
        moved_cents=more["moved_cents"],
        moved_from=more["moved_from"],
        currency=row.currency,
        provider=more["provider"] or "",
        reference=more["reference"] or "",
        corrects=more["corrected"] or "",
    )
