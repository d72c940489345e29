"""PayPal, BTCPay and test money, each against its own page or a stand-in of its server."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.checks import run_checks
from django.test import Client
from django.utils import timezone

from orders import notifications, paying, payments, refunding, settle
from orders.errors import PaymentUnavailableError
from orders.links import checkout_url
from orders.models import Order, Payment, ProviderEvent, Refund
from orders.payments import sandbox
from tests.conftest import Api, People, signed_in
from tests.factories.listings import make_listing
from tests.factories.staff import fresh, staff_client
from tests.orders.paying import RETURN, begin, buy, choose, dead, deliver, lines, money, work
from tests.servers.btcpay_server import BTCPayServer
from tests.servers.paypal_server import PayPalServer


@pytest.fixture
def order(api: Api, people: People) -> Order:
    """A featured week."""
    return buy(api, {"product": "featured", "listing_id": make_listing(owner=people.owner).pk})


# -- PayPal -----------------------------------------------------------------------------------------------


def tell_paypal(server: PayPalServer, kind: str, resource: dict[str, Any]) -> int:
    body = server.event(kind, resource)
    status = deliver("paypal", body, server.signature(body))
    work()
    return status


def agree(server: PayPalServer, payment: Payment) -> dict[str, Any]:
    """The person agrees on PayPal's page."""
    order = server.orders[payment.provider_reference or ""]
    order["status"] = "APPROVED"
    return order


def test_paypals_money_is_captured_once_after_the_person_has_agreed(
    order: Order, people: People, paypal_server: PayPalServer
) -> None:
    paypal_server.troubles = [200, "lost"]  # a token that is none, then an order nobody hears of
    payment = begin_after_troubles(order, "paypal")
    there = agree(paypal_server, payment)
    assert payment.redirect_url == there["links"][0]["href"]
    assert len(paypal_server.orders) == 1

    for _ in range(2):
        assert tell_paypal(paypal_server, "CHECKOUT.ORDER.APPROVED", there) == 200
    capture = there["purchase_units"][0]["payments"]["captures"][0]
    assert tell_paypal(paypal_server, "PAYMENT.CAPTURE.COMPLETED", capture) == 200
    assert (money(order), lines(order)) == (("paid", ["paid"]), [("featured", "done")])
    assert paypal_server.count("POST /v2/checkout/orders/.*/capture") == 1

    refunding.refund(payment_id=str(payment.pk), reason="-", staff_id=people.staff.pk, at=timezone.now())
    work()
    assert (money(order)[0], paypal_server.refunds[0]["amount"]["value"]) == ("refunded", "58.31")
    assert dead() == []


def begin_after_troubles(order: Order, method: str) -> Payment:
    """Begin, and once more for each time that the provider was not to be understood."""
    for _ in range(2):
        with pytest.raises(PaymentUnavailableError):
            begin(order, method)
    return begin(order, method)


def test_a_refund_made_at_paypal_is_noticed(order: Order, paypal_server: PayPalServer) -> None:
    there = agree(paypal_server, begin(order, "paypal"))
    tell_paypal(paypal_server, "CHECKOUT.ORDER.APPROVED", there)
    capture = there["purchase_units"][0]["payments"]["captures"][0]
    up = {"rel": "up", "href": f"https://api-m.paypal.com/v2/payments/captures/{capture['id']}"}
    refund = {
        "id": "REF1",
        "amount": {"value": "1.00", "currency_code": "EUR"},
        "links": [{"rel": "self"}, up],
    }
    tell_paypal(paypal_server, "PAYMENT.CAPTURE.REFUNDED", refund)

    order.refresh_from_db()
    assert (order.status, "€1.00" in order.review_reason) == ("partially_refunded", True)
    tell_paypal(paypal_server, "PAYMENT.CAPTURE.REFUNDED", refund)
    assert order.invoices.get(kind="credit_note").total_cents == -100


def test_what_paypal_signed_is_taken_once_and_as_it_came(order: Order, paypal_server: PayPalServer) -> None:
    there = agree(paypal_server, begin(order, "paypal"))
    body = paypal_server.event("CHECKOUT.ORDER.APPROVED", there)
    signature = paypal_server.signature(body)

    assert deliver("paypal", body.replace(b"58.31", b"00.01"), signature) == 400
    assert deliver("paypal", body, signature | {"Paypal-Transmission-Sig": ""}) == 400
    assert ProviderEvent.objects.count() == 0
    assert deliver("paypal", body, signature) == 200


