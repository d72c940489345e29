"""Asking for a refund, on the page of a paid order: in the account, and behind the order's link."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone

from core.api.serializers import HIDDEN
from orders import refunding
from orders.models import Order
from orders.wording import price

WHY = 400


def refund_context(order: Order, *, action: str) -> dict[str, Any]:
    """What can be asked for, and what was asked for already."""
    rows = refunding.askable(order)
    pending = [row for row in rows if row.requested_at is not None]
    rest = [row for row in rows if row.requested_at is None]
    refund = {
        "rows": rest,
        "cents": sum(row.cents for row in rest),
        "asked": pending,
        "asked_cents": sum(row.cents for row in pending),
        "action": action,
    }
    return {"refund": refund if rows else None, "refunds_url": settings.TERMS_URL or "/terms#refunds"}


def ask(request: HttpRequest, order: Order, *, by: str) -> str:
    """Take the posted wish; what became of it, in words. Raises what refuses it."""
    chosen = {int(key) for key in request.POST.getlist("line") if key.isascii() and key.isdigit()}
    why = HIDDEN.sub("", request.POST.get("why", "")).strip()[:WHY]
    cents = refunding.ask_for_refund(order_id=order.pk, line_ids=chosen, why=why, by=by, at=timezone.now())
    return f"We got your request for {price(cents, order.currency)}. We’ve e-mailed you a copy."
