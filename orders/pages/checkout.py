"""The page behind an order's link: review, who pays, how to pay; then the receipt. Whoever holds the link may use it.

Nobody has to be signed in, and it makes no difference who is: the person who pays need not be the one who ordered. The
page asks for nothing that pays; that happens on the payment provider's own page.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from core.api import throttling
from core.api.errors import ApiError, RateLimitedError
from core.methods import require_safe
from orders import billing, evidence, links, paying, wording
from orders.billing import Billing, Filled
from orders.cart import outdated
from orders.checkout import show_price
from orders.errors import OrderCannotMoveError, PromoRefusedError, VatNumberInvalidError
from orders.evidence import country_of
from orders.forms import NEEDED_TO_PAY, PLACES_WITHOUT_POSTCODES, CheckoutForm, PlaceForm, initial_of
from orders.models import Order, Payment
from orders.pages import account
from orders.pages.account import document_page
from orders.payments import CLOSED, offered, page_origins
from orders.promos import Caller
from orders.selectors import orders as selectors
from orders.selectors.payers import COLUMNS, payer_of
from orders.vat import NO_NUMBER, NumberCheck
from orders.vat_numbers import check_number
from orders.wording import country_name, price

View = Callable[..., HttpResponse]
Status = Order.Status
RECEIPTS = (Status.PAID, Status.PARTIALLY_REFUNDED, Status.REFUNDED, Status.DISPUTED)
FROM = {"last": "From your last order.", "listing": "From your listing."}


@dataclass(frozen=True, kw_only=True)
class Notice:
    """What the page says on top: a change of the total, a refusal, a week that is full."""

    kind: str
    text: str


def private(view: View) -> View:
    """The address is the secret: no cache keeps it, no other site is told it, no index lists it."""

    @wraps(view)
    def guarded(request: HttpRequest, number: str, signature: str, **parts: Any) -> HttpResponse:
        signed = links.number_of_link(number=number, signature=signature)
        order = selectors.order_by_number(signed) if signed else None
        if order is None:
            raise Http404
        response = view(request, order, **parts)
        response["Cache-Control"] = "private, no-store"
        response["Referrer-Policy"] = (
            "same-origin"  # with none, browsers hide the origin of our own forms too
        )
        response["X-Robots-Tag"] = "noindex, nofollow"
        return response

    return guarded


@require_http_methods(["GET", "HEAD", "POST"])
@private
def checkout(request: HttpRequest, order: Order) -> HttpResponse:
    """`/checkout/<number>/<signature>`: the form while the order can be paid, else where it stands."""
    at = timezone.now()
    if order.status != Status.PENDING or order.expires_at <= at:
        return closed(request, order, at=at)
    if request.method == "POST":
        throttling.enforce("write", caller=throttling.network_caller(request))
        return _posted(request, order, at=at)
    is_owner = by_owner(request, order)
    methods = list(offered())
    email = getattr(request.user, "email", "") if is_owner else ""
    payer = payer_of(order, is_owner=is_owner)
    form = CheckoutForm(methods=methods, initial=initial_of(order, payer, email=email, methods=methods))
    form.first_number = payer.number
    form.fields["country"].help_text = FROM.get(payer.source, "")
    return _form_page(request, order, form=form, at=at, notice=_came_back(request, order))


def by_owner(request: HttpRequest, order: Order) -> bool:
    return request.user.is_authenticated and request.user.pk == order.owner_id


def _came_back(request: HttpRequest, order: Order) -> Notice | None:
    last = order.payments.all()[::-1][:1]
    if not last:
        return None
    if last[0].status == Payment.Status.FAILED:
        return Notice(
            kind="warn", text="The payment didn’t go through. Nothing was charged. You can try again."
        )
    if last[0].status == Payment.Status.STARTED and "canceled" in request.GET:
        return Notice(kind="info", text="You came back without paying. Nothing was charged.")
    return None


def _posted(request: HttpRequest, order: Order, *, at: datetime) -> HttpResponse:
    pays = request.POST.get("act") == "pay"
    has_price = order.total_cents > 0
    posted = {"promo_code": order.promo.code if order.promo else "", **request.POST.dict()}
    form = CheckoutForm(posted, methods=list(offered()) if has_price else [], pays=pays)
    if request.POST.get("act") == "total":
        return _total(request, order, form, at=at)
    weeks = _weeks(request.POST)
    if not form.is_valid() or weeks is None:
        return _form_page(request, order, form=form, at=at, status=400)
    try:
        filled = _fill_in(request, order, form, weeks, at=at)
    except OrderCannotMoveError:
        return HttpResponseRedirect(request.path)
    except ApiError as error:
        return _refused(request, order, form, error, at=at)
    order = selectors.order_by_number(order.number) or order
    notice = _changes(filled, seen_cents=form.cleaned_data["total"]) or _other_name(order, form)
    if not pays or notice is not None or billing.weeks_to_choose(order, at=at):
        notice = notice or Notice(kind="good", text="Up to date. The total didn’t change.")
        return _form_page(request, order, form=form, at=at, notice=notice)
    return _start(request, order, form, at=at)


def _weeks(posted: Mapping[str, Any]) -> dict[int, date] | None:
    """The other weeks that were chosen, by line; None for what the page never offers."""
    try:
        return {
            int(name.removeprefix("week-")): date.fromisoformat(posted[name])
            for name in posted
            if name.startswith("week-") and posted[name]
        }
    except ValueError:
        return None


def _fill_in(
    request: HttpRequest, order: Order, form: CheckoutForm, weeks: Mapping[int, date], *, at: datetime
) -> Filled:
    data = form.cleaned_data
    number = check_number(vat_number=data["vat_number"], country=data["country"], at=at)
    columns = {name: data[name] for name in (*COLUMNS, "promo_code")}
    columns["network"] = country_of(throttling.client_address(request))
    return billing.fill_in(
        order_id=order.pk,
        billing=Billing(**columns, by_owner=by_owner(request, order), weeks=weeks),
        number=number,
        buyer=Caller(user_id=order.owner_id or 0, network=throttling.network_caller(request)),
        at=at,
    )


def _total(request: HttpRequest, order: Order, form: CheckoutForm, *, at: datetime) -> HttpResponse:
    """What the order would cost such a buyer, as the parts of the page that say so; nothing is saved."""
    number = _number(form, at=at)
    problem = number.problem or _show_price(order, form, number, at=at)
    context = {
        "order": order,
        "lines": selectors.lines_in_words(order),
        "problem": problem,
        "unlike": _unlike(order, form),
    }
    return render(request, "orders/parts/total.html", {**context, "is_test": _is_test()})


def _number(form: CheckoutForm, *, at: datetime) -> NumberCheck:
    if not form.is_bound:
        return form.first_number
    if {"vat_number", "country"} & set(form.errors):
        return NO_NUMBER
    return check_number(
        vat_number=form.cleaned_data["vat_number"], country=form.cleaned_data["country"], at=at
    )


def _show_price(order: Order, form: CheckoutForm, number: NumberCheck, *, at: datetime) -> str:
    """Let the order say what it costs a buyer of the form's country; why not, if it cannot be charged."""
    country = "" if "country" in form.errors else form["country"].value() or ""
    postcode = "" if "postcode" in form.errors else form["postcode"].value() or ""
    usable = number if not number.problem else NO_NUMBER
    try:
        show_price(order=order, country=country, postcode=postcode, number=usable, at=at)
    except ApiError as error:
        return error.detail
    return ""


