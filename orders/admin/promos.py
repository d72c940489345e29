"""Promo codes with their caps; what one would take off is tried on the page of prices."""

from decimal import Decimal
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin
from django.db.models import Count, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.safestring import SafeString

from accounts.staff.lists import StaffAdmin, column
from orders import promos
from orders.admin.price_page import PAGE, tabs
from orders.amounts import AmountField, AsksOnceMore, PercentField, is_large_change
from orders.models import PromoCode, PromoUse
from orders.products import product_choices
from orders.selectors.catalogue import prices
from orders.wording import price


class PromoForm(forms.ModelForm, AsksOnceMore):
    """Products are chosen from the list, money is typed. All off, or a large change, is asked again."""

    percent = PercentField(required=False, label="Percent off", help_text="Typed as 12.5 or 12,5.")
    amount_cents = AmountField(required=False, help_text="Instead of a percentage; typed as 5.90 or 5,90.")
    min_subtotal_cents = AmountField(
        required=False,
        help_text="The least that what it is good for must cost before VAT; nothing means any.",
    )
    products = forms.MultipleChoiceField(
        choices=product_choices,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="None chosen means every product.",
    )

    class Meta:
        model = PromoCode
        fields = (
            "code",
            "percent",
            "amount_cents",
            "is_active",
            "starts_at",
            "ends_at",
            "max_uses",
            "max_per_user",
            "products",
            "min_subtotal_cents",
            "note",
        )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["amount_cents"].label = f"Amount off, {settings.CURRENCY}"
        self.fields["min_subtotal_cents"].label = f"Smallest order, {settings.CURRENCY}"

    def clean(self) -> dict[str, Any]:
        """Ask once more for what makes everything free, and for a change of more than half."""
        data = super().clean() or {}
        dearest = max((row.amount_cents for row in prices(at=timezone.now()).values()), default=0)
        for name, all_of_it in (("percent", Decimal(100)), ("amount_cents", dearest)):
            after, before = data.get(name), getattr(self.instance, name)
            if after is None or after == before:
                continue
            if (all_of_it and after >= all_of_it) or is_large_change(before, after):
                text = f"{after.normalize():f}%" if name == "percent" else price(after, settings.CURRENCY)
                was = "" if before is None else ", far from what it took off before"
                self.ask_once_more(name=name, value=after, question=f"{text} off{was}?")
        return data


def _number_of(rows: QuerySet[PromoUse]) -> Coalesce:
    """How many of these uses a code has; looked up for the rows of a page only."""
    counted = rows.filter(promo=OuterRef("pk")).order_by().values("promo").annotate(number=Count("pk"))
    return Coalesce(Subquery(counted.values("number"), output_field=IntegerField()), 0)


def _left_of(promo: Any) -> int:
    return int(promo.max_uses - promo.uses_paid - promo.uses_reserved)


@admin.register(PromoCode)
class PromoCodeAdmin(StaffAdmin):
    form = PromoForm
    forbidden = ("delete",)  # codes are switched off: orders name them
    page_name = "Promo codes"
    list_display = (
        "code",
        "takes_off",
        "is_active",
        "starts_at",
        "ends_at",
        "used",
        "reserved",
        "left",
        "try_it",
    )
    list_filter = ("is_active",)
    search_fields = ("code__startswith",)
    search_placeholder = "How a code begins, letter by letter"
    readonly_fields = ("try_it",)
    ordering = ("-created_at", "-id")
    takes_off = column("takes off", promos.description_of)
    used = column("used", lambda promo: int(promo.uses_paid))
    reserved = column("held", lambda promo: int(promo.uses_reserved))
    left = column("left", lambda promo: "" if promo.max_uses is None else str(max(0, _left_of(promo))))

    def get_queryset(self, request: HttpRequest) -> QuerySet[PromoCode]:
        """With how often each was used, and is held by somebody who pays at this moment."""
        reserved = PromoUse.objects.filter(state=PromoUse.State.RESERVED, held_until__gt=timezone.now())
        return (
            super()
            .get_queryset(request)
            .annotate(
                uses_paid=_number_of(PromoUse.objects.filter(state=PromoUse.State.USED)),
                uses_reserved=_number_of(reserved),
            )
        )

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        return super().changelist_view(request, {"tabs": tabs("Promo codes"), **(extra_context or {})})

    def save_model(self, request: HttpRequest, obj: PromoCode, form: Any, change: Any) -> None:
        obj.created_at = obj.created_at or timezone.now()
        super().save_model(request, obj, form, change)

    @admin.display(description="try it")
    def try_it(self, promo: PromoCode) -> SafeString | str:
        if promo.pk is None:
            return "Save it first."
        url = f"{reverse(PAGE)}?{urlencode({'code': promo.code})}#try"
        return format_html('<a href="{}">What would it take off?</a>', url)
