"""The pages of prices: what everything costs, a new price, a code tried, and a price or VAT rate withdrawn."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.staff import pages, rights
from accounts.staff.audit import acting
from core.email_addresses import AddressField
from orders import limits, price_list, promos
from orders.amounts import AmountField, AsksOnceMore, country_of, is_large_change
from orders.models import ProductPrice, VatRate
from orders.products import PRODUCTS, product_choices
from orders.quoting import try_quote
from orders.selectors.catalogue import prices, vat_rates
from orders.selectors.price_list import (
    NAMED,
    Touched,
    named,
    newest_rates,
    price_groups,
    priced_by,
    taxed_by,
    uses_of,
)
from orders.seller import day_of
from orders.wording import country_name, price

PAGE = "admin:orders_productprice_prices"
TABS = {
    "Prices": PAGE,
    "Promo codes": "admin:orders_promocode_changelist",
    "VAT rates": "admin:orders_vatrate_changelist",
    "VAT areas": "admin:orders_vatarea_changelist",
    "Registrations": "admin:orders_vatregistration_changelist",
}
RATES = "admin:orders_vatrate_changelist"
BOUND = 100


def tabs(current: str) -> list[tuple[str, str, bool]]:
    return [(name, reverse(page), name == current) for name, page in TABS.items()]


class PriceForm(AsksOnceMore):
    """A price from now on, or from a moment to come. Nothing, and a change of more than half, is asked once more."""

    product = forms.ChoiceField(choices=product_choices)
    amount = AmountField()
    begins = forms.ChoiceField(label="From")
    moment = forms.DateTimeField(
        required=False,
        label="Another moment, UTC",
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}),
    )
    is_on_sale = forms.BooleanField(
        required=False, initial=True, label="On sale", help_text="Without it the product cannot be bought."
    )
    note = forms.CharField(required=False, max_length=limits.NOTE, label="Note for us")

    field_order = ("product", "amount", "meant", "begins", "moment", "is_on_sale", "note")

    def __init__(self, *args: Any, at: datetime, costs: Mapping[str, int], **options: Any) -> None:
        """Offer the products with what they cost now, and the moments at which prices usually begin."""
        super().__init__(*args, **options)
        self.at, self.costs = at, costs
        self.fields["product"].choices = [  # type: ignore[attr-defined]
            (code, f"{name}, now {price(costs[code], settings.CURRENCY)}" if code in costs else name)
            for code, name in product_choices()
        ]
        midnight = at.replace(hour=0, minute=0, second=0, microsecond=0)
        monday = midnight + timedelta(days=7 - at.weekday())
        month = (midnight.replace(day=1) + timedelta(days=32)).replace(day=1)
        self.moments = {"now": at, "monday": monday, "month": month}
        self.fields["amount"].label = f"Price before VAT, {settings.CURRENCY}"
        self.fields["begins"].choices = [  # type: ignore[attr-defined]
            ("", "Choose when it begins"),
            ("now", "Now, at once"),
            ("monday", f"Next Monday, {monday:%-d %B %Y} 00:00 UTC"),
            ("month", f"The first of the month, {month:%-d %B %Y} 00:00 UTC"),
            ("other", "Another moment"),
        ]

    def clean(self) -> dict[str, Any]:
        """The moment that is meant; never before now."""
        data = super().clean() or {}
        begins_at = self.moments.get(data.get("begins", ""), data.get("moment"))
        if begins_at is None or begins_at < self.at:
            raise ValidationError("A price begins now or later. Say when.")
        data["begins_at"] = begins_at
        if "product" in data and "amount" in data:
            self._ask_if_large(data["product"], data["amount"], begins=data["begins"])
        return data

    def _ask_if_large(self, product: str, cents: int, *, begins: str) -> None:
        before = self.costs.get(product)
        if not is_large_change(before, cents):
            return
        name, after = PRODUCTS[product].name, price(cents, settings.CURRENCY)
        question = f"{name} costs {price(before, settings.CURRENCY)} now" if before is not None else name
        when = "from this moment" if begins == "now" else "then"
        self.ask_once_more(
            name="amount", value=f"{product} {cents} {begins}", question=f"{question}: {after} {when}?"
        )


class TryForm(forms.Form):
    products = forms.MultipleChoiceField(choices=product_choices, widget=forms.CheckboxSelectMultiple)
    code = forms.CharField(required=False, max_length=limits.PROMO_CODE, strip=False, label="Code, exactly")
    country = forms.CharField(required=False, max_length=2, label="Country, two letters")
    address = AddressField(required=False, max_length=limits.EMAIL, label="E-mail address of an account")
    moment = forms.DateTimeField(
        required=False,
        label="At this time, UTC",
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}),
    )

    def clean_country(self) -> str:
        return country_of(self.cleaned_data["country"])

    def clean_address(self) -> int | None:
        address: str = self.cleaned_data["address"]
        if not address:
            return None
        person = User.objects.with_address(address)
        if person is None:
            raise ValidationError("No account has this address.")
        return person.pk


class PricePage(pages.Pages):
    @pages.page("prices/", "orders_productprice_prices", "prices.see", "prices.edit")
    def page(self, request: HttpRequest) -> HttpResponse:
        """All of it. Sending the form sets a price; trying a code stores nothing."""
        now = timezone.now()
        groups = price_groups(at=now)
        costs = {group.product.code: group.now.amount_cents for group in groups if group.now}
        form = PriceForm(request.POST or None, at=now, costs=costs)
        if request.method == "POST" and form.is_valid():
            return self._set(request, form.cleaned_data, at=now)
        sent = request.GET if "products" in request.GET else None
        trying = TryForm(sent, initial=request.GET.dict(), auto_id="try_%s")
        return pages.show(
            request,
            self.site,
            "orders/admin/prices.html",
            title="Prices and codes",
            tabs=tabs("Prices"),
            groups=groups,
            rates=newest_rates(),
            form=form,
            trying=trying,
            tried=_tried(trying, at=now),
            currency=settings.CURRENCY,
            may_edit=rights.may(request.user, "prices.edit"),
        )

    @staticmethod
    def _set(request: HttpRequest, data: dict[str, Any], *, at: datetime) -> HttpResponse:
        begins_at = data["begins_at"]
        name, amount = PRODUCTS[data["product"]].name, price(data["amount"], settings.CURRENCY)
        new = price_list.NewPrice(
            product=data["product"],
            amount_cents=data["amount"],
            is_on_sale=data["is_on_sale"],
            begins_at=begins_at,
            note=data["note"],
        )
        when = "Now" if begins_at == at else f"From {begins_at:%A %-d %B %Y, %H:%M} UTC"
        with acting(request, "prices.edit", at=at) as act:
            row = price_list.set_price(price=new, staff_id=act.staff_id, at=at)
            after = {"amount": amount, "from": f"{begins_at:%Y-%m-%d %H:%M} UTC", "on sale": row.is_on_sale}
            act.record("set the price", on=row, after=after, reason=row.note)
            act.say(
                f"{when} {name} costs {amount}. Orders made before keep the price they were made with. "
                "It can be withdrawn until somebody buys at it."
            )
        return HttpResponseRedirect(reverse(PAGE))


def _tried(form: TryForm, *, at: datetime) -> dict[str, Any] | None:
    if not (form.is_bound and form.is_valid()):
        return None
    data = form.cleaned_data
    moment = data["moment"] or at
    quoted = try_quote(
        products=data["products"],
        country=data["country"],
        user_id=data["address"],
        code=data["code"],
        at=moment,
    )
    promo = promos.find(data["code"]) if data["code"] else None
    used, reserved = uses_of(promo, at=moment) if promo else (0, 0)
    return {"refusal": quoted.refusal, "quote": quoted.quote, "promo": promo, "used": used, "held": reserved}


class Withdrawing(pages.Pages):
    """Asks before a mistyped price or VAT rate is withdrawn, and says which orders that touches."""

    @pages.page("<int:price_id>/withdraw/", "orders_productprice_withdraw", "prices.see", "prices.edit")
    def price(self, request: HttpRequest, price_id: int) -> HttpResponse:
        row = get_object_or_404(ProductPrice, pk=price_id)
        if request.method == "POST":
            return self._withdraw_price(request, row)
        with acting(request, "prices.edit") as act:
            price_list.refuse_withdrawn(row)
            touched = priced_by(row, at=act.at)
            price_list.refuse_sold(touched.bought[: NAMED + 1])
            name, amount = PRODUCTS[row.product].name, price(row.amount_cents, settings.CURRENCY)
            return pages.Question(
                title=f"Withdraw {amount} for {name}?",
                says=[_price_after(row), _canceled(touched), "The price stays in the history, as withdrawn."],
                button="Withdraw this price",
                back=reverse(PAGE),
                is_final=True,
            ).ask(request, self.site)
        return HttpResponseRedirect(reverse(PAGE))

    @staticmethod
    def _withdraw_price(request: HttpRequest, row: ProductPrice) -> HttpResponse:
        with acting(request, "prices.edit") as act:
            done = price_list.withdraw_price(price_id=row.pk, staff_id=act.staff_id, at=act.at)
            amount = price(row.amount_cents, settings.CURRENCY)
            before = {"amount": amount, "from": f"{row.effective_at}", "orders canceled": done.touched}
            act.record(f"withdrew the price of {PRODUCTS[row.product].name}", before=before)
            canceled = f" {_number(done.touched, 'order')} cancelled." if done.touched else ""
            act.say(f"Withdrawn. {_price_now(row)}{canceled}")
        return HttpResponseRedirect(reverse(PAGE))

    def rate(self, request: HttpRequest, rate_id: int) -> HttpResponse:
        row = get_object_or_404(VatRate, pk=rate_id)
        if request.method == "POST":
            return self._withdraw_rate(request, row)
        with acting(request, "vat.edit") as act:
            price_list.refuse_withdrawn(row)
            touched, rate = taxed_by(row, at=act.at), f"{row.percent.normalize():f}%"
            return pages.Question(
                title=f"Withdraw {country_name(row.country)} {rate} from {row.valid_from:%-d %B %Y}?",
                says=[_rate_after(row), _taxed(touched), "The rate stays in the history, as withdrawn."],
                button="Withdraw this rate",
                back=reverse(RATES),
                is_final=True,
            ).ask(request, self.site)
        return HttpResponseRedirect(reverse(RATES))

    @staticmethod
    def _withdraw_rate(request: HttpRequest, row: VatRate) -> HttpResponse:
        with acting(request, "vat.edit") as act:
            done = price_list.withdraw_rate(rate_id=row.pk, at=act.at)
            before, after = {"percent": f"{row.percent}", "from": f"{row.valid_from}"}, done.touched
            act.record("withdrew the rate", on=row, before=before, after={"orders worked out again": after})
            again = f" {_number(done.touched, 'order')} worked out again." if done.touched else ""
            act.say(f"Withdrawn. Another rate for the same day can be entered.{again}")
        return HttpResponseRedirect(reverse(RATES))


def _price_after(row: ProductPrice) -> str:
    now, name = timezone.now(), PRODUCTS[row.product].name
    if row.effective_at > now:
        return f"It would have begun on {row.effective_at:%-d %B %Y, %H:%M} UTC. The price before it goes on."
    before = prices(at=now, without=row.pk).get(row.product)
    if before is None:
        return f"It is the only price: {name} can then not be bought until another one is set."
    return f"{name} then costs {price(before.amount_cents, settings.CURRENCY)}, at once."


def _price_now(row: ProductPrice) -> str:
    now = prices(at=timezone.now()).get(row.product)
    name = PRODUCTS[row.product].name
    return f"{name} costs {price(now.amount_cents, settings.CURRENCY)}." if now else f"{name} has no price."


def _canceled(touched: Touched) -> str:
    pending = list(touched.pending[: BOUND + 1])
    if not pending:
        return "Nobody has bought at this price, and no order waits for its payment."
    return (
        f"Nobody has bought at this price. {_number(len(pending), 'order')} made at it and not paid yet "
        f"({named(pending)}): cancelled, payments under way are ended, and the buyers get a mail that says why."
    )


def _rate_after(row: VatRate) -> str:
    today = day_of(timezone.now())
    if row.valid_from > today:
        return "It has not begun. The rate before it goes on."
    before = vat_rates(countries=[row.country], on=today, without=row.pk).get(row.country)
    if before is None:
        return f"{country_name(row.country)} has no other rate. Until you enter one, the seller's own is charged there."
    return f"From now on {before.normalize():f}% is charged in {country_name(row.country)} again."


def _taxed(touched: Touched) -> str:
    paid, pending = list(touched.bought[: BOUND + 1]), list(touched.pending[: BOUND + 1])
    stays = "Nobody has paid VAT by this rate."
    if paid:
        stays = (
            f"{_number(len(paid), 'order')} paid by it ({named(paid)}): what was paid and its documents stay as they "
            "are. Put them right on the pages of these orders."
        )
    waits = (
        f"{_number(len(pending), 'order')} not paid yet ({named(pending)}): worked out again."
        if pending
        else ""
    )
    return f"{stays} {waits}".strip()


def _number(number: int, what: str) -> str:
    if number > BOUND:
        return f"More than {BOUND} {what}s"
    return f"{number} {what}{'' if number == 1 else 's'}"
