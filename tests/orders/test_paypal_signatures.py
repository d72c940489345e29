"""PayPal's notifications are checked here, by its certificate: forged ones cost no call to PayPal."""

from datetime import timedelta
from typing import Any

import pytest
import redis
from django.conf import settings
from django.test import Client
from django.utils import timezone

from orders import paying
from orders.models import Order, ProviderEvent
from orders.notifications import check_payment
from orders.payments.paypal import PayPal
from tests.conftest import Api, People
from tests.factories.listings import make_listing
from tests.orders.paying import begin, buy, dead, deliver, money, work
from tests.servers.certificates import signing_key
from tests.servers.paypal_server import CERTIFICATES_HOST, PayPalServer, paypal_key
from tests.servers.website import Website, plain
from tests.waiting import taken

BODY = b'{"id": "WH-1", "event_type": "CHECKOUT.ORDER.APPROVED", "resource": {}}'
OWNER = "messageverificationcerts.paypal.com"


@pytest.fixture
def order(api: Api, people: People, paypal_server: PayPalServer) -> Order:
    """A featured week."""
    return buy(api, {"product": "featured", "listing_id": make_listing(owner=people.owner).pk})


@pytest.mark.parametrize(
    "changes",
    [
        {"Paypal-Auth-Algo": ""},
        {"Paypal-Auth-Algo": "SHA1withRSA"},
        {"Paypal-Transmission-Sig": ""},
        {"Paypal-Transmission-Sig": "no base64"},
        {"Paypal-Transmission-Id": ""},
        {"Paypal-Transmission-Time": ""},
        {"Paypal-Cert-Url": ""},
        {"Paypal-Cert-Url": f"http://{CERTIFICATES_HOST}/v1/notifications/certs/CERT-1"},
        {"Paypal-Cert-Url": f"https://{CERTIFICATES_HOST}.evil.example/v1/notifications/certs/CERT-1"},
        {"Paypal-Cert-Url": f"https://evil.example\\@{CERTIFICATES_HOST}/v1/notifications/certs/CERT-1"},
        {"Paypal-Cert-Url": f"https://{CERTIFICATES_HOST}:444/v1/notifications/certs/CERT-1"},
        {"Paypal-Cert-Url": f"https://{CERTIFICATES_HOST}/v1/notifications/certs/../../CERT-1"},
        {"Paypal-Cert-Url": "https://www.paypal.com/v1/notifications/certs/CERT-1"},
        {"Paypal-Cert-Url": "https://api.sandbox.paypal.com/v1/notifications/certs/CERT-1"},
    ],
)
def test_what_cannot_be_paypals_is_refused_without_any_call(
    paypal_server: PayPalServer, paypal_certificates: Website, changes: dict[str, str], db: None
) -> None:
    assert deliver("paypal", BODY, paypal_server.signature(BODY, **changes)) == 400
    assert (paypal_server.calls, paypal_certificates.requests) == ([], [])


def test_only_the_very_bytes_for_this_webhook_by_this_key_are_paypals(
    paypal_server: PayPalServer, paypal_certificates: Website, db: None, settings: Any
) -> None:
    signature = paypal_server.signature(BODY)
    forged = paypal_server.signature(
        BODY, key=signing_key(OWNER)
    )  # another key that names PayPal's certificate
    settings.RATE_LIMIT_FACTOR = 10

    assert deliver("paypal", BODY.replace(b"WH-1", b"WH-2"), signature) == 400
    assert deliver("paypal", BODY, signature | {"Paypal-Transmission-Id": "other"}) == 400
    assert deliver("paypal", BODY, signature | {"Paypal-Transmission-Time": "other"}) == 400
    assert deliver("paypal", BODY, forged) == 400
    settings.PAYPAL_WEBHOOK_ID = "ANOTHERWEBHOOK"
    assert deliver("paypal", BODY, signature) == 400
    assert (ProviderEvent.objects.count(), paypal_server.calls) == (0, [])
    assert paypal_certificates.paths == [paypal_key().path]  # fetched once, for all of them


@pytest.mark.parametrize(
    ("owner", "days"), [("messageverificationcerts.paypal.com.evil.example", 365), (OWNER, -1)]
)
def test_a_certificate_of_somebody_else_or_of_last_year_signs_nothing(
    paypal_server: PayPalServer, paypal_certificates: Website, owner: str, days: int, db: None
) -> None:
    key = signing_key(owner, name="CERT-other", days=days)
    paypal_certificates.pages[key.path] = plain(key.pem)

    assert deliver("paypal", BODY, paypal_server.signature(BODY, key=key)) == 400
    assert ProviderEvent.objects.count() == 0


def test_a_certificate_that_its_companion_did_not_issue_signs_nothing(
    paypal_server: PayPalServer, paypal_certificates: Website, db: None
) -> None:
    key, other = signing_key(OWNER, name="CERT-mixed"), signing_key(OWNER)
    begin, end = "-----BEGIN CERTIFICATE-----", other.pem.index("-----END CERTIFICATE-----")
    issuer = other.pem[other.pem.index(begin, end) :]
    paypal_certificates.pages[key.path] = plain(key.pem[: key.pem.index(begin, 10)] + issuer)

    assert deliver("paypal", BODY, paypal_server.signature(BODY, key=key)) == 400