def _is_test() -> bool:
    return any(not gateway.is_live for gateway in offered().values())


def _changes(filled: Filled, *, seen_cents: int | None) -> Notice | None:
    """What the person has to see before anything is paid."""
    order = filled.order
    total = price(order.total_cents, order.currency)
    dropped = f"The code {filled.dropped} no longer works, so we took it off. " if filled.dropped else ""
    if seen_cents == order.total_cents and not dropped:
        return None
    before = price(filled.before_cents if seen_cents is None else seen_cents, order.currency)
    return Notice(
        kind="warn",
        text=f"{dropped}The total is now {total}; it was {before}. Nothing was charged. Press Pay if that’s fine.",
    )


def _unlike(order: Order, form: CheckoutForm) -> str:
    """Whose a valid number is, where that is unlike what the form says; empty where it is not."""
    values = (str(form[name].value() or "") for name in ("company", "name"))
    is_unlike = order.vat_number_status == "valid" and wording.is_unlike(order.vat_check_name, *values)
    return order.vat_check_name if is_unlike else ""


def _other_name(order: Order, form: CheckoutForm) -> Notice | None:
    """A number of somebody else's name is shown before anything is paid; pressed again, it is meant."""
    owner = _unlike(order, form)
    if not owner or form.data.get("registered") == owner:
        return None
    text = (
        f"{order.vat_number} is registered to {owner}, and you wrote another name. Nothing was charged. "
        "Press Pay if that’s fine."
    )
    return Notice(kind="warn", text=text)


