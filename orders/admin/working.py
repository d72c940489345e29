"""What staff end about an order: an order that nobody paid, and the work that it left to them."""

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse

from accounts.staff import pages
from accounts.staff.audit import acting
from directory.wording import words_of
from orders import fulfil, limits, paying
from orders.admin.deciding import ORDER_PATH, order_or_404, page_url, to_page
from orders.models import Order, StaffTask
from orders.selectors.staff import StaffOrder, StaffWork
from orders.wording import price


class CancelForm(forms.Form):
    reason = forms.CharField(max_length=limits.NOTE, label="Reason", help_text="The buyer reads it.")


class DoneForm(forms.Form):
    result = forms.CharField(
        max_length=limits.NOTE,
        label="What was done",
        help_text="The buyer reads it.",
        widget=forms.Textarea(attrs={"rows": 3}),
    )


class Working(pages.Pages):
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
                if paying.cancel_unpaid(order_id=order_id, reason=reason, staff_id=act.staff_id, at=act.at):
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
        if work is None:
            raise Http404
        form = DoneForm(request.POST or None)
        if request.method == "POST" and form.is_valid():
            result = form.cleaned_data["result"]
            with acting(request, "orders.decide") as act:
                fulfil.close_task(task_id=task_id, result=result, staff_id=act.staff_id, at=act.at)
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
