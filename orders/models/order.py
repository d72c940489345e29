"""An order, its lines, and everything that happened to it."""

from typing import ClassVar, Self

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower

from core.models import Row
from orders import limits


class OrderQuerySet(models.QuerySet["Order"]):
    def owned_by(self, user_id: int) -> Self:
        return self.filter(owner_id=user_id)


class Order(models.Model):
    """What somebody buys. `status` is about the money; each line says how far its work is.

    Totals and the VAT decision are stored as they were computed; they may change until a payment is started, by
    `checkout.reprice` alone.
    """

    class Status(models.TextChoices):
        PENDING = "pending"
        PROCESSING = "processing"
        PAID = "paid"
        REVIEW = "review"
        EXPIRED = "expired"
        CANCELED = "canceled"
        PARTIALLY_REFUNDED = "partially_refunded"
        REFUNDED = "refunded"
        DISPUTED = "disputed"

    MOVES: ClassVar[dict[str, set[str]]] = {
        Status.PENDING: {Status.PROCESSING, Status.PAID, Status.REVIEW, Status.EXPIRED, Status.CANCELED},
        Status.PROCESSING: {Status.PENDING, Status.PAID, Status.REVIEW, Status.EXPIRED, Status.CANCELED},
        Status.EXPIRED: {Status.PAID, Status.REVIEW},
        Status.CANCELED: {Status.PAID, Status.REVIEW},
        Status.REVIEW: {Status.PENDING, Status.PAID, Status.CANCELED, Status.REFUNDED},
        Status.PAID: {Status.PARTIALLY_REFUNDED, Status.REFUNDED, Status.DISPUTED},
        Status.PARTIALLY_REFUNDED: {Status.PAID, Status.REFUNDED, Status.DISPUTED},
        Status.DISPUTED: {Status.PAID, Status.PARTIALLY_REFUNDED, Status.REFUNDED},
        # a refund may fail after it was done, and a dispute be decided anew
        Status.REFUNDED: {Status.PAID, Status.PARTIALLY_REFUNDED, Status.DISPUTED, Status.REVIEW},
    }

    number = models.CharField(max_length=11, unique=True)
    site = models.ForeignKey("directory.Site", on_delete=models.PROTECT, related_name="+")
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="orders"
    )
    status = models.CharField(max_length=20, choices=Status.choices, default=Status.PENDING)
    review_reason = models.CharField(
        max_length=limits.NOTE, blank=True, help_text="What staff have to look at."
    )

    currency = models.CharField(max_length=3)
    subtotal_cents = models.BigIntegerField()
    discount_cents = models.BigIntegerField()
    net_cents = models.BigIntegerField()
    vat_cents = models.BigIntegerField()
    total_cents = models.BigIntegerField()

    vat_country = models.CharField(max_length=2, blank=True)
    vat_rate = models.DecimalField(max_digits=5, decimal_places=2)
    vat_treatment = models.CharField(max_length=20)
    vat_number = models.CharField(max_length=limits.VAT_NUMBER, blank=True)
    vat_number_status = models.CharField(max_length=12)
    vat_reason = models.CharField(max_length=limits.NOTE)
    vat_checked_at = models.DateTimeField(null=True, blank=True)
    vat_check_reference = models.CharField(
        max_length=limits.REFERENCE, blank=True, help_text="VIES's consultation number, if it gave one."
    )

    vat_check_name = models.CharField(
        max_length=limits.NAME, blank=True, db_default="", default="", help_text="Whose VIES says it is."
    )
    vat_check_address = models.CharField(max_length=limits.ADDRESS, blank=True, db_default="", default="")
    place_evidence = models.JSONField(
        default=dict,
        db_default={},
        blank=True,
        help_text="Countries by where they come from: typed, billing, card, network.",
    )

    promo = models.ForeignKey(
        "orders.PromoCode", on_delete=models.PROTECT, null=True, blank=True, related_name="orders"
    )
    promo_description = models.CharField(max_length=limits.NOTE, blank=True)

    billing_email = models.EmailField(max_length=limits.EMAIL, blank=True)
    billing_name = models.CharField(max_length=limits.NAME, blank=True)
    billing_company = models.CharField(max_length=limits.NAME, blank=True)
    billing_address = models.CharField(max_length=limits.ADDRESS, blank=True)
    billing_postcode = models.CharField(max_length=limits.POSTCODE, blank=True)
    billing_city = models.CharField(max_length=limits.NAME, blank=True)
    billing_country = models.CharField(max_length=2, blank=True)
    billing_by_owner = models.BooleanField(
        default=False,
        db_default=False,
        help_text="Filled in by the order's owner, not by somebody with its link.",
    )

    test_money = models.BooleanField(null=True, help_text="Paid with test money; null until it is paid.")
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    paid_at = models.DateTimeField(null=True, blank=True)

    objects = OrderQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                name="order_sums_are_exact",
                condition=Q(net_cents=F("subtotal_cents") - F("discount_cents"))
                & Q(total_cents=F("net_cents") + F("vat_cents")),
            ),
            models.CheckConstraint(
                name="order_is_not_negative",
                condition=Q(discount_cents__gte=0, net_cents__gte=0, vat_cents__gte=0),
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["owner", "-created_at", "-id"], name="order_owner"),
            models.Index(fields=["-created_at", "-id"], name="order_newest"),
            models.Index(
                fields=["expires_at"], name="order_open", condition=Q(status__in=["pending", "processing"])
            ),
            models.Index(fields=["created_at"], name="order_review", condition=~Q(review_reason="")),
            models.Index(Lower("billing_email"), name="order_payer"),
            models.Index(fields=["created_at"], name="order_disputed", condition=Q(status="disputed")),
        ]

    def __str__(self) -> str:
        return self.number

    def can_become(self, status: str) -> bool:
        return status in self.MOVES[self.status]