def _refused(
    request: HttpRequest, order: Order, form: CheckoutForm, error: ApiError, *, at: datetime
) -> HttpResponse:
    if isinstance(error, RateLimitedError):
        raise error
    fields = {PromoRefusedError: "promo_code", VatNumberInvalidError: "vat_number"}
    name = next((name for kind, name in fields.items() if isinstance(error, kind)), None)
    form.add_error(name, error.detail)
    return _form_page(request, order, form=form, at=at, status=400)


def _start(request: HttpRequest, order: Order, form: CheckoutForm, *, at: datetime) -> HttpResponse:
    link = links.checkout_url(order)
    try:
        payment = paying.start_payment(
            order_id=order.pk,
            method=form.cleaned_data["method"],
            total_cents=order.total_cents,
            return_url=f"{link}/back",
            cancel_url=f"{link}?canceled",
            at=at,
        )
    except OrderCannotMoveError:
        return HttpResponseRedirect(request.path)
    except (
        PromoRefusedError
    ):  # its last use went at the same moment: it is taken off, and the total shown anew
        return _posted(request, order, at=at)
    except ApiError as error:
        order = selectors.order_by_number(order.number) or order
        notice = Notice(kind="warn", text=f"{error.detail} Nothing was charged.")
        return _form_page(request, order, form=form, at=at, notice=notice)
    response = HttpResponseRedirect(payment.redirect_url or request.path)
    response.status_code = 303
    return response


def _form_page(
    request: HttpRequest,
    order: Order,
    *,
    form: CheckoutForm,
    at: datetime,
    notice: Notice | None = None,
    status: int = 200,
) -> HttpResponse:
    weeks = billing.weeks_to_choose(order, at=at)
    choosing = [line for line, others in weeks.items() if others]
    if reason := outdated(order, at=at, choosing=choosing):  # the listing has changed: nothing here would do
        return closed(request, order, at=at, reason=reason)
    gateways = offered()
    _show_price(order, form, _number(form, at=at), at=at)
    for name in NEEDED_TO_PAY:  # only then, but nobody should take them for optional
        form.fields[name].required = True
    if form["country"].value() in PLACES_WITHOUT_POSTCODES:
        form.fields["postcode"].required = False
    context = {
        "order": order,
        "lines": selectors.lines_in_words(order),
        "form": form,
        "notice": notice,
        "methods": [(code, gateway.methods[code]) for code, gateway in gateways.items()]
        if order.total_cents
        else [],
        "method": form["method"].value(),
        "closed": CLOSED if order.total_cents and not gateways else "",
        "is_test": _is_test(),
        "unlike": _unlike(order, form),
        "billed": _billed(form),
        "full_weeks": weeks,
        "terms_url": settings.TERMS_URL or "/terms",
        "refunds_url": settings.TERMS_URL or "/terms#refunds",
        "open": order.payments.filter(status=Payment.Status.STARTED, expires_at__gt=at).last(),
    }
    response: Any = render(request, "orders/checkout.html", context, status=status)
    response.form_targets = page_origins()
    return response


