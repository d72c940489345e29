"""What staff decide about an order: money given back, a payment accepted, another week. Each asks before it acts."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin import AdminSite
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils import timezone

from accounts.staff import audit, pages
from core.errors import ApiError
from orders import limits
from orders.models import Payment
from orders.selectors.catalogue import places_left
from orders.selectors.staff import StaffLine, StaffOrder, staff_order
from orders.services import blocked, mails, refunding, staff_work
from orders.wording import price

DAYS = "The buyer gets a mail and, unless it was test money, a credit note. Cards show it after 5 to 10 days."


class WhatForm(forms.Form):
    """What is to be given back: a line, a part of it, or with neither all that is left of a payment."""

    line = forms.IntegerField(required=False, widget=forms.HiddenInput)
    payment = forms.UUIDField(required=False, widget=forms.HiddenInput)
    amount = forms.DecimalField(
        required=False, min_value=0, max_digits=12, decimal_places=2, widget=forms.HiddenInput
    )


class RefundForm(WhatForm):
    """The same, with the reason; `cents` is what the button said."""

    cents = forms.IntegerField(widget=forms.HiddenInput)
    reason = forms.CharField(max_length=limits.NOTE, label="Reason, for us and the buyer")


class WeekForm(forms.Form):
    """One of the weeks that still have a place."""

    week = forms.ChoiceField(label="Week", choices=())

    def __init__(self, *args: Any, weeks: list[date], **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["week"].choices = [(f"{week}", f"Week of {week:%-d %B %Y}") for week in weeks]  # type: ignore[attr-defined]


@dataclass(frozen=True, kw_only=True)
class Back:
    """Money that goes back: of which payment, for which line, how much."""

    payment: Payment
    line: StaffLine | None
    cents: int


class Deciding:
    """The pages beside one order."""

    def __init__(self, site: AdminSite) -> None:
        self.site = site

    def urls(self) -> list[URLPattern]:
        """Their addresses."""
        page = "orders_order"
        doors: tuple[tuple[str, Callable[..., HttpResponse], dict[str, Any]], ...] = (
            ("refund", self.refund, {"do": "orders.refund", "asks_again": True}),
            ("accept", self.accept, {"do": "orders.decide"}),
            ("lines/<int:line_id>/week", self.week, {"do": "orders.decide"}),
            ("send", self.send, {"do": "orders.send"}),
        )
        return [
            path(
                f"<int:order_id>/{address}/",
                pages.staff_page(self.site, view, see="orders.see", **rights),
                name=f"{page}_{view.__name__}",
            )
            for address, view, rights in doors
        ]

    def refund(self, request: HttpRequest, order_id: int) -> HttpResponse:
        """Says what goes back, what is left and what ends; its button gives the money back."""
        shown = _order(order_id)
        form = RefundForm(request.POST) if request.method == "POST" else None
        what = form or WhatForm(request.GET)
        back = _back(shown, what) if what.is_valid() else None
        if back is None:
            messages.error(request, "Nothing of this can be given back. Nothing was changed.")
            return _to(shown)
        if form is not None and form.is_valid() and form.cleaned_data["cents"] == back.cents:
            return self._refund(request, shown, back, reason=form.cleaned_data["reason"])
        if form is not None and form.is_valid():
            messages.warning(request, "Another amount is left now. Nothing was changed; look again.")
            form = None
        given = {**what.cleaned_data, "cents": back.cents}
        amount = price(back.cents, shown.order.currency)
        question = pages.Question(
            title=f"Refund {amount} of {shown.order.number}?",
            says=_refund_says(shown, back),
            button=f"Refund {amount}",
            back=_url(shown),
            form=form or RefundForm(initial=given),
            is_final=True,
        )
        return pages.confirm(request, self.site, question)

    def _refund(self, request: HttpRequest, shown: StaffOrder, back: Back, *, reason: str) -> HttpResponse:
        amount, by, now = price(back.cents, shown.order.currency), audit.actor(request), timezone.now()
        with _told(request), transaction.atomic():
            refunding.refund(
                payment_id=str(back.payment.pk),
                line_id=back.line.line.pk if back.line else None,
                amount_cents=back.cents,
                reason=reason,
                staff_id=by.user_id,
                at=now,
            )
            of = back.line.line.name if back.line else "the payment"
            change = audit.Change(after={"amount": amount, "of": of}, reason=reason)
            audit.record(by, "orders.refund", f"refunded {amount} of", at=now, on=shown.order, change=change)
            messages.success(request, f"{amount} is asked back from {back.payment.provider}.")
        return _to(shown)

    def accept(self, request: HttpRequest, order_id: int) -> HttpResponse:
        """Take the money that came for what was asked, or close what a paid order was flagged for."""
        shown = _order(order_id)
        if not shown.order.review_reason and shown.order.status != "review":
            messages.info(request, "This order is not in review. Nothing was changed.")
            return _to(shown)
        if request.method == "POST":
            by, now = audit.actor(request), timezone.now()
            with _told(request), transaction.atomic():
                staff_work.accept_review(order_id=order_id, staff_id=by.user_id, at=now)
                audit.record(by, "orders.decide", "accepted the payment of", at=now, on=shown.order)
                messages.success(request, "Accepted. What was ordered is being done.")
            return _to(shown)
        came = [price(row.paid_cents or 0, row.paid_currency or row.currency) for row in shown.flagged]
        question = pages.Question(
            title=f"Accept the payment of {shown.order.number}?",
            says=[
                f"Asked were {price(shown.order.total_cents, shown.order.currency)}. "
                + (f"What came: {', '.join(came)}." if came else "No other money is here."),
                f"In review because: {shown.order.review_reason or 'it was put there'}",
                "The order counts as paid, the invoice says the amount asked, and its work begins."
                if shown.order.status == "review"
                else "The order leaves the queue; its money and work stay as they are.",
            ],
            button="Accept payment" if shown.order.status == "review" else "Close",
            back=_url(shown),
        )
        return pages.confirm(request, self.site, question)

    def week(self, request: HttpRequest, order_id: int, line_id: int) -> HttpResponse:
        """Another week for a blocked line, chosen for its buyer."""
        shown, now = _order(order_id), timezone.now()
        row = next((row for row in shown.lines if row.line.pk == line_id), None)
        if row is None or row.line.listing is None:
            raise Http404
        places = places_left(site_id=row.line.listing.site_id, at=now)
        form = WeekForm(request.POST or None, weeks=[week for week, left in places.items() if left])
        if request.method == "POST" and form.is_valid():
            by, week = audit.actor(request), date.fromisoformat(form.cleaned_data["week"])
            with _told(request), transaction.atomic():
                blocked.give_week(line_id=line_id, staff_id=by.user_id, week=week, at=now)
                change = audit.Change(before={"week": str(row.line.week)}, after={"week": str(week)})
                said = f"gave {row.line.name} another week in"
                audit.record(by, "orders.decide", said, at=now, on=shown.order, change=change)
                messages.success(request, f"It has a place in the week of {week:%-d %B %Y}.")
            return _to(shown)
        question = pages.Question(
            title=f"Give {row.line.name} another week?",
            says=[
                f"Blocked: {row.line.blocked_detail or row.line.blocked_reason or 'no'}",
                "Its work begins anew.",
            ],
            button="Give this week",
            back=_url(shown),
            form=form,
        )
        return pages.confirm(request, self.site, question)

    def send(self, request: HttpRequest, order_id: int) -> HttpResponse:
        """Mail the receipt with the link to the invoice once more."""
        shown = _order(order_id)
        if request.method == "POST" and shown.order.paid_at is not None:
            by, now = audit.actor(request), timezone.now()
            with transaction.atomic():
                mails.send_receipt(order=shown.order, again=f"-{now.isoformat()}")
                audit.record(by, "orders.send", "sent the invoice again of", at=now, on=shown.order)
            messages.success(request, "The invoice is on its way again.")
        return _to(shown)


@contextmanager
def _told(request: HttpRequest) -> Iterator[None]:
    """A refusal of a service becomes a sentence on the page."""
    try:
        yield
    except ApiError as error:
        messages.error(request, f"{error.detail} Nothing was changed.")


def _order(order_id: int) -> StaffOrder:
    shown = staff_order(order_id)
    if shown is None:
        raise Http404
    return shown


def _url(shown: StaffOrder) -> str:
    return reverse("admin:orders_order_change", args=[shown.order.pk])


def _to(shown: StaffOrder) -> HttpResponse:
    return HttpResponseRedirect(_url(shown))


def _back(shown: StaffOrder, what: WhatForm) -> Back | None:
    """What goes back; nothing if it is not there to be given."""
    given = what.cleaned_data
    line = next((row for row in shown.lines if row.line.pk == given.get("line")), None)
    payment = next((row for row in shown.flagged if row.pk == given.get("payment")), shown.paid)
    if payment is None or (given.get("line") and line is None):
        return None
    there = line.left_cents if line else shown.left_of(payment)
    cents = int(given["amount"] * 100) if given.get("amount") else there
    return Back(payment=payment, line=line, cents=cents) if 0 < cents <= there else None


def _refund_says(shown: StaffOrder, back: Back) -> list[str]:
    order, amount = shown.order, price(back.cents, shown.order.currency)
    left = price(shown.left_of(back.payment) - back.cents, order.currency)
    goes = f"{amount} goes back by {back.payment.provider} ({back.payment.method})"
    if back.line is None:
        what = "all that is left of this payment" if left == price(0, order.currency) else "of this payment"
        each = [f"{row.line.name}: {row.ends}." for row in shown.lines if back.payment.status == "paid"]
        return [f"{goes}: {what}.", *each, f"Left on this order: {left}.", DAYS]
    is_whole = back.cents == back.line.line.gross_cents
    name = f"{back.line.line.name}{', ' + back.line.detail if back.line.detail else ''}"
    ends = f"The whole line: {back.line.ends}." if is_whole else "A part of the line: what it gives stays."
    return [f"{goes} for {name}.", ends, f"Left on this order: {left}.", DAYS]
