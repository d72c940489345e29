"""Where the seller is registered for VAT beside its own country, and the exemption of small businesses."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin
from django.core.exceptions import ValidationError

from directory.countries import country_names
from orders.admin.dated import DatedRowsAdmin
from orders.models import VatRate, VatRegistration
from orders.vat import EU
from orders.vat_numbers import is_number_of
from orders.wording import country_name


class RegistrationForm(forms.ModelForm):
    """A registration abroad with its number, or the exemption at home without one."""

    class Meta:
        model = VatRegistration
        fields = ("country", "number", "is_small", "valid_from", "valid_until", "source")

    def clean_country(self) -> str:
        country: str = self.cleaned_data["country"].upper()
        if country not in country_names():
            raise ValidationError("Two letters of ISO 3166-1; Great Britain is GB.")
        return country

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

    @admin.display(description="number")
    def rules(self, row: VatRegistration) -> str:
        return "exempt as a small business" if row.is_small else row.number
