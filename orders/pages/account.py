"""A person's own orders on the account pages, and the parts of an order's page that its link shows too."""

from contextlib import suppress
from datetime import date
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone

from accounts.authentication import authenticate
from accounts.sessions import signed_in, signed_in_act, signed_in_page, user_of
from core.api import throttling
from core.api.errors import ApiError, InsufficientScopeError, InvalidRequestError
from core.api.links import challenge
from core.api.pagination import paginate
from core.api.scopes import Scope
from core.api.serializers import HIDDEN
from core.methods import require_safe
from directory.reading import PER_PAGE, page_number
from orders import evidence, fulfil, links, paying, refunding
from orders.checkout import show_price
from orders.documents import files
from orders.models import Invoice, Order, OrderLine, StaffTask
from orders.selectors import orders as selectors
from orders.selectors.catalogue import places_left
from orders.selectors.orders import stays_of
from orders.selectors.payers import payer_of
from orders.wording import price

WHY = 400
Status = Order.Status
READERS = (Scope.ACCOUNT_READ, Scope.ORDERS_WRITE)
WEEK_REASONS = ("week_full", "week_unavailable")
SENTENCES = {
    Status.PENDING: "Not paid yet. You can pay until {expires}.",
    Status.PROCESSING: "Your payment is on its way. We’ll e-mail you when it arrives.",
    Status.PAID: "Paid on {paid}.",
    Status.REVIEW: "The amount that came doesn’t match the order. Someone on our team will look; nothing is lost.",
    Status.EXPIRED: "Not paid in time. Nothing was charged.",
    Status.CANCELED: "Cancelled. Nothing was charged.",
    Status.PARTIALLY_REFUNDED: "Paid on {paid}, partly refunded.",
    Status.REFUNDED: "Refunded.",
    Status.DISPUTED: "The payment is disputed. What you bought is paused until that’s settled.",
}
LOOKS = {
    Status.PENDING: "warn",
    Status.PROCESSING: "info",
    Status.PAID: "good",
    Status.REVIEW: "warn",
    Status.DISPUTED: "bad",
}


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


def sentence(order: Order) -> str:
    expires = f"{order.expires_at:%-d %B %Y, %H:%M} UTC"
    paid = f"{order.paid_at:%-d %B %Y}" if order.paid_at else ""
    if evidence.is_unanswered(order):
        return "Your payment came. Tell us where you live, as VAT depends on it; nothing is lost."
    if order.status == Status.REVIEW and evidence.doubt(order):
        return "Your payment came, and so did your answer. Someone on our team will look; nothing is lost."
    return SENTENCES[Status(order.status)].format(expires=expires, paid=paid)


@signed_in_page
def orders(request: HttpRequest) -> HttpResponse:
    mine = selectors.my_orders(owner_id=user_of(request).pk)
    page = paginate(mine, page=page_number(request), per_page=PER_PAGE)
    rows = [(order, sentence(order), LOOKS.get(Status(order.status), "")) for order in page.items]
    return render(request, "orders/account/orders.html", {"page": page, "rows": rows})


@signed_in_page
def order(request: HttpRequest, number: str) -> HttpResponse:
    """`/account/orders/<number>`: lines, money, documents, and what its owner has to decide."""
    bought = _mine(request, number)
    if bought.status == Status.PENDING:
        _show_own_price(bought)
    lines = selectors.lines_in_words(bought)
    context: dict[str, Any] = {
        "order": bought,
        "sentence": f"{selectors.what_came_short(bought)} {sentence(bought)}".strip(),
        "look": LOOKS.get(Status(bought.status), ""),
        "lines": lines,
        "stays": [
            stay
            for rows in stays_of([row.line for row in lines], at=timezone.now()).values()
            for stay in rows
        ],
        "place_link": links.checkout_url(bought) if evidence.is_unanswered(bought) else "",
        "link": links.checkout_url(bought) if bought.status == Status.PENDING else "",
        **refund_context(bought, action=f"/account/orders/{bought.number}/refund"),
        "blocked": [
            _choice(row.line, bought) for row in lines if row.line.blocked_reason and row.tone == "warn"
        ],
    }
    return render(request, "orders/account/order.html", context)