def test_nothing_is_captured_for_an_attempt_that_has_ended(order: Order, paypal_server: PayPalServer) -> None:
    payment = begin(order, "paypal")
    there = agree(paypal_server, payment)
    Payment.objects.update(expires_at=timezone.now() - timedelta(hours=1))

    tell_paypal(paypal_server, "CHECKOUT.ORDER.APPROVED", there)
    assert (money(order), paypal_server.count("POST .*/capture")) == (("pending", ["started"]), 0)


def test_whoever_comes_back_from_paypal_has_it_captured(order: Order, paypal_server: PayPalServer) -> None:
    payment = begin(order, "paypal")
    agree(paypal_server, payment)
    paying.check_payments(order_id=order.pk, at=timezone.now())
    work()
    assert money(order) == ("paid", ["paid"])


@pytest.mark.parametrize(
    ("troubles", "refused"),
    [([401], ["paypal"]), (["fine", 401], []), ([403], ["paypal"]), (["fine", 403], ["paypal"])],
)
def test_a_key_that_is_refused_is_told_apart_from_a_token_that_has_ended(
    order: Order, paypal_server: PayPalServer, troubles: list[int | str], refused: list[str]
) -> None:
    paypal_server.troubles = troubles

    with pytest.raises(PaymentUnavailableError):
        begin(order, "paypal")

    assert paying.refused_keys(at=timezone.now()) == refused


def test_a_refund_waits_for_a_credential_that_is_refused(
    order: Order, people: People, paypal_server: PayPalServer
) -> None:
    payment = begin(order, "paypal")
    tell_paypal(paypal_server, "CHECKOUT.ORDER.APPROVED", agree(paypal_server, payment))
    paypal_server.troubles = [401]  # its token was taken back before its time
    row = refunding.refund(
        payment_id=str(payment.pk), reason="-", staff_id=people.staff.pk, at=timezone.now()
    )
    work()
    assert (money(order)[0], Refund.objects.get().status) == ("paid", "pending")

    refunding.carry_out(refund_id=str(row.pk), at=timezone.now())
    assert (money(order)[0], paypal_server.count("POST /v1/oauth2/token")) == ("refunded", 2)


# -- BTCPay -----------------------------------------------------------------------------------------------


def test_coins_count_when_they_are_settled_and_odd_ones_are_for_staff(
    order: Order, api: Api, people: People, btcpay_server: BTCPayServer
) -> None:
    btcpay_server.troubles = ["lost"]
    with pytest.raises(PaymentUnavailableError):
        begin(order, "crypto")
    payment = begin(order, "crypto")
    (invoice,) = btcpay_server.invoices.values()
    assert (invoice["amount"], payment.redirect_url) == ("58.31", invoice["checkoutLink"])

    def tell(kind: str, status: str, invoice: dict[str, Any], **more: Any) -> int:
        invoice["status"] = status
        body = btcpay_server.event(kind, invoice["id"], **more)
        assert deliver("btcpay", body, btcpay_server.signature(body, secret="other")) == 400
        answers = {deliver("btcpay", body, btcpay_server.signature(body)) for _ in range(2)}
        work()
        return answers.pop()

    assert tell("InvoiceCreated", "New", invoice) == 200
    tell("InvoiceProcessing", "Processing", invoice)
    assert money(order) == ("processing", ["processing"])
    tell("InvoiceSettled", "Settled", invoice)
    assert (money(order), lines(order)) == (("paid", ["paid"]), [("featured", "done")])

    refund = refunding.refund(
        payment_id=str(payment.pk), reason="-", staff_id=people.staff.pk, at=timezone.now()
    )
    work()
    assert (money(order)[0], btcpay_server.pulls[0]["customAmount"]) == ("paid", "58.31")
    refunding.confirm_refund(refund_id=str(refund.pk), staff_id=people.staff.pk, at=timezone.now())
    assert (money(order)[0], lines(order)) == ("refunded", [("featured", "reversed")])

    other = buy(api, {"product": "featured", "listing_id": order.lines.get().listing_id})
    begin(other, "crypto")
    invoice = next(one for one in btcpay_server.invoices.values() if one["status"] == "New")
    tell("InvoiceExpired", "Expired", invoice, partiallyPaid=True)
    assert (money(other), lines(other)) == (("review", ["flagged"]), [("featured", "waiting")])


