"""What staff put right after an order was paid: its VAT, who its invoice is for, and work that was taken back."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone

from accounts.staff import pages
from accounts.staff.audit import acting
from core.api.errors import ApiError
from directory.countries import countries
from orders import books, correcting, fulfil, limits, refunding
from orders.admin.giving_back import ORDER_PATH, order_or_404, page_url, to_page
from orders.correcting import WORDS, Buyer, Replacement, Right, two_lines
from orders.forms import hides_nothing
from orders.models import Invoice, Order
from orders.pricing import Sums
from orders.vat import NumberCheck
from orders.vat_numbers import check_number
from orders.wording import price

VIES_SAYS = {
    "none": "The order has no VAT number. If the buyer has one, correct the buyer's details first.",
    "valid": "is registered, says VIES now: the credit notes say reverse charge.",
    "invalid": "is not registered, says VIES now: the buyer owes no VAT only for another reason.",
    "unavailable": "cannot be checked now: VIES gives no answer, or knows no numbers of its country.",
}
LENGTHS = {
    "billing_name": limits.NAME,
    "billing_company": limits.NAME,
    "billing_address": limits.ADDRESS,
    "billing_postcode": limits.POSTCODE,
    "billing_city": limits.NAME,
    "vat_number": limits.VAT_NUMBER,
}


class VatForm(forms.Form):
    """The reason; `cents` is what the button said."""

    cents = forms.IntegerField(widget=forms.HiddenInput)
    reason = forms.CharField(max_length=limits.NOTE, label="Reason, for us and the buyer")


class BuyerForm(forms.Form):
    """Who the invoice is for. `sure` is sent by the page that shows what changes."""

    sure = forms.BooleanField(required=False, widget=forms.HiddenInput)
    reason = forms.CharField(
        max_length=limits.NOTE, label="Reason; the document says it", validators=[hides_nothing]
    )

    def __init__(self, *args: Any, asks: bool = True, **options: Any) -> None:
        super().__init__(*args, **options)
        for name, length in LENGTHS.items():
            self.fields[name] = forms.CharField(
                label=WORDS[name], max_length=length, required=False, validators=[hides_nothing]
            )
        self.order_fields([*LENGTHS, "reason"])
        if not asks:
            for field in self.fields.values():
                field.widget = forms.HiddenInput()


class Correcting(pages.Pages):
    @pages.page(f"{ORDER_PATH}/vat/", "orders_order_vat", "orders.see", "orders.refund", asks_again=True)
    def vat(self, request: HttpRequest, order_id: int) -> HttpResponse:
        """Says how much VAT goes back and what the credit notes say; its button gives it back."""
        view = order_or_404(order_id)
        order = view.order
        payment, parts = refunding.vat_left(order)
        cents = sum(part for _, part in parts)
        if payment is None or not cents:
            messages.error(request, "No VAT can be given back now: none is left, or a refund is under way.")
            return to_page(view)
        number = _check(order, order.vat_number)
        form = VatForm(request.POST or None, initial={"cents": cents})
        if request.method == "POST" and form.is_valid():
            if form.cleaned_data["cents"] == cents:
                return self._give_vat_back(request, order, number, cents, reason=form.cleaned_data["reason"])
            messages.warning(request, "The amount left has changed. Nothing was changed; check again.")
            form = VatForm(initial={"cents": cents})
        amount = price(cents, order.currency)
        notes = [
            f"Credit note for {line.name}: before VAT {price(0, order.currency)}, VAT {price(-vat, order.currency)}."
            for line, vat in parts
        ]
        figures = two_lines(credited=Sums(vat_cents=cents), invoiced=Sums(), currency=order.currency)
        return pages.Question(
            title=f"Give the VAT of {order.number} back?",
            says=[
                f"{amount} goes back by {payment.provider} ({payment.method}). Nothing that was bought ends.",
                *figures,
                *notes,
                f"{order.vat_number} {VIES_SAYS[number.status]}".strip(),
                f"Left of the order: {price(view.left_of(payment) - cents, order.currency)}.",
            ],
            button=f"Give {amount} VAT back",
            back=page_url(view),
            form=form,
            is_final=True,
        ).ask(request, self.site)

    def _give_vat_back(
        self, request: HttpRequest, order: Order, number: NumberCheck, cents: int, *, reason: str
    ) -> HttpResponse:
        amount = price(cents, order.currency)
        with acting(request, "orders.refund") as act:
            refunding.give_vat_back(
                order_id=order.pk, number=number, reason=reason, staff_id=act.staff_id, at=act.at
            )
            act.record(f"gave {amount} VAT back of", on=order, after={"vat": amount}, reason=reason)
            act.say(f"{amount} VAT is asked back of the provider.")
        return to_page(order_or_404(order.pk))

    @pages.page(f"{ORDER_PATH}/buyer/", "orders_order_buyer", "orders.decide")
    def buyer(self, request: HttpRequest, order_id: int) -> HttpResponse:
        """Who the invoice is for: the form, then what changes beside what was; its button issues the document."""
        view = order_or_404(order_id)
        order = view.order
        if not view.invoices:
            messages.error(request, "There is no invoice to correct.")
            return to_page(view)
        stored = {name: getattr(order, name) for name in LENGTHS}
        form = BuyerForm(request.POST or None, initial=stored)
        if request.method == "POST" and form.is_valid():
            data = form.cleaned_data
            number = _check(order, data["vat_number"])
            details = Buyer(**{name: data[name] for name in LENGTHS if name != "vat_number"})
            changes = correcting.changes_of(order, buyer=details, number=number)
            if wrong := number.problem or correcting.refusal_of(order, number):
                form.add_error("vat_number", wrong)
            elif not changes:
                form.add_error(None, "You changed nothing.")
            elif data["sure"]:
                return self._correct(request, order, details, number, reason=data["reason"])
            else:
                return self._compare(request, view, form.cleaned_data, changes)
        return pages.Question(
            title=f"Correct who the invoice of {order.number} is for",
            says=["The country stays, because it decides the VAT. The next page shows what changes."],
            button="Compare…",
            back=page_url(view),
            form=form,
        ).ask(request, self.site)

    def _compare(
        self, request: HttpRequest, view: Any, data: dict[str, Any], changes: list[tuple[str, str, str]]
    ) -> HttpResponse:
        last = [row for row in view.invoices if row.kind == "invoice"][-1]
        return pages.Question(
            title=f"Issue a correcting invoice for {view.order.number}?",
            says=[
                *two_lines(credited=Sums(), invoiced=Sums(), currency=view.order.currency),
                f"It refers to {last.number}, changes no amount, and says what was and what is right.",
                "The invoice itself stays as it is. Later credit notes bear the corrected details.",
            ],
            button="Issue the correcting invoice",
            back=page_url(view),
            form=BuyerForm(initial=data | {"sure": True}, asks=False),
            sides=pages.Sides(heads=("It said", "Right is"), rows=changes),
            is_final=True,
        ).ask(request, self.site)

    def _correct(
        self, request: HttpRequest, order: Order, details: Buyer, number: NumberCheck, *, reason: str
    ) -> HttpResponse:
        with acting(request, "orders.decide") as act:
            by = f"staff:{act.staff_id}"
            document = correcting.correct_buyer(
                order_id=order.pk, buyer=details, number=number, reason=reason, by=by, at=act.at
            )
            after = {"document": document.number}
            act.record("corrected the invoice's buyer of", on=order, after=after, reason=reason)
            act.say(f"{document.number} is issued.")
        return to_page(order_or_404(order.pk))

    @pages.page(f"{ORDER_PATH}/lines/<int:line_id>/again/", "orders_order_again", "orders.decide")
    def again(self, request: HttpRequest, order_id: int, line_id: int) -> HttpResponse:
        """Do work anew that was taken back for a refund whose money came back."""
        view = order_or_404(order_id)
        row = next((row for row in view.lines if row.line.pk == line_id), None)
        if row is None:
            raise Http404
        if request.method == "POST":
            with acting(request, "orders.decide") as act:
                fulfil.work_again(line_id=line_id, staff_id=act.staff_id, at=act.at)
                act.record(f"had the work of {row.line.name} done again in", on=view.order)
                act.say("The work starts again.")
            return to_page(view)
        return pages.Question(
            title=f"Do the work of {row.line.name} again?",
            says=[
                "It was taken back for a refund, and the money came back.",
                *two_lines(
                    credited=Sums(), invoiced=books.left_of_line(row.line), currency=view.order.currency
                ),
                "Its place in a week was given back: choose another one on the order's page."
                if row.line.week
                else "The buyer gets all of it again.",
            ],
            button="Do it again",
            back=page_url(view),
        ).ask(request, self.site)


def _check(order: Order, vat_number: str) -> NumberCheck:
    return check_number(
        vat_number=vat_number, country=order.vat_country or order.billing_country, at=timezone.now()
    )


class AnewForm(BuyerForm):
    def __init__(self, *args: Any, stored: str, asks: bool = True, **options: Any) -> None:
        super().__init__(*args, asks=asks, **options)
        existing = dict(countries()) | (
            {} if stored in dict(countries()) else {stored: stored or "Not known"}
        )
        widget = forms.Select if asks else forms.HiddenInput
        self.fields["country"] = forms.ChoiceField(
            choices=list(existing.items()), widget=widget, required=bool(stored), label="Country"
        )
        self.order_fields([*LENGTHS, "country", "reason"])


class Replacing(pages.Pages):
    """From the page of an invoice for the wrong buyer: a credit note and a new invoice in one act."""

    @pages.page("<int:document_id>/buyer/", "orders_invoice_buyer", "orders.decide")
    def buyer(self, request: HttpRequest, document_id: int) -> HttpResponse:
        """Who is right, then what is credited and invoiced anew; its button issues both documents."""
        invoice = get_object_or_404(Invoice.objects.select_related("order").filter(pk=document_id))
        if refusal := correcting.refusal_to_replace(invoice):
            messages.error(request, refusal)
            return _to(invoice)
        order = invoice.order
        stored = order.billing_country or order.vat_country
        initial = {name: getattr(order, name) for name in LENGTHS} | {"country": stored}
        form = AnewForm(request.POST or None, initial=initial, stored=stored)
        if request.method == "POST" and form.is_valid():
            answer = self._answer(request, invoice, form)
            if answer is not None:
                return answer
        return pages.Question(
            title=f"Credit {invoice.number} and invoice the right buyer",
            says=["No money moves. The next page shows what is credited and what is invoiced anew."],
            button="Compare…",
            back=_url(invoice),
            form=form,
        ).ask(request, self.site)

    def _answer(self, request: HttpRequest, invoice: Invoice, form: AnewForm) -> HttpResponse | None:
        """The page that compares, or the act once its button was pressed; None for what the form has to say."""
        data = form.cleaned_data
        number = correcting.number_on_record(invoice.order, data["vat_number"]) or check_number(
            vat_number=data["vat_number"], country=data["country"], at=timezone.now()
        )
        if number.problem:
            form.add_error("vat_number", number.problem)
            return None
        buyer = Buyer(**{name: data[name] for name in LENGTHS if name != "vat_number"})
        right = Right(buyer=buyer, country=data["country"], number=number)
        if data["sure"]:
            return self._replace(request, invoice, right, reason=data["reason"])
        try:
            plan = correcting.plan_of(invoice, right=right)
        except ApiError as error:
            form.add_error(None, error.detail)
            return None
        return self._compare(request, invoice, data, plan)

    def _compare(
        self, request: HttpRequest, invoice: Invoice, data: dict[str, Any], plan: Replacement
    ) -> HttpResponse:
        return pages.Question(
            title=f"Credit {invoice.number} and invoice the right buyer?",
            says=[
                *correcting.lines_of(invoice, plan),
                "No money moves. The buyer gets both documents by mail; the first invoice stays as it is.",
            ],
            button="Issue both documents",
            back=_url(invoice),
            form=AnewForm(initial=data | {"sure": True}, stored=data["country"], asks=False),
            sides=pages.Sides(heads=("It said", "Right is"), rows=plan.changes),
            is_final=True,
        ).ask(request, self.site)

    def _replace(self, request: HttpRequest, invoice: Invoice, right: Right, *, reason: str) -> HttpResponse:
        with acting(request, "orders.decide") as act:
            credit, anew = correcting.replace(
                invoice=invoice, right=right, reason=reason, by=f"staff:{act.staff_id}", at=act.at
            )
            before, after = {"document": invoice.number}, {"document": f"{credit.number}, {anew.number}"}
            text = "credited the invoice and issued it anew to the right buyer of"
            act.record(text, on=invoice.order, before=before, after=after, reason=reason)
            act.say(f"{credit.number} and {anew.number} are issued and mailed.")
            return _to(anew)
        return _to(invoice)


def _url(invoice: Invoice) -> str:
    return reverse("admin:orders_invoice_change", args=[invoice.pk])


def _to(invoice: Invoice) -> HttpResponse:
    return HttpResponseRedirect(_url(invoice))
