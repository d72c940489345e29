"""What is sold and for how much: prices, VAT rates and promo codes. Prices and rates are added and withdrawn."""

from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q

from core.models import Row
from orders import limits


class ProductPrice(models.Model):
    """A product's price before VAT from a moment on. A change is a new row; the newest effective one counts.

    Where the buyer chooses the amount it is the least that may be given; it is for each where several are bought.
    """

    product = models.CharField(max_length=limits.PRODUCT, help_text="The code of one.")
    amount_cents = models.PositiveBigIntegerField(help_text="Before VAT, in cents of the site's currency.")
    is_on_sale = models.BooleanField(default=True, help_text="Without it the product cannot be bought.")
    effective_at = models.DateTimeField(help_text="From then on, UTC.")
    note = models.CharField(max_length=limits.NOTE, blank=True)
    set_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    set_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="From then on it is as if it had not been set; nobody had bought by it.",
    )

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                name="price_within_bounds", condition=Q(amount_cents__lte=limits.AMOUNT_MAX)
            )
        ]
        indexes: ClassVar = [models.Index(fields=["product", "-effective_at", "-id"], name="price_newest")]

    def __str__(self) -> str:
        return f"{self.product}: {self.amount_cents}"


class VatRate(models.Model):
    """A country's standard VAT rate from a day on, and who says so. A change is a new row."""

    country = models.CharField(max_length=2, help_text="ISO 3166-1, two letters.")
    percent = models.DecimalField(max_digits=5, decimal_places=2)
    valid_from = models.DateField()
    source = models.CharField(max_length=limits.NOTE, help_text="Where this rate can be read.")
    entered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    entered_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(
        null=True, blank=True, help_text="From then on nothing is taxed by it; what was, stays as it was."
    )

    class Meta:
        verbose_name = "VAT rate"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["country", "valid_from"],
                condition=Q(withdrawn_at=None),
                name="vat_rate_valid_once_a_day",
            ),
            models.CheckConstraint(name="vat_rate_is_percent", condition=Q(percent__gte=0, percent__lte=100)),
        ]

    def __str__(self) -> str:
        return f"{self.country} {self.percent}%"


class VatArea(models.Model):
    """A part of a country, by the beginning of its postcodes, with VAT rules of its own from a day on."""

    inside = models.CharField(max_length=2, help_text="The country whose postcodes these are.")
    begins = models.CharField(
        max_length=limits.POSTCODE, help_text="How its postcodes begin, without spaces."
    )
    code = models.CharField(
        max_length=2,
        help_text="Whose rules hold there: letters of its own outside the EU's VAT area, or the country.",
    )
    percent = models.DecimalField(
        max_digits=5,
        decimal_places=2,
        null=True,
        blank=True,
        help_text="Its rate, where only that is another.",
    )
    valid_from = models.DateField()
    valid_until = models.DateField(null=True, blank=True, help_text="The last day; empty while it holds.")
    source = models.CharField(max_length=limits.NOTE, help_text="Where this can be read.")
    entered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    entered_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = "VAT area"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["inside", "begins", "valid_from"],
                condition=Q(withdrawn_at=None),
                name="vat_area_valid_once_a_day",
            ),
            models.CheckConstraint(
                name="vat_area_rate_is_of_its_country", condition=Q(percent=None) | Q(code=F("inside"))
            ),
        ]

    def __str__(self) -> str:
        return f"{self.inside} {self.begins}"


class VatRegistration(models.Model):
    """Where the seller is registered for VAT beside its own country, or that it is exempt there, from a day on."""

    country = models.CharField(max_length=2, help_text="ISO 3166-1, two letters.")
    number = models.CharField(
        max_length=limits.VAT_NUMBER,
        blank=True,
        help_text="Your VAT number there; it stands on the invoices of consumers there.",
    )
    is_small = models.BooleanField(
        "small business",
        default=False,
        db_default=False,
        help_text="Exempt as a small business, in your own country: no VAT at home and for consumers in the EU.",
    )
    valid_from = models.DateField()
    valid_until = models.DateField(null=True, blank=True, help_text="The last day; empty while it holds.")
    source = models.CharField(
        max_length=limits.NOTE, help_text="Where this can be read, such as a certificate."
    )
    entered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    entered_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = "VAT registration"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["country", "valid_from"],
                condition=Q(withdrawn_at=None),
                name="vat_registration_valid_once_a_day",
            ),
            models.CheckConstraint(
                name="vat_registration_number_or_small",
                condition=Q(is_small=True, number="") | Q(is_small=False) & ~Q(number=""),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.country} {self.number}".strip()


