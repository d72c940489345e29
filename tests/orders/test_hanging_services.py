"""A provider, VIES, another site or the bucket hangs: two requests wait, the others are answered at once."""

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from config import environment
from config.buckets import MEDIA
from core.fetch import OTHER_SITES
from core.mail import SERVER
from core.outages import PLACES, Bulkhead
from directory.models import Listing
from orders import payments, vat_numbers
from orders.documents.files import ACCESS_POINT
from orders.links import checkout_url
from orders.models import Order, Payment
from orders.payments.btcpay import BTCPay
from orders.payments.paypal import PayPal
from orders.payments.sandbox import Sandbox
from orders.payments.stripe import Stripe
from orders.vat_numbers import VIES
from tests.conftest import Api, People
from tests.factories.listings import make_listing
from tests.orders.conftest import cart
from tests.orders.paying import buy
from tests.servers.hanging import DrippingServer, HangingServer
from tests.waiting import taken

BUYER = {
    "email": "ines@brindle.example",
    "name": "Inês Prado",
    "address": "Rua do Almada 112",
    "postcode": "4050-031",
    "city": "Porto",
    "country": "PT",
    "terms": "on",
}
PROVIDERS = {
    "Stripe": ("card", {"STRIPE_SECRET_KEY": "sk_test_x", "STRIPE_WEBHOOK_SECRET": "w"}, "STRIPE_API_BASE"),
    "PayPal": (
        "paypal",
        {"PAYPAL_CLIENT_ID": "c", "PAYPAL_CLIENT_SECRET": "s", "PAYPAL_WEBHOOK_ID": "W"},
        "PAYPAL_API_BASE",
    ),
    "BTCPay": (
        "crypto",
        {"BTCPAY_API_KEY": "k", "BTCPAY_STORE_ID": "s", "BTCPAY_WEBHOOK_SECRET": "w"},
        "BTCPAY_URL",
    ),
}
AWAY = "The payment provider does not answer. Try again in a minute. Nothing was charged."
GATEWAYS = {"Stripe": Stripe, "PayPal": PayPal, "BTCPay": BTCPay}


@pytest.fixture
def hanging(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A server that says nothing, and services for which a second is long."""
    for service in Bulkhead.all:
        monkeypatch.setattr(service, "seconds", 1.0)
    with HangingServer() as server:
        yield server


@pytest.fixture(params=[b"HTTP/1.1 200 OK\r\nX-Words: ", b"HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n"])
def dripping(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A server whose headers or body come byte by byte, and services for which half a second is long."""
    for service in Bulkhead.all:
        monkeypatch.setattr(service, "seconds", 0.5)
    with DrippingServer(request.param) as server:
        yield server


@pytest.fixture
def order(api: Api, people: People) -> Order:
    """A featured week."""
    return buy(api, {"product": "featured", "listing_id": make_listing(owner=people.owner).pk})


def use(settings: Any, provider: str, server: HangingServer | DrippingServer) -> str:
    """Point the settings of a provider at a server; the method that leads there."""
    method, values, base = PROVIDERS[provider]
    for name, value in {**values, base: server.url}.items():
        setattr(settings, name, value)
    return method


def press_pay(order: Order, method: str) -> Any:
    path = "/" + checkout_url(order).split("/", 3)[3]
    form = {**BUYER, "total": order.total_cents, "act": "pay", "method": method}
    return Client().post(path, form)


def test_each_port_has_a_bulkhead_of_its_own() -> None:
    classes = [Stripe, PayPal, BTCPay, Sandbox]
    assert list(payments.PROVIDERS.values()) == classes
    services = [*(kind.bulkhead for kind in classes), VIES, OTHER_SITES, MEDIA, SERVER, ACCESS_POINT]

    assert sorted(service.service for service in Bulkhead.all) == sorted(one.service for one in services)
    assert len({id(service) for service in services}) == len(services)
    assert all(service.seconds <= 5.0 for service in services)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_while_two_wait_for_a_provider_others_read_so_at_once(
    order: Order, settings: Any, hanging: HangingServer, provider: str
) -> None:
    method = use(settings, provider, hanging)
    order = agreed(order, method)

    with taken(GATEWAYS[provider].bulkhead):
        page = press_pay(order, method)

    text = page.content.decode()
    assert (page.status_code, hanging.visits) == (200, 0)
    assert AWAY in text
    assert ('value="Inês Prado"' in text, 'value="4050-031"' in text) == (True, True)
    assert Payment.objects.get().redirect_url == ""


@pytest.mark.parametrize("provider", PROVIDERS)
def test_after_one_was_kept_waiting_nobody_is_for_a_while(
    order: Order, settings: Any, hanging: HangingServer, provider: str
) -> None:
    method = use(settings, provider, hanging)
    order = agreed(order, method)

    pages = [press_pay(order, method).content.decode() for _ in range(2)]

    assert [AWAY in page for page in pages] == [True, True]
    assert hanging.visits == 1


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_provider_that_drips_has_the_same_time_as_one_that_says_nothing(
    order: Order, settings: Any, dripping: DrippingServer, provider: str
) -> None:
    method = use(settings, provider, dripping)
    order = agreed(order, method)

    began = time.monotonic()
    page = press_pay(order, method).content.decode()

    assert (AWAY in page, dripping.heard_out) == (True, 0)
    assert time.monotonic() - began < 5  # of the ten that it drips
    assert AWAY in press_pay(order, method).content.decode()


@pytest.mark.django_db(transaction=True)
def test_of_eight_who_pay_at_once_two_wait(order: Order, settings: Any, hanging: HangingServer) -> None:
    method = use(settings, "Stripe", hanging)
    order = agreed(order, method)

    def press(_: int) -> bool:
        try:
            return AWAY in press_pay(order, method).content.decode()
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(press, range(8)))

    assert answers == [True] * 8
    assert 1 <= hanging.visits <= PLACES


