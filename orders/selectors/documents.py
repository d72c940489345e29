"""One document as staff look at it, with what corrects it, its mails and its files."""

import re
from dataclasses import dataclass
from typing import Any

from django.db.models import F, Q, QuerySet
from django.db.models.functions import Collate, Lower

from core.mail import name_of
from core.models import Mail
from orders.models import Invoice, Payment
from orders.selectors.orders import plain_number

ROWS = 50  # of each way to find something
NUMBER = re.compile(r"(TEST-)?(INV|CN|COR|TEST)-[0-9-]{1,20}", re.ASCII)
VAT_NUMBER = re.compile(r"[A-Z]{2}[0-9A-Z+*]{2,14}", re.ASCII)
MAILS = 20
Kind = Invoice.Kind
TEMPLATES = {
    Kind.INVOICE: ("orders/mail/receipt", "orders/mail/document"),
    Kind.CREDIT_NOTE: ("orders/mail/refunded", "orders/mail/document"),
    Kind.CORRECTION: ("orders/mail/refund_failed", "orders/mail/document"),
}


@dataclass(frozen=True, kw_only=True)
class StaffDocument:
    invoice: Invoice
    chain: list[Invoice]  # what the order's other documents are
    mails: list[Mail]
    waiting: bool  # to be handed to the network

    @property
    def state(self) -> tuple[str, str]:
        return state_of(self.invoice)


def with_states(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Documents with their order and what corrects them."""
    return rows.select_related("order").prefetch_related("corrections")


def state_of(invoice: Any) -> tuple[str, str]:
    """Where a document stands: an invoice with its order, a credit note by itself."""
    if invoice.kind == Kind.CREDIT_NOTE:
        is_taken_back = any(row.total_cents > 0 for row in invoice.corrections.all())
        return ("taken back", "warn") if is_taken_back else ("issued", "good")
    if invoice.kind == Kind.CORRECTION:
        return "issued", "good"
    if any(row.kind == Kind.INVOICE for row in invoice.corrections.all()):
        return "replaced", "warn"
    words = {"partially_refunded": "partly credited", "refunded": "credited"}
    looks = {"paid": "good", "disputed": "bad"}
    status = invoice.order.status
    return words.get(status, status), looks.get(status, "warn")


def waiting_documents() -> QuerySet[Invoice]:
    """Those whose structured file the law wants sent, with since when it waits."""
    rows = Invoice.objects.filter(files__waits_since__isnull=False, files__handed_at=None)
    return rows.annotate(waits_since=F("files__waits_since"))


def staff_document(document_id: int) -> StaffDocument | None:
    """A document with what belongs to it: four statements."""
    invoice = (
        with_states(Invoice.objects.all()).select_related("corrects", "refund").filter(pk=document_id).first()
    )
    if invoice is None:
        return None
    about = Mail.objects.filter(about=name_of(invoice.order), template__in=TEMPLATES[invoice.kind])
    others = Invoice.objects.filter(order=invoice.order).exclude(pk=invoice.pk)
    return StaffDocument(
        invoice=invoice,
        chain=list(others.order_by("issued_at", "pk")[:MAILS]),
        waiting=waiting_documents().filter(pk=invoice.pk).exists(),
        mails=list(about.order_by("-queued_at", "-pk")[:MAILS]),
    )


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
