"""Stripe through its SDK against a stand-in: sessions, retries, notifications in every order, refunds, disputes."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from core.models import Job
from directory.models import Listing
from orders import notifications, paying, refunding, settle
from orders.errors import PaymentUnavailableError, RefundRefusedError, TotalChangedError
from orders.models import Order, Payment, ProviderEvent, Refund
from tests.conftest import Api, People
from tests.factories.listings import make_listing
from tests.factories.staff import staff_client
from tests.orders.paying import begin, buy, dead, deliver, lines, money, work
from tests.servers.stripe_server import StripeServer

COMPLETED, EXPIRED = "checkout.session.completed", "checkout.session.expired"


@pytest.fixture
def listing(people: People) -> Listing:
    return make_listing(owner=people.owner)


@pytest.fixture
def order(api: Api, listing: Listing, stripe_server: StripeServer) -> Order:
    """A featured week, which costs EUR 49.00 and Belgian VAT."""
    return buy(api, {"product": "featured", "listing_id": listing.pk})


def tell(server: StripeServer, kind: str, thing: dict[str, Any], **changes: Any) -> int:
    body = server.event(kind, thing, **changes)
    status = deliver("stripe", body, server.signature(body))
    work()
    return status


def featured(listing: Listing) -> timedelta:
    """How far ahead it is featured."""
    listing.refresh_from_db()
    return (listing.featured_until or timezone.now()) - timezone.now()


def test_one_session_however_often_somebody_presses_and_whatever_gets_lost(
    order: Order, stripe_server: StripeServer
) -> None:
    stripe_server.troubles = ["lost", 500]
    first, again = begin(order, "card"), begin(order, "card")

    asked = next(c.body for c in stripe_server.calls if c.path == "/v1/checkout/sessions")
    (session,) = stripe_server.sessions.values()
    assert (first.pk, first.redirect_url) == (again.pk, again.redirect_url)
    assert first.redirect_url == session["url"]
    assert (session["amount_total"], session["currency"]) == (5831, "eur")
    assert (asked["client_reference_id"], asked["metadata"]["order"]) == (str(first.pk), order.number)
    assert asked["adaptive_pricing"]["enabled"] == "false"
    assert timedelta(minutes=30) < first.expires_at - timezone.now() < timedelta(minutes=35)


def test_a_provider_that_is_away_changes_nothing_and_the_next_try_is_the_same_payment(
    order: Order, stripe_server: StripeServer
) -> None:
    stripe_server.troubles = [500, 500, 500]
    with pytest.raises(PaymentUnavailableError):
        begin(order, "card")
    assert money(order) == ("pending", ["started"])

    begin(order, "card")
    assert (money(order), len(stripe_server.sessions)) == (("pending", ["started"]), 1)


def test_what_was_not_agreed_to_is_not_charged(order: Order, stripe_server: StripeServer) -> None:
    with pytest.raises(TotalChangedError):
        paying.start_payment(
            order_id=order.pk,
            method="card",
            total_cents=order.total_cents - 1,
            return_url="",
            cancel_url="",
            at=timezone.now(),
        )
    with pytest.raises(PaymentUnavailableError):
        begin(order, "test")

    assert (money(order), stripe_server.calls) == (("pending", []), [])


def test_only_what_stripe_signed_just_now_is_taken(order: Order, stripe_server: StripeServer) -> None:
    payment = begin(order, "card")
    session = stripe_server.pay(payment.provider_reference or "")
    body = stripe_server.event(COMPLETED, session)
    good = stripe_server.signature(body)
    wrong = [
        {},
        {"Stripe-Signature": "v1=00"},
        stripe_server.signature(body, secret="whsec_other"),
        stripe_server.signature(body, age=301),
        stripe_server.signature(body, age=-3600),
    ]

    assert [deliver("stripe", body, headers) for headers in wrong] == [400] * 5
    assert deliver("stripe", body.replace(b"\n", b""), good) == 400
    assert deliver("stripe", b"x" * 300_000, good) == 400
    garbage = b"no json"
    assert deliver("stripe", garbage, stripe_server.signature(garbage)) == 400
    assert deliver("paypal", body, good) == 404
    assert (ProviderEvent.objects.count(), money(order)) == (0, ("pending", ["started"]))
    assert deliver("stripe", body, good) == 200


def test_paid_once_whatever_comes_again_or_late(
    order: Order, listing: Listing, stripe_server: StripeServer
) -> None:
    payment = begin(order, "card")
    session = stripe_server.pay(payment.provider_reference or "")
    body = stripe_server.event(COMPLETED, session)
    for _ in range(3):
        assert deliver("stripe", body, stripe_server.signature(body)) == 200
        work()
    late = dict(session, status="expired", payment_status="unpaid")
    assert tell(stripe_server, EXPIRED, late) == 200
    assert tell(stripe_server, COMPLETED, session) == 200
    assert tell(stripe_server, "customer.created", {"id": "cus_1"}) == 200
    assert tell(stripe_server, COMPLETED, dict(session, client_reference_id="another-shop")) == 200

    assert money(order) == ("paid", ["paid"])
    assert lines(order) == [("featured", "done")]
    assert timedelta(days=6) < featured(listing) < timedelta(days=8)
    assert ProviderEvent.objects.count() == 4
    assert dead() == []


@pytest.mark.parametrize(
    "changes", [{"amount_total": 1}, {"currency": "usd"}, {"id": "cs_test_of_another_order"}]
)
def test_money_that_does_not_fit_is_for_staff_and_nothing_is_done(
    order: Order, stripe_server: StripeServer, changes: dict[str, Any]
) -> None:
    payment = begin(order, "card")
    session = stripe_server.pay(payment.provider_reference or "")

    assert tell(stripe_server, COMPLETED, session | changes) == 200

    assert money(order) == ("review", ["flagged"])
    assert order.review_reason
    assert lines(order) == [("featured", "waiting")]
    before = order.events.count()
    assert tell(stripe_server, COMPLETED, session | changes) == 200
    assert (money(order), order.events.count()) == (("review", ["flagged"]), before)


def test_an_event_of_test_mode_means_nothing_to_a_live_key(
    order: Order, stripe_server: StripeServer, settings: Any
) -> None:
    settings.STRIPE_SECRET_KEY = "sk_live_stand_in"
    payment = begin(order, "card")
    session = stripe_server.pay(payment.provider_reference or "")

    assert tell(stripe_server, COMPLETED, session) == 200
    assert (money(order), payment.test_money) == (("pending", ["started"]), False)
    assert tell(stripe_server, COMPLETED, session, livemode=True) == 200
    assert money(order) == ("paid", ["paid"])


def test_it_is_found_by_our_reference_before_the_first_answer_has_come(
    order: Order, stripe_server: StripeServer
) -> None:
    stripe_server.troubles = ["lost", "lost", "lost"]
    with pytest.raises(PaymentUnavailableError):
        begin(order, "card")
    (session_id,) = stripe_server.sessions

    assert tell(stripe_server, COMPLETED, stripe_server.pay(session_id)) == 200
    assert money(order) == ("paid", ["paid"])


def test_slow_money_is_awaited_and_a_failure_lets_the_person_try_again(
    order: Order, stripe_server: StripeServer
) -> None:
    payment = begin(order, "card")
    session = stripe_server.pay(payment.provider_reference or "", is_settled=False)
    tell(stripe_server, COMPLETED, session)
    assert money(order) == ("processing", ["processing"])

    tell(stripe_server, "checkout.session.async_payment_failed", session)
    assert money(order) == ("pending", ["failed"])

    second = begin(order, "card")
    session = stripe_server.pay(second.provider_reference or "")
    tell(stripe_server, "checkout.session.async_payment_succeeded", session)
    assert money(order) == ("paid", ["failed", "paid"])


def test_money_for_an_order_that_had_expired_counts(order: Order, stripe_server: StripeServer) -> None:
    payment = begin(order, "card")
    later = timezone.now() + timedelta(days=8)
    Payment.objects.update(expires_at=later - timedelta(minutes=4))
    assert paying.orders_to_expire(at=later) == []  # somebody may be paying at this moment
    Payment.objects.update(expires_at=later - timedelta(days=1))
    assert paying.orders_to_expire(at=later) == [order.pk]
    paying.expire_order(order_id=order.pk, at=later)
    assert money(order) == ("expired", ["canceled"])

    session = stripe_server.pay(payment.provider_reference or "")
    tell(stripe_server, COMPLETED, session)
    assert (money(order), lines(order)) == (("paid", ["paid"]), [("featured", "done")])


def test_money_that_comes_twice_is_kept_for_staff_and_done_once(
    order: Order, listing: Listing, people: People, stripe_server: StripeServer
) -> None:
    first = begin(order, "card")
    Payment.objects.filter(pk=first.pk).update(expires_at=timezone.now())  # too old to be used again
    second = begin(order, "card")
    for payment, states in ((first, ["paid", "canceled"]), (second, ["paid", "flagged"])):
        session = stripe_server.pay(payment.provider_reference or "")
        tell(stripe_server, COMPLETED, session)
        assert money(order) == ("paid", states)

    settle.accept_review(order_id=order.pk, staff_id=people.staff.pk, at=timezone.now())  # seen, not taken
    assert (money(order), order.review_reason) == (("paid", ["paid", "flagged"]), "")
    assert featured(listing) < timedelta(days=8)

    second.refresh_from_db()
    dispute = {"id": "dp_1", "payment_intent": second.charge_reference, "status": "needs_response"}
    tell(stripe_server, "charge.dispute.created", dispute)
    assert money(order) == ("paid", ["paid", "flagged"])
    mails = Job.objects.filter(kind="core.send_mail", payload__to=people.staff.email)
    assert any("disputes" in mail.payload["text"] for mail in mails)

    with pytest.raises(RefundRefusedError, match="its bank decides first"):
        refunding.refund(payment_id=str(second.pk), reason="-", staff_id=people.staff.pk, at=timezone.now())
    tell(stripe_server, "charge.dispute.closed", {**dispute, "status": "won"})
    refunding.refund(payment_id=str(second.pk), reason="Twice", staff_id=people.staff.pk, at=timezone.now())
    work()
    order.refresh_from_db()
    assert (order.status, order.review_reason, Refund.objects.get().status) == ("paid", "", "done")
    assert featured(listing) > timedelta(days=6)


def test_what_nobody_told_is_asked_for(order: Order, stripe_server: StripeServer) -> None:
    payment = begin(order, "card")
    stripe_server.pay(payment.provider_reference or "")
    assert notifications.plan_checks(at=timezone.now()) == 0

    assert notifications.plan_checks(at=timezone.now() + timedelta(minutes=15)) == 1
    work()
    assert money(order) == ("paid", ["paid"])


def test_a_payment_that_nobody_made_lapses_and_its_session_with_it(
    order: Order, stripe_server: StripeServer
) -> None:
    payment = begin(order, "card")
    for minutes, status in ((4, "started"), (6, "expired")):  # who agreed at the last moment has five minutes
        at = payment.expires_at + timedelta(minutes=minutes)
        notifications.check_payment(payment_id=str(payment.pk), at=at)
        assert money(order) == ("pending", [status])
    work()

    assert [session["status"] for session in stripe_server.sessions.values()] == ["expired"]


def test_refunds_give_back_what_came_and_take_back_what_was_bought(
    order: Order, listing: Listing, people: People, stripe_server: StripeServer
) -> None:
    payment = begin(order, "card")
    tell(stripe_server, COMPLETED, stripe_server.pay(payment.provider_reference or ""))
    give = {
        "payment_id": str(payment.pk),
        "staff_id": people.staff.pk,
        "at": timezone.now(),
        "reason": "Asked",
    }

    with pytest.raises(RefundRefusedError):
        refunding.refund(**give, amount_cents=5832)
    refunding.refund(**give, amount_cents=1000)
    stripe_server.troubles = ["lost"]  # it is asked once more with the same key
    work()
    assert (money(order), len(stripe_server.refunds)) == (("partially_refunded", ["paid"]), 1)
    assert lines(order) == [("featured", "done")]

    line = order.lines.get()
    refunding.refund(**give, amount_cents=4831, line_id=line.pk)
    with pytest.raises(RefundRefusedError):
        refunding.refund(**give, line_id=line.pk)
    work()
    refund = stripe_server.refunds[-1]
    tell(stripe_server, "refund.updated", refund)
    assert (money(order), lines(order)) == (("refunded", ["paid"]), [("featured", "reversed")])
    assert featured(listing) <= timedelta(0)
    assert sum(one["amount"] for one in stripe_server.refunds) == 5831

    tell(stripe_server, "refund.failed", dict(refund, status="failed"))
    order.refresh_from_db()
    assert "failed" in order.review_reason
    assert dead() == []


def test_a_refund_is_pending_until_stripe_confirms_it_and_one_made_there_is_noticed(
    order: Order, people: People, stripe_server: StripeServer
) -> None:
    payment = begin(order, "card")
    session = stripe_server.pay(payment.provider_reference or "")
    refund = {
        "id": "re_early",
        "status": "succeeded",
        "amount": 500,
        "payment_intent": session["payment_intent"],
    }
    tell(stripe_server, "refund.created", refund)  # before anybody has said that it was paid
    assert ProviderEvent.objects.get().outcome == ""
    tell(stripe_server, COMPLETED, session)
    stripe_server.refund_status = "pending"
    refunding.refund(
        payment_id=str(payment.pk),
        reason="Asked",
        staff_id=people.staff.pk,
        at=timezone.now(),
        amount_cents=900,
    )
    work()
    assert money(order)[0] == "paid"

    tell(stripe_server, "refund.updated", dict(stripe_server.refunds[0], status="succeeded"))
    assert money(order)[0] == "partially_refunded"
    made_there = dict(refund, id="re_there", amount=77)
    tell(stripe_server, "refund.created", made_there)
    order.refresh_from_db()
    assert "77" in order.review_reason


def test_a_refund_that_is_told_before_slow_money_has_come_waits_for_it(
    order: Order, stripe_server: StripeServer
) -> None:
    session = stripe_server.pay(begin(order, "card").provider_reference or "", is_settled=False)
    tell(stripe_server, COMPLETED, session)
    tell(stripe_server, "refund.created", stripe_server.refund(session["payment_intent"], 500))
    assert (money(order), order.review_reason) == (("processing", ["processing"]), "")

    session["payment_status"] = "paid"
    tell(stripe_server, "checkout.session.async_payment_succeeded", session)
    Job.objects.filter(state="queued").update(run_after=timezone.now())
    work()
    assert (money(order)[0], Refund.objects.get().amount_cents) == ("partially_refunded", 500)


def test_a_dispute_freezes_what_is_shown_until_it_is_decided(
    order: Order, listing: Listing, stripe_server: StripeServer
) -> None:
    payment = begin(order, "card")
    session = stripe_server.pay(payment.provider_reference or "")
    tell(stripe_server, COMPLETED, session)
    dispute = {"id": "dp_1", "payment_intent": session["payment_intent"], "status": "needs_response"}
    dispute["evidence_details"] = {"due_by": 1796083200}

    tell(stripe_server, "charge.dispute.created", dispute)
    assert money(order) == ("disputed", ["disputed"])
    page = staff_client("finance").get(f"/admin/orders/order/{order.pk}/change/").content.decode()
    assert "Tuesday 1 December 2026, 00:00 UTC" in page
    assert featured(listing) <= timedelta(0)

    tell(stripe_server, "charge.dispute.closed", dict(dispute, status="won"))
    assert (money(order), lines(order)) == (("paid", ["paid"]), [("featured", "done")])
    assert featured(listing) > timedelta(days=6)

    tell(stripe_server, "charge.dispute.created", dispute)  # that one is decided: it comes late
    assert money(order) == ("paid", ["paid"])
    tell(stripe_server, "charge.dispute.created", dispute | {"id": "dp_2"})
    tell(stripe_server, "charge.dispute.closed", dispute | {"id": "dp_2", "status": "lost"})
    assert (money(order), lines(order)) == (("refunded", ["disputed"]), [("featured", "reversed")])
    assert Refund.objects.get().amount_cents == 5831


@pytest.mark.parametrize(("end", "work_is", "days"), [("won", "done", 6), ("lost", "reversed", 0)])
def test_a_dispute_freezes_what_a_bundle_shows(
    api: Api, people: People, stripe_server: StripeServer, end: str, work_is: str, days: int
) -> None:
    listing = make_listing(owner=people.owner, status="draft")
    bundle = buy(api, {"product": "launch_bundle", "listing_id": listing.pk})
    session = stripe_server.pay(begin(bundle, "card").provider_reference or "")
    tell(stripe_server, COMPLETED, session)
    dispute = {"id": "dp_1", "payment_intent": session["payment_intent"], "status": "needs_response"}
    assert featured(listing) > timedelta(days=6)

    tell(stripe_server, "charge.dispute.created", dispute)
    assert (lines(bundle), listing.status) == ([("launch_bundle", "in_progress")], "live")
    assert featured(listing) <= timedelta(0)

    tell(stripe_server, "charge.dispute.closed", dict(dispute, status=end))
    assert lines(bundle) == [("launch_bundle", work_is)]
    assert max(featured(listing).days, 0) == days
