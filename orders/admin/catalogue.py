"""Prices and VAT rates: rows are added and withdrawn, never changed."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.staff import pages
from accounts.staff.lists import ReadOnlyAdmin, column, list_filter
from orders.admin.dated import DatedRowsAdmin
from orders.admin.price_page import PricePage
from orders.admin.withdrawing import Withdrawing
from orders.amounts import AsksOnceMore, PercentField, country_of, is_large_change
from orders.models import ProductPrice, VatRate
from orders.products import PRODUCTS, product_choices
from orders.selectors.catalogue import vat_rates
from orders.seller import day_of
from orders.wording import country_name, price

ProductFilter = list_filter(
    "product", "product__exact", product_choices, lambda rows, chosen: rows.filter(product=chosen)
)


@admin.register(ProductPrice)
class ProductPriceAdmin(ReadOnlyAdmin):
    """Prices as a table, for files; they are set and withdrawn on their page."""

    page_name = "Every price"
    beside = (PricePage, Withdrawing)
    list_display = ("named", "price", "state", "sold", "effective_at", "set_by", "note")
    list_filter = (ProductFilter, "is_on_sale")
    list_select_related = ("set_by",)
    ordering = ("product", "-effective_at", "-id")
    named = column("product", lambda row: PRODUCTS[row.product].name, ordering="product")
    price = column("before VAT", lambda row: price(row.amount_cents, settings.CURRENCY))
    state = column("", lambda row: _state(row, is_ahead=row.effective_at > timezone.now()))
    sold = column("on sale", lambda row: "yes" if row.is_on_sale else "no")

    def get_queryset(self, request: HttpRequest) -> QuerySet[ProductPrice]:
        now = timezone.now()
        newer = ProductPrice.objects.filter(
            product=OuterRef("product"), effective_at__lte=now, withdrawn_at=None
        ).filter(
            Q(effective_at__gt=OuterRef("effective_at"))
            | Q(effective_at=OuterRef("effective_at"), pk__gt=OuterRef("pk"))
        )
        return super().get_queryset(request).annotate(has_newer=Exists(newer))


def _state(row: Any, *, is_ahead: bool) -> SafeString:
    if row.withdrawn_at is not None:
        return pages.chip("withdrawn")
    if is_ahead:
        return pages.chip("scheduled", "info")
    return pages.chip("past") if row.has_newer else pages.chip("now", "good")


class RateForm(forms.ModelForm, AsksOnceMore):
    """A rate with its source. Nothing, and a change of more than half, is asked once more."""

    percent = PercentField(help_text="Typed as 25.5 or 25,5.")

    class Meta:
        model = VatRate
        fields = ("country", "percent", "valid_from", "source")

    def clean_country(self) -> str:
        return country_of(self.cleaned_data["country"])

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if {"country", "percent", "valid_from"} <= data.keys():
            country, percent, day = data["country"], data["percent"], data["valid_from"]
            if VatRate.objects.filter(country=country, valid_from=day, withdrawn_at=None).exists():
                raise ValidationError(
                    f"{country_name(country)} has a rate from this day. Withdraw it first if it is wrong."
                )
            before = vat_rates(countries=[country], on=day).get(country)
            if is_large_change(before, percent):
                was = f"{country} has {before.normalize():f}%" if before is not None else country
                question = f"{was}: {percent.normalize():f}% from {day:%-d %B %Y}?"
                self.ask_once_more(name="percent", value=f"{country} {percent} {day}", question=question)
        return data


@admin.register(VatRate)
class VatRateAdmin(DatedRowsAdmin):
    form = RateForm
    page_name = "VAT rates"
    list_display = (
        "country",
        "percent",
        "state",
        "valid_from",
        "read_at",
        "looked_up",
        "entered_by",
        "withdraw",
    )
    list_select_related = ("entered_by",)
    search_fields = ("country__exact",)
    search_as = staticmethod(str.upper)
    search_placeholder = "A country's two letters"
    ordering = ("country", "-valid_from")
    state = column("", lambda row: _state(row, is_ahead=row.valid_from > day_of(timezone.now())))
    looked_up = column("looked up", lambda row: row.entered_at, ordering="entered_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[VatRate]:
        today = day_of(timezone.now())
        newer = VatRate.objects.filter(
            country=OuterRef("country"),
            valid_from__lte=today,
            valid_from__gt=OuterRef("valid_from"),
            withdrawn_at=None,
        )
        return super().get_queryset(request).annotate(has_newer=Exists(newer))

    @admin.display(description="")
    def withdraw(self, row: VatRate) -> SafeString | str:
        return "" if row.withdrawn_at else super().withdraw(row)

    def ask(self, request: HttpRequest, row_id: int) -> HttpResponse:
        return Withdrawing(self.admin_site).rate(request, row_id)

    @admin.display(description="source")
    def read_at(self, row: VatRate) -> SafeString | str:
        """Where it can be read; an address leads there."""
        if not row.source.startswith("https://"):
            return row.source
        return format_html('<a href="{0}" rel="noopener noreferrer">{0}</a>', row.source)
