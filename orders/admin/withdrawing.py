"""The pages that ask before a mistyped price or VAT rate is withdrawn, and say which orders that touches."""

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone

from accounts.staff import pages
from accounts.staff.audit import acting
from core.api.errors import ApiError
from orders import price_list
from orders.admin.price_page import PAGE
from orders.models import ProductPrice, VatRate
from orders.products import PRODUCTS
from orders.selectors.catalogue import prices, vat_rates
from orders.selectors.price_list import NAMED, Touched, named, priced_by, taxed_by
from orders.seller import day_of
from orders.wording import country_name, price

RATES = "admin:orders_vatrate_changelist"
BOUND = 100


class Withdrawing(pages.Pages):
    @pages.page("<int:price_id>/withdraw/", "orders_productprice_withdraw", "prices.see", "prices.edit")
    def price(self, request: HttpRequest, price_id: int) -> HttpResponse:
        row, now, back = get_object_or_404(ProductPrice, pk=price_id), timezone.now(), reverse(PAGE)
        if request.method == "POST":
            return self._withdraw_price(request, row)
        try:
            price_list.refuse_withdrawn(row)
            touched = priced_by(row, at=now)
            price_list.refuse_sold(touched.bought[: NAMED + 1])
        except ApiError as error:
            messages.error(request, f"{error.detail} Nothing was changed.")
            return HttpResponseRedirect(back)
        name, amount = PRODUCTS[row.product].name, price(row.amount_cents, settings.CURRENCY)
        return pages.Question(
            title=f"Withdraw {amount} for {name}?",
            says=[_price_after(row), _canceled(touched), "The price stays in the history, as withdrawn."],
            button="Withdraw this price",
            back=back,
            is_final=True,
        ).ask(request, self.site)

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
        row, back = get_object_or_404(VatRate, pk=rate_id), reverse(RATES)
        if request.method == "POST":
            return self._withdraw_rate(request, row)
        try:
            price_list.refuse_withdrawn(row)
        except ApiError as error:
            messages.error(request, f"{error.detail} Nothing was changed.")
            return HttpResponseRedirect(back)
        touched = taxed_by(row, at=timezone.now())
        return pages.Question(
            title=f"Withdraw {country_name(row.country)} {row.percent.normalize():f}% from {row.valid_from:%-d %B %Y}?",
            says=[_rate_after(row), _taxed(touched), "The rate stays in the history, as withdrawn."],
            button="Withdraw this rate",
            back=back,
            is_final=True,
        ).ask(request, self.site)

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