def _show_own_price(order: Order) -> None:
    payer = payer_of(order, is_owner=True)
    country, postcode = (payer.columns.get(name, "") for name in ("country", "postcode"))
    with suppress(ApiError):
        show_price(order=order, country=country, postcode=postcode, number=payer.number, at=timezone.now())


def _choice(line: OrderLine, order: Order) -> dict[str, Any]:
    """A line that waits for its owner, with the weeks that it could have instead."""
    site_id = line.listing.site_id if line.listing else order.site_id
    places = places_left(site_id=site_id, at=timezone.now()) if line.blocked_reason in WEEK_REASONS else {}
    has_request = line.tasks.filter(kind__in=StaffTask.WISHES, closed_at=None).exists()
    return {"line": line, "weeks": [week for week, left in places.items() if left], "has_asked": has_request}


def _mine(request: HttpRequest, number: str) -> Order:
    bought = selectors.my_order(owner_id=user_of(request).pk, number=number)
    if bought is None:
        raise Http404
    return bought


@signed_in_act
def cancel(request: HttpRequest, number: str) -> HttpResponse:
    bought = _mine(request, number)
    owner_id = user_of(request).pk
    try:
        paying.cancel_order(order_id=bought.pk, by=f"user:{owner_id}", at=timezone.now())
    except ApiError as error:
        messages.warning(request, error.detail)
    else:
        messages.success(request, f"Order {bought.number} is cancelled. Nothing was charged.")
    return HttpResponseRedirect(f"/account/orders/{bought.number}")


@signed_in_act
def ask_refund(request: HttpRequest, number: str) -> HttpResponse:
    bought = _mine(request, number)
    by = f"user:{user_of(request).pk}"
    throttling.enforce("write", caller=by)
    try:
        words = ask(request, bought, by=by)
    except ApiError as error:
        messages.warning(request, error.detail)
    else:
        messages.success(request, words)
    return HttpResponseRedirect(f"/account/orders/{bought.number}")


@signed_in_act
def decide(request: HttpRequest, number: str, line_id: int) -> HttpResponse:
    """`/account/orders/<number>/lines/<id>`: another week, once more, or the money back."""
    bought = _mine(request, number)
    owner_id = user_of(request).pk
    throttling.enforce("write", caller=f"user:{owner_id}")
    try:
        words = _decided(request.POST.get("act", ""), request.POST.get("week", ""), line_id, owner_id)
    except ApiError as error:
        if error.status == 404:
            raise
        messages.warning(request, error.detail)
    else:
        messages.success(request, words)
    return HttpResponseRedirect(f"/account/orders/{bought.number}")


def _decided(act: str, week: str, line_id: int, owner_id: int) -> str:
    at = timezone.now()
    if act == "week":
        try:
            chosen = date.fromisoformat(week)
        except ValueError:
            raise InvalidRequestError("Choose a week first.") from None
        fulfil.choose_week(line_id=line_id, owner_id=owner_id, week=chosen, at=at)
        return f"Booked: week of {chosen:%-d %B %Y}."
    if act == "again":
        fulfil.try_again(line_id=line_id, owner_id=owner_id, at=at)
        return "We’re trying again now. Look here in a minute."
    fulfil.ask_refund(line_id=line_id, owner_id=owner_id, at=at)
    return "We got your request. Someone on our team will look, and we’ll e-mail you."


@require_safe
def document(request: HttpRequest, number: str, invoice_number: str) -> HttpResponse:
    """`/account/orders/<number>/invoices/<number>`: for its buyer, and for programs with the buyer's credential."""
    with throttling.denials_counted(request):
        credential = authenticate(request.headers.get("Authorization", ""))
        if credential is None:
            return _document(request, number, invoice_number)
        if not credential[1].scopes.intersection(READERS):
            raise InsufficientScopeError(
                "An invoice needs the scope account:read or orders:write.",
                required_scope=Scope.ACCOUNT_READ.value,
                headers={
                    "WWW-Authenticate": challenge(
                        error="insufficient_scope", scope=" ".join(scope.value for scope in READERS)
                    )
                },
            )
    request.user = credential[0]
    return _document(request, number, invoice_number, is_program=True)


@signed_in
def _document(
    request: HttpRequest, number: str, invoice_number: str, *, is_program: bool = False
) -> HttpResponse:
    bought = _mine(request, number)
    back = f"/account/orders/{bought.number}"
    return document_page(request, bought, invoice_number, back=back, is_program=is_program)
