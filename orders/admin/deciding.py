"""What staff decide about an order: a payment taken, another week, its end, the work it left to them."""

from datetime import date, datetime
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone

from accounts.staff import pages
from accounts.staff.audit import Acting, acting
from directory.wording import decided_by, words_of
from orders import fulfil, invoices, limits, mails, paying, settle
from orders.admin.giving_back import ORDER_PATH, order_or_404, page_url, to_page
from orders.errors import OrderCannotMoveError
from orders.models import Order, StaffTask
from orders.selectors.catalogue import places_left
from orders.selectors.staff import StaffOrder, StaffWork
from orders.wording import price


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


class Deciding(pages.Pages):
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
