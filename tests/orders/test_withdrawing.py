"""A mistyped price or VAT rate is taken back by two presses until somebody bought by it; its row stays."""

import html
from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, transaction
from django.test import Client
from django.utils import timezone

from accounts.models import StaffAct
from core.models import Mail
from directory.models import Site
from orders.models import Order, Payment, ProductPrice, VatRate
from orders.payments import Kind, sandbox
from orders.selectors.catalogue import prices
from tests.conftest import Api, People
from tests.factories.orders import set_price
from tests.factories.staff import staff_client
from tests.orders.paying import begin, buy, deliver, money, pay, work

BASE = "/admin/orders"
JOB = {"product": "done_for_you", "options": {"website": "https://tidewell.com/"}}


def read(client: Client, url: str, **sent: Any) -> str:
    """What staff read after a look, or after sending a form."""
    answer = client.post(url, sent, follow=True) if sent else client.get(url, follow=True)
    return html.unescape(answer.content.decode())


def page_of(row: Any) -> str:
    return f"{BASE}/{row._meta.model_name}/{row.pk}/withdraw/"


def mistyped_rate(country: str = "DK", percent: str = "2.5") -> VatRate:
    now = timezone.now()
    return VatRate.objects.create(
        country=country, percent=percent, valid_from=now.date(), source="Skat", entered_at=now
    )


def test_a_price_in_effect_is_withdrawn_with_the_orders_made_at_it(api: Api, people: People) -> None:
    before = buy(api, JOB)
    row = set_price("done_for_you", 590)
    touched = buy(api, JOB)
    payment = begin(touched)
    finance = staff_client("finance")

    asked = read(finance, page_of(row))
    assert "Withdraw €5.90 for Done for you?" in asked
    assert "Done for you then costs €299.00, at once." in asked
    assert f"1 order made at it and not paid yet ({touched.number}): cancelled" in asked
    assert (prices(at=timezone.now())["done_for_you"].amount_cents, money(touched)[0]) == (590, "pending")

    said = read(finance, page_of(row), x="")
    assert "Withdrawn. Done for you costs €299.00. 1 order cancelled." in said
    assert ">withdrawn<" in said
    assert prices(at=timezone.now())["done_for_you"].amount_cents == 29_900
    assert (money(touched), money(before)[0]) == (("canceled", ["canceled"]), "pending")
    mails = Mail.objects.filter(template="orders/mail/canceled").values_list("address", flat=True)
    assert list(mails) == [people.owner.email]
    act = StaffAct.objects.get(act="prices.edit")
    assert (act.said, act.before["amount"], act.before["orders canceled"]) == (
        "withdrew the price of Done for you",
        "€5.90",
        1,
    )
    assert "withdrawn already" in read(finance, page_of(row), x="")
    assert StaffAct.objects.filter(act="prices.edit").count() == 1
    late(payment)
    assert money(touched) == ("review", ["flagged"])


def late(payment: Payment) -> None:
    """Its money comes after all."""
    payment.refresh_from_db()
    about = {"ref": str(payment.pk), "amount_cents": payment.amount_cents, "currency": "EUR"}
    body, signature = sandbox.message(event_id="late_1", kind=Kind.PAID, about=about, at=timezone.now())
    deliver("sandbox", body, {sandbox.HEADER: signature})
    work()


def test_a_price_at_which_somebody_bought_stays(api: Api) -> None:
    row = set_price("done_for_you", 590)
    paid, open_order = pay(buy(api, JOB)), buy(api, JOB)
    finance = staff_client("finance")

    for said in (read(finance, page_of(row)), read(finance, page_of(row), x="")):
        assert f"Somebody bought at this price ({paid.number}), so it stays." in said
        assert "Set another price from now on" in said
    row.refresh_from_db()
    assert (row.withdrawn_at, money(open_order)[0], StaffAct.objects.count()) == (None, "pending", 0)
    assert staff_client("moderator").post(page_of(row)).status_code == 403


def test_a_scheduled_price_is_withdrawn_and_what_is_withdrawn_stays_so(site: Site) -> None:
    row = set_price("launch", 590, at=timezone.now() + timedelta(days=1))
    finance = staff_client("finance")

    assert "It would have begun on" in read(finance, page_of(row))
    assert "Withdrawn. Launch costs €99.00." in read(finance, page_of(row), x="")
    rows = ProductPrice.objects.filter(pk=row.pk)
    assert rows.get().withdrawn_at is not None
    for change in ({"withdrawn_at": None}, {"amount_cents": 1}):
        with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
            rows.update(**change)


def test_a_rate_is_withdrawn_and_another_one_entered_for_the_same_day(api: Api) -> None:
    before = buy(api, JOB, billing_country="DK")
    wrong = mistyped_rate()
    touched = buy(api, JOB, billing_country="DK")
    payment = begin(touched)
    elsewhere = buy(api, JOB, billing_country="FR")
    totals = {order.pk: order.total_cents for order in (before, touched, elsewhere)}
    finance = staff_client("finance")
    same_day = {"country": "DK", "percent": "25", "valid_from": f"{wrong.valid_from}", "source": "Skat"}
    assert "has a rate from this day" in read(finance, f"{BASE}/vatrate/add/", **same_day)
    assert VatRate.objects.filter(country="DK").count() == 2

    asked = read(finance, page_of(wrong))
    assert "Withdraw Denmark 2.5% from" in asked
    assert "From now on 25% is charged in" in asked
    assert (
        f"Nobody has paid VAT by this rate. 1 order not paid yet ({touched.number}): worked out again."
        in asked
    )
    assert totals[touched.pk] == 30_648

    said = read(finance, page_of(wrong), x="")
    assert "Withdrawn. Another rate for the same day can be entered. 1 order worked out again." in said
    assert {order.pk: again(order).total_cents for order in (before, touched, elsewhere)} == {
        **totals,
        touched.pk: 37_375,
    }
    assert money(touched) == ("pending", ["canceled"])
    assert again(touched).events.latest("pk").text.startswith("The total is €373.75 now.")
    assert payment.amount_cents == 30_648
    read(finance, f"{BASE}/vatrate/add/", **same_day)
    assert VatRate.objects.filter(country="DK", valid_from=wrong.valid_from).count() == 2
    assert [act.said for act in StaffAct.objects.order_by("pk")] == ["withdrew the rate", "added VAT rate"]
    assert "withdrawn already" in read(finance, page_of(wrong))


def again(order: Order) -> Order:
    order.refresh_from_db()
    return order


def test_what_was_paid_by_a_withdrawn_rate_stays_and_is_said(api: Api) -> None:
    wrong = mistyped_rate("DE", "1.9")  # the seller's own
    paid = pay(buy(api, JOB))
    invoice = paid.invoices.get()
    finance = staff_client("finance")

    asked = read(finance, page_of(wrong))
    assert f"1 order paid by it ({paid.number}): what was paid and its documents stay as they are." in asked
    assert "Withdrawn" in read(finance, page_of(wrong), x="")
    assert (again(paid).vat_rate, invoice.total_cents) == (paid.vat_rate, paid.total_cents)
    assert buy(api, JOB).vat_rate == 19
    with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
        VatRate.objects.filter(pk=wrong.pk).update(percent=19)
