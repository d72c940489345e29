"""Documents: invoices, credit notes and what corrects either, and the numbers that they draw."""

from decimal import Decimal
from typing import ClassVar

from django.db import models
from django.db.models import F, Func, Q
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast, Coalesce, Collate, Lower, Substr

from core.models import Row
from orders import limits


def _read(*path: str) -> Coalesce:
    """A text of the document, as a column that the database keeps by itself; empty where it says nothing."""
    text: F | KeyTextTransform = F("document")
    for name in path:
        text = KeyTextTransform(name, text)
    return Coalesce(Cast(text, models.TextField()), models.Value("", output_field=models.TextField()))


def _day() -> Coalesce:
    """The date that a document bears; those of former releases were dated by UTC."""
    text = KeyTextTransform("issued_on", F("document"))
    parts = [
        Cast(Substr(text, start, length), models.IntegerField()) for start, length in ((1, 4), (6, 2), (9, 2))
    ]
    by_utc = Func(
        F("issued_at"), template="(%(expressions)s AT TIME ZONE 'UTC')::date", output_field=models.DateField()
    )
    return Coalesce(Func(*parts, function="make_date", output_field=models.DateField()), by_utc)


def _stored(expression: Coalesce, field: models.Field) -> models.GeneratedField:  # type: ignore[type-arg]
    return models.GeneratedField(expression=expression, output_field=field, db_persist=True)


def _begins(column: str, name: str) -> models.Index:
    return models.Index(Collate(Lower(column), "C"), name=name)


class InvoiceCounter(Row):
    """The last number of a series and year. Its row is locked in the paying transaction, so no number is lost."""

    series = models.CharField(max_length=10)
    year = models.PositiveSmallIntegerField()
    last = models.PositiveIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["series", "year"], name="invoice_counter_once")
        ]


class Invoice(models.Model):
    """A document that never changes: an invoice, a credit note that corrects it, or a correction of either.

    An invoice that corrects another is in its place, for another buyer.
    """

    class Kind(models.TextChoices):
        INVOICE = "invoice", "Invoice"
        CREDIT_NOTE = "credit_note", "Credit note"
        CORRECTION = "correction", "Correcting invoice"

    kind = models.CharField(max_length=12, choices=Kind.choices)
    series = models.CharField(max_length=10)
    year = models.PositiveSmallIntegerField()
    sequence = models.PositiveIntegerField()
    number = models.CharField(max_length=40, unique=True)
    order = models.ForeignKey("orders.Order", on_delete=models.PROTECT, related_name="invoices")
    refund = models.OneToOneField(
        "orders.Refund", on_delete=models.PROTECT, null=True, blank=True, related_name="credit_note"
    )
    corrects = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="corrections"
    )
    currency = models.CharField(max_length=3)
    net_cents = models.BigIntegerField(help_text="Negative on a credit note.")
    vat_cents = models.BigIntegerField()
    total_cents = models.BigIntegerField()
    test_money = models.BooleanField(default=False)
    document = models.JSONField(help_text="Seller, buyer, lines, VAT and notes as they were.")
    issued_at = models.DateTimeField()

    issued_on = _stored(_day(), models.DateField())
    buyer_name = _stored(_read("buyer", "name"), models.TextField())
    buyer_address = _stored(_read("buyer", "address"), models.TextField())
    buyer_email = _stored(_read("buyer", "email"), models.TextField())
    buyer_vat_number = _stored(_read("buyer", "vat_number"), models.TextField())
    vat_country = _stored(_read("vat", "country"), models.TextField())
    vat_treatment = _stored(_read("vat", "treatment"), models.TextField())
    vat_rate = _stored(_read("vat", "rate"), models.TextField())

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["series", "year", "sequence"], name="invoice_sequence_once"),
            models.UniqueConstraint(
                fields=["order"], name="invoice_first_once", condition=Q(kind="invoice", corrects=None)
            ),
            models.UniqueConstraint(
                fields=["corrects"], name="invoice_replaced_once", condition=Q(kind="invoice")
            ),
            models.CheckConstraint(
                name="invoice_sums_are_exact", condition=Q(total_cents=F("net_cents") + F("vat_cents"))
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["-issued_on", "-id"], name="invoice_newest"),
            models.Index(fields=["vat_country", "-issued_on", "-id"], name="invoice_of_country"),
            models.Index(
                fields=["buyer_vat_number"], name="invoice_vat_number", condition=~Q(buyer_vat_number="")
            ),
            models.Index(Lower("buyer_email"), name="invoice_to_email"),
            _begins("buyer_name", "invoice_buyer_begins"),
            _begins("buyer_address", "invoice_address_begins"),
        ]

    def __str__(self) -> str:
        return self.number

    @property
    def rate(self) -> Decimal:
        return Decimal(self.vat_rate or 0)


class DocumentFile(Row):
    """A file of a document, made once by a job; without content until then."""

    class Format(models.TextChoices):
        PDF = "pdf", "PDF with Factur-X"
        UBL = "xml", "UBL for Peppol"

    document = models.ForeignKey(Invoice, on_delete=models.PROTECT, related_name="files", db_index=False)
    format = models.CharField(max_length=4, choices=Format.choices)
    content = models.BinaryField(null=True)
    made_at = models.DateTimeField(null=True)
    waits_since = models.DateTimeField(
        null=True, help_text="Since when it waits to be handed to the network; empty for what need not be."
    )
    handed_at = models.DateTimeField(null=True)
    handed_as = models.CharField(max_length=limits.REFERENCE, blank=True, db_default="")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["document", "format"], name="document_file_once")
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["waits_since"],
                name="document_file_waits",
                condition=Q(waits_since__isnull=False, handed_at=None),
            )
        ]
