"""Disputes, inquiries and reversals, beside refunds and in any order: money, status and what is shown follow."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from core import jobs
from core.models import Job, Mail
from directory.models import Listing
from orders import refunding
from orders.errors import RefundRefusedError
from orders.models import Order, Payment, Refund
from tests.conftest import Api, People
from tests.factories.listings import make_listing
from tests.factories.staff import staff_client
from tests.orders.paying import begin, buy, dead, deliver, lines, money, work
from tests.orders.test_fulfilment import board
from tests.orders.test_other_payments import agree, tell_paypal
from tests.orders.test_refunds import give_back, intent, left_on_paper, papers
from tests.orders.test_stripe_payments import COMPLETED, featured, tell
from tests.servers.paypal_server import PayPalServer
from tests.servers.stripe_server import StripeServer

CREATED, CLOSED = "charge.dispute.created", "charge.dispute.closed"


@pytest.fixture
def listing(people: People) -> Listing:
    return make_listing(owner=people.owner)


@pytest.fixture
def paid(api: Api, listing: Listing, stripe_server: StripeServer) -> Order:
    """A featured week, EUR 58.31 with its VAT, paid by card."""
    return pay_by_card(buy(api, {"product": "featured", "listing_id": listing.pk}), stripe_server)


def pay_by_card(order: Order, server: StripeServer) -> Order:
    tell(server, COMPLETED, server.pay(begin(order, "card").provider_reference or ""))
    order.refresh_from_db()
    return order


@pytest.mark.parametrize(
    ("end", "status", "left"), [("won", "partially_refunded", 3831), ("lost", "refunded", 0)]
)
def test_a_dispute_after_a_part_was_refunded(
    paid: Order, people: People, stripe_server: StripeServer, end: str, status: str, left: int
) -> None:
    give_back(paid, people, amount_cents=2000)
    dispute = stripe_server.dispute(intent(paid), 3831)
    tell(stripe_server, CREATED, dispute)
    assert money(paid) == ("disputed", ["disputed"])
    with pytest.raises(RefundRefusedError):
        give_back(paid, people, amount_cents=1)

    dispute["status"] = end
    for _ in range(2):
        tell(stripe_server, CLOSED, dispute)
    assert (money(paid)[0], left_on_paper(paid), stripe_server.left(intent(paid))) == (status, left, left)
    notes = [net + vat for kind, net, vat in papers(paid) if kind == "credit_note"]
    assert notes == ([-2000] if end == "won" else [-2000, -3831])
    rows = Refund.objects.filter(status="done").order_by("created_at")
    assert [-row.amount_cents for row in rows] == notes


@pytest.mark.parametrize("ticked", ["line", "nothing"])
def test_billboard_money_is_off_the_board_while_it_is_disputed(
    api: Api, people: People, listing: Listing, stripe_server: StripeServer, ticked: str
) -> None:
    items = {"product": "billboard_min", "listing_id": listing.pk, "amount_cents": 5000}
    order = pay_by_card(buy(api, items), stripe_server)
    line_id = order.lines.get().pk if ticked == "line" else None
    give_back(order, people, line_id=line_id, amount_cents=1190)
    assert board(api) == [(listing.slug, 4000)]
    dispute = stripe_server.dispute(intent(order), 4760)
    tell(stripe_server, CREATED, dispute)
    assert board(api) == []

    tell(stripe_server, CLOSED, dispute | {"status": "won"})
    assert board(api) == [(listing.slug, 4000)]


def test_an_inquiry_freezes_nothing_and_may_become_a_dispute(
    paid: Order, listing: Listing, people: People, stripe_server: StripeServer
) -> None:
    inquiry = stripe_server.dispute(intent(paid), 5831, status="warning_needs_response")
    inquiry["evidence_details"] = {"due_by": 1796083200}
    for event in (CREATED, "charge.dispute.updated"):
        tell(stripe_server, event, inquiry)
    assert (money(paid), lines(paid)) == (("paid", ["paid"]), [("featured", "done")])
    assert featured(listing) > timedelta(days=6)
    assert f"{paid.payments.get().answer_by:%d %m %Y}" == "01 12 2026"
    mails = Job.objects.filter(kind="core.send_mail", payload__to=people.staff.email)
    assert sum("bank asks" in mail.payload["text"] for mail in mails) == 1

    settled = stripe_server.dispute(intent(paid), 5831, status="warning_closed")
    tell(stripe_server, CLOSED, settled)
    assert money(paid) == ("paid", ["paid"])
    tell(stripe_server, "charge.dispute.updated", inquiry | {"status": "needs_response"})
    assert money(paid) == ("disputed", ["disputed"])
    assert featured(listing) <= timedelta(0)
    tell(stripe_server, CREATED, inquiry)  # it comes late
    assert money(paid) == ("disputed", ["disputed"])
    tell(stripe_server, CLOSED, inquiry | {"status": "won"})
    assert (money(paid), paid.payments.get().answer_by) == (("paid", ["paid"]), None)


def test_a_dispute_that_is_won_brings_nothing_back_of_another_that_was_lost(
    paid: Order, stripe_server: StripeServer
) -> None:
    for amount, end in ((2000, "lost"), (3831, "won")):
        dispute = stripe_server.dispute(intent(paid), amount)
        tell(stripe_server, CREATED, dispute)
        dispute["status"] = end
        tell(stripe_server, CLOSED, dispute)

    assert (money(paid)[0], left_on_paper(paid)) == ("partially_refunded", 3831)
    assert stripe_server.left(intent(paid)) == 3831


def test_what_is_told_of_a_dispute_late_or_twice_changes_nothing(
    paid: Order, listing: Listing, stripe_server: StripeServer
) -> None:
    dispute = stripe_server.dispute(intent(paid), 5831)
    tell(stripe_server, CLOSED, dispute | {"status": "won"})
    for event in (CREATED, "charge.dispute.funds_withdrawn", "charge.dispute.updated"):
        tell(stripe_server, event, dispute)

    assert (money(paid), lines(paid), len(papers(paid))) == (("paid", ["paid"]), [("featured", "done")], 1)
    assert featured(listing) > timedelta(days=6)


def test_money_of_a_lost_dispute_that_comes_back_is_on_the_books_again(
    paid: Order, people: People, stripe_server: StripeServer
) -> None:
    dispute = stripe_server.dispute(intent(paid), 5831, status="lost")
    tell(stripe_server, CLOSED, dispute)
    tell(stripe_server, CREATED, dispute | {"status": "needs_response"})
    assert (money(paid)[0], left_on_paper(paid)) == ("refunded", 0)

    for _ in range(2):
        tell(stripe_server, "charge.dispute.funds_reinstated", dispute)
    assert (money(paid), left_on_paper(paid)) == (("paid", ["paid"]), 5831)
    assert paid.payments.get().flag == ""
    assert [kind for kind, _, _ in papers(paid)] == ["invoice", "credit_note", "correction"]
    assert paid.review_reason.startswith(
        "€58.31 that a dispute had taken came back, and what was bought had ended."
    )
    told = Mail.objects.filter(template="orders/mail/staff", address=people.staff.email)
    assert told.count() == 2  # of the dispute, and of the money
    dispute["status"] = "won"
    give_back(paid, people)
    assert (money(paid)[0], left_on_paper(paid), paid.review_reason) == ("refunded", 0, "")


def test_nobody_is_asked_to_answer_a_dispute_that_is_heard_of_when_it_is_lost(
    paid: Order, people: People, stripe_server: StripeServer
) -> None:
    lost = stripe_server.dispute(intent(paid), 5831, status="lost")
    tell(stripe_server, "charge.dispute.closed", lost)

    mails = Job.objects.filter(kind="core.send_mail", payload__to=people.staff.email)
    texts = " ".join(mail.payload["text"] for mail in mails)
    assert "it was decided for the buyer already" in texts
    assert "Answer on the provider's page" not in texts
    assert (money(paid)[0], left_on_paper(paid)) == ("refunded", 0)


def test_a_dispute_lost_in_part_leaves_the_rest_and_its_work(
    paid: Order, people: People, listing: Listing, stripe_server: StripeServer
) -> None:
    dispute = stripe_server.dispute(intent(paid), 2000)
    tell(stripe_server, CREATED, dispute)
    assert featured(listing) <= timedelta(0)
    dispute["status"] = "lost"
    tell(stripe_server, CLOSED, dispute)

    assert (money(paid), left_on_paper(paid)) == (("partially_refunded", ["paid"]), 3831)
    assert lines(paid) == [("featured", "done")]
    assert featured(listing) > timedelta(days=6)
    give_back(paid, people)
    assert (money(paid)[0], left_on_paper(paid)) == ("refunded", 0)


def test_a_refund_while_it_is_disputed_keeps_what_was_frozen_off(
    paid: Order, people: People, listing: Listing, stripe_server: StripeServer
) -> None:
    stripe_server.refund_status = "pending"
    give_back(paid, people)
    dispute = stripe_server.dispute(intent(paid), 5831)
    tell(stripe_server, CREATED, dispute)
    tell(stripe_server, "refund.updated", stripe_server.refunds[0] | {"status": "succeeded"})
    assert money(paid)[0] == "disputed"

    tell(stripe_server, CLOSED, dispute | {"status": "won"})
    assert (money(paid)[0], lines(paid)) == ("refunded", [("featured", "reversed")])
    assert featured(listing) <= timedelta(0)


def test_a_job_of_a_disputed_order_does_nothing(
    api: Api, listing: Listing, stripe_server: StripeServer
) -> None:
    order = buy(api, {"product": "featured", "listing_id": listing.pk})
    session = stripe_server.pay(begin(order, "card").provider_reference or "")
    for event, thing in (
        (COMPLETED, session),
        (CREATED, stripe_server.dispute(session["payment_intent"], 5831)),
    ):
        body = stripe_server.event(event, thing)
        deliver("stripe", body, stripe_server.signature(body))
        jobs.run(job_id=Job.objects.get(kind="orders.act_on_event", state="queued").pk)
    assert Job.objects.filter(kind="orders.fulfil_line", state="queued").count() == 1
    work()

    assert (money(order)[0], lines(order)) == ("disputed", [("featured", "waiting")])
    assert featured(listing) <= timedelta(0)
    tell(stripe_server, CLOSED, stripe_server.disputes[0] | {"status": "won"})
    assert (money(order)[0], lines(order)) == ("paid", [("featured", "done")])


def test_money_returned_because_it_did_not_fit_is_no_refund_of_the_order(
    api: Api, people: People, stripe_server: StripeServer
) -> None:
    listing = make_listing("later", owner=people.owner, status="draft")
    order = buy(api, {"product": "launch", "listing_id": listing.pk})
    first = begin(order, "card")
    Payment.objects.filter(pk=first.pk).update(expires_at=timezone.now())
    second = begin(order, "card")
    for payment in (first, second):
        tell(stripe_server, COMPLETED, stripe_server.pay(payment.provider_reference or ""))
    assert money(order) == ("paid", ["paid", "flagged"])

    about: dict[str, Any] = {"reason": "Twice", "staff_id": people.staff.pk, "at": timezone.now()}
    refunding.refund(payment_id=str(second.pk), amount_cents=100, **about)
    work()
    order.refresh_from_db()
    twice = "The order had been paid already: this money came a second time."
    assert (money(order)[0], order.review_reason, len(papers(order))) == ("paid", twice, 1)
    refunding.refund(payment_id=str(second.pk), **about)
    work()
    order.refresh_from_db()
    assert (money(order)[0], order.review_reason, len(papers(order))) == ("paid", "", 1)
    refunding.refund(payment_id=str(first.pk), amount_cents=100, **about)
    work()
    listing.refresh_from_db()
    assert (money(order)[0], listing.plan, lines(order)) == (
        "partially_refunded",
        "paid",
        [("launch", "done")],
    )
    assert dead() == []


def test_a_refund_begun_at_stripe_is_on_the_books_once_it_is_done(
    paid: Order, stripe_server: StripeServer
) -> None:
    tell(stripe_server, "refund.created", stripe_server.refund(intent(paid), 77, status="pending"))

    paid.refresh_from_db()
    begun = "A refund was begun at stripe: €0.77. It goes on the books once it is done."
    assert (money(paid)[0], paid.review_reason) == ("paid", begun)
    tell(stripe_server, "refund.updated", stripe_server.refunds[0] | {"status": "succeeded"})
    assert money(paid)[0] == "partially_refunded"


# -- PayPal ---------------------------------------------------------------------------------------------------


@pytest.fixture
def by_paypal(api: Api, listing: Listing, paypal_server: PayPalServer) -> tuple[Order, str]:
    """A featured week by PayPal, and its capture."""
    order = buy(api, {"product": "featured", "listing_id": listing.pk})
    there = agree(paypal_server, begin(order, "paypal"))
    tell_paypal(paypal_server, "CHECKOUT.ORDER.APPROVED", there)
    return order, there["purchase_units"][0]["payments"]["captures"][0]["id"]


def back(capture: str, amount: str = "58.31") -> dict[str, Any]:
    """A refund or reversal as PayPal shows it."""
    up = {"rel": "up", "href": f"https://api-m.paypal.com/v2/payments/captures/{capture}"}
    return {"id": f"BACK{amount}", "amount": {"value": amount, "currency_code": "EUR"}, "links": [up]}


def paypal_dispute(capture: str, **more: Any) -> dict[str, Any]:
    stage = {"dispute_id": "PP-D-1", "dispute_life_cycle_stage": "CHARGEBACK"}
    return {"disputed_transactions": [{"seller_transaction_id": capture}], **stage, **more}


def test_a_reversal_at_paypal_is_booked_once(
    by_paypal: tuple[Order, str], paypal_server: PayPalServer
) -> None:
    order, capture = by_paypal
    for _ in range(2):
        tell_paypal(paypal_server, "PAYMENT.CAPTURE.REVERSED", back(capture))

    assert (money(order)[0], lines(order), left_on_paper(order)) == (
        "refunded",
        [("featured", "reversed")],
        0,
    )
    assert "The bank took back" in order.review_reason


@pytest.mark.parametrize("first", ["reversal", "decision"])
def test_a_lost_dispute_and_its_money_are_one_at_paypal(
    by_paypal: tuple[Order, str], paypal_server: PayPalServer, first: str
) -> None:
    order, capture = by_paypal
    amount = {"value": "20.00", "currency_code": "EUR"}
    outcome = {"outcome_code": "RESOLVED_BUYER_FAVOUR", "amount_refunded": amount}
    tell_paypal(paypal_server, "CUSTOMER.DISPUTE.CREATED", paypal_dispute(capture))
    assert money(order)[0] == "disputed"
    told = [
        ("PAYMENT.CAPTURE.REVERSED", back(capture, "20.00")),
        ("CUSTOMER.DISPUTE.RESOLVED", paypal_dispute(capture, dispute_outcome=outcome)),
    ]
    for event, resource in told if first == "reversal" else told[::-1]:
        tell_paypal(paypal_server, event, resource)

    assert (money(order)[0], left_on_paper(order)) == ("partially_refunded", 3831)
    assert lines(order) == [("featured", "done")]


def test_an_inquiry_at_paypal_freezes_nothing_until_it_is_escalated(
    by_paypal: tuple[Order, str], paypal_server: PayPalServer
) -> None:
    order, capture = by_paypal
    tell_paypal(
        paypal_server, "CUSTOMER.DISPUTE.CREATED", paypal_dispute(capture, dispute_life_cycle_stage="INQUIRY")
    )
    assert (money(order), lines(order)) == (("paid", ["paid"]), [("featured", "done")])

    tell_paypal(paypal_server, "CUSTOMER.DISPUTE.UPDATED", paypal_dispute(capture))
    assert money(order)[0] == "disputed"
    outcome = {"outcome_code": "RESOLVED_WITH_PAYOUT"}
    tell_paypal(paypal_server, "CUSTOMER.DISPUTE.RESOLVED", paypal_dispute(capture, dispute_outcome=outcome))
    assert (money(order), left_on_paper(order)) == (("paid", ["paid"]), 5831)


def test_a_dispute_of_money_that_went_back_already_waits_for_staff(
    paid: Order, people: People, stripe_server: StripeServer
) -> None:
    give_back(paid, people)
    dispute = stripe_server.dispute(intent(paid), 5831)
    tell(stripe_server, CREATED, dispute)
    paid.refresh_from_db()
    asked = "The buyer disputes money that was given back already. Answer on the provider's page."
    assert (paid.status, paid.review_reason) == ("refunded", asked)

    dispute["status"] = "lost"
    for _ in range(2):
        tell(stripe_server, CLOSED, dispute)
    paid.refresh_from_db()
    taken = "A lost dispute took €58.31 that had gone back already. Ask stripe for it."
    assert (paid.status, paid.review_reason, left_on_paper(paid)) == ("refunded", taken, 0)
    start = staff_client("finance").get("/admin/").content.decode()
    assert "Order in review" in start


def test_a_dispute_of_money_that_went_back_already_is_off_the_list_once_it_is_won(
    paid: Order, people: People, stripe_server: StripeServer
) -> None:
    give_back(paid, people)
    dispute = stripe_server.dispute(intent(paid), 5831)
    tell(stripe_server, CREATED, dispute)
    dispute["status"] = "won"
    tell(stripe_server, CLOSED, dispute)

    paid.refresh_from_db()
    assert (paid.status, paid.review_reason, left_on_paper(paid)) == ("refunded", "", 0)


def test_a_lost_dispute_that_took_more_than_was_left_says_how_much(
    paid: Order, people: People, stripe_server: StripeServer
) -> None:
    dispute = stripe_server.dispute(intent(paid), 5831)
    tell(stripe_server, CREATED, dispute)
    tell(stripe_server, "refund.created", stripe_server.refund(intent(paid), 2000))
    dispute["status"] = "lost"
    tell(stripe_server, CLOSED, dispute)

    paid.refresh_from_db()
    assert (paid.status, left_on_paper(paid)) == ("refunded", 0)
    assert paid.review_reason == "A lost dispute took €20.00 that had gone back already. Ask stripe for it."
    assert sum(Refund.objects.filter(status="done").values_list("amount_cents", flat=True)) == 5831
