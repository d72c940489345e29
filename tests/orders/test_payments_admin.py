"""Staff refund, accept, close tasks, and see what was told."""

import html
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import StaffAct
from core.models import Job
from directory import weeks
from directory.models import Site
from orders.models import Order, Payment, Refund, StaffTask
from orders.payments import Kind, sandbox
from orders.wording import price
from tests.conftest import Api, People, signed_in
from tests.factories.listings import make_listing
from tests.factories.staff import fresh, make_staff, staff_client
from tests.orders.paying import begin, buy, deliver, lines, money, pay, work

BASE, PASSWORD = "/admin/orders", "correct horse battery"
WORDS = ("the buyer", "Asta", "by itself", "taken back")


@pytest.fixture
def staff(people: People) -> Client:
    """Signed in, with every right."""
    people.staff.is_superuser = True
    people.staff.save(update_fields=["is_superuser"])
    return signed_in(people.staff)


@pytest.fixture
def order(api: Api, people: People) -> Order:
    """Two lines, EUR 45.00 before VAT each."""
    listing = make_listing(owner=people.owner)
    items = [{"product": "billboard_min", "listing_id": listing.pk, "amount_cents": 4500}]
    return buy(api, *items, {"product": "done_for_you", "options": {"website": "https://tidewell.com/"}})


def act(staff: Client, model: str, action: str, *rows: Any, **typed: str) -> str:
    """Choose an action for some rows; what staff read then."""
    chosen = {"action": action, "_selected_action": [str(row.pk) for row in rows], **typed}
    return staff.post(f"{BASE}/{model}/", chosen, follow=True).content.decode()


def page_of(order: Order, about: str = "change") -> str:
    """The address of one of an order's pages."""
    return f"{BASE}/order/{order.pk}/{about}/"


def shown(client: Client, url: str, **sent: Any) -> str:
    """What staff read after a look, or after sending a form."""
    answer = client.post(url, sent, follow=True) if sent else client.get(url, follow=True)
    return html.unescape(answer.content.decode())


def test_one_line_is_refunded_by_finance_then_the_rest(order: Order) -> None:
    pay(order)
    finance, line = fresh(staff_client("finance", name="asta")), order.lines.get(position=1)
    url = f"{page_of(order, 'refund')}"

    asked = shown(finance, f"{url}?line={line.pk}")
    assert "Refund €53.55" in asked
    left = price(order.total_cents - 5355, "EUR")
    assert f"Left of this payment: {left}." in asked
    assert "it loses its place on the billboard" in asked
    stale = shown(finance, url, line=line.pk, cents="9999", reason="Asked")
    assert "The amount left has changed" in stale
    assert "Nothing here can be refunded" in shown(finance, f"{url}?line={line.pk}&amount=53.56")
    assert Refund.objects.count() == 0

    assert "Give the VAT back" in shown(finance, page_of(order))
    done = shown(finance, url, line=line.pk, cents="5355", reason="Bought twice")
    assert "€53.55 is asked back" in done
    assert "waiting for sandbox" in done
    work()
    assert money(order)[0] == "partially_refunded"
    assert lines(order) == [("billboard_min", "reversed"), ("done_for_you", "in_progress")]
    act_ = StaffAct.objects.get()
    assert (act_.act, act_.reason, act_.after["amount"]) == ("orders.refund", "Bought twice", "€53.55")

    shown(finance, url, cents=str(order.total_cents - 5355), reason="The rest")
    work()
    assert (money(order)[0], lines(order)[1]) == ("refunded", ("done_for_you", "reversed"))
    assert "Nothing here can be refunded" in shown(finance, url)
    assert "Give the VAT back" not in shown(finance, page_of(order))
    assert StaffTask.objects.filter(closed_at=None).count() == 0


def test_lines_are_refunded_together_and_all_of_it_is_said_in_words(order: Order) -> None:
    pay(order)
    finance, url = fresh(staff_client("finance", name="asta")), page_of(order, "refund")
    first, second = order.lines.order_by("position")
    both = f"{url}?line={first.pk}&line={second.pk}"

    asked = shown(finance, both)
    assert f"Refund {price(order.total_cents, 'EUR')} of {order.number}?" in asked
    assert "it loses its place on the billboard" in asked
    assert "its work has begun and stops" in asked
    assert "Nothing here can be refunded" in shown(finance, f"{both}&amount=1")
    part = shown(finance, f"{url}?amount=1")
    assert ("A part of the order: what was bought stays." in part, "loses its place" in part) == (True, False)
    shown(finance, url, line=[first.pk, second.pk], cents=str(order.total_cents), reason="Bought twice")
    work()

    assert (money(order)[0], [state for _, state in lines(order)]) == ("refunded", ["reversed", "reversed"])
    assert StaffAct.objects.filter(act="orders.refund").count() == 2
    page = shown(finance, page_of(order))
    assert {"the buyer", "Asta", "by itself", "taken back"} <= {word for word in WORDS if word in page}
    assert [raw for raw in ("user:", "staff:", "payment_started", "in_progress") if raw in page] == []