def tell_btcpay(server: BTCPayServer, kind: str, **more: Any) -> None:
    (invoice,) = server.invoices.values()
    body = server.event(kind, invoice["id"], **more)
    assert deliver("btcpay", body, server.signature(body)) == 200
    work()


def test_coins_that_are_too_few_are_counted_and_the_rest_is_said(
    order: Order, people: People, btcpay_server: BTCPayServer
) -> None:
    payment = begin(order, "crypto")
    (invoice,) = btcpay_server.invoices.values()
    invoice |= {"status": "Expired", "additionalStatus": "PaidPartial", "paid": "20.004"}
    tell_btcpay(btcpay_server, "InvoiceExpired", partiallyPaid=True)

    words = "€20.00 of €58.31 came: €38.31 is missing."
    assert (money(order), order.review_reason) == (("review", ["flagged"]), words)
    assert words in Client().get(checkout_url(order)).content.decode()
    owner = signed_in(people.owner)
    assert words in owner.get(f"/account/orders/{order.number}").content.decode()
    assert words in staff_client("finance").get(f"/admin/orders/order/{order.pk}/change/").content.decode()

    invoice |= {"additionalStatus": "PaidLate", "paid": "58.31"}
    for _ in range(2):
        tell_btcpay(btcpay_server, "InvoicePaymentSettled", afterExpiration=True)
    assert (money(order)[0], order.review_reason) == (
        "review",
        "€58.31 came, after the time to pay was over.",
    )
    assert "is missing" not in Client().get(checkout_url(order)).content.decode()

    refund = refunding.refund(
        payment_id=str(payment.pk), reason="-", staff_id=people.staff.pk, at=timezone.now()
    )
    work()
    refunding.confirm_refund(refund_id=str(refund.pk), staff_id=people.staff.pk, at=timezone.now())
    assert (refund.amount_cents, money(order)[0], order.invoices.count()) == (5831, "refunded", 0)


def test_the_rest_of_coins_that_staff_accepted_in_part_is_on_record(
    order: Order, people: People, btcpay_server: BTCPayServer
) -> None:
    begin(order, "crypto")
    (invoice,) = btcpay_server.invoices.values()
    invoice |= {"status": "Expired", "additionalStatus": "PaidPartial", "paid": "58.30"}
    tell_btcpay(btcpay_server, "InvoiceExpired", partiallyPaid=True)
    settle.accept_review(order_id=order.pk, staff_id=people.staff.pk, at=timezone.now())
    assert (money(order), order.review_reason) == (("paid", ["paid"]), "")

    invoice |= {"additionalStatus": "PaidLate", "paid": "58.31"}
    tell_btcpay(btcpay_server, "InvoicePaymentSettled", afterExpiration=True)
    assert (money(order), order.payments.get().paid_cents) == (("paid", ["paid"]), 5831)
    assert order.review_reason == "€58.31 came, after the time to pay was over."