def _billed(form: CheckoutForm) -> dict[str, str]:
    """Who is billed, in two lines; nothing while something is missing or wrong."""
    data = {name: str(form[name].value() or "") for name in COLUMNS}
    lacks = [name for name in COLUMNS if form.fields[name].required and not data[name]]
    if lacks or set(COLUMNS) & set(form.errors):
        return {}
    town = " ".join(filter(None, (data["postcode"], data["city"])))
    return {
        "who": " · ".join(filter(None, (data["name"], data["company"]))),
        "where": ", ".join((data["address"], town, country_name(data["country"]))),
        "email": data["email"],
    }


@require_safe
@private
def back(request: HttpRequest, order: Order) -> HttpResponse:
    """`…/back`: where a provider sends the person. That proves nothing, so the provider is asked."""
    at = timezone.now()
    if not _is_confirming(order):
        return HttpResponseRedirect(links.checkout_url(order))
    paying.check_payments(order_id=order.pk, at=at)
    return render(request, "orders/confirming.html", {"order": order, "link": links.checkout_url(order)})


@require_safe
@private
def part(request: HttpRequest, order: Order) -> HttpResponse:
    """`…/part`: asks for itself again for as long as the payment is not settled."""
    template = "orders/parts/confirming.html" if _is_confirming(order) else "orders/parts/confirmed.html"
    return render(request, template, {"order": order, "link": links.checkout_url(order)})


def _is_confirming(order: Order) -> bool:
    last = order.payments.all()[::-1][:1]
    is_open = bool(last) and last[0].status in (Payment.Status.STARTED, Payment.Status.PROCESSING)
    return order.status == Status.PENDING and is_open


def closed(
    request: HttpRequest, order: Order, *, at: datetime, place: PlaceForm | None = None, reason: str = ""
) -> HttpResponse:
    """An order that cannot be paid (any more): the receipt, or a sentence that says why."""
    is_needed = evidence.is_unanswered(order)
    context = {
        "action": f"{links.checkout_url(order)}/place",
        "place": (place or PlaceForm()) if is_needed else None,
        "others": evidence.others(order) if is_needed else (),
        "order": order,
        "reason": reason,
        "is_paying": bool(reason) and _is_confirming(order),
        "lines": selectors.lines_in_words(order),
        "link": links.checkout_url(order),
        "is_owner": by_owner(request, order),
        **account.refund_context(order, action=f"{request.path}/refund"),
        "came": selectors.what_came_short(order),
        "has_expired": order.status in {Status.EXPIRED, Status.PENDING},
    }
    template = "orders/receipt.html" if order.status in RECEIPTS else "orders/closed.html"
    return render(request, template, context, status=400 if place else 200)


@require_POST
@private
def ask_refund(request: HttpRequest, order: Order) -> HttpResponse:
    """`…/refund`: whoever paid may not have an account here. Staff decide, and both people get a mail."""
    throttling.enforce("write", caller=throttling.network_caller(request))
    with suppress(OrderCannotMoveError):  # the page says what can be asked for now
        account.ask(request, order, by=f"user:{order.owner_id}" if by_owner(request, order) else "payer")
    return HttpResponseRedirect(links.checkout_url(order))


@require_safe
@private
def document(request: HttpRequest, order: Order, invoice_number: str) -> HttpResponse:
    """`…/documents/<number>`: an invoice or a credit note, as it was issued."""
    return document_page(request, order, invoice_number, back=links.checkout_url(order))
