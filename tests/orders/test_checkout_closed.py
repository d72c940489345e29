"""A site that others reach and that nobody can be paid on sells nothing, and says so; prices stay to be seen."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.core.checks import run_checks
from django.test import Client

from directory.models import Listing
from orders import payments
from orders.checks import TAG
from orders.links import checkout_url
from orders.models import Order, Payment
from orders.payments import sandbox, signed
from tests.conftest import Caller
from tests.factories.staff import staff_client
from tests.orders.conftest import cart
from tests.orders.paying import begin, deliver

LIVE = {"STRIPE_SECRET_KEY": "sk_live_x"}
WORDS = "Checkout is not open yet."


@pytest.fixture
def order(buyer: Caller, live: Listing) -> Order:
    """One of the time before."""
    body = buyer.post("/api/v1/orders/checkout", cart({"product": "featured", "listing_id": live.pk})).json()
    return Order.objects.get(number=body["order"]["number"])


@pytest.fixture
def closed(settings: Any) -> None:
    """A public site without a payment provider."""
    settings.TEST_MONEY = settings.ON_LOOPBACK = False


@pytest.mark.usefixtures("closed")
def test_products_say_why_and_quotes_go_on(buyer: Caller, live: Listing) -> None:
    items = buyer.get("/api/v1/products").json()["items"]
    quote = buyer.post("/api/v1/orders/quote", cart({"product": "featured", "listing_id": live.pk}))

    assert {(item["available"], item["unavailable_reason"]) for item in items} == {(False, WORDS)}
    assert quote.status_code == 200
    assert quote.json()["total_cents"] > 0


@pytest.mark.usefixtures("closed")
def test_no_order_is_made(buyer: Caller, live: Listing) -> None:
    answer = buyer.post("/api/v1/orders/checkout", cart({"product": "featured", "listing_id": live.pk}))

    problem = answer.json()
    assert (answer.status_code, problem["code"], problem["detail"]) == (400, "invalid_state", WORDS)
    assert (problem["current"], problem["allowed"]) == ("closed", [])
    assert Order.objects.count() == 0


def test_the_page_of_an_earlier_order_says_so_and_takes_no_payment(order: Order, settings: Any) -> None:
    settings.TEST_MONEY = False
    link = checkout_url(order).removeprefix(settings.SITE_URL)
    form = {
        "email": "b@people.example",
        "name": "B",
        "address": "A 1",
        "postcode": "1000",
        "city": "C",
        "country": "DE",
        "terms": "on",
        "total": order.total_cents,
        "method": "test",
    }
    shown = Client().get(link).content.decode()
    pressed = Client().post(link, {**form, "act": "pay"})

    assert WORDS in shown
    assert "with test money" not in shown
    assert WORDS in pressed.content.decode()
    order.refresh_from_db()
    assert (order.status, Payment.objects.count()) == ("pending", 0)


def test_the_buying_page_shows_prices_and_no_button(live: Listing, settings: Any) -> None:
    settings.TEST_MONEY = False
    client, page = Client(), f"/account/listings/{live.pk}/buy"
    assert live.owner is not None
    client.force_login(live.owner)
    shown = client.get(page).content.decode()
    pressed = client.post(page, {"product": "featured"})

    assert WORDS in shown
    assert "Featured listing" in shown
    assert "Continue with" not in shown
    assert pressed.status_code == 400
    assert WORDS in pressed.content.decode()
    assert Order.objects.count() == 0


def test_test_money_s_page_and_notifications_are_gone(order: Order, settings: Any) -> None:
    payment = begin(order)
    page = payment.redirect_url.removeprefix(settings.SITE_URL)
    about = sandbox.about(page.rpartition("/")[2]) or {}
    at = datetime.now(UTC)
    body, signature = sandbox.message(event_id="t", kind=payments.Kind.PAID, about=about, at=at)
    assert Client().get(page).status_code == 200
    settings.TEST_MONEY = False

    assert Client().get(page).status_code == 404
    assert deliver("sandbox", body, {sandbox.HEADER: signature}) == 404
    order.refresh_from_db()
    assert order.status == "pending"


def test_an_empty_secret_verifies_nothing(settings: Any, site: Any) -> None:
    settings.STRIPE_SECRET_KEY, settings.STRIPE_WEBHOOK_SECRET = "sk_live_x", ""
    body = b'{"id": "evt_1", "type": "checkout.session.completed", "livemode": true, "data": {"object": {}}}'
    at = datetime.now(UTC)

    assert deliver("stripe", body, {"Stripe-Signature": signed.header(body=body, secret="", at=at)}) == 400


def test_beside_real_money_no_test_money_is_offered(order: Order, settings: Any) -> None:
    settings.STRIPE_SECRET_KEY, settings.STRIPE_WEBHOOK_SECRET = "sk_test_x", "whsec_x"
    address = checkout_url(order).removeprefix(settings.SITE_URL)
    assert "so nothing will be charged" in Client().get(address).content.decode()
    settings.PAYPAL_CLIENT_ID, settings.PAYPAL_CLIENT_SECRET = "client", "secret"

    page = Client().get(address).content.decode()

    assert "so nothing will be charged" not in page
    assert ('value="paypal"' in page, 'value="card"' in page) == (True, False)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, []),
        ({"ON_LOOPBACK": False, "TEST_MONEY": False}, ["orders.I004"]),
        ({"ON_LOOPBACK": False}, ["orders.W003"]),
        ({"ON_LOOPBACK": False, "STRIPE_SECRET_KEY": "sk_test_x"}, ["orders.W003"]),
        ({"STRIPE_WEBHOOK_SECRET": ""}, ["orders.E001"]),
        ({**LIVE, "SELLER_VAT_NUMBER": ""}, ["orders.W002"]),
        ({**LIVE, "SELLER_ADDRESS": " "}, ["orders.W002"]),
        (LIVE, []),
    ],
)
def test_what_the_operator_should_know_is_said(
    changes: dict[str, Any], expected: list[str], settings: Any
) -> None:
    settings.SELLER_VAT_NUMBER, settings.SELLER_ADDRESS = "BE0123456749", "Rue 1, 1000 Brussels"
    if any(name.startswith("STRIPE") for name in changes):
        settings.STRIPE_SECRET_KEY, settings.STRIPE_WEBHOOK_SECRET = "sk_live_x", "whsec_x"
    for name, value in changes.items():
        setattr(settings, name, value)

    assert [message.id for message in run_checks(tags=[TAG])] == expected


def test_staff_read_it_on_start(settings: Any, site: Any) -> None:
    settings.ON_LOOPBACK = False

    page = staff_client("administrator").get("/admin/").content.decode()

    assert "This site is public and takes test money" in page
    assert "Only test money is taken" not in page
