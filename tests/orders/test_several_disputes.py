"""Two disputes of one payment, and money that went back before one: each takes and brings back its own."""

from datetime import timedelta

import pytest
from django.utils import timezone

from directory.models import Listing
from orders.models import Order, Refund
from tests.conftest import Api, People
from tests.factories.listings import make_listing
from tests.orders.paying import begin, buy, lines, money
from tests.orders.test_disputes import CLOSED, CREATED, back, pay_by_card, paypal_dispute
from tests.orders.test_other_payments import agree, tell_paypal
from tests.orders.test_refunds import give_back, intent, left_on_paper, reason
from tests.orders.test_stripe_payments import featured, tell
from tests.servers.paypal_server import PayPalServer
from tests.servers.stripe_server import StripeServer


@pytest.fixture
def listing(people: People) -> Listing:
    return make_listing(owner=people.owner)


@pytest.fixture
def order(api: Api, listing: Listing) -> Order:
    """A featured week, EUR 58.31 with its VAT, to be paid."""
    return buy(api, {"product": "featured", "listing_id": listing.pk})


@pytest.fixture
def capture(order: Order, paypal_server: PayPalServer) -> str:
    """The order's payment by PayPal, as PayPal names it."""
    there = agree(paypal_server, begin(order, "paypal"))
    tell_paypal(paypal_server, "CHECKOUT.ORDER.APPROVED", there)
    name: str = there["purchase_units"][0]["payments"]["captures"][0]["id"]
    return name


def decided(server: PayPalServer, capture: str, code: str, *, name: str, amount: str = "") -> None:
    """A dispute at PayPal, opened and decided."""
    dispute = paypal_dispute(capture, dispute_id=name)
    tell_paypal(server, "CUSTOMER.DISPUTE.CREATED", dispute)
    outcome: dict[str, object] = {"outcome_code": code}
    if amount:
        outcome["amount_refunded"] = {"value": amount, "currency_code": "EUR"}
    tell_paypal(server, "CUSTOMER.DISPUTE.RESOLVED", dispute | {"dispute_outcome": outcome})


def test_what_is_frozen_waits_for_the_last_of_two_open_disputes(
    order: Order, listing: Listing, stripe_server: StripeServer
) -> None:
    pay_by_card(order, stripe_server)
    disputes = [stripe_server.dispute(intent(order), amount) for amount in (2000, 3831)]
    for dispute in disputes:
        tell(stripe_server, CREATED, dispute)

    tell(stripe_server, CLOSED, disputes[0] | {"status": "won"})
    assert (money(order), featured(listing) <= timedelta(0)) == (("disputed", ["disputed"]), True)

    tell(stripe_server, CLOSED, disputes[1] | {"status": "won"})
    assert (money(order), lines(order)) == (("paid", ["paid"]), [("featured", "done")])
    assert featured(listing) > timedelta(days=6)


@pytest.mark.parametrize("end", ["won", "warning_closed"])
def test_what_one_dispute_took_stays_taken_when_another_that_was_open_beside_it_ends(
    order: Order, stripe_server: StripeServer, end: str
) -> None:
    pay_by_card(order, stripe_server)
    first, second = (stripe_server.dispute(intent(order), amount) for amount in (5831, 2000))
    for dispute in (first, second):
        tell(stripe_server, CREATED, dispute)

    tell(stripe_server, CLOSED, first | {"status": "lost"})
    tell(stripe_server, CLOSED, second | {"status": end})

    payment = order.payments.get()
    assert (money(order), left_on_paper(order)) == (("refunded", ["disputed"]), 0)
    assert payment.flag == "The dispute was lost."


def test_a_dispute_lost_in_another_currency_takes_all_that_is_left(
    order: Order, stripe_server: StripeServer
) -> None:
    dispute = stripe_server.dispute(intent(pay_by_card(order, stripe_server)), 1000) | {"currency": "usd"}
    tell(stripe_server, CREATED, dispute)
    tell(stripe_server, CLOSED, dispute | {"status": "lost"})

    assert (money(order)[0], left_on_paper(order)) == ("refunded", 0)


def test_money_refunded_before_a_dispute_is_no_part_of_what_it_took(
    order: Order, capture: str, paypal_server: PayPalServer
) -> None:
    tell_paypal(paypal_server, "PAYMENT.CAPTURE.REFUNDED", back(capture, "20.00"))
    decided(paypal_server, capture, "RESOLVED_BUYER_FAVOUR", name="PP-D-1", amount="38.31")

    assert (money(order)[0], left_on_paper(order)) == ("refunded", 0)
    rows = Refund.objects.filter(status="done").order_by("created_at")
    assert [row.amount_cents for row in rows] == [2000, 3831]


