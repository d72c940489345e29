"""Parts of an order's page that the account and the order's link share: its documents, and asking for a refund."""

from typing import Any

from django.conf import settings
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from core.api.serializers import HIDDEN
from orders import refunding
from orders.documents import files
from orders.models import Invoice, Order
from orders.wording import price

WHY = 400


def refund_context(order: Order, *, action: str) -> dict[str, Any]:
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


def document_page(
    request: HttpRequest, order: Order, number: str, *, back: str, is_program: bool = False
) -> HttpResponse:
    """One document of an order, as a page or, by its ending, as a file; another order's is not found.

    A program gets the PDF, and the page for as long as no job has made that yet.
    """
    number, _, form = number.partition(".")
    invoice = next((invoice for invoice in order.invoices.all() if invoice.number == number), None)
    if invoice is None or form not in ("", *files.Format.values):
        raise Http404
    chosen_format = form or (files.Format.PDF.value if is_program else "")
    content = files.stored(invoice, chosen_format) if chosen_format else None
    if content is not None:
        return _file(invoice, chosen_format, content)
    context = {
        "invoice": invoice,
        "document": invoice.document,
        "order": order,
        "back": back,
        "waits": bool(chosen_format),
    }
    if chosen_format:
        with transaction.atomic():
            files.ask_for(invoice, at=timezone.now())
    response = render(request, "orders/document.html", context)
    if chosen_format:
        response["Retry-After"] = "5"
    return response


def _file(invoice: Invoice, form: str, content: bytes) -> HttpResponse:
    name = f'{"inline" if form == files.Format.PDF else "attachment"}; filename="{invoice.number}.{form}"'
    headers = {"Content-Disposition": name, "Cache-Control": "private, no-store", "X-Robots-Tag": "noindex"}
    return HttpResponse(content, content_type=files.TYPES[files.Format(form)], headers=headers)
