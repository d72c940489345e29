"""Promo codes with their caps; what one would take off is tried on the page of prices."""

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Count, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.safestring import SafeString

from accounts.staff.lists import StaffAdmin
from orders.admin.price_page import PAGE, tabs
from orders.models import Product, PromoCode, PromoUse
from orders.services import promos


class PromoForm(forms.ModelForm):
    """Products are chosen from the list."""

    products = forms.MultipleChoiceField(
        choices=Product.choices,
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


def _number_of(rows: QuerySet[PromoUse]) -> Coalesce:
    """How many of these uses a code has; looked up for the rows of a page only."""
    counted = rows.filter(promo=OuterRef("pk")).order_by().values("promo").annotate(number=Count("pk"))
    return Coalesce(Subquery(counted.values("number"), output_field=IntegerField()), 0)


@admin.register(PromoCode)
class PromoCodeAdmin(StaffAdmin):
    """Codes, how often they were used, and until when they are good."""

    form = PromoForm
    page_name = "Promo codes"
    list_display = (
        "code",
        "takes_off",
        "is_active",
        "starts_at",
        "ends_at",
        "used",
        "held",
        "left",
        "try_it",
    )
    list_filter = ("is_active",)
    search_fields = ("code__startswith",)
    search_placeholder = "How a code begins, letter by letter"
    readonly_fields = ("try_it",)
    ordering = ("-created_at", "-id")

    def get_queryset(self, request: HttpRequest) -> QuerySet[PromoCode]:
        """With how often each was used, and is held by somebody who pays at this moment."""
        held = PromoUse.objects.filter(state=PromoUse.State.HELD, held_until__gt=timezone.now())
        return (
            super()
            .get_queryset(request)
            .annotate(
                uses_paid=_number_of(PromoUse.objects.filter(state=PromoUse.State.USED)),
                uses_held=_number_of(held),
            )
        )

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Beside prices and rates."""
        return super().changelist_view(request, {"tabs": tabs("Promo codes"), **(extra_context or {})})

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Codes are switched off: orders name them."""
        return False

    def save_model(self, request: HttpRequest, obj: PromoCode, form: Any, change: Any) -> None:
        """Note when it was made."""
        obj.created_at = obj.created_at or timezone.now()
        super().save_model(request, obj, form, change)

    @admin.display(description="takes off")
    def takes_off(self, promo: PromoCode) -> str:
        """In words."""
        return promos.description_of(promo)

    @admin.display(description="used")
    def used(self, promo: Any) -> int:
        """How often it was paid with."""
        return int(promo.uses_paid)

    @admin.display(description="held")
    def held(self, promo: Any) -> int:
        """How often somebody pays with it at this moment."""
        return int(promo.uses_held)

    @admin.display(description="left")
    def left(self, promo: Any) -> str:
        """How often it can still be used."""
        return (
            "" if promo.max_uses is None else str(max(0, promo.max_uses - promo.uses_paid - promo.uses_held))
        )

    @admin.display(description="try it")
    def try_it(self, promo: PromoCode) -> SafeString | str:
        """To the box."""
        if promo.pk is None:
            return "Save it first."
        url = f"{reverse(PAGE)}?{urlencode({'code': promo.code})}#try"
        return format_html('<a href="{}">What would it take off?</a>', url)