class OrderLine(models.Model):
    """One product of an order at the price it was sold for, and how far its work is."""

    class Fulfilment(models.TextChoices):
        WAITING = "waiting"
        IN_PROGRESS = "in_progress"
        DONE = "done"
        BLOCKED = "blocked"
        REVERSED = "reversed"

    order = models.ForeignKey(Order, on_delete=models.PROTECT, related_name="lines", db_index=False)
    position = models.PositiveSmallIntegerField()
    product = models.CharField(max_length=limits.PRODUCT)
    name = models.CharField(max_length=limits.NAME)
    listing = models.ForeignKey(
        "directory.Listing", on_delete=models.SET_NULL, null=True, blank=True, related_name="order_lines"
    )
    week = models.DateField(null=True, blank=True)
    quantity = models.PositiveSmallIntegerField()
    unit_cents = models.BigIntegerField()
    discount_cents = models.BigIntegerField()
    net_cents = models.BigIntegerField()
    vat_rate = models.DecimalField(max_digits=5, decimal_places=2)
    vat_cents = models.BigIntegerField()
    gross_cents = models.BigIntegerField()
    options = models.JSONField(
        default=dict, help_text="What was chosen; extra categories under `categories`."
    )

    fulfilment_status = models.CharField(
        max_length=12, choices=Fulfilment.choices, default=Fulfilment.WAITING
    )
    fulfilled_at = models.DateTimeField(null=True, blank=True)
    blocked_reason = models.CharField(max_length=40, blank=True, help_text="week_full, for instance.")
    blocked_detail = models.CharField(max_length=limits.NOTE, blank=True)
    parts_done = ArrayField(
        models.CharField(max_length=limits.PRODUCT),
        default=list,
        blank=True,
        help_text="Products of a bundle whose work is done.",
    )
    effect = models.JSONField(
        default=dict, blank=True, help_text="What the work changed, so that a refund can take it back."
    )
    refunded_cents = models.BigIntegerField(default=0, help_text="VAT included.")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["order", "position"], name="order_line_position_once"),
            models.CheckConstraint(
                name="order_line_sums_are_exact",
                condition=Q(net_cents=F("quantity") * F("unit_cents") - F("discount_cents"))
                & Q(gross_cents=F("net_cents") + F("vat_cents")),
            ),
            models.CheckConstraint(
                name="order_line_is_not_negative",
                condition=Q(discount_cents__gte=0, net_cents__gte=0, vat_cents__gte=0),
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["fulfilment_status"],
                name="order_line_blocked",
                condition=Q(fulfilment_status="blocked"),
            )
        ]

    def __str__(self) -> str:
        return f"{self.product} of {self.order_id}"

    @property
    def is_done(self) -> bool:
        return self.fulfilment_status == self.Fulfilment.DONE


class OrderEvent(Row):
    """One thing that happened to an order. Only ever added."""

    order = models.ForeignKey(Order, on_delete=models.PROTECT, related_name="events", db_index=False)
    at = models.DateTimeField()
    kind = models.CharField(
        max_length=40, help_text="created, repriced, moved, payment_started, fulfilled, …"
    )
    text = models.CharField(max_length=limits.NOTE, help_text="For people.")
    by = models.CharField(max_length=120, help_text="user:<id>, staff:<id>, provider:<code> or system.")
    data = models.JSONField(default=dict, blank=True)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["order", "at", "id"], name="order_event_in_order")]


class OrderInReview(Order):
    """The same rows, as staff's inbox shows those that somebody has to look at."""

    class Meta:
        proxy = True
        verbose_name_plural = "orders in review"


class StaffTask(models.Model):
    BLOCKED, REFUND = "blocked", "refund"
    WISHES: ClassVar = (BLOCKED, REFUND)  # buyers who ask for their money

    line = models.ForeignKey("orders.OrderLine", on_delete=models.PROTECT, related_name="tasks")
    kind = models.CharField(
        max_length=limits.PRODUCT, help_text="The code of the part whose work it is, or one of WISHES."
    )
    detail = models.TextField(blank=True)
    opened_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    result = models.CharField(
        max_length=limits.NOTE, blank=True, help_text="What was done; the buyer reads it."
    )

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["line", "kind"], name="staff_task_once")]
        indexes: ClassVar = [
            models.Index(fields=["opened_at"], name="staff_task_open", condition=Q(closed_at=None))
        ]

    def __str__(self) -> str:
        return f"{self.kind} for {self.line_id}"


class AiReview(models.Model):
    """A private review of a listing for its owner: what is said rests on quotes of its website."""

    line = models.OneToOneField("orders.OrderLine", on_delete=models.PROTECT, related_name="review")
    listing = models.ForeignKey("directory.Listing", on_delete=models.SET_NULL, null=True, related_name="+")
    findings = models.JSONField(help_text="[{title, text, evidence: [Evidence]}]")
    writer = models.CharField(max_length=80)
    written_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"review for {self.line_id}"
