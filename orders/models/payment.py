"""Money that comes and goes: attempts to pay, what providers told us, refunds."""

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from core.models import Row
from orders import limits


class Payment(models.Model):
    """One attempt to pay an order, at one provider. Its id is our reference there."""

    class Status(models.TextChoices):
        """Where it stands; `flagged` money has come that does not fit the order."""

        STARTED = "started"
        PROCESSING = "processing"
        PAID = "paid"
        FAILED = "failed"
        EXPIRED = "expired"
        CANCELED = "canceled"
        FLAGGED = "flagged"
        DISPUTED = "disputed"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    order = models.ForeignKey("orders.Order", on_delete=models.PROTECT, related_name="payments")
    provider = models.CharField(max_length=20, help_text="sandbox, stripe, paypal, btcpay or none.")
    method = models.CharField(max_length=20, help_text="card, wallet, paypal, crypto, test or none.")
    provider_reference = models.CharField(max_length=limits.REFERENCE, null=True, blank=True)
    charge_reference = models.CharField(
        max_length=limits.REFERENCE, blank=True, help_text="What refunds are made of, where that is another."
    )
    status = models.CharField(max_length=12, choices=Status.choices, default=Status.STARTED)
    amount_cents = models.BigIntegerField()
    currency = models.CharField(max_length=3)
    test_money = models.BooleanField(default=False)
    paid_cents = models.BigIntegerField(null=True, blank=True, help_text="What really came.")
    paid_currency = models.CharField(max_length=3, blank=True)
    flag = models.CharField(max_length=limits.NOTE, blank=True, help_text="Why staff should look.")
    redirect_url = models.TextField(blank=True)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True, blank=True)
    next_check_at = models.DateTimeField(null=True, blank=True, help_text="When to ask the provider itself.")
    answer_by = models.DateTimeField(
        null=True, blank=True, help_text="Until when its dispute can be answered at the provider."
    )

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["provider", "provider_reference"], name="payment_reference_once")
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["next_check_at"],
                name="payment_open",
                condition=Q(status__in=["started", "processing"]),
            ),
            models.Index(fields=["provider_reference"], name="payment_at_provider"),
            models.Index(
                fields=["charge_reference"], name="payment_charge", condition=~Q(charge_reference="")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.provider} {self.status}: {self.amount_cents} {self.currency}"


class ProviderEvent(models.Model):
    """A notification whose signature was right. The unique id makes a second delivery a no-op."""

    provider = models.CharField(max_length=20)
    event_id = models.CharField(max_length=limits.REFERENCE)
    kind = models.CharField(max_length=40)
    payment = models.ForeignKey(
        Payment, on_delete=models.PROTECT, null=True, blank=True, related_name="events"
    )
    reference = models.CharField(max_length=limits.REFERENCE, blank=True, help_text="Whatever it named.")
    amount_cents = models.BigIntegerField(null=True, blank=True)
    currency = models.CharField(max_length=3, blank=True)
    happened_at = models.DateTimeField(null=True, blank=True)
    received_at = models.DateTimeField()
    outcome = models.CharField(max_length=limits.NOTE, blank=True, help_text="What it changed here.")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["provider", "event_id"], name="provider_event_once")
        ]
        indexes: ClassVar = [
            models.Index(fields=["received_at"], name="provider_event_received"),
            models.Index(fields=["event_id"], name="provider_event_id"),
            models.Index(fields=["reference"], name="provider_event_about"),
        ]

    def __str__(self) -> str:
        return f"{self.provider} {self.kind}"


class Dispute(Row):
    """What a buyer's bank or provider asks about a payment. An inquiry only asks; a dispute decides about the money."""

    class State(models.TextChoices):
        """How far it is; `closed` is one that ended without a decision."""

        INQUIRY = "inquiry"
        OPEN = "open"
        CLOSED = "closed"
        WON = "won"
        LOST = "lost"

    payment = models.ForeignKey(Payment, on_delete=models.PROTECT, related_name="disputes")
    reference = models.CharField(
        max_length=limits.REFERENCE, blank=True, help_text="What the provider calls it."
    )
    state = models.CharField(max_length=10, choices=State.choices)
    amount_cents = models.BigIntegerField(null=True, blank=True)
    answer_by = models.DateTimeField(null=True, blank=True, help_text="Until when it can be answered there.")
    opened_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["payment", "reference"], name="dispute_once")
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["opened_at"], name="dispute_undecided", condition=Q(state__in=["inquiry", "open"])
            )
        ]


class Refund(models.Model):
    """Money that went back. By staff, its id keys the provider's call, and it is pending until that confirms."""

    class Kind(models.TextChoices):
        """Whose doing it was; `vat` is the VAT alone."""

        REFUND = "refund"
        VAT = "vat"
        REVERSAL = "reversal", "reversed by the bank"
        LOSS = "loss", "dispute lost"

    class Status(models.TextChoices):
        PENDING = "pending"
        DONE = "done"
        FAILED = "failed"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    payment = models.ForeignKey(Payment, on_delete=models.PROTECT, related_name="refunds")
    line = models.ForeignKey(
        "orders.OrderLine", on_delete=models.PROTECT, null=True, blank=True, related_name="refunds"
    )
    kind = models.CharField(
        max_length=10, choices=Kind.choices, default=Kind.REFUND, db_default=Kind.REFUND.value
    )
    amount_cents = models.BigIntegerField(help_text="VAT included.")
    currency = models.CharField(max_length=3)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.PENDING)
    provider_reference = models.CharField(max_length=limits.REFERENCE, blank=True)
    reason = models.CharField(max_length=limits.NOTE)
    detail = models.CharField(max_length=limits.NOTE, blank=True, help_text="What the provider said.")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(name="refund_gives_something", condition=Q(amount_cents__gt=0)),
            models.UniqueConstraint(
                fields=["payment", "provider_reference"],
                name="refund_reference_once",
                condition=~Q(provider_reference=""),
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["created_at"], name="refund_open", condition=Q(status="pending"))
        ]

    def __str__(self) -> str:
        return f"{self.amount_cents} {self.currency}: {self.status}"
