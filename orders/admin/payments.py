"""Payments with what was flagged, refunds, notifications, and the tasks that paid work leaves to staff."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.staff.audit import Acting
from accounts.staff.lists import ReadOnlyAdmin, ReadOnlyInline, column, list_filter
from accounts.staff.pages import chip
from directory.back_office.widgets import reason_in
from directory.limits import STAFF_REASON
from orders import refunding
from orders.admin.deciding import close_task
from orders.amounts import money_column
from orders.models import AiReview, Payment, ProviderEvent, Refund, StaffTask
from orders.selectors.staff import StaffWork


class RefundInline(ReadOnlyInline):
    model = Refund
    fields = ("amount", "line", "status", "reason", "detail", "by", "created_at", "finished_at")
    readonly_fields = ("amount",)
    ordering = ("created_at",)
    amount = money_column("amount_cents")


class NotificationInline(ReadOnlyInline):
    model = ProviderEvent
    fields = ("received_at", "kind", "amount", "outcome", "event_id")
    readonly_fields = ("amount",)
    ordering = ("received_at",)
    amount = money_column("amount_cents")


LOOKS = {"paid": "good", "flagged": "bad", "disputed": "bad", "failed": "warn"}


@admin.register(Payment)
class PaymentAdmin(ReadOnlyAdmin):
    """Attempts to pay; flagged ones hold money that does not fit their order."""

    list_display = ("order", "provider", "method", "amount", "state", "flag", "created_at")
    list_filter = ("status", "provider", "test_money")
    list_select_related = ("order",)
    search_placeholder = "Number of an order, or a provider's reference, exactly"
    search_fields = ("order__number__exact", "provider_reference__exact", "charge_reference__exact")
    inlines = (RefundInline, NotificationInline)
    ordering = ("-order_id", "-created_at")
    amount = money_column("amount_cents", is_sorted=True)
    state = column(
        "state", lambda payment: chip(payment.get_status_display().lower(), LOOKS.get(payment.status, ""))
    )


@admin.register(Refund)
class RefundAdmin(ReadOnlyAdmin):
    """Money given back, as asked for on the page of its order; pending until the provider has done it."""

    page_name = "Refunds"
    nothing = "No refunds."
    search_placeholder = "Number of an order, exactly"
    list_display = ("created_at", "order", "amount", "status", "reason", "detail", "by")
    list_filter = ("status",)
    list_select_related = ("payment__order", "by")
    search_fields = ("payment__order__number__exact",)
    actions = ["mark_done"]
    ordering = ("-created_at",)
    amount = money_column("amount_cents", is_sorted=True)
    order = column("order", lambda refund: refund.payment.order.number)

    @admin.action(description="Done: the buyer got the money")
    def mark_done(self, request: HttpRequest, refunds: QuerySet[Refund]) -> None:
        """For providers that do not say so, as with coins."""

        def confirm(row: Refund, act: Acting) -> None:
            refunding.confirm_refund(refund_id=str(row.pk), staff_id=act.staff_id, at=act.at)

        done = self.each(request, refunds, confirm, "saw that the buyer has")
        self.tell(request, done, "done")


def _work(rows: QuerySet[Any], chosen: str) -> QuerySet[Any]:
    wishes = Q(kind__in=StaffTask.WISHES)
    return rows.filter({"jobs": ~wishes, "wishes": wishes}.get(chosen, Q()))


WORK = {"jobs": "For us to do", "wishes": "Money asked back"}
WorkFilter = list_filter("work", "work", WORK.items, _work)


class WorkForm(ActionForm):
    reason = forms.CharField(
        max_length=STAFF_REASON, required=False, label="What was done, which the buyers read"
    )


@admin.register(StaffTask)
class StaffTaskAdmin(ReadOnlyAdmin):
    """What somebody has paid for and staff do: closing it fulfils its line."""

    page_name = "Paid work"
    nothing = "No paid work is waiting."
    list_display = ("what", "order", "website", "opened_at", "state", "result")
    list_display_links = None
    list_filter = (WorkFilter, ("closed_at", admin.EmptyFieldListFilter))
    list_select_related = ("line__order", "line__listing", "closed_by")
    tabs = (
        ("Open", "closed_at__isempty=1"),
        ("For us to do", "closed_at__isempty=1&work=jobs"),
        ("Money asked back", "closed_at__isempty=1&work=wishes"),
        ("All", ""),
    )
    search_placeholder = "Number of an order, exactly"
    search_fields = ("line__order__number__exact",)
    actions = ["close"]
    action_form = WorkForm
    ordering = ("opened_at",)
    what = column("what", lambda task: StaffWork(task=task).name)
    website = column(
        "for", lambda task: StaffWork(task=task).url or (task.line.listing.name if task.line.listing else "")
    )

    @admin.display(description="order")
    def order(self, task: StaffTask) -> SafeString:
        url = reverse("admin:orders_order_change", args=[task.line.order_id])
        return format_html('<a href="{}">{}</a>', url, task.line.order.number)

    @admin.display(description="")
    def state(self, task: StaffTask) -> SafeString:
        if task.closed_at is None:
            return chip("waits", "warn")
        by = task.closed_by.get_short_name() if task.closed_by else "nobody of staff"
        return chip("closed", "good", title=f"{task.closed_at:%-d %B %Y, %H:%M} UTC, {by}")

    @admin.action(description="Close: it is done")
    def close(self, request: HttpRequest, tasks: QuerySet[StaffTask]) -> None:
        """Each buyer reads the same words of what was done."""
        if not (result := reason_in(request)):
            self.message_user(request, "Say what was done. Nothing was changed.", messages.ERROR)
            return

        def close(row: StaffTask, act: Acting) -> None:
            close_task(act, task_id=row.pk, result=result)

        done = self.each(request, tasks.filter(closed_at=None), close, "closed the task", reason=result)
        self.tell(request, done, "closed", noun="job", only="Only open ones are closed.")


@admin.register(ProviderEvent)
class ProviderEventAdmin(ReadOnlyAdmin):
    """Notifications of providers, with what each changed."""

    list_display = ("received_at", "provider", "kind", "reference", "amount", "outcome")
    list_filter = ("provider", "kind")
    search_placeholder = "A provider's event or reference, exactly"
    search_fields = ("event_id__exact", "reference__exact")
    ordering = ("-received_at", "-id")
    amount = money_column("amount_cents")


@admin.register(AiReview)
class AiReviewAdmin(ReadOnlyAdmin):
    list_display = ("written_at", "listing", "writer")
    list_select_related = ("listing",)
    ordering = ("-written_at",)
