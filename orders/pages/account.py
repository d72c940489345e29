"""A person's own orders on the account pages."""

from contextlib import suppress
from datetime import date
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.authentication import authenticate
from accounts.sessions import signed_in, signed_in_act, signed_in_page, user_of
from core.api import throttling
from core.api.errors import ApiError, InsufficientScopeError, InvalidRequestError
from core.api.links import challenge
from core.api.pagination import paginate
from core.api.scopes import Scope
from directory.reading import PER_PAGE, page_number
from orders import evidence, fulfil, links, paying
from orders.checkout import show_price
from orders.models import Order, OrderLine, StaffTask
from orders.pages import documents
from orders.pages.documents import document_page
from orders.selectors import orders as selectors
from orders.selectors.catalogue import places_left
from orders.selectors.featured import stays_of
from orders.selectors.payers import payer_of

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
        **documents.refund_context(bought, action=f"/account/orders/{bought.number}/refund"),
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
        words = documents.ask(request, bought, by=by)
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
