"""Orders with everything that happened to them, and the inbox of those that somebody has to look at."""

from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from orders.admin.readonly import ReadOnlyAdmin, ReadOnlyInline, money
from orders.models import Order, OrderEvent, OrderInReview, OrderLine, Payment


class LineInline(ReadOnlyInline):
    """What was ordered, and how far its work is."""

    model = OrderLine
    fields = (
        "position",
        "product",
        "listing",
        "week",
        "quantity",
        "unit_cents",
        "discount_cents",
        "net_cents",
        "vat_cents",
        "gross_cents",
        "fulfilment_status",
        "blocked_reason",
    )
    ordering = ("position",)


class PaymentInline(ReadOnlyInline):
    """Every attempt to pay."""

    model = Payment
    fields = ("provider", "method", "status", "amount_cents", "currency", "test_money", "flag", "created_at")
    ordering = ("created_at",)


class EventInline(ReadOnlyInline):
    """The timeline."""

    model = OrderEvent
    fields = ("at", "kind", "text", "by")
    ordering = ("at", "id")


class OrderRows(ReadOnlyAdmin):
    """Orders, whichever are listed."""

    list_select_related = ("owner",)
    search_fields = ("number", "owner__email", "billing_email", "billing_company", "lines__listing__name")
    inlines = (LineInline, PaymentInline, EventInline)

    @admin.display(description="total", ordering="total_cents")
    def total(self, order: Order) -> str:
        """For people."""
        return money(order.total_cents, order.currency)


@admin.register(Order)
class OrderAdmin(OrderRows):
    """Every order."""

    list_display = ("number", "status", "total", "owner", "created_at", "paid_at", "test_money")
    list_filter = ("status", "test_money", "site", "vat_treatment")
    date_hierarchy = "created_at"
    ordering = ("-created_at", "-id")


@admin.register(OrderInReview)
class ReviewInboxAdmin(OrderRows):
    """Money that does not fit its order, and other things that services leave to people."""

    list_display = ("number", "status", "review_reason", "total", "owner", "created_at")
    list_filter = ("status", "site")
    ordering = ("created_at", "id")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Those in review, and those with a reason to be looked at."""
        waiting = Q(status=Order.Status.REVIEW) | ~Q(review_reason="")
        return super().get_queryset(request).filter(waiting)
