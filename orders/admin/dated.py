"""Prices, VAT rates, areas and registrations: dated rows that staff add and withdraw, and never change."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.staff import pages
from accounts.staff.audit import acting
from accounts.staff.lists import ADDED_ONLY, ReadOnlyAdmin, StaffAdmin, column, list_filter
from directory.countries import country_names
from orders.admin.price_page import PricePage, Withdrawing, tabs
from orders.amounts import AsksOnceMore, PercentField, country_of, is_large_change
from orders.models import ProductPrice, VatArea, VatRate, VatRegistration
from orders.products import PRODUCTS, product_choices
from orders.selectors.catalogue import vat_rates
from orders.seller import day_of
from orders.vat import EU
from orders.vat_numbers import is_number_of
from orders.wording import PARTS, country_name, price

ProductFilter = list_filter(
    "product", "product__exact", product_choices, lambda rows, chosen: rows.filter(product=chosen)
)


class DatedRowsAdmin(StaffAdmin):
    """Rows with `valid_from`, `valid_until` and `withdrawn_at`, beside prices and rates."""

    forbidden = ADDED_ONLY
    withdrawn = ""  # what the audit log says
    before = ""  # what holds once a row is withdrawn

    def rules(self, row: Any) -> str:
        raise NotImplementedError

    @property
    def _list(self) -> str:
        return f"admin:orders_{self.opts.model_name}_changelist"

    def get_urls(self) -> list[URLPattern]:
        name = f"orders_{self.opts.model_name}_withdraw"
        page = pages.staff_page(self.admin_site, self.ask, see="vat.see", do="vat.edit")
        return [path("<int:row_id>/withdraw/", page, name=name), *super().get_urls()]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        return super().changelist_view(request, {"tabs": tabs(self.page_name), **(extra_context or {})})

    @admin.display(description="")
    def withdraw(self, row: Any) -> SafeString | str:
        if row.withdrawn_at is not None:
            return pages.chip("withdrawn")
        url = reverse(f"admin:orders_{self.opts.model_name}_withdraw", args=[row.pk])
        return format_html('<a class="button little" href="{}">Withdraw…</a>', url)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: Any) -> None:
        obj.entered_by_id, obj.entered_at = request.user.pk, timezone.now()
        super().save_model(request, obj, form, change)

    def ask(self, request: HttpRequest, row_id: int) -> HttpResponse:
        """What was paid stays; checkout works the rest out anew when it is paid."""
        row, back = get_object_or_404(self.model, pk=row_id, withdrawn_at=None), reverse(self._list)
        if request.method == "POST":
            with acting(request, "vat.edit") as act:
                self.model.objects.filter(pk=row.pk).update(withdrawn_at=act.at)
                before = {f"{self.opts.verbose_name}": f"{row}", "rules": self.rules(row)}
                act.record(self.withdrawn, on=row, before=before)
                act.say("Withdrawn. Another row for the same day can be entered.")
            return HttpResponseRedirect(back)
        return pages.Question(
            title=f"Withdraw {row}: {self.rules(row)}?",
            says=[
                self.before,
                "What was paid and its documents stay. Orders not paid yet are worked out anew at checkout.",
            ],
            button="Withdraw this row",
            back=back,
            is_final=True,
        ).ask(request, self.admin_site)


class AreaForm(forms.ModelForm):
    """An area with its source; the newest row for the same postcodes counts."""

    percent = PercentField(required=False, help_text="Only where the country's rules hold with another rate.")

    class Meta:
        model = VatArea
        fields = ("inside", "begins", "code", "percent", "valid_from", "valid_until", "source")

    def clean_inside(self) -> str:
        return country_of(self.cleaned_data["inside"])

    def clean_begins(self) -> str:
        begins = "".join(filter(str.isalnum, self.cleaned_data["begins"])).upper()
        if not begins:
            raise ValidationError("Letters or digits.")
        return begins

    def clean_code(self) -> str:
        """A country, or a part that we have a name for."""
        code: str = self.cleaned_data["code"].upper()
        if code not in country_names() and code not in PARTS:
            raise ValidationError("Two letters of ISO 3166-1, or of: " + ", ".join(sorted(PARTS)) + ".")
        return code

    def clean(self) -> dict[str, Any]:
        """A rate is of its own country, a row ends after it begins, and a day has one row."""
        data = super().clean() or {}
        if not {"inside", "begins", "code", "valid_from"} <= data.keys():
            return data
        if data.get("percent") is not None and data["code"] != data["inside"]:
            raise ValidationError(
                "A rate belongs to the country's own letters; other letters have rules of their own."
            )
        if data.get("valid_until") and data["valid_until"] < data["valid_from"]:
            raise ValidationError("It ends before it begins.")
        same = {name: data[name] for name in ("inside", "begins", "valid_from")}
        if VatArea.objects.filter(**same, withdrawn_at=None).exists():
            raise ValidationError(
                "These postcodes have a row from this day. Withdraw it first if it is wrong."
            )
        return data


@admin.register(VatArea)
class VatAreaAdmin(DatedRowsAdmin):
    """Which postcodes have VAT rules of their own, from when until when, and who says so."""

    form = AreaForm
    page_name = "VAT areas"
    list_display = ("inside", "begins", "rules", "valid_from", "valid_until", "source", "withdraw")
    search_fields = ("inside__exact",)
    search_as = staticmethod(str.upper)
    search_placeholder = "A country's two letters"
    ordering = ("inside", "begins", "-valid_from")
    withdrawn = "withdrew the area"
    before = "The row before it for these postcodes goes on, or the country's own rules."

    @admin.display(description="rules")
    def rules(self, row: VatArea) -> str:
        return (
            f"{country_name(row.code)} {row.percent.normalize():f}%"
            if row.percent
            else country_name(row.code)
        )


class RegistrationForm(forms.ModelForm):
    """A registration abroad with its number, or the exemption at home without one."""

    class Meta:
        model = VatRegistration
        fields = ("country", "number", "is_small", "valid_from", "valid_until", "source")

    def clean_country(self) -> str:
        return country_of(self.cleaned_data["country"])

    def clean(self) -> dict[str, Any]:
        """An exemption is of the seller's own country; a registration is outside the EU, where a rate is known."""
        data = super().clean() or {}
        if not {"country", "valid_from"} <= data.keys():
            return data
        wrong = _wrong_exemption(data) if data.get("is_small") else _wrong_registration(data)
        if data.get("valid_until") and data["valid_until"] < data["valid_from"]:
            wrong = "It ends before it begins."
        same = {name: data[name] for name in ("country", "valid_from")}
        if VatRegistration.objects.filter(**same, withdrawn_at=None).exists():
            wrong = "This country has a row from this day. Withdraw it first if it is wrong."
        if wrong:
            raise ValidationError(wrong)
        return data


