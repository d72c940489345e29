"""Money of an order that staff give back: lines, a part of one, or all that is left of a payment."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from accounts.staff import pages
from accounts.staff.audit import acting
from orders import limits, refunding
from orders.amounts import AmountField
from orders.models import Payment
from orders.selectors.staff import StaffLine, StaffOrder, staff_order
from orders.wording import price

ORDER_PATH = "<int:order_id>"
DAYS = (
    "The buyer gets a mail and, for money that was invoiced, a credit note. Cards show it after 5 to 10 days."
)
STAYS = "A part of the order: what was bought stays."


class WhatForm(forms.Form):
    """What is to be given back: lines, a part of one, or with none of them all that is left of a payment."""

    line = forms.TypedMultipleChoiceField(coerce=int, required=False, widget=forms.MultipleHiddenInput)
    payment = forms.UUIDField(required=False, widget=forms.HiddenInput)
    amount = AmountField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, lines: Sequence[StaffLine], **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["line"].choices = [(row.line.pk, row.line.name) for row in lines]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("amount") is not None and len(data.get("line", ())) > 1:
            raise forms.ValidationError("Tick one line to refund a part of it.")
        return data


class RefundForm(WhatForm):
    """The same, with the reason; `cents` is what the button said, `left` what was left of the payment then."""

    cents = forms.IntegerField(widget=forms.HiddenInput)
    left = forms.IntegerField(required=False, widget=forms.HiddenInput)
    reason = forms.CharField(max_length=limits.NOTE, label="Reason, for us and the buyer")

    def agrees(self, back: "Back") -> bool:
        """Whether that is so still; a part is given back twice otherwise where two press at once."""
        data = self.cleaned_data
        return data["cents"] == back.cents and data["left"] in {None, back.left}


@dataclass(frozen=True, kw_only=True)
class Part:
    """Money that goes back for one line, or for none of them."""

    line: StaffLine | None
    cents: int


@dataclass(frozen=True, kw_only=True)
class Back:
    payment: Payment
    parts: list[Part]
    left: int

    @property
    def cents(self) -> int:
        return sum(part.cents for part in self.parts)


class GivingBack(pages.Pages):
    @pages.page(
        f"{ORDER_PATH}/refund/", "orders_order_refund", "orders.see", "orders.refund", asks_again=True
    )
    def refund(self, request: HttpRequest, order_id: int) -> HttpResponse:
        """Says what goes back, what is left and what ends; its button gives the money back."""
        view = order_or_404(order_id)
        form = RefundForm(request.POST, lines=view.lines) if request.method == "POST" else None
        what = form or WhatForm(request.GET, lines=view.lines)
        back = _back(view, what) if what.is_valid() else None
        if back is None:
            wrong = " ".join(map(str, what.errors.get("amount", ()))) or "Nothing here can be refunded."
            messages.error(request, f"{wrong} Nothing was changed.")
            return to_page(view)
        if form is not None and form.is_valid() and form.agrees(back):
            return self._refund(request, view, back, reason=form.cleaned_data["reason"])
        if form is not None and form.is_valid():
            messages.warning(request, "The amount left has changed. Nothing was changed; check again.")
            form = None
        data = {**what.cleaned_data, "cents": back.cents, "left": back.left}
        amount = price(back.cents, view.order.currency)
        return pages.Question(
            title=f"Refund {amount} of {view.order.number}?",
            says=_refund_says(view, back),
            button=f"Refund {amount}",
            back=page_url(view),
            form=form or RefundForm(initial=data, lines=view.lines),
            is_final=True,
        ).ask(request, self.site)

    def _refund(self, request: HttpRequest, view: StaffOrder, back: Back, *, reason: str) -> HttpResponse:
        currency = view.order.currency
        with acting(request, "orders.refund") as act:
            refunding.lock_left(back.payment, cents=back.left)
            for part in back.parts:
                refunding.refund(
                    payment_id=str(back.payment.pk),
                    line_id=part.line.line.pk if part.line else None,
                    amount_cents=part.cents,
                    reason=reason,
                    staff_id=act.staff_id,
                    at=act.at,
                )
                amount = price(part.cents, currency)
                of = part.line.line.name if part.line else "the payment"
                after = {"amount": amount, "of": of}
                act.record(f"refunded {amount} of", on=view.order, after=after, reason=reason)
            act.say(f"{price(back.cents, currency)} is asked back from {back.payment.provider}.")
        return to_page(view)


def order_or_404(order_id: int) -> StaffOrder:
    view = staff_order(order_id)
    if view is None:
        raise Http404
    return view


def page_url(view: StaffOrder) -> str:
    return reverse("admin:orders_order_change", args=[view.order.pk])


def to_page(view: StaffOrder) -> HttpResponse:
    return HttpResponseRedirect(page_url(view))


def _back(view: StaffOrder, what: WhatForm) -> Back | None:
    """What goes back; nothing if it is not there to be given."""
    data = what.cleaned_data
    payment = next((row for row in view.flagged if row.pk == data.get("payment")), view.paid)
    if payment is None:
        return None
    there_is = left = view.left_of(payment)
    parts = []
    chosen: list[StaffLine | None] = [row for row in view.lines if row.line.pk in data["line"]]
    for line in chosen or [None]:
        there = min(left, line.left_cents) if line else left
        cents = data["amount"] if data.get("amount") is not None else there
        if not 0 < cents <= there:
            return None
        parts.append(Part(line=line, cents=cents))
        left -= cents
    return Back(payment=payment, parts=parts, left=there_is)


def _refund_says(view: StaffOrder, back: Back) -> list[str]:
    order = view.order
    left = price(view.left_of(back.payment) - back.cents, order.currency)
    goes = f"{price(back.cents, order.currency)} goes back by {back.payment.provider} ({back.payment.method})"
    lines = [_part_says(part.line, part.cents, order.currency) for part in back.parts if part.line]
    if not lines:
        is_all = back.cents == back.left
        goes += ", all that is left of this payment" if is_all else ""
        ends = [f"{row.line.name}: {row.ends}." for row in view.lines] if is_all else [STAYS]
        lines = ends if back.payment.status == "paid" else []
    return [f"{goes}.", *lines, f"Left of {_payment_name(view, back.payment)}: {left}.", DAYS]


def _payment_name(view: StaffOrder, payment: Payment) -> str:
    if len([row for row in view.payments if row.paid_cents]) < 2:
        return "this payment"
    return f"this payment of {price(payment.paid_cents or 0, payment.paid_currency or payment.currency)}"


def _part_says(row: StaffLine, cents: int, currency: str) -> str:
    name = f"{row.line.name}{', ' + row.detail if row.detail else ''}"
    ends = (
        f"The whole line: {row.ends}"
        if cents == row.left_cents
        else "A part of the line: what it gives stays"
    )
    return f"{name}: {price(cents, currency)}. {ends}."
