"""Staff refund, accept, close tasks, and see what was told."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from orders.models import Order, Payment, Refund, StaffTask
from orders.payments import Kind, sandbox
from tests.conftest import Api, People
from tests.factories.listings import make_listing
from tests.orders.paying import begin, buy, deliver, lines, money, pay, work

BASE = "/admin/orders"


@pytest.fixture
def staff(people: People) -> Client:
    """Signed in, with every right."""
    people.staff.is_superuser = True
    people.staff.save(update_fields=["is_superuser"])
    client = Client()
    client.force_login(people.staff)
    return client


@pytest.fixture
def order(api: Api, people: People) -> Order:
    """Two lines, EUR 45.00 before VAT each."""
    listing = make_listing(owner=people.owner)
    items = [{"product": "billboard_min", "listing_id": listing.pk, "amount_cents": 4500}]
    return buy(api, *items, {"product": "done_for_you"})


def act(staff: Client, model: str, action: str, *rows: Any) -> str:
    """Choose an action for some rows; what staff read then."""
    chosen = {"action": action, "_selected_action": [str(row.pk) for row in rows]}
    return staff.post(f"{BASE}/{model}/", chosen, follow=True).content.decode()


def test_a_part_is_refunded_then_the_rest(staff: Client, order: Order) -> None:
    pay(order)
    payment, line = order.payments.get(), order.lines.get(position=1)
    form = {"payment": str(payment.pk), "line": str(line.pk), "amount_cents": "5356", "reason": "Asked"}

    assert "5355 cents can be given back" in staff.post(f"{BASE}/refund/add/", form).content.decode()
    assert Refund.objects.count() == 0
    assert staff.post(f"{BASE}/refund/add/", form | {"amount_cents": ""}).status_code == 302
    work()
    assert money(order)[0] == "partially_refunded"
    assert lines(order) == [("billboard_min", "reversed"), ("done_for_you", "in_progress")]

    assert "1 done" in act(staff, "payment", "give_back", payment)
    work()
    assert (money(order)[0], lines(order)[1]) == ("refunded", ("done_for_you", "reversed"))
    assert "0 cents can be given back" in act(staff, "payment", "give_back", payment)
    assert StaffTask.objects.filter(closed_at=None).count() == 0


def test_money_that_did_not_fit_is_accepted_and_the_work_is_done(staff: Client, order: Order) -> None:
    payment, at = begin(order), timezone.now()
    about = {"ref": str(payment.pk), "amount_cents": payment.amount_cents - 1, "currency": "EUR"}
    body, signature = sandbox.message(event_id="test_1", kind=Kind.PAID, about=about, at=at)
    deliver("sandbox", body, {sandbox.HEADER: signature})
    work()
    assert money(order) == ("review", ["flagged"])
    assert order.number in staff.get(f"{BASE}/orderinreview/").content.decode()

    act(staff, "payment", "accept", payment)
    work()
    assert money(order) == ("paid", ["paid"])
    assert order.number not in staff.get(f"{BASE}/orderinreview/").content.decode()
    act(staff, "stafftask", "close", StaffTask.objects.get())
    assert lines(order) == [("billboard_min", "done"), ("done_for_you", "done")]


def test_everything_can_be_seen_and_nothing_edited(staff: Client, order: Order) -> None:
    pay(order)
    payment = Payment.objects.get()
    for model in ("payment", "refund", "providerevent", "stafftask", "aireview"):
        assert staff.get(f"{BASE}/{model}/").status_code == 200
    page = staff.get(f"{BASE}/payment/{payment.pk}/change/").content.decode()
    assert "Paid." in page
    assert staff.post(f"{BASE}/payment/{payment.pk}/change/", {"status": "failed"}).status_code == 403