def _wrong_exemption(data: dict[str, Any]) -> str:
    if data["country"] != settings.SELLER_COUNTRY:
        return f"The exemption is of your own country, {country_name(settings.SELLER_COUNTRY)}."
    return "An exempt small business has no number here." if data.get("number") else ""


def _wrong_registration(data: dict[str, Any]) -> str:
    country, number = data["country"], data.get("number") or ""
    if country in EU or country == settings.SELLER_COUNTRY:
        return "In the EU the one-stop shop is what counts; this is for countries outside it."
    if not number or not is_number_of(country, "".join(filter(str.isalnum, number)).upper()):
        return f"This isn't a VAT number of {country_name(country)}: its form or its check digits are wrong."
    if not VatRate.objects.filter(country=country, withdrawn_at=None).exists():
        return f"Enter the VAT rate of {country_name(country)} first."
    return ""


@admin.register(VatRegistration)
class VatRegistrationAdmin(DatedRowsAdmin):
    """Countries whose VAT the seller charges beside the EU's, from when until when, and who says so."""

    form = RegistrationForm
    page_name = "Registrations"
    nothing = "Registered nowhere else: consumers outside the EU pay no VAT."
    list_display = ("country", "rules", "valid_from", "valid_until", "source", "withdraw")
    ordering = ("country", "-valid_from")
    withdrawn = "withdrew the registration"
    before = "The row before it for this country goes on, or none."
    rules = column("number", lambda row: "exempt as a small business" if row.is_small else row.number)


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