def test_a_refund_made_at_paypal_before_a_dispute_is_its_own_however_late_it_is_heard_of(
    order: Order, capture: str, paypal_server: PayPalServer
) -> None:
    made, opened = ((timezone.now() - timedelta(minutes=ago)).isoformat() for ago in (2, 1))
    dispute = paypal_dispute(capture, create_time=opened)
    outcome = {"outcome_code": "RESOLVED_BUYER_FAVOUR", "amount_refunded": back(capture, "38.31")["amount"]}
    tell_paypal(paypal_server, "CUSTOMER.DISPUTE.CREATED", dispute)
    tell_paypal(paypal_server, "PAYMENT.CAPTURE.REFUNDED", back(capture, "20.00") | {"create_time": made})
    tell_paypal(paypal_server, "CUSTOMER.DISPUTE.RESOLVED", dispute | {"dispute_outcome": outcome})

    rows = Refund.objects.filter(status="done").order_by("created_at")
    assert ([row.amount_cents for row in rows], left_on_paper(order)) == ([2000, 3831], 0)


@pytest.mark.parametrize("heard", ["all", "the decision alone"])
def test_money_that_a_dispute_took_may_be_heard_of_before_it(
    order: Order, capture: str, paypal_server: PayPalServer, heard: str
) -> None:
    opened = (timezone.now() - timedelta(days=9)).isoformat().replace("+00:00", "Z")
    dispute = paypal_dispute(capture, create_time=opened)
    outcome = {"outcome_code": "RESOLVED_BUYER_FAVOUR", "amount_refunded": back(capture)["amount"]}
    tell_paypal(paypal_server, "PAYMENT.CAPTURE.REVERSED", back(capture))
    if heard == "all":
        tell_paypal(paypal_server, "CUSTOMER.DISPUTE.CREATED", dispute)
    tell_paypal(paypal_server, "CUSTOMER.DISPUTE.RESOLVED", dispute | {"dispute_outcome": outcome})

    assert (money(order)[0], left_on_paper(order), Refund.objects.count()) == ("refunded", 0, 1)
    assert "had gone back already" not in reason(order)


def test_money_that_a_dispute_took_beside_a_refund_is_booked_once(
    order: Order, capture: str, paypal_server: PayPalServer
) -> None:
    tell_paypal(paypal_server, "PAYMENT.CAPTURE.REFUNDED", back(capture, "20.00"))
    decided(paypal_server, capture, "RESOLVED_BUYER_FAVOUR", name="PP-D-1", amount="58.31")
    tell_paypal(paypal_server, "PAYMENT.CAPTURE.REVERSED", back(capture))

    rows = Refund.objects.filter(status="done").order_by("created_at")
    assert ([row.amount_cents for row in rows], left_on_paper(order)) == ([2000, 3831], 0)
    assert reason(order) == "A lost dispute took €20.00 that had gone back already. Ask paypal for it."


def test_a_dispute_won_at_paypal_brings_nothing_back_of_one_lost_before(
    order: Order, capture: str, paypal_server: PayPalServer
) -> None:
    decided(paypal_server, capture, "RESOLVED_BUYER_FAVOUR", name="PP-D-1", amount="20.00")
    decided(paypal_server, capture, "RESOLVED_SELLER_FAVOUR", name="PP-D-2")

    assert (money(order)[0], left_on_paper(order)) == ("partially_refunded", 3831)


@pytest.mark.parametrize("code", ["NONE", "", "WHAT_NOBODY_KNOWS_YET"])
def test_a_dispute_that_paypal_merges_into_another_took_no_money(
    order: Order, listing: Listing, capture: str, paypal_server: PayPalServer, code: str
) -> None:
    merged, other = (paypal_dispute(capture, dispute_id=name) for name in ("PP-D-1", "PP-D-2"))
    for dispute in (merged, other):
        tell_paypal(paypal_server, "CUSTOMER.DISPUTE.CREATED", dispute)
    outcome = {"dispute_outcome": {"outcome_code": code}}
    for _ in range(2):
        tell_paypal(paypal_server, "CUSTOMER.DISPUTE.RESOLVED", merged | outcome)
    assert (money(order), left_on_paper(order)) == (("disputed", ["disputed"]), 5831)

    tell_paypal(paypal_server, "CUSTOMER.DISPUTE.RESOLVED", other | outcome)
    assert (money(order), lines(order)) == (("paid", ["paid"]), [("featured", "done")])
    assert (left_on_paper(order), Refund.objects.count()) == (5831, 0)
    assert featured(listing) > timedelta(days=6)