class PromoCode(models.Model):
    """A code that takes something off, exactly as typed: either a percentage or an amount."""

    code = models.CharField(max_length=limits.PROMO_CODE, unique=True)
    percent = models.DecimalField(max_digits=5, decimal_places=2, null=True, blank=True)
    amount_cents = models.PositiveBigIntegerField(null=True, blank=True)
    is_active = models.BooleanField(default=True)
    starts_at = models.DateTimeField(null=True, blank=True)
    ends_at = models.DateTimeField(null=True, blank=True)
    max_uses = models.PositiveIntegerField(null=True, blank=True, help_text="By everybody together.")
    max_per_user = models.PositiveIntegerField(null=True, blank=True)
    products = ArrayField(
        models.CharField(max_length=limits.PRODUCT),
        default=list,
        blank=True,
        help_text="What it is good for; none chosen means everything.",
    )
    min_subtotal_cents = models.PositiveBigIntegerField(
        null=True, blank=True, help_text="Of the products it is good for."
    )
    note = models.CharField(max_length=limits.NOTE, blank=True, help_text="For staff only.")
    created_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                name="promo_percent_or_amount",
                condition=Q(percent__isnull=False, percent__gt=0, percent__lte=100, amount_cents=None)
                | Q(
                    percent=None,
                    amount_cents__isnull=False,
                    amount_cents__gt=0,
                    amount_cents__lte=limits.AMOUNT_MAX,
                ),
                violation_error_message="Give a percentage from 0.01 to 100, or an amount of at least one cent.",
            )
        ]

    def __str__(self) -> str:
        return self.code

    def clean(self) -> None:
        """Refuse what could never be used: a time that ends before it begins, no use at all."""
        if 0 in (self.max_uses, self.max_per_user):
            raise ValidationError("A code is good for one use at least. To end one, switch it off.")
        if self.starts_at and self.ends_at and self.ends_at <= self.starts_at:
            raise ValidationError({"ends_at": "A code ends after it begins."})


class PromoUse(Row):
    """One order's use of a code: held while it is being paid, used once it is, released otherwise."""

    class State(models.TextChoices):
        RESERVED = "held", "Held"
        USED = "used"
        RELEASED = "released"

    promo = models.ForeignKey(PromoCode, on_delete=models.PROTECT, related_name="uses")
    order = models.OneToOneField("orders.Order", on_delete=models.PROTECT, related_name="promo_use")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    state = models.CharField(max_length=10, choices=State.choices)
    held_until = models.DateTimeField()

    class Meta:
        indexes: ClassVar = [models.Index(fields=["promo", "user"], name="promo_use_of_user")]


class LaunchWeek(models.Model):
    """A week on sale. Holding a place locks this row, so that the last one goes to one buyer."""

    site = models.ForeignKey("directory.Site", on_delete=models.PROTECT, related_name="+", db_index=False)
    week = models.DateField(help_text="Its Monday.")
    capacity = models.PositiveIntegerField(
        null=True, blank=True, help_text="Paid places; empty means as many as the site's settings say."
    )

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["site", "week"], name="launch_week_once")]

    def __str__(self) -> str:
        return f"{self.week} of {self.site_id}"


class SlotHold(Row):
    """A line's place in a week: held while it is being paid, taken once it is, placed when a launch stands for it."""

    class State(models.TextChoices):
        """Where it stands. Held places count until they lapse, taken ones until they are placed or released."""

        RESERVED = "held", "Held"
        TAKEN = "taken"
        PLACED = "placed"
        RELEASED = "released"

    line = models.OneToOneField("orders.OrderLine", on_delete=models.PROTECT, related_name="slot")
    site = models.ForeignKey("directory.Site", on_delete=models.PROTECT, related_name="+", db_index=False)
    week = models.DateField()
    state = models.CharField(max_length=10, choices=State.choices)
    held_until = models.DateTimeField()

    class Meta:
        indexes: ClassVar = [
            models.Index(
                fields=["site", "week"], name="slot_counting", condition=Q(state__in=["held", "taken"])
            )
        ]
