"""From the page of an invoice for the wrong buyer: a credit note and a new invoice in one act."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone

from accounts.staff import pages
from accounts.staff.audit import acting
from core.api.errors import ApiError
from directory.countries import countries
from orders import replacing
from orders.admin.correcting import LENGTHS, BuyerForm
from orders.correcting import Buyer
from orders.models import Invoice
from orders.replacing import Replacement, Right
from orders.vat_numbers import check_number


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
    @pages.page("<int:document_id>/buyer/", "orders_invoice_buyer", "orders.decide")
    def buyer(self, request: HttpRequest, document_id: int) -> HttpResponse:
        """Who is right, then what is credited and invoiced anew; its button issues both documents."""
        invoice = get_object_or_404(Invoice.objects.select_related("order").filter(pk=document_id))
        if refusal := replacing.refusal_of(invoice):
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
        number = replacing.number_on_record(invoice.order, data["vat_number"]) or check_number(
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
            plan = replacing.plan_of(invoice, right=right)
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
                *replacing.lines_of(invoice, plan),
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
            credit, anew = replacing.replace(
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
