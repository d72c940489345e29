"""Money that comes late, twice or not whole, after the order has moved on."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from core.models import Job
from orders import notifications, refunding, settle
from orders.models import Order
from tests.conftest import Api, People
from tests.factories.listings import make_listing
from tests.orders.paying import begin, buy, lines, money, work
from tests.orders.test_checkout_pages import post
from tests.orders.test_other_payments import agree, tell_btcpay
from tests.orders.test_refunds import left_on_paper
from tests.orders.test_stripe_payments import COMPLETED, tell
from tests.servers.btcpay_server import BTCPayServer
from tests.servers.paypal_server import PayPalServer
from tests.servers.stripe_server import StripeServer


@pytest.fixture
def order(api: Api, people: People) -> Order:
    """A featured week, EUR 58.31 with its VAT."""
    return buy(api, {"product": "featured", "listing_id": make_listing(owner=people.owner).pk})


def test_money_for_a_total_that_has_changed_since_is_for_staff(
    order: Order, stripe_server: StripeServer
) -> None:
    session = begin(order, "card").provider_reference or ""
    post(order, "check", country="GB", postcode="EH1 1YZ", method="card")
    order.refresh_from_db()
    assert order.total_cents == 4900

    tell(stripe_server, COMPLETED, stripe_server.pay(session))

    assert money(order) == ("review", ["flagged"])
    assert order.review_reason == "The order's total is no longer what was asked for."
    assert lines(order) == [("featured", "waiting")]


def test_what_was_agreed_to_at_paypal_and_never_collected_ends_with_its_time(
    order: Order, paypal_server: PayPalServer
) -> None:
    payment = begin(order, "paypal")
    agree(paypal_server, payment)

    notifications.check_payment(payment_id=str(payment.pk), at=payment.expires_at + timedelta(hours=1))
    work()

    assert (money(order), paypal_server.count("POST .*/capture")) == (("pending", ["expired"]), 0)


def part_comes(server: BTCPayServer, paid: str) -> dict[str, Any]:
    (invoice,) = server.invoices.values()
    invoice |= {"status": "Expired", "additionalStatus": "PaidPartial", "paid": paid}
    tell_btcpay(server, "InvoiceExpired", partiallyPaid=True)
    return invoice


def test_the_same_part_told_again_is_nothing_new(
    order: Order, people: People, btcpay_server: BTCPayServer
) -> None:
    begin(order, "crypto")
    for _ in range(2):
        part_comes(btcpay_server, "20.00")

    assert (money(order)[0], order.events.filter(kind="review").count()) == ("review", 0)
    mails = Job.objects.filter(kind="core.send_mail", payload__to=people.staff.email)
    assert sum("is missing" in mail.payload["text"] for mail in mails) == 1


def test_whoever_has_back_all_of_a_part_that_was_accepted_has_no_invoice_left(
    order: Order, people: People, btcpay_server: BTCPayServer
) -> None:
    payment = begin(order, "crypto")
    part_comes(btcpay_server, "58.00")
    settle.accept_review(order_id=order.pk, staff_id=people.staff.pk, at=timezone.now())
    assert (money(order)[0], left_on_paper(order)) == ("paid", 5831)

    refund = refunding.refund(
        payment_id=str(payment.pk), reason="-", staff_id=people.staff.pk, at=timezone.now()
    )
    work()
    refunding.confirm_refund(refund_id=str(refund.pk), staff_id=people.staff.pk, at=timezone.now())

    assert (refund.amount_cents, money(order)[0], left_on_paper(order)) == (5800, "refunded", 0)