def agreed(order: Order, method: str) -> Order:
    """The order with the buyer's country, as whoever presses Pay has seen it."""
    path = "/" + checkout_url(order).split("/", 3)[3]
    Client().post(path, {**BUYER, "total": order.total_cents, "act": "check", "method": method})
    order.refresh_from_db()
    return order


def test_a_quote_does_not_wait_for_vies_that_hangs(
    api: Api, draft: Listing, settings: Any, hanging: HangingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.VIES_URL = hanging.url
    monkeypatch.setattr(vat_numbers, "SECONDS", 1.0)

    def status(number: str) -> str:
        body = cart({"product": "launch", "listing_id": draft.pk}, vat_number=number, billing_country="BE")
        return str(api("all").post("/api/v1/orders/quote", body).json()["vat"]["vat_number_status"])

    with taken(VIES):
        assert (status("BE0403170701"), hanging.visits) == ("unavailable", 0)
    assert (status("BE0403170701"), hanging.visits) == ("unavailable", 1)
    assert (status("BE0404616494"), hanging.visits) == ("unavailable", 1)


def test_vies_that_drips_has_its_time_too(
    api: Api, draft: Listing, settings: Any, dripping: DrippingServer
) -> None:
    settings.VIES_URL = dripping.url
    body = cart(
        {"product": "launch", "listing_id": draft.pk}, vat_number="BE0403170701", billing_country="BE"
    )

    began = time.monotonic()
    answer = api("all").post("/api/v1/orders/quote", body)

    assert answer.json()["vat"]["vat_number_status"] == "unavailable"
    assert (dripping.heard_out, time.monotonic() - began < 5) == (0, True)


def test_pictures_of_a_bucket_that_hangs_are_not_waited_for(
    client: Client, settings: Any, hanging: HangingServer, monkeypatch: pytest.MonkeyPatch, db: None
) -> None:
    place = environment.place(f"s3://things?endpoint_url={hanging.url}&region_name=eu", name="MEDIA_STORAGE")
    settings.STORAGES = {**settings.STORAGES, "default": place}
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "tests")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "tests")
    with taken(MEDIA):
        assert (client.get("/media/logos/a.png").status_code, hanging.visits) == (503, 0)
    answers = [client.get("/media/logos/a.png") for _ in range(2)]
    assert ([answer.status_code for answer in answers], hanging.visits) == ([503, 503], 1)
    assert answers[0].headers["Retry-After"] == "5"