def test_a_provider_is_asked_again_while_a_payment_is_open(order: Order) -> None:
    begin(order)
    finance = staff_client("finance")

    assert "Ask the provider again" in shown(finance, page_of(order))
    assert "We’re asking the provider." in shown(finance, page_of(order, "ask"), x="")
    assert Job.objects.filter(kind="orders.check_payment").count() == 1
    pay(order)
    assert "Ask the provider again" not in shown(finance, page_of(order))


def test_who_may_not_refund_is_told_whose_it_is_and_an_old_sign_in_proves_itself(order: Order) -> None:
    pay(order)
    url, sent = page_of(order, "refund"), {"cents": "10710", "reason": "Mine"}
    moderator = fresh(staff_client("moderator"))

    assert "Refund…" not in shown(moderator, page_of(order))
    refused = moderator.post(url, sent)
    assert (refused.status_code, "Refunds are made by finance" in refused.content.decode()) == (403, True)
    assert staff_client("editor").get(page_of(order)).status_code == 404
    finance = make_staff("finance")
    finance.set_password(PASSWORD)
    finance.save(update_fields=["password"])
    old = signed_in(finance)
    asked = old.post(url, sent)
    assert asked["Location"] == f"/accounts/reauthenticate/?next={url.replace('/', '%2F')}"
    assert Refund.objects.count() == 0
    typed = old.post(asked["Location"], {"password": PASSWORD})
    assert typed["Location"] == url
    assert f"Refund {price(order.total_cents, 'EUR')}" in shown(old, url)


def test_the_page_of_an_order_costs_ten_statements(order: Order, django_assert_max_num_queries: Any) -> None:
    pay(order)
    finance = staff_client("finance")
    shown(finance, page_of(order))  # the menu keeps what waits for half a minute
    with django_assert_max_num_queries(10):
        page = shown(finance, page_of(order))

    assert "test money" in page
    assert "Invoice" in page
    assert order.vat_reason in page
    assert order.number in shown(finance, f"{BASE}/order/?q={order.owner.email.upper()}")
    assert order.number not in shown(finance, f"{BASE}/order/?q=nobody@people.example")
    assert "on its way again" in shown(finance, page_of(order, "send"), x="")
    assert (
        Job.objects.filter(kind="core.send_mail", state="queued", key__contains="order-receipt").count() == 1
    )


def test_a_blocked_line_gets_another_week(site: Site, people: People, api: Api) -> None:
    listing = make_listing("later", owner=people.owner, status="draft", launch_week=None)
    week = weeks.week_of(timezone.now()) + 2 * weeks.WEEK
    order = buy(api, {"product": "launch", "listing_id": listing.pk, "week": str(week)})
    pay(order)
    line = order.lines.get()
    line.fulfilment_status, line.blocked_reason = "blocked", "week_full"
    line.save(update_fields=["fulfilment_status", "blocked_reason"])
    finance, url = staff_client("finance"), page_of(order, f"lines/{line.pk}/week")

    assert order.number in shown(finance, f"{BASE}/order/?work=blocked")
    other = week + weeks.WEEK
    assert f"{other}" in shown(finance, url)
    assert "has a place" in shown(finance, url, week=str(other))
    work()
    line.refresh_from_db()
    assert (line.week, line.fulfilment_status) == (other, "done")
    assert "is not blocked" in shown(finance, url, week=str(week))


def test_money_that_did_not_fit_is_accepted_and_the_work_is_done(staff: Client, order: Order) -> None:
    payment, at = begin(order), timezone.now()
    about = {"ref": str(payment.pk), "amount_cents": payment.amount_cents - 1, "currency": "EUR"}
    body, signature = sandbox.message(event_id="test_1", kind=Kind.PAID, about=about, at=at)
    deliver("sandbox", body, {sandbox.HEADER: signature})
    work()
    assert money(order) == ("review", ["flagged"])
    assert order.number in staff.get(f"{BASE}/orderinreview/").content.decode()

    finance = staff_client("finance")
    asked, came = (price(order.total_cents - less, "EUR") for less in (0, 1))
    assert f"Asked were {asked}. What came: {came}." in shown(finance, page_of(order, "accept"))
    assert "Accepted" in shown(finance, page_of(order, "accept"), x="")
    work()
    assert money(order) == ("paid", ["paid"])
    assert order.number not in staff.get(f"{BASE}/orderinreview/").content.decode()
    assert "Say what was done. Nothing was changed." in act(
        staff, "stafftask", "close", StaffTask.objects.get()
    )
    assert "1 job closed." in act(
        staff, "stafftask", "close", StaffTask.objects.get(), reason="It is written."
    )
    assert (StaffTask.objects.get().result, StaffAct.objects.last().reason) == ("It is written.",) * 2
    assert lines(order) == [("billboard_min", "done"), ("done_for_you", "done")]


def test_everything_can_be_seen_and_nothing_edited(staff: Client, order: Order) -> None:
    pay(order)
    payment = Payment.objects.get()
    for model in ("payment", "refund", "providerevent", "stafftask", "aireview"):
        assert staff.get(f"{BASE}/{model}/").status_code == 200
    page = staff.get(f"{BASE}/payment/{payment.pk}/change/").content.decode()
    assert "Paid." in page
    assert staff.post(f"{BASE}/payment/{payment.pk}/change/", {"status": "failed"}).status_code == 403
