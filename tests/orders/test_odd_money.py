"""Money that comes late, twice or not whole, after the order has moved on."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from config import personal_data
from core.models import Job
from orders import notifications, refunding, settle
from orders.errors import RefundRefusedError
from orders.models import Invoice, Order, Payment
from tests.conftest import Api, People
from tests.factories.listings import make_listing
from tests.factories.staff import staff_client
from tests.orders.paying import begin, buy, lines, money, work
from tests.orders.test_checkout_pages import post
from tests.orders.test_disputes import CLOSED, CREATED
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


def misfits(order: Order, server: StripeServer, *, number: int = 1) -> list[Payment]:
    """Payments of a total that has changed since: none of them fits."""
    payments = []
    for _ in range(number):
        payments.append(begin(order, "card"))
        Payment.objects.filter(order=order).update(expires_at=timezone.now())
    post(order, "check", country="GB", postcode="EH1 1YZ", method="card")
    for payment in payments:
        tell(server, COMPLETED, server.pay(payment.provider_reference or ""))
    return payments


def give_back(payment: Payment, people: People, **what: Any) -> None:
    about = {"payment_id": str(payment.pk), "reason": "-", "staff_id": people.staff.pk}
    refunding.refund(**about, at=timezone.now(), **what)
    work()


@pytest.mark.parametrize("end", ["won", "lost"])
@pytest.mark.parametrize("before", ["refunded", "review"])
def test_a_dispute_of_money_that_did_not_fit_has_nothing_done_for_it(
    order: Order, people: People, stripe_server: StripeServer, end: str, before: str
) -> None:
    (payment,) = misfits(order, stripe_server)
    if before == "refunded":
        give_back(payment, people)
    payment.refresh_from_db()
    dispute = stripe_server.dispute(payment.charge_reference, 5831)
    tell(stripe_server, CREATED, dispute)
    tell(stripe_server, CLOSED, dispute | {"status": end})

    after = "review" if (before, end) == ("review", "won") else "refunded"
    assert money(order) == (after, ["flagged"])
    assert lines(order) == [("featured", "waiting")]


def test_money_that_did_not_fit_is_accepted_only_when_no_bank_decides_about_it(
    order: Order, people: People, stripe_server: StripeServer
) -> None:
    (payment,) = misfits(order, stripe_server)
    payment.refresh_from_db()
    dispute = stripe_server.dispute(payment.charge_reference, 5831)
    tell(stripe_server, CREATED, dispute)
    finance, url = staff_client("finance"), f"/admin/orders/order/{order.pk}/accept/"

    page = finance.post(url, follow=True).content.decode()
    assert "its bank decides first" in page
    assert "The buyer disputes the payment. Answer on the provider&#x27;s page." in page
    assert [act for act in ("/accept/", "/refund/?payment") if act in page] == []
    with pytest.raises(RefundRefusedError, match="its bank decides first"):
        give_back(payment, people)
    assert (money(order), order.invoices.count()) == (("review", ["flagged"]), 0)
    tell(stripe_server, CLOSED, dispute | {"status": "won"})
    assert (money(order)[0], order.review_reason) == ("review", payment.flag)
    finance.post(url)
    assert money(order) == ("paid", ["paid"])


@pytest.mark.parametrize(("status", "disputed"), [("review", 0), ("review", 1), ("paid", 1)])
def test_a_dispute_of_one_payment_hides_no_act_of_another(
    order: Order, people: People, stripe_server: StripeServer, status: str, disputed: int
) -> None:
    """Of two that came and did not fit; the first is the one to accept, and what is above the total goes back."""
    payments = misfits(order, stripe_server, number=2)
    if status == "paid":
        settle.accept_review(order_id=order.pk, staff_id=people.staff.pk, at=timezone.now())
    for payment in payments:
        payment.refresh_from_db()
    taken = payments[disputed]
    tell(stripe_server, CREATED, stripe_server.dispute(taken.charge_reference, 5831))
    finance, url = staff_client("finance"), f"/admin/orders/order/{order.pk}/change/"

    page = finance.get(url).content.decode()

    assert [f"refund/?payment={row.pk}" in page for row in payments] == [row != taken for row in payments]
    assert ("/accept/" in page) is (status == "review" and disputed == 1)
    if status == "paid":
        seen = {"seen": Order.objects.get().review_reason}
        answer = finance.post(f"/admin/orders/order/{order.pk}/accept/", seen, follow=True).content.decode()
        assert "The buyer disputes this money: its bank decides first. Nothing was changed." in answer
        assert Order.objects.get().review_reason == seen["seen"]
        Order.objects.update(review_reason="A refund failed.")
        assert "/accept/" in finance.get(url).content.decode()


def test_what_is_offered_once_all_of_the_disputed_money_is_on_its_way_back_is_done(
    order: Order, people: People, stripe_server: StripeServer
) -> None:
    _, second = misfits(order, stripe_server, number=2)
    settle.accept_review(order_id=order.pk, staff_id=people.staff.pk, at=timezone.now())
    stripe_server.refund_status = "pending"
    give_back(second, people)
    second.refresh_from_db()
    tell(stripe_server, CREATED, stripe_server.dispute(second.charge_reference, 5831))
    finance, url = staff_client("finance"), f"/admin/orders/order/{order.pk}/accept/"
    seen = {"seen": Order.objects.get().review_reason}

    assert (url in finance.get(f"/admin/orders/order/{order.pk}/change/").content.decode()) is True
    assert "Seen. Nothing else was changed." in finance.post(url, seen, follow=True).content.decode()
    assert Order.objects.get().review_reason == ""


def test_money_of_a_lost_dispute_that_comes_back_and_does_not_fit_is_for_staff(
    order: Order, stripe_server: StripeServer
) -> None:
    (payment,) = misfits(order, stripe_server)
    payment.refresh_from_db()
    dispute = stripe_server.dispute(payment.charge_reference, 5831, status="lost")
    tell(stripe_server, CLOSED, dispute)
    assert (money(order)[0], order.review_reason) == ("refunded", "")

    tell(stripe_server, "charge.dispute.funds_reinstated", dispute)
    assert (money(order)[0], order.review_reason) == ("review", payment.flag)


@pytest.mark.parametrize("act", ["refund", "accept"])
def test_of_two_payments_that_did_not_fit_the_other_stays_with_staff(
    order: Order, people: People, stripe_server: StripeServer, act: str
) -> None:
    first, second = misfits(order, stripe_server, number=2)
    if act == "refund":
        give_back(first, people)
    else:
        settle.accept_review(order_id=order.pk, staff_id=people.staff.pk, at=timezone.now())
    second.refresh_from_db()
    assert money(order)[0] == ("review" if act == "refund" else "paid")
    assert (
        order.review_reason
        == second.flag
        == "The order had been paid already: this money came a second time."
    )

    give_back(second, people)
    assert (money(order)[0], order.review_reason) == ("refunded" if act == "refund" else "paid", "")


def test_of_two_payments_that_did_not_fit_the_one_whose_money_is_here_is_accepted(
    order: Order, people: People, stripe_server: StripeServer
) -> None:
    first, second = misfits(order, stripe_server, number=2)
    give_back(first, people)

    settle.accept_review(order_id=order.pk, staff_id=people.staff.pk, at=timezone.now())

    assert money(order)[0] == "paid"
    for payment, status in ((first, "flagged"), (second, "paid")):
        payment.refresh_from_db()
        assert payment.status == status


def test_money_that_came_twice_stays_with_staff_when_a_refund_of_the_other_is_made_again(
    order: Order, people: People, stripe_server: StripeServer
) -> None:
    payments = [begin(order, "card")]
    Payment.objects.update(expires_at=timezone.now())
    payments.append(begin(order, "card"))
    for payment in payments:
        tell(stripe_server, COMPLETED, stripe_server.pay(payment.provider_reference or ""))
    stripe_server.troubles = [402]
    for reason in (
        "A refund of €58.31 failed.",
        "The order had been paid already: this money came a second time.",
    ):
        give_back(payments[0], people)
        order.refresh_from_db()
        assert order.review_reason == reason


def test_money_that_did_not_fit_is_refunded_once_all_of_it_has_gone(
    order: Order, people: People, stripe_server: StripeServer
) -> None:
    (payment,) = misfits(order, stripe_server)
    stripe_server.refund_status = "pending"
    give_back(payment, people, amount_cents=1000)
    stripe_server.refund_status = "succeeded"
    give_back(payment, people)
    assert money(order)[0] == "review"

    tell(stripe_server, "refund.updated", stripe_server.refunds[0] | {"status": "succeeded"})
    assert money(order)[0] == "refunded"


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


@pytest.mark.parametrize("has_begun", [True, False])
def test_money_for_an_order_whose_buyer_erased_the_account_is_for_staff(
    order: Order, people: People, stripe_server: StripeServer, *, has_begun: bool
) -> None:
    """Before, or after, the provider said that the money is on its way."""
    session = begin(order, "card").provider_reference or ""
    if has_begun:
        Order.objects.filter(pk=order.pk).update(status=Order.Status.PROCESSING)
        Payment.objects.filter(order=order).update(status=Payment.Status.PROCESSING)
    personal_data.erase(user_id=people.owner.pk, at=timezone.now())
    order.refresh_from_db()
    assert order.status == ("processing" if has_begun else "canceled")

    tell(stripe_server, COMPLETED, stripe_server.pay(session))
    work()

    assert money(order) == ("review", ["flagged"])
    assert (lines(order), Invoice.objects.count()) == ([("featured", "waiting")], 0)
