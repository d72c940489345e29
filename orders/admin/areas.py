"""Parts of countries with VAT rules of their own: rows are added and withdrawn, never changed."""

from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError

from directory.countries import country_names
from orders.admin.dated import DatedRowsAdmin
from orders.amounts import PercentField
from orders.models import VatArea
from orders.wording import PARTS, country_name


class AreaForm(forms.ModelForm):
    """An area with its source; the newest row for the same postcodes counts."""

    percent = PercentField(required=False, help_text="Only where the country's rules hold with another rate.")

    class Meta:
        model = VatArea
        fields = ("inside", "begins", "code", "percent", "valid_from", "valid_until", "source")

    def clean_inside(self) -> str:
        country: str = self.cleaned_data["inside"].upper()
        if country not in country_names():
            raise ValidationError("Two letters of ISO 3166-1; Greece is GR.")
        return country

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
