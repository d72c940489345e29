"""The ledger: the documents, in the order in which they were issued, read in portions."""

from collections.abc import Iterator
from datetime import date
from typing import Any

from django.db.models import F, OuterRef, Subquery, Value
from django.db.models.functions import Coalesce

from orders.ledger.returns import documents_of
from orders.models import Payment
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
