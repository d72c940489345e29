"""One document of an order, for whoever may see the order: as a page, or as a file."""

from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from orders.documents import files
from orders.models import Invoice, Order


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