@pytest.mark.parametrize("paid", ["60.00", "58.32"])
def test_coins_above_the_amount_are_given_back_and_are_no_refund_of_the_order(
    order: Order, people: People, btcpay_server: BTCPayServer, paid: str
) -> None:
    payment = begin(order, "crypto")
    (invoice,) = btcpay_server.invoices.values()
    invoice |= {"status": "Settled", "additionalStatus": "PaidOver", "paid": paid}
    body = btcpay_server.event("InvoiceSettled", invoice["id"], overPaid=True)
    deliver("btcpay", body, btcpay_server.signature(body))
    work()
    over = round(float(paid) * 100) - 5831
    much = f"€{over // 100}.{over % 100:02d}"

    assert (money(order), lines(order)) == (("paid", ["paid"]), [("featured", "done")])
    assert order.review_reason == f"Money to give back: more came than was asked for ({much})."
    finance, url = fresh(staff_client("finance")), f"/admin/orders/order/{order.pk}"
    assert f"Give back {much}…" in finance.get(f"{url}/change/").content.decode()
    sent = {"payment": payment.pk, "amount": much[1:], "cents": over, "reason": "Too much"}
    finance.post(f"{url}/refund/", sent)
    work()
    refunding.confirm_refund(
        refund_id=str(Refund.objects.get().pk), staff_id=people.staff.pk, at=timezone.now()
    )
    assert (money(order)[0], order.review_reason, order.invoices.count()) == ("paid", "", 1)

    rest = refunding.refund(
        payment_id=str(payment.pk), reason="-", staff_id=people.staff.pk, at=timezone.now()
    )
    refunding.confirm_refund(refund_id=str(rest.pk), staff_id=people.staff.pk, at=timezone.now())
    assert (money(order)[0], rest.amount_cents) == ("refunded", 5831)
    assert order.invoices.get(kind="credit_note").total_cents == -5831


def test_more_coins_than_can_be_counted_are_said_all_the_same(
    order: Order, btcpay_server: BTCPayServer
) -> None:
    begin(order, "crypto")
    (invoice,) = btcpay_server.invoices.values()
    invoice |= {"status": "Settled", "additionalStatus": "PaidOver", "paid": "58.31"}
    body = btcpay_server.event("InvoiceSettled", invoice["id"], overPaid=True)
    deliver("btcpay", body, btcpay_server.signature(body))
    work()

    assert (money(order)[0], order.payments.get().paid_cents) == ("paid", 5831)
    assert "the provider's page says how much" in order.review_reason


# -- test money -------------------------------------------------------------------------------------------


def test_the_page_of_test_money_says_so_and_plays_what_banks_do(order: Order) -> None:
    payment = begin(order)
    page = Client().get(payment.redirect_url)
    assert (page.status_code, page["Cache-Control"]) == (200, "private, no-store")
    for words in (b"nothing is charged", b"Test money", order.number.encode(), "€58.31".encode()):
        assert words in page.content

    assert Client().get(payment.redirect_url + "x").status_code == 404
    assert choose(payment, "decline").headers["Location"] == RETURN
    assert money(order) == ("pending", ["failed"])

    payment = begin(order)
    assert choose(payment, "cancel").headers["Location"].endswith("/cancel")
    assert money(order) == ("pending", ["failed", "started"])
    choose(payment, "later")
    assert money(order) == ("processing", ["failed", "processing"])
    choose(payment, "twice")
    choose(payment, "pay")
    assert (money(order), lines(order)) == (("paid", ["failed", "paid"]), [("featured", "done")])
    assert (order.test_money, order.events.filter(kind="fulfilled").count()) == (True, 1)


def test_test_money_is_signed_like_any_other(order: Order) -> None:
    payment = begin(order)
    about = sandbox.about(payment.redirect_url.rpartition("/")[2]) or {}
    at = timezone.now()
    body, signature = sandbox.message(event_id="test_1", kind=payments.Kind.PAID, about=about, at=at)
    cheap = body.replace(b"5831", b"1")

    assert deliver("sandbox", cheap, {sandbox.HEADER: signature}) == 400
    assert deliver("sandbox", body, {}) == 400
    about["amount_cents"] = 1
    body, signature = sandbox.message(event_id="test_2", kind=payments.Kind.PAID, about=about, at=at)
    assert deliver("sandbox", body, {sandbox.HEADER: signature}) == 200
    work()
    assert money(order) == ("review", ["flagged"])


def test_test_money_is_gone_once_somebody_can_be_paid(
    order: Order, paypal_server: PayPalServer, settings: Any
) -> None:
    assert list(payments.offered()) == ["paypal"]
    with pytest.raises(PaymentUnavailableError):
        begin(order, "test")
    assert deliver("sandbox", b"{}", {}) == 404

    settings.STRIPE_SECRET_KEY = "sk_live_x"
    assert [error.msg.split()[0] for error in run_checks() if error.id == "orders.E001"] == [
        "STRIPE_WEBHOOK_SECRET"
    ]
    assert notifications.plan_checks(at=timezone.now()) == 0
