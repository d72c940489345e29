"""Payments with what was flagged, refunds, notifications, and the tasks that paid work leaves to staff."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from core.errors import ApiError
from orders.admin.readonly import AddedOnlyAdmin, ReadOnlyAdmin, ReadOnlyInline, money
from orders.models import AiReview, OrderLine, Payment, ProviderEvent, Refund, StaffTask
from orders.services import refunding, staff_work


class RefundInline(ReadOnlyInline):
    """What was given back of it."""

    model = Refund
    fields = ("amount_cents", "line", "status", "reason", "detail", "by", "created_at", "finished_at")
    ordering = ("created_at",)


class NotificationInline(ReadOnlyInline):
    """What its provider told."""

    model = ProviderEvent
    fields = ("received_at", "kind", "amount_cents", "currency", "outcome", "event_id")
    ordering = ("received_at",)


def each(
    request: HttpRequest, rows: QuerySet[Any], change: Callable[[Any], Any], *, door: admin.ModelAdmin
) -> None:
    """Do one service for each row, and say what was refused."""
    done = 0
    for row in rows:
        try:
            change(row)
            done += 1
        except ApiError as refusal:
            door.message_user(request, f"{row}: {refusal.detail}", messages.ERROR)
    door.message_user(request, f"{done} done.")


@admin.register(Payment)
class PaymentAdmin(ReadOnlyAdmin):
    """Attempts to pay; flagged ones hold money that does not fit their order."""

    list_display = ("order", "provider", "method", "amount", "status", "flag", "test_money", "created_at")
    list_filter = ("status", "provider", "test_money")
    list_select_related = ("order",)
    search_fields = ("order__number", "provider_reference", "charge_reference")
    date_hierarchy = "created_at"
    inlines = (RefundInline, NotificationInline)
    actions = ["give_back", "accept"]
    ordering = ("-created_at",)

    @admin.display(description="amount", ordering="amount_cents")
    def amount(self, payment: Payment) -> str:
        """For people."""
        return money(payment.amount_cents, payment.currency)

    @admin.action(description="Refund everything that is left")
    def give_back(self, request: HttpRequest, payments: QuerySet[Payment]) -> None:
        """A part is refunded by adding a refund."""
        staff_id, at = request.user.pk or 0, timezone.now()
        each(
            request,
            payments,
            lambda row: refunding.refund(
                payment_id=str(row.pk), reason="Refunded by the site team.", staff_id=staff_id, at=at
            ),
            door=self,
        )

    @admin.action(description="Accept for its order, which is in review")
    def accept(self, request: HttpRequest, payments: QuerySet[Payment]) -> None:
        """The order counts as paid, whatever came."""
        staff_id, at = request.user.pk or 0, timezone.now()
        each(
            request,
            payments,
            lambda row: staff_work.accept_review(order_id=row.order_id, staff_id=staff_id, at=at),
            door=self,
        )


class RefundForm(forms.ModelForm):
    """A line, an amount, or with neither everything that is left."""

    line = forms.ModelChoiceField(OrderLine.objects.none(), required=False)
    amount_cents = forms.IntegerField(
        min_value=1, required=False, help_text="With VAT. Empty: all that is left."
    )

    class Meta:
        model = Refund
        fields = ("payment", "line", "amount_cents", "reason")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "line" in self.fields:
            payment = self.data.get("payment") or self.initial.get("payment")
            lines = OrderLine.objects.filter(order__payments=payment) if payment else OrderLine.objects.none()
            self.fields["line"].queryset = lines  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Refuse what the service would refuse."""
        found: dict[str, Any] = super().clean() or {}
        if payment := found.get("payment"):
            left = refunding.left(payment, line=found.get("line"))
            if (found.get("amount_cents") or 1) > left:
                raise forms.ValidationError(f"Of this, {max(left, 0)} cents can be given back.")
        return found


@admin.register(Refund)
class RefundAdmin(AddedOnlyAdmin):
    """Money given back. Adding one asks the provider; it stays pending until that has done it."""

    form = RefundForm
    list_display = ("created_at", "order", "amount", "status", "reason", "detail", "by")
    list_filter = ("status",)
    list_select_related = ("payment__order", "by")
    autocomplete_fields = ("payment",)
    search_fields = ("payment__order__number", "provider_reference")
    actions = ["mark_done"]
    ordering = ("-created_at",)

    @admin.display(description="order")
    def order(self, refund: Refund) -> str:
        """Its number."""
        return refund.payment.order.number

    @admin.display(description="amount", ordering="amount_cents")
    def amount(self, refund: Refund) -> str:
        """For people."""
        return money(refund.amount_cents, refund.currency)

    def save_model(self, request: HttpRequest, obj: Refund, form: Any, change: Any) -> None:
        """By the service, which also has the provider asked."""
        made = refunding.refund(
            payment_id=str(obj.payment_id),
            line_id=obj.line_id,
            amount_cents=form.cleaned_data["amount_cents"],
            reason=obj.reason,
            staff_id=request.user.pk or 0,
            at=timezone.now(),
        )
        obj.pk = made.pk
        obj.refresh_from_db()

    @admin.action(description="Done: the buyer has the money")
    def mark_done(self, request: HttpRequest, refunds: QuerySet[Refund]) -> None:
        """For providers that do not say so, as with coins."""
        staff_id, at = request.user.pk or 0, timezone.now()
        each(
            request,
            refunds,
            lambda row: staff_work.confirm_refund(refund_id=str(row.pk), staff_id=staff_id, at=at),
            door=self,
        )


@admin.register(StaffTask)
class StaffTaskAdmin(ReadOnlyAdmin):
    """What somebody has paid for and staff do: closing it fulfils its line."""

    list_display = ("opened_at", "kind", "order", "line", "detail", "closed_at", "result")
    list_filter = ("kind", ("closed_at", admin.EmptyFieldListFilter))
    list_select_related = ("line__order",)
    search_fields = ("line__order__number",)
    actions = ["close"]
    ordering = ("opened_at",)

    @admin.display(description="order")
    def order(self, task: StaffTask) -> str:
        """Its number."""
        return task.line.order.number

    @admin.action(description="Close: it is done")
    def close(self, request: HttpRequest, tasks: QuerySet[StaffTask]) -> None:
        """The buyer sees the line as fulfilled."""
        staff_id, at = request.user.pk or 0, timezone.now()
        each(
            request,
            tasks,
            lambda row: staff_work.close_task(
                task_id=row.pk, result="Done by the site team.", staff_id=staff_id, at=at
            ),
            door=self,
        )


@admin.register(ProviderEvent)
class ProviderEventAdmin(ReadOnlyAdmin):
    """Notifications of providers, with what each changed."""

    list_display = ("received_at", "provider", "kind", "reference", "amount_cents", "currency", "outcome")
    list_filter = ("provider", "kind")
    search_fields = ("event_id", "reference")
    ordering = ("-received_at", "-id")


@admin.register(AiReview)
class AiReviewAdmin(ReadOnlyAdmin):
    """Private reviews, as their buyers read them."""

    list_display = ("written_at", "listing", "writer")
    list_select_related = ("listing",)
    ordering = ("-written_at",)
