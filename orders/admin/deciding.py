"""What staff decide about an order: money back, a payment taken, another week, its end, the work it left to them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone

from accounts.staff import pages
from accounts.staff.audit import Acting, acting
from directory.wording import decided_by, words_of
from orders import fulfil, invoices, limits, mails, paying, refunding, settle
from orders.amounts import AmountField
from orders.errors import OrderCannotMoveError
from orders.models import Order, Payment, StaffTask
from orders.selectors.catalogue import places_left
from orders.selectors.staff import StaffLine, StaffOrder, StaffWork, staff_order
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


class WeekForm(forms.Form):
    """One of the weeks that still have a place."""

    week = forms.ChoiceField(label="Week", choices=())

    def __init__(self, *args: Any, weeks: list[date], **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["week"].choices = [(f"{week}", f"Week of {week:%-d %B %Y}") for week in weeks]  # type: ignore[attr-defined]


class SeenForm(forms.Form):
    """Why the order was in review when its page asked."""

    seen = forms.CharField(required=False, strip=False, empty_value=None, widget=forms.HiddenInput)


class CancelForm(forms.Form):
    reason = forms.CharField(max_length=limits.NOTE, label="Reason", help_text="The buyer reads it.")


class DoneForm(forms.Form):
    result = forms.CharField(
        max_length=limits.NOTE,
        label="What was done",
        help_text="The buyer reads it.",
        widget=forms.Textarea(attrs={"rows": 3}),
    )


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


class Deciding(pages.Pages):
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

    @pages.page(f"{ORDER_PATH}/accept/", "orders_order_accept", "orders.decide")
    def accept(self, request: HttpRequest, order_id: int) -> HttpResponse:
        """Take the money that came for what was asked, or close what a paid order was flagged for."""
        view = order_or_404(order_id)
        if not view.order.review_reason and view.order.status != "review":
            messages.info(request, "This order is not in review. Nothing was changed.")
            return to_page(view)
        seen = SeenForm(
            request.POST if request.method == "POST" else None, initial={"seen": view.order.review_reason}
        )
        if request.method == "POST" and seen.is_valid():
            reason = seen.cleaned_data["seen"]
            with acting(request, "orders.decide") as act:
                settle.accept_review(order_id=order_id, seen=reason, staff_id=act.staff_id, at=act.at)
                if view.order.status == "review":
                    act.record("accepted the payment of", on=view.order)
                    act.say("Accepted. What was ordered is being done.")
                else:
                    act.record("saw why it was in review:", on=view.order)
                    act.say("Seen. Nothing else was changed.")
            return to_page(view)
        came = [price(row.paid_cents or 0, row.paid_currency or row.currency) for row in view.flagged]
        return pages.Question(
            title=(
                f"Accept the payment of {view.order.number}?"
                if view.order.status == "review"
                else f"Take {view.order.number} off the list of orders in review?"
            ),
            says=[
                f"Asked were {price(view.order.total_cents, view.order.currency)}. "
                + (f"What came: {', '.join(came)}." if came else "No other money came in."),
                f"In review because: {view.order.review_reason or 'it was put there'}",
                "The order counts as paid, the invoice says the amount asked, and its work begins."
                if view.order.status == "review"
                else "The order leaves the queue; its money and work stay as they are.",
            ],
            button="Accept payment" if view.order.status == "review" else "Seen",
            back=page_url(view),
            form=seen,
        ).ask(request, self.site)

    @pages.page(f"{ORDER_PATH}/lines/<int:line_id>/week/", "orders_order_week", "orders.decide")
    def week(self, request: HttpRequest, order_id: int, line_id: int) -> HttpResponse:
        view = order_or_404(order_id)
        row = next((row for row in view.lines if row.line.pk == line_id), None)
        if row is None or row.line.listing is None:
            raise Http404
        places = places_left(site_id=row.line.listing.site_id, at=timezone.now())
        form = WeekForm(request.POST or None, weeks=[week for week, left in places.items() if left])
        if request.method == "POST" and form.is_valid():
            week = date.fromisoformat(form.cleaned_data["week"])
            with acting(request, "orders.decide") as act:
                fulfil.give_week(line_id=line_id, staff_id=act.staff_id, week=week, at=act.at)
                before, after = {"week": str(row.line.week)}, {"week": str(week)}
                act.record(f"gave {row.line.name} another week in", on=view.order, before=before, after=after)
                act.say(f"It has a place in the week of {week:%-d %B %Y}.")
            return to_page(view)
        return pages.Question(
            title=f"Give {row.line.name} another week?",
            says=[
                f"Blocked: {row.line.blocked_detail or row.line.blocked_reason or 'no'}",
                "The work starts again.",
            ],
            button="Give this week",
            back=page_url(view),
            form=form,
        ).ask(request, self.site)

    @pages.page(f"{ORDER_PATH}/ask/", "orders_order_ask", "orders.see", "orders.decide")
    def ask(self, request: HttpRequest, order_id: int) -> HttpResponse:
        """Have the providers of payments that are still open asked how they stand, as the clock does."""
        view = order_or_404(order_id)
        if request.method == "POST" and view.is_open:
            with acting(request, "orders.decide") as act:
                paying.check_payments(order_id=order_id, at=act.at)
                act.record("had the provider asked again about", on=view.order)
                act.say("We’re asking the provider. Its answer is below in a few seconds.")
        return to_page(view)

    @pages.page(f"{ORDER_PATH}/send/", "orders_order_send", "orders.see", "orders.send")
    def send(self, request: HttpRequest, order_id: int) -> HttpResponse:
        view = order_or_404(order_id)
        if request.method == "POST" and view.order.paid_at is not None:
            with acting(request, "orders.send") as act:
                invoice = invoices.invoice_of(view.order)
                mails.send_receipt(order=view.order, invoice=invoice, again=f"-{act.at.isoformat()}")
                act.record("sent the invoice again of", on=view.order)
                act.say("The invoice is on its way again.")
        return to_page(view)

    @pages.page(f"{ORDER_PATH}/cancel/", "orders_order_cancel", "orders.see", "orders.decide")
    def cancel(self, request: HttpRequest, order_id: int) -> HttpResponse:
        view = order_or_404(order_id)
        if view.order.status != Order.Status.PENDING:
            text = words_of(view.order.status).lower()
            refusal = f"Only an order that waits for its payment can be cancelled; this is {text}."
            messages.error(request, f"{refusal} Nothing was changed.")
            return to_page(view)
        form = CancelForm(request.POST or None)
        if request.method == "POST" and form.is_valid():
            reason, before, after = form.cleaned_data["reason"], {"status": "pending"}, {"status": "canceled"}
            with acting(request, "orders.decide") as act:
                if not paying.cancel_unpaid(
                    order_id=order_id, reason=reason, staff_id=act.staff_id, at=act.at
                ):
                    raise OrderCannotMoveError("It was cancelled a moment ago.", current="canceled")
                act.record("canceled", on=view.order, before=before, after=after, reason=reason)
                act.say("Cancelled. The buyer gets a mail that says why.")
            return to_page(view)
        return pages.Question(
            title=f"Cancel {view.order.number}?",
            says=_cancel_says(view),
            button="Cancel this order",
            back=page_url(view),
            form=form,
            is_final=True,
        ).ask(request, self.site)

    @pages.page(f"{ORDER_PATH}/tasks/<int:task_id>/", "orders_order_done", "orders.see", "orders.decide")
    def done(self, request: HttpRequest, order_id: int, task_id: int) -> HttpResponse:
        """Finish what staff do for a line, or close a wish for money back."""
        view = order_or_404(order_id)
        work = next((row for row in view.work if row.task.pk == task_id), None)
        if work is None and request.method != "POST":
            raise Http404
        if work is None:
            tasks = StaffTask.objects.filter(line__order=order_id).select_related("closed_by")
            messages.info(request, _closed_already(get_object_or_404(tasks, pk=task_id), at=timezone.now()))
            return to_page(view)
        form = DoneForm(request.POST or None)
        if request.method == "POST" and form.is_valid():
            result = form.cleaned_data["result"]
            with acting(request, "orders.decide") as act:
                close_task(act, task_id=task_id, result=result)
                act.record("finished the work of", on=view.order, after={"task": work.name}, reason=result)
                act.say("Done. The buyer reads it on the page of the order and in a mail.")
            return to_page(view)
        return pages.Question(
            title=f"{'Close' if work.is_wish else 'Finish'}: {work.name}?",
            says=[*(f"{name}: {value}" for name, value in work.facts), _ends(work)],
            button="Close without a refund" if work.is_wish else "It is done",
            back=page_url(view),
            form=form,
        ).ask(request, self.site)


def close_task(act: Acting, *, task_id: int, result: str) -> None:
    """Finish a task with words that its buyer reads. Raises OrderCannotMoveError when somebody was faster."""
    task = fulfil.close_task(task_id=task_id, result=result, staff_id=act.staff_id, at=act.at)
    if task.closed_at != act.at:
        raise OrderCannotMoveError(_closed_already(task, at=act.at), current="closed")


def _closed_already(task: StaffTask, *, at: datetime) -> str:
    return decided_by(task.closed_by, "closed this", task.closed_at, at=at)


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


def _cancel_says(view: StaffOrder) -> list[str]:
    order = view.order
    total = price(order.total_cents, order.currency)
    paying = [row for row in view.payments if row.status == "started"]
    return [
        f"{total}, not paid. Nobody can pay it any more; places in weeks and the use of a code go back.",
        f"A payment under way at {paying[-1].provider} is ended there."
        if paying
        else "No payment of it is under way.",
        "Money that comes all the same puts the order into review.",
    ]


def _ends(work: StaffWork) -> str:
    if work.task.kind == StaffTask.BLOCKED:
        return "The line stays blocked. To give the money back, use Refund… on the line instead: that closes this too."
    if work.is_wish:
        return "The line stays as it is. To give the money back, use Refund… on the line instead: that closes this too."
    return f"{work.task.line.name} then counts as done."
