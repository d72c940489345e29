"""Promo codes with their caps, and a box that says what a code would take off."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.staff import pages
from accounts.staff.lists import StaffAdmin
from orders.admin.readonly import money
from orders.models import Product, PromoCode
from orders.selectors.catalogue import prices
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


class TryForm(forms.Form):
    """A cart to try a code on, at today's prices."""

    products = forms.MultipleChoiceField(choices=Product.choices, widget=forms.CheckboxSelectMultiple)


@admin.register(PromoCode)
class PromoCodeAdmin(StaffAdmin):
    """Codes, how often they were used, and until when they are good."""

    form = PromoForm
    list_display = ("code", "takes_off", "is_active", "starts_at", "ends_at", "used", "try_it")
    list_filter = ("is_active",)
    search_fields = ("code", "note")
    readonly_fields = ("try_it",)
    ordering = ("-created_at", "-id")

    def get_queryset(self, request: HttpRequest) -> QuerySet[PromoCode]:
        """With how often each was used."""
        return super().get_queryset(request).annotate(uses_paid=Count("uses", filter=Q(uses__state="used")))

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

    @admin.display(description="used", ordering="uses_paid")
    def used(self, promo: Any) -> str:
        """How often, of how often it may be."""
        return f"{promo.uses_paid} of {promo.max_uses}" if promo.max_uses else str(promo.uses_paid)

    @admin.display(description="try it")
    def try_it(self, promo: PromoCode) -> SafeString | str:
        """To the box."""
        if promo.pk is None:
            return "Save it first."
        return format_html(
            '<a href="{}">What would it take off?</a>',
            reverse("admin:orders_promocode_try", args=[promo.pk]),
        )

    def get_urls(self) -> list[URLPattern]:
        """The box beside the usual pages."""
        box = pages.staff_page(self.admin_site, self.box, see="codes.see")
        return [path("<int:promo_id>/try/", box, name="orders_promocode_try"), *super().get_urls()]

    def box(self, request: HttpRequest, promo_id: int) -> HttpResponse:
        """What the code would say and take off now. Changes nothing."""
        promo = get_object_or_404(PromoCode, pk=promo_id)
        if not self.has_view_permission(request, promo):
            raise PermissionDenied
        now, form = timezone.now(), TryForm(request.GET or None)
        context = {
            **self.admin_site.each_context(request),
            "title": f"What would {promo.code} take off?",
            "opts": self.opts,
            "promo": promo,
            "form": form,
        }
        if form.is_valid():
            known = prices(at=now)
            chosen = [
                (code, known[code].amount_cents) for code in form.cleaned_data["products"] if code in known
            ]
            said, off = promos.try_code(promo, items=chosen, at=now)
            whole = sum(cents for _, cents in chosen)
            context |= {
                "said": said,
                "whole": money(whole, settings.CURRENCY),
                "off": money(off, settings.CURRENCY),
                "rest": money(whole - off, settings.CURRENCY),
            }
        return TemplateResponse(request, "orders/admin/try_code.html", context)