def test_an_inquiry_that_a_refund_settled_asks_nothing_of_staff(
    order: Order, capture: str, paypal_server: PayPalServer
) -> None:
    inquiry = paypal_dispute(capture, dispute_life_cycle_stage="INQUIRY")
    tell_paypal(paypal_server, "CUSTOMER.DISPUTE.CREATED", inquiry)
    tell_paypal(paypal_server, "PAYMENT.CAPTURE.REFUNDED", back(capture))
    outcome = {"outcome_code": "RESOLVED_BUYER_FAVOUR", "amount_refunded": back(capture)["amount"]}
    tell_paypal(paypal_server, "CUSTOMER.DISPUTE.RESOLVED", inquiry | {"dispute_outcome": outcome})

    assert (money(order)[0], left_on_paper(order)) == ("refunded", 0)
    assert reason(order) == "A refund was made at paypal: €58.31. It is on the books."


def test_a_dispute_of_refunded_money_stays_with_staff_until_the_last_is_decided(
    order: Order, people: People, stripe_server: StripeServer
) -> None:
    give_back(pay_by_card(order, stripe_server), people)
    first, last = (stripe_server.dispute(intent(order), 2000) for _ in range(2))
    for dispute in (first, last):
        tell(stripe_server, CREATED, dispute)
    tell(stripe_server, CLOSED, first | {"status": "won"})
    assert "Answer on the provider's page" in reason(order)

    tell(stripe_server, CLOSED, last | {"status": "won"})
    assert (money(order), reason(order)) == (("refunded", ["paid"]), "")


def test_a_refund_made_at_stripe_while_it_is_disputed_leaves_nothing_in_dispute_once_that_is_won(
    order: Order, stripe_server: StripeServer
) -> None:
    dispute = stripe_server.dispute(intent(pay_by_card(order, stripe_server)), 5831)
    tell(stripe_server, CREATED, dispute)
    tell(stripe_server, "refund.created", stripe_server.refund(intent(order), 5831))
    assert money(order) == ("disputed", ["disputed"])

    tell(stripe_server, CLOSED, dispute | {"status": "won"})
    assert (money(order), left_on_paper(order)) == (("refunded", ["paid"]), 0)
    assert order.payments.get().flag == ""


def test_a_refund_that_is_done_after_a_dispute_took_its_money_is_for_staff(
    order: Order, people: People, stripe_server: StripeServer
) -> None:
    stripe_server.refund_status = "pending"
    refund = give_back(pay_by_card(order, stripe_server), people, amount_cents=2000)
    dispute = stripe_server.dispute(intent(order), 5831)
    tell(stripe_server, CREATED, dispute)
    tell(stripe_server, CLOSED, dispute | {"status": "lost"})
    assert (money(order)[0], reason(order)) == ("refunded", "")

    done = stripe_server.refunds[0] | {"status": "succeeded"}
    for _ in range(2):
        tell(stripe_server, "refund.updated", done)
    refund.refresh_from_db()
    assert (refund.status, left_on_paper(order)) == ("done", 0)
    assert reason(order).startswith("€20.00 more went back than came")


def test_two_disputes_at_paypal_that_are_lost_take_each_its_own(
    order: Order, capture: str, paypal_server: PayPalServer
) -> None:
    amounts = {"PP-D-1": "20.00", "PP-D-2": "38.31"}
    disputes = {name: paypal_dispute(capture, dispute_id=name) for name in amounts}
    for dispute in disputes.values():
        tell_paypal(paypal_server, "CUSTOMER.DISPUTE.CREATED", dispute)
    for name, amount in amounts.items():
        refunded = {"value": amount, "currency_code": "EUR"}
        outcome = {"outcome_code": "RESOLVED_BUYER_FAVOUR", "amount_refunded": refunded}
        tell_paypal(paypal_server, "CUSTOMER.DISPUTE.RESOLVED", disputes[name] | {"dispute_outcome": outcome})

    rows = Refund.objects.filter(status="done").order_by("created_at")
    assert ([row.amount_cents for row in rows], left_on_paper(order)) == ([2000, 3831], 0)
    assert (money(order)[0], reason(order)) == ("refunded", "")


def test_what_a_bank_takes_beside_what_a_dispute_took_is_booked_although_it_is_as_much(
    order: Order, capture: str, paypal_server: PayPalServer
) -> None:
    decided(paypal_server, capture, "RESOLVED_BUYER_FAVOUR", name="PP-D-1", amount="20.00")
    for name in ("FIRST", "FIRST", "SECOND", "SECOND"):
        tell_paypal(paypal_server, "PAYMENT.CAPTURE.REVERSED", back(capture, "20.00") | {"id": name})

    rows = Refund.objects.filter(status="done").order_by("created_at")
    taken = [(row.amount_cents, row.kind, row.provider_reference) for row in rows]
    assert taken == [(2000, "loss", "FIRST"), (2000, "reversal", "SECOND")]
    assert (money(order)[0], left_on_paper(order)) == ("partially_refunded", 1831)