def test_certificates_that_are_not_there_are_fetched_a_few_times_an_hour(
    paypal_server: PayPalServer, paypal_certificates: Website, db: None
) -> None:
    def forged(number: int) -> int:
        address = f"https://{CERTIFICATES_HOST}/v1/notifications/certs/CERT-{number}"
        return deliver("paypal", BODY, paypal_server.signature(BODY, **{"Paypal-Cert-Url": address}))

    assert [forged(number) for number in (*range(10), 0)] == [400] * 11
    assert forged(11) == 503  # nobody knows: PayPal would send it again
    assert (len(paypal_certificates.requests), paypal_server.calls) == (10, [])


def test_paypal_is_understood_as_long_as_its_certificate_is_valid_whoever_forges(
    paypal_server: PayPalServer, paypal_certificates: Website, db: None
) -> None:
    key = signing_key(OWNER, name="CERT-long", days=200)
    paypal_certificates.pages[key.path] = plain(key.pem)
    assert deliver("paypal", BODY, paypal_server.signature(BODY, key=key)) == 200

    with redis.Redis.from_url(settings.REDIS_URL) as client:
        (kept,) = client.scan_iter("*CERT-long")
        left = timedelta(seconds=int(client.ttl(kept)))  # type: ignore[arg-type]
    assert timedelta(days=198) < left <= timedelta(days=200)


def test_a_certificate_that_cannot_be_had_now_is_no_forgery(
    order: Order, paypal_server: PayPalServer, paypal_certificates: Website
) -> None:
    there = paypal_server.orders[begin(order, "paypal").provider_reference or ""]
    there["status"] = "APPROVED"
    body = paypal_server.event("CHECKOUT.ORDER.APPROVED", there)
    signature = paypal_server.signature(body)
    page = paypal_certificates.pages.pop(paypal_key().path)
    paypal_certificates.otherwise = plain("away", status=500)

    assert deliver("paypal", body, signature) == 503
    with taken(PayPal.bulkhead):
        assert deliver("paypal", body, signature) == 503
    paypal_certificates.pages[paypal_key().path] = page
    assert deliver("paypal", body, signature) == 200
    work()
    assert money(order) == ("paid", ["paid"])


@pytest.mark.parametrize("provider", ["paypal", "stripe"])
def test_a_network_that_forges_is_not_listened_to_for_a_minute(
    paypal_server: PayPalServer, settings: Any, provider: str, db: None
) -> None:
    settings.STRIPE_SECRET_KEY, settings.STRIPE_WEBHOOK_SECRET = "sk_test_x", "whsec_x"
    answers = [deliver(provider, b"{}", {}) for _ in range(31)]
    elsewhere = Client(REMOTE_ADDR="203.0.113.9").post(
        f"/webhooks/{provider}", data=b"{}", content_type="application/json"
    )

    assert (answers, elsewhere.status_code) == ([400] * 30 + [429], 400)
    signature = paypal_server.signature(BODY)
    assert deliver("paypal", BODY, signature) == 429


def test_a_declined_payment_says_so_at_once(order: Order, paypal_server: PayPalServer) -> None:
    payment = begin(order, "paypal")
    paypal_server.orders[payment.provider_reference or ""]["status"] = "APPROVED"
    paypal_server.declines = True

    paying.check_payments(order_id=order.pk, at=timezone.now())
    work()

    assert (money(order), dead()) == (("pending", ["failed"]), [])
    paypal_server.declines = False
    again = begin(order, "paypal")
    assert again.pk != payment.pk
    paypal_server.orders[again.provider_reference or ""]["status"] = "APPROVED"
    paying.check_payments(order_id=order.pk, at=timezone.now() + timedelta(minutes=1))
    work()
    assert money(order) == ("paid", ["failed", "paid"])


def test_a_payment_that_its_provider_does_not_know_ends_at_its_time(
    order: Order, paypal_server: PayPalServer
) -> None:
    payment = begin(order, "paypal")
    paypal_server.orders.clear()

    early = check_payment(payment_id=str(payment.pk), at=timezone.now())
    assert (early, money(order)) == ("Nothing to do.", ("pending", ["started"]))
    check_payment(payment_id=str(payment.pk), at=payment.expires_at + timedelta(minutes=6))
    work()
    payment.refresh_from_db()
    assert (money(order), payment.next_check_at, dead()) == (("pending", ["expired"]), None, [])


def test_while_a_provider_is_away_nothing_ends_and_no_job_dies(
    order: Order, paypal_server: PayPalServer
) -> None:
    payment = begin(order, "paypal")
    late = payment.expires_at + timedelta(hours=8)
    paypal_server.troubles = [500]

    check_payment(payment_id=str(payment.pk), at=late)

    payment.refresh_from_db()
    assert (money(order), dead()) == (("pending", ["started"]), [])
    assert payment.next_check_at == late + (late - payment.created_at) / 4
    check_payment(payment_id=str(payment.pk), at=late + timedelta(hours=3))
    assert money(order) == ("pending", ["expired"])
