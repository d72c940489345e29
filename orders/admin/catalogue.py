"""Prices and VAT rates: rows are added, never changed."""

from datetime import datetime
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from core.cache import changed
from directory.countries import country_names
from orders.admin.readonly import AddedOnlyAdmin, money
from orders.models import ProductPrice, VatRate


class PriceForm(forms.ModelForm):
    """A price from now on, or from a moment to come."""

    class Meta:
        model = ProductPrice
        fields = ("product", "amount_cents", "is_on_sale", "effective_at", "note")

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if "effective_at" in self.fields:
            self.fields["effective_at"].required = False
            self.fields["effective_at"].help_text = "UTC; empty means from now on."

    def clean_effective_at(self) -> datetime:
        """Never before now: what was sold stays sold at what it cost."""
        now = timezone.now()
        given: datetime | None = self.cleaned_data["effective_at"]
        if given is not None and given < now:
            raise ValidationError("A price cannot begin in the past.")
        return given or now


@admin.register(ProductPrice)
class ProductPriceAdmin(AddedOnlyAdmin):
    """Prices with their history."""

    form = PriceForm
    list_display = ("product", "price", "is_on_sale", "counts_now", "effective_at", "set_by", "note")
    list_filter = ("product", "is_on_sale")
    list_select_related = ("set_by",)
    ordering = ("product", "-effective_at", "-id")

    def get_queryset(self, request: HttpRequest) -> QuerySet[ProductPrice]:
        """With whether a newer one is in effect."""
        now = timezone.now()
        newer = ProductPrice.objects.filter(product=OuterRef("product"), effective_at__lte=now).filter(
            Q(effective_at__gt=OuterRef("effective_at"))
            | Q(effective_at=OuterRef("effective_at"), pk__gt=OuterRef("pk"))
        )
        return super().get_queryset(request).annotate(has_newer=Exists(newer))

    @admin.display(description="before VAT")
    def price(self, row: ProductPrice) -> str:
        """For people."""
        return money(row.amount_cents, settings.CURRENCY)

    @admin.display(description="in effect", boolean=True)
    def counts_now(self, row: Any) -> bool:
        """Whether buyers pay this now."""
        return not row.has_newer and row.effective_at <= timezone.now()

    def save_model(self, request: HttpRequest, obj: ProductPrice, form: Any, change: Any) -> None:
        """Note who set it and when."""
        obj.set_by_id, obj.set_at = request.user.pk, timezone.now()
        super().save_model(request, obj, form, change)
        changed("products")


class RateForm(forms.ModelForm):
    """A rate with its source."""

    class Meta:
        model = VatRate
        fields = ("country", "percent", "valid_from", "source")

    def clean_country(self) -> str:
        """Two letters that stand for a country."""
        country: str = self.cleaned_data["country"].upper()
        if country not in country_names():
            raise ValidationError("Two letters of ISO 3166-1; Greece is GR.")
        return country


@admin.register(VatRate)
class VatRateAdmin(AddedOnlyAdmin):
    """Standard rates by country and day, with who says so."""

    form = RateForm
    list_display = ("country", "percent", "valid_from", "source", "entered_by", "entered_at")
    list_filter = ("country",)
    list_select_related = ("entered_by",)
    search_fields = ("country", "source")
    ordering = ("country", "-valid_from")

    def save_model(self, request: HttpRequest, obj: VatRate, form: Any, change: Any) -> None:
        """Note who entered it and when."""
        obj.entered_by_id, obj.entered_at = request.user.pk, timezone.now()
        super().save_model(request, obj, form, change)
