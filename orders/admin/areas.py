"""Parts of countries with VAT rules of their own: rows are added and withdrawn, never changed."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.staff import audit, pages
from directory.countries import country_names
from orders.admin.price_page import tabs
from orders.admin.readonly import AddedOnlyAdmin
from orders.amounts import PercentField
from orders.models import VatArea
from orders.wording import PARTS, country_name

LIST = "admin:orders_vatarea_changelist"


class AreaForm(forms.ModelForm):
    """An area with its source; the newest row for the same postcodes counts."""

    percent = PercentField(required=False, help_text="Only where the country's rules hold with another rate.")

    class Meta:
        model = VatArea
        fields = ("inside", "begins", "code", "percent", "valid_from", "valid_until", "source")

    def clean_inside(self) -> str:
        """Two letters that stand for a country."""
        country: str = self.cleaned_data["inside"].upper()
        if country not in country_names():
            raise ValidationError("Two letters of ISO 3166-1; Greece is GR.")
        return country

    def clean_begins(self) -> str:
        """Letters and digits, as postcodes are compared."""
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
class VatAreaAdmin(AddedOnlyAdmin):
    """Which postcodes have VAT rules of their own, from when until when, and who says so."""

    form = AreaForm
    page_name = "VAT areas"
    list_display = ("inside", "begins", "rules", "valid_from", "valid_until", "source", "withdraw")
    search_fields = ("inside",)  # how is told by get_search_results
    search_placeholder = "A country's two letters"
    ordering = ("inside", "begins", "-valid_from")

    def get_urls(self) -> list[URLPattern]:
        """With the page that asks before one is withdrawn."""
        page = pages.staff_page(self.admin_site, self.ask, see="vat.see", do="vat.edit")
        return [path("<int:area_id>/withdraw/", page, name="orders_vatarea_withdraw"), *super().get_urls()]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Beside prices and rates."""
        return super().changelist_view(request, {"tabs": tabs("VAT areas"), **(extra_context or {})})

    def get_search_results(self, request: HttpRequest, queryset: Any, search_term: str) -> tuple[Any, bool]:
        """By country."""
        term = search_term.strip().upper()
        return (queryset.filter(inside=term) if term else queryset), False

    @admin.display(description="rules")
    def rules(self, row: VatArea) -> str:
        """Whose, or at which rate."""
        return (
            f"{country_name(row.code)} {row.percent.normalize():f}%"
            if row.percent
            else country_name(row.code)
        )

    @admin.display(description="")
    def withdraw(self, row: VatArea) -> SafeString | str:
        """To the page that asks."""
        if row.withdrawn_at is not None:
            return pages.chip("withdrawn")
        url = reverse("admin:orders_vatarea_withdraw", args=[row.pk])
        return format_html('<a class="button little" href="{}">Withdraw…</a>', url)

    def save_model(self, request: HttpRequest, obj: VatArea, form: Any, change: Any) -> None:
        """Note who entered it and when."""
        obj.entered_by_id, obj.entered_at = request.user.pk, timezone.now()
        super().save_model(request, obj, form, change)

    def ask(self, request: HttpRequest, area_id: int) -> HttpResponse:
        """What was paid stays; checkout works the rest out anew when it is paid."""
        row, back = get_object_or_404(VatArea, pk=area_id, withdrawn_at=None), reverse(LIST)
        if request.method == "POST":
            with transaction.atomic():
                VatArea.objects.filter(pk=row.pk).update(withdrawn_at=timezone.now())
                change = audit.Change(before={"area": f"{row}", "rules": self.rules(row)})
                audit.record(
                    audit.actor(request),
                    "vat.edit",
                    "withdrew the area",
                    at=timezone.now(),
                    on=row,
                    change=change,
                )
            messages.success(request, "Withdrawn. Another row for the same day can be entered.")
            return HttpResponseRedirect(back)
        question = pages.Question(
            title=f"Withdraw {row.inside} {row.begins}: {self.rules(row)}?",
            says=[
                "The row before it for these postcodes goes on, or the country's own rules.",
                "What was paid and its documents stay. Orders not paid yet are worked out anew at checkout.",
            ],
            button="Withdraw this area",
            back=back,
            is_final=True,
        )
        return pages.confirm(request, self.admin_site, question)
