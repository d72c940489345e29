"""Orders with everything that happened to them, and the inbox of those that somebody has to look at."""

from datetime import datetime
from typing import Any

from django.contrib import admin
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Lower
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.models import User
from accounts.staff import pages, rights
from accounts.staff.lists import ReadOnlyAdmin, column, list_filter
from orders import links
from orders.admin.correcting import Correcting
from orders.admin.deciding import Deciding
from orders.admin.giving_back import GivingBack
from orders.amounts import money_column
from orders.models import Order, OrderInReview, OrderLine
from orders.selectors.documents import documents_named, orders_of_payment
from orders.selectors.orders import plain_number
from orders.selectors.staff import staff_order, with_answer_by

MOST_MATCHES = 100
LOOKS = {"paid": "good", "review": "bad", "disputed": "bad", "refunded": "warn", "partially_refunded": "warn"}


def _blocked(rows: QuerySet[Any], chosen: str) -> QuerySet[Any]:
    lines = OrderLine.objects.filter(fulfilment_status="blocked")
    return rows.filter(pk__in=lines.values("order")) if chosen == "blocked" else rows


BlockedFilter = list_filter("work", "work", {"blocked": "A line is blocked"}.items, _blocked)


class OrderRows(ReadOnlyAdmin):
    list_select_related = ("owner",)
    search_placeholder = "Number of order or document, payment reference, VAT number, e-mail, name"
    search_fields = ("number",)  # `matching` says how
    total = money_column("total_cents", title="total", is_sorted=True)
    payer = column("buyer", lambda order: order.owner.email if order.owner else order.billing_email)

    def matching(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        """By number, address, or whatever names its documents and payments: each has an index."""
        if "@" in term:
            person = User.objects.with_address(term)
            rows = rows.alias(payer=Lower("billing_email"))
            return rows.filter(Q(owner=person.pk if person else 0) | Q(payer=term.lower()))
        if number := plain_number(term):
            return rows.filter(number=number)
        documents = documents_named(term).values_list("order", flat=True)[:MOST_MATCHES]
        return rows.filter(pk__in=[*orders_of_payment(term), *documents])

    def change_view(self, request: HttpRequest, object_id: str, *_args: Any, **_options: Any) -> HttpResponse:
        if request.method not in pages.SAFE:
            rights.require(request.user, "orders.decide")
            return HttpResponse(status=405)
        rights.require(request.user, "orders.see")
        view = staff_order(pages.key_of(object_id))
        if view is None:
            raise Http404
        return pages.show(
            request,
            self.admin_site,
            "orders/admin/order.html",
            title=view.order.number,
            view=view,
            order=view.order,
            tone=LOOKS.get(view.order.status, ""),
            public_url=links.checkout_url(view.order),
            may={act: rights.may(request.user, f"orders.{act}") for act in ("refund", "decide", "send")},
        )

    @admin.display(description="money")
    def state(self, order: Order) -> SafeString:
        text = order.get_status_display().replace("_", " ")
        chip = pages.chip(text.lower(), LOOKS.get(order.status, ""), title=order.review_reason)
        return (
            format_html("{} {}", chip, pages.chip("test", "warn", title="test money"))
            if order.test_money
            else chip
        )


@admin.register(Order)
class OrderAdmin(OrderRows):
    page_name = "Orders"
    beside = (Deciding, GivingBack, Correcting)
    nothing = "No orders match."
    list_display = ("number", "state", "total", "payer", "created_at", "paid_at")
    exported = ("total_cents", "currency", "test_money")
    list_filter = ("status", BlockedFilter, "test_money", "site", "vat_treatment")
    tabs = (
        ("All", ""),
        ("Paid", "status__exact=paid"),
        ("A line is blocked", "work=blocked"),
        ("Disputed", "status__exact=disputed"),
    )
    ordering = ("-created_at", "-id")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows = super().get_queryset(request)
        return with_answer_by(rows) if _are_disputed(request) else rows

    def get_list_display(self, request: HttpRequest) -> Any:
        columns = super().get_list_display(request)
        return (*columns[:2], "deadline", *columns[2:]) if _are_disputed(request) else columns

    def get_ordering(self, request: HttpRequest) -> Any:
        """What has to be answered first stands first."""
        newest = super().get_ordering(request)
        return (F("answer_by").asc(nulls_last=True), *newest) if _are_disputed(request) else newest

    @admin.display(description="answer until", empty_value="no deadline told")
    def deadline(self, order: Any) -> datetime | None:
        answer_by: datetime | None = order.answer_by
        return answer_by


def _are_disputed(request: HttpRequest) -> bool:
    return request.GET.get("status__exact") == Order.Status.DISPUTED


@admin.register(OrderInReview)
class ReviewInboxAdmin(OrderRows):
    """Money that does not fit its order, and other things that services leave to people."""

    page_name = "Orders in review"
    nothing = "No order waits for a decision."
    list_display = ("number", "state", "review_reason", "total", "payer", "created_at")
    list_filter = ("status", "site")
    ordering = ("created_at", "id")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).exclude(review_reason="")
