"""A payment provider that nobody wrote a line for elsewhere: chosen, paid, told, refunded, through every page."""

import html
import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import pytest
from django.core.checks import run_checks
from django.core.exceptions import ImproperlyConfigured
from django.test import Client

from leaderboards.boards.billboard import takes_real_money
from orders import links, payments
from orders.checks import TAG
from orders.errors import PaymentUnavailableError
from orders.models import Order, Payment, Refund, SlotHold
from orders.payments import (
    GatewayRefusedError,
    Intent,
    Kind,
    Method,
    Notification,
    PaymentEvent,
    PaymentRef,
    Provider,
    Redirect,
)
from orders.payments.sandbox import Sandbox
from tests.conftest import Api, People
from tests.factories.listings import make_listing
from tests.factories.staff import fresh, staff_client
from tests.orders.paying import begin, buy, deliver, lines, money, work
from tests.orders.test_checkout_pages import BUYER
from tests.orders.test_quote_order import coming

PAGE = "https://pay.mollie.example"
KEY = "live_x"


class Mollie(Provider):
    position = 50
    code = "mollie"
    methods: Mapping[str, Method] = {"ideal": Method("iDEAL", "By your bank")}
    needs = ("MOLLIE_API_KEY", "MOLLIE_SECRET")
    page_origins = (PAGE,)
    bulkhead = Sandbox.bulkhead  # a test keeps the list of all

    def __init__(self, config: Mapping[str, Any]) -> None:
        self.is_live = config["MOLLIE_API_KEY"].startswith("live_")
        self.secret = config["MOLLIE_SECRET"]

    def start(self, intent: Intent) -> Redirect:
        return Redirect(provider_ref=f"tr_{intent.ref}", redirect_url=f"{PAGE}/{intent.number}")

    def state(self, payment: PaymentRef) -> PaymentEvent:
        return PaymentEvent(kind=Kind.OPEN, ref=payment.ref)

    def refund(self, payment: PaymentRef, *, key: str, amount_cents: int) -> PaymentEvent:
        return PaymentEvent(kind=Kind.REFUNDED, refund_ref=f"re_{key}", amount_cents=amount_cents)

    def parse(self, *, headers: Mapping[str, str], body: bytes, at: datetime) -> Notification | None:
        message = json.loads(body)
        event = PaymentEvent(
            kind=Kind.PAID, ref=message["ref"], amount_cents=message["cents"], currency="EUR"
        )
        return Notification(event_id=message["id"], event=event, is_live=self.is_live)


@pytest.fixture(autouse=True)
def mollie(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    """Its settings, as an operator would write them."""
    monkeypatch.setattr(payments, "PROVIDERS", dict(payments.PROVIDERS))
    settings.MOLLIE_API_KEY, settings.MOLLIE_SECRET = KEY, "whsec"
    payments.add_provider(Mollie.code, Mollie)


@pytest.fixture
def order(api: Api, people: People) -> Order:
    """One line that a refund ends."""
    return buy(api, {"product": "featured", "listing_id": make_listing(owner=people.owner).pk})


def press_pay(order: Order) -> Any:
    """Fill in the page, choose iDEAL and press Pay; the answer to that."""
    client, link = Client(), links.checkout_url(order)
    page = client.get(link)
    shown = html.unescape(page.content.decode())
    assert [words for words in ("iDEAL", "By your bank", 'value="ideal"') if words not in shown] == []
    assert ("Card" in shown, "Test money" in shown) == (False, False)
    assert f"form-action 'self' {PAGE};" in page["Content-Security-Policy"] + ";"
    form = {**BUYER, "method": "ideal", "total": order.total_cents, "act": "pay"}
    answer = client.post(link, form)
    if answer.status_code == 200:  # the country changed the total: seen, and pressed once more
        order.refresh_from_db()
        answer = client.post(link, {**form, "total": order.total_cents})
    return answer


def test_it_is_paid_by_and_gives_money_back(order: Order) -> None:
    answer = press_pay(order)
    payment = Payment.objects.get()
    assert (answer.status_code, answer["Location"]) == (303, f"{PAGE}/{order.number}")
    assert (payment.provider, payment.method, payment.test_money) == ("mollie", "ideal", False)

    body = json.dumps({"id": "evt_1", "ref": str(payment.pk), "cents": payment.amount_cents}).encode()
    assert deliver("mollie", body, {}) == 200
    work()
    assert (money(order), lines(order)) == (("paid", ["paid"]), [("featured", "done")])

    finance, page = fresh(staff_client("finance")), f"/admin/orders/order/{order.pk}/refund/"
    assert "mollie" in finance.get(page).content.decode()
    finance.post(page, {"cents": str(payment.amount_cents), "reason": "Asked"}, follow=True)
    work()
    refund = Refund.objects.get()
    assert (money(order)[0], lines(order), refund.provider_reference) == (
        "refunded",
        [("featured", "reversed")],
        f"re_{refund.pk}",
    )


def test_real_money_is_known_to_boards_and_staff(settings: Any, site: Any) -> None:
    assert (takes_real_money(), "Only test money" in start()) == (True, False)

    settings.MOLLIE_API_KEY = "test_x"
    assert (takes_real_money(), "Only test money" in start()) == (False, True)


def start() -> str:
    """The start page of the back office."""
    return str(staff_client("administrator").get("/admin/").content.decode())


def test_what_it_lacks_is_said(settings: Any) -> None:
    settings.MOLLIE_SECRET = ""

    messages = [message.msg for message in run_checks(tags=[TAG])]

    assert "MOLLIE_SECRET is needed beside the provider's other settings." in messages


def test_without_pages_or_methods_of_its_own_it_is_not_started_with(monkeypatch: pytest.MonkeyPatch) -> None:
    class Nowhere(Mollie):
        page_origins = ()

    class Half(Provider):
        code = "half"

    payments.add_provider(Mollie.code, Nowhere)
    with pytest.raises(ImproperlyConfigured, match="mollie does not name its page_origins"):
        payments.enabled()
    with pytest.raises(ImproperlyConfigured, match="half lacks: __init__, parse, refund, start, state"):
        payments.add_provider("half", Half)


def test_a_refusal_lets_nothing_go_that_is_held_for_what_was_begun_meanwhile(
    api: Api, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first provider is slow; the person chooses another way, and then it says no."""
    listing = make_listing(owner=people.owner, status="draft", launch_week=None)
    order = buy(api, {"product": "launch", "listing_id": listing.pk, "week": coming(2)})
    begun_with = Mollie.start

    def start(provider: Mollie, intent: Intent) -> Redirect:
        if intent.method == "card":
            return begun_with(provider, intent)
        begin(order, "card")
        raise GatewayRefusedError("no")

    monkeypatch.setattr(Mollie, "start", start)
    monkeypatch.setattr(Mollie, "methods", {**Mollie.methods, "card": Method("Card", "")})
    with pytest.raises(PaymentUnavailableError):
        begin(order, "ideal")

    assert money(order) == ("pending", ["canceled", "started"])
    assert SlotHold.objects.get(line__order=order).state == "held"
