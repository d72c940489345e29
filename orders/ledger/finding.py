"""Documents and orders by what buyers and banks quote: numbers, references, VAT numbers, names and addresses."""

import re

from django.db.models import Q, QuerySet
from django.db.models.functions import Collate, Lower

from orders.models import Invoice, Payment
from orders.selectors.orders import plain_number

ROWS = 50  # of each way to find something
NUMBER = re.compile(r"(TEST-)?(INV|CN|COR|TEST)-[0-9-]{1,20}", re.ASCII)
VAT_NUMBER = re.compile(r"[A-Z]{2}[0-9A-Z+*]{2,14}", re.ASCII)


def documents_named(term: str) -> QuerySet[Invoice]:
    """The documents that a term finds, each way by an index of its own."""
    rows = Invoice.objects.all()
    word = term.strip().upper()
    plain = re.sub(r"[\s.-]", "", word)
    if NUMBER.fullmatch(word):
        return rows.filter(number=word)
    if "@" in word:
        return rows.alias(to=Lower("buyer_email")).filter(to=word.lower())
    if number := plain_number(word):
        return rows.filter(order__number=number)
    ways = Q(order__in=orders_of_payment(term))
    if VAT_NUMBER.fullmatch(plain) and any(map(str.isdigit, plain)):
        ways |= Q(buyer_vat_number=plain) & ~Q(buyer_vat_number="")
    return rows.filter(ways | Q(pk__in=_beginning(term)))


def orders_of_payment(reference: str) -> list[int]:
    """The orders of the payments that a provider, or we, call so."""
    text = reference.strip()
    if not text:
        return []
    rows = Payment.objects.filter(
        Q(provider_reference=text) | (Q(charge_reference=text) & ~Q(charge_reference=""))
    )
    return list(rows.values_list("order", flat=True)[:ROWS])


def _beginning(term: str) -> list[int]:
    """Those whose buyer's name or address begins so."""
    text = term.strip().lower()
    if len(text) < 2:
        return []
    keys: set[int] = set()
    for column in ("buyer_name", "buyer_address"):
        rows = Invoice.objects.alias(small=Collate(Lower(column), "C")).filter(small__startswith=text)
        keys |= set(rows.order_by("-pk").values_list("pk", flat=True)[:ROWS])
    return sorted(keys)
