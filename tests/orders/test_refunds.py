"""Refunds that fail, that are made at the provider, of VAT alone: documents, status and work follow, to the cent."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import override_settings
from django.utils import timezone

from core.models import Job, Mail
from directory.models import Listing
from orders import fulfil, invoices, refund_outcomes, refunding
from orders.errors import OrderCannotMoveError, RefundRefusedError
from orders.models import Order, Refund
from orders.payments import Kind, PaymentEvent
from orders.vat import NO_NUMBER, NumberCheck
from tests.conftest import Api, People
from tests.factories.listings import make_listing
from tests.factories.orders import make_order
from tests.orders.paying import begin, buy, dead, deliver, lines, money, work
from tests.orders.test_stripe_payments import COMPLETED, tell
from tests.servers.stripe_server import StripeServer


@pytest.fixture
def listing(people: People) -> Listing:
    return make_listing(owner=people.owner)


@pytest.fixture
def paid(api: Api, listing: Listing, stripe_server: StripeServer) -> Order:
    """EUR 49.00 and EUR 19.00 before VAT, EUR 80.92 with it; paid by card."""
    items = [{"product": product, "listing_id": listing.pk} for product in ("featured", "ai_review")]
    order = buy(api, *items)
    tell(stripe_server, COMPLETED, stripe_server.pay(begin(order, "card").provider_reference or ""))
    return order


def intent(order: Order) -> str:
    return order.payments.get().charge_reference


def give_back(order: Order, people: People, **what: Any) -> Refund:
    row = refunding.refund(
        payment_id=str(order.payments.get().pk),
        reason="As agreed",
        staff_id=people.staff.pk,
        at=timezone.now(),
        **what,
    )
    work()
    return row


def papers(order: Order) -> list[tuple[str, int, int]]:
    """Each document's kind, net and VAT, in the order in which they were issued."""
    return list(order.invoices.order_by("pk").values_list("kind", "net_cents", "vat_cents"))


def reason(order: Order) -> str:
    """Why staff have to look at it."""
    order.refresh_from_db()
    return order.review_reason


def left_on_paper(order: Order) -> int:
    return sum(net + vat for _, net, vat in papers(order))


def test_a_refund_that_fails_after_it_was_done_is_corrected_and_made_again_once(
    paid: Order, people: People, stripe_server: StripeServer
) -> None:
    sold = paid.invoices.get()
    give_back(paid, people)
    assert (money(paid)[0], left_on_paper(paid)) == ("refunded", 0)

    refund = stripe_server.refunds[0]
    refund["status"] = "failed"
    for _ in range(2):
        tell(stripe_server, "refund.failed", refund)
    tell(stripe_server, "refund.updated", refund | {"status": "succeeded"})  # older, and late
    assert (money(paid)[0], left_on_paper(paid)) == ("paid", paid.total_cents)
    assert "failed" in paid.review_reason
    note, correction = paid.invoices.order_by("pk")[1:]
    assert (correction.kind, correction.corrects, correction.total_cents) == (
        "correction",
        note,
        -note.total_cents,
    )
    assert (correction.number[:9], correction.document["corrects"]["number"]) == ("TEST-COR-", note.number)
    assert [row.refunded_cents for row in paid.lines.all()] == [0, 0]
    # what was taken back stays so until staff decide
    assert [state for _, state in lines(paid)] == ["reversed", "reversed"]
    mails = Job.objects.filter(kind="core.send_mail", payload__to=people.owner.email)
    assert sum("didn’t arrive" in mail.payload["subject"] for mail in mails) == 1

    give_back(paid, people)
    sums = (-sold.net_cents, -sold.vat_cents)
    assert papers(paid)[1:] == [
        ("credit_note", *sums),
        ("correction", sold.net_cents, sold.vat_cents),
        ("credit_note", *sums),
    ]
    assert (money(paid)[0], left_on_paper(paid), stripe_server.left(intent(paid))) == ("refunded", 0, 0)
    assert dead() == []
    assert reason(paid) == ""  # nobody is asked to give back again what went back


def test_no_more_goes_back_than_is_left_beside_what_is_under_way(paid: Order, people: People) -> None:
    payment = str(paid.payments.get().pk)
    what = {"payment_id": payment, "reason": "As agreed", "staff_id": people.staff.pk, "at": timezone.now()}
    refunding.refund(**what, amount_cents=7000)  # the provider has not been asked yet

    with pytest.raises(RefundRefusedError) as refused:
        refunding.refund(**what, amount_cents=1093)
    assert refused.value.extras["left_cents"] == 1092
    line = paid.lines.get(product="featured")
    assert (line.gross_cents, refunding.refund(**what, line_id=line.pk).amount_cents) == (5831, 1092)


def test_a_part_that_fails_leaves_the_other_parts(
    paid: Order, people: People, stripe_server: StripeServer
) -> None:
    line = paid.lines.get(product="ai_review")
    give_back(paid, people, line_id=line.pk)
    with pytest.raises(OrderCannotMoveError):  # its money is gone
        fulfil.work_again(line_id=line.pk, staff_id=people.staff.pk, at=timezone.now())
    give_back(paid, people, amount_cents=1001)
    failed = next(row for row in stripe_server.refunds if row["amount"] == 1001)
    failed["status"] = "failed"
    tell(stripe_server, "refund.updated", failed)

    assert money(paid)[0] == "partially_refunded"
    assert left_on_paper(paid) == stripe_server.left(intent(paid)) == paid.total_cents - line.gross_cents
    give_back(paid, people, amount_cents=500)
    assert "€10.01 failed" in reason(paid)  # another amount does not answer for it
    give_back(paid, people)
    assert reason(paid) == ""
    assert sum(vat for _, _, vat in papers(paid)) == sum(net for _, net, _ in papers(paid)) == 0


def test_a_refund_that_stripe_refuses_leaves_no_paper(
    paid: Order, people: People, stripe_server: StripeServer
) -> None:
    stripe_server.troubles = [402]
    give_back(paid, people)

    assert (money(paid)[0], len(papers(paid)), Refund.objects.get().status) == ("paid", 1, "failed")
    assert reason(paid) == f"A refund of €{paid.total_cents / 100:.2f} failed."
    give_back(paid, people)
    assert (money(paid)[0], reason(paid)) == ("refunded", "")


@pytest.mark.parametrize("event", ["refund.created", "charge.refunded", "both"])
def test_what_is_refunded_in_the_dashboard_is_booked_once(
    paid: Order, people: People, stripe_server: StripeServer, event: str
) -> None:
    first, second = (stripe_server.refund(intent(paid), cents) for cents in (1000, 2000))
    if event != "charge.refunded":
        for refund in (second, first, first):
            tell(stripe_server, "refund.created", refund)
    if event != "refund.created":
        for _ in range(2):
            tell(stripe_server, "charge.refunded", stripe_server.charge(intent(paid)))

    assert (money(paid)[0], left_on_paper(paid)) == ("partially_refunded", paid.total_cents - 3000)
    assert "Made at stripe" in Refund.objects.first().reason  # type: ignore[union-attr]
    assert "A refund was made at stripe" in paid.review_reason
    assert [state for _, state in lines(paid)] == ["done", "done"]

    with pytest.raises(RefundRefusedError):
        give_back(paid, people, amount_cents=paid.total_cents - 2999)
    tell(stripe_server, "refund.created", stripe_server.refund(intent(paid), paid.total_cents - 3000))
    assert (money(paid)[0], left_on_paper(paid)) == ("refunded", 0)
    assert [state for _, state in lines(paid)] == ["reversed", "reversed"]

    first["status"] = "failed"
    tell(stripe_server, "refund.failed", first)
    assert (money(paid)[0], left_on_paper(paid)) == ("partially_refunded", 1000)


def test_our_own_refund_is_booked_once_whoever_tells_first(
    paid: Order, people: People, stripe_server: StripeServer
) -> None:
    row = refunding.refund(
        payment_id=str(paid.payments.get().pk),
        reason="As agreed",
        staff_id=people.staff.pk,
        at=timezone.now(),
        amount_cents=1000,
    )
    key = {"refund": str(row.pk)}
    # another one of that sum is made in the dashboard meanwhile, and ours is told before its own answer is here
    there = stripe_server.refund(intent(paid), 1000)
    body = stripe_server.event("refund.created", there)
    deliver("stripe", body, stripe_server.signature(body))
    work()
    ours = next(one for one in stripe_server.refunds if one["metadata"].get("refund") == key["refund"])
    for event in ("refund.created", "refund.updated"):
        tell(stripe_server, event, ours)
    tell(stripe_server, "charge.refunded", stripe_server.charge(intent(paid)))
    Job.objects.filter(state="queued").update(run_after=timezone.now())
    work()

    assert (len(stripe_server.refunds), Refund.objects.count()) == (2, 2)
    assert left_on_paper(paid) == stripe_server.left(intent(paid)) == paid.total_cents - 2000
    assert dead() == []


def test_of_two_of_ours_of_one_sum_the_money_of_one_is_booked_once(paid: Order, people: People) -> None:
    """Neither has an answer of its own yet, and the provider's word names no key of ours."""
    payment, now = paid.payments.get(), timezone.now()
    about = {"payment_id": str(payment.pk), "staff_id": people.staff.pk, "at": now, "amount_cents": 1000}
    for _ in range(2):
        refunding.refund(reason="As agreed", **about)
    event = PaymentEvent(kind=Kind.REFUNDED, refund_ref="re_one", amount_cents=1000, currency="EUR")
    refund_outcomes.apply_refund_event(
        payment_id=str(payment.pk), event=event, heard_at=now - timedelta(hours=1), at=now
    )

    other = Refund.objects.get(status="pending")
    refund_outcomes.finish(refund_id=str(other.pk), event=event, at=now)

    assert Refund.objects.filter(status="done").count() == 1
    assert left_on_paper(paid) == paid.total_cents - 1000


def test_a_refund_that_failed_before_it_was_heard_of_is_never_booked(
    paid: Order, stripe_server: StripeServer
) -> None:
    refund = stripe_server.refund(intent(paid), 1000, status="failed")
    tell(stripe_server, "refund.failed", refund)
    tell(stripe_server, "refund.created", refund | {"status": "pending"})
    tell(stripe_server, "refund.updated", refund | {"status": "succeeded"})

    assert (money(paid)[0], len(papers(paid))) == ("paid", 1)


# -- VAT alone ----------------------------------------------------------------------------------------------

VALID = NumberCheck(number="FR40303265045", country="FR", status="valid", checked_at=timezone.now())


def vat_back(order: Order, people: People, number: NumberCheck = NO_NUMBER) -> list[Refund]:
    rows = refunding.give_vat_back(
        order_id=order.pk, number=number, reason="Number valid", staff_id=people.staff.pk, at=timezone.now()
    )
    work()
    return rows


def test_vat_alone_goes_back_and_the_rest_later(
    paid: Order, people: People, stripe_server: StripeServer
) -> None:
    sold = paid.invoices.get()
    vat_back(paid, people)

    notes = list(paid.invoices.filter(kind="credit_note").order_by("pk"))
    assert [(note.net_cents, note.vat_cents) for note in notes] == [(0, -931), (0, -361)]
    assert notes[0].document["lines"][0]["name"].startswith("VAT of ")
    assert (money(paid)[0], [state for _, state in lines(paid)]) == ("partially_refunded", ["done", "done"])
    assert stripe_server.left(intent(paid)) == sold.net_cents
    with pytest.raises(RefundRefusedError):
        vat_back(paid, people)

    give_back(paid, people, line_id=paid.lines.get(position=1).pk)
    assert papers(paid)[-1] == ("credit_note", -4900, 0)
    assert [state for _, state in lines(paid)] == ["reversed", "done"]
    give_back(paid, people, amount_cents=1000)
    give_back(paid, people)
    assert papers(paid)[-2:] == [("credit_note", -1000, 0), ("credit_note", -900, 0)]
    assert (money(paid)[0], left_on_paper(paid), stripe_server.left(intent(paid))) == ("refunded", 0, 0)


def test_vat_goes_back_after_a_part_did_and_what_failed_goes_back_again(
    paid: Order, people: People, stripe_server: StripeServer
) -> None:
    sold = paid.invoices.get()
    give_back(paid, people, amount_cents=1001)
    rows = vat_back(paid, people, replace(VALID, status="invalid"))
    paid.refresh_from_db()
    assert paid.vat_number == ""  # only a valid one becomes the order's
    assert sum(vat for _, _, vat in papers(paid)) == 0
    assert sum(net for _, net, _ in papers(paid)) == stripe_server.left(intent(paid))

    refund = next(row for row in stripe_server.refunds if row["metadata"].get("refund") == str(rows[0].pk))
    refund["status"] = "failed"
    tell(stripe_server, "refund.failed", refund)
    assert sum(vat for _, _, vat in papers(paid)) == rows[0].amount_cents
    again = vat_back(paid, people)
    assert sum(row.amount_cents for row in again) == rows[0].amount_cents
    assert sum(vat for _, _, vat in papers(paid)) == 0
    assert sold.vat_cents > 0


def test_no_vat_goes_back_while_a_refund_is_under_way(
    paid: Order, people: People, stripe_server: StripeServer
) -> None:
    stripe_server.refund_status = "pending"
    give_back(paid, people, amount_cents=1000)
    with pytest.raises(RefundRefusedError):
        vat_back(paid, people)
    line = paid.lines.get(product="ai_review")
    row = give_back(paid, people, line_id=line.pk)
    with pytest.raises(RefundRefusedError):  # of the payment more is left, of the line nothing
        give_back(paid, people, line_id=line.pk)
    calls = len(stripe_server.calls)
    refunding.carry_out(refund_id=str(row.pk), at=timezone.now())  # asked already

    assert (Refund.objects.count(), len(papers(paid)), len(stripe_server.calls)) == (2, 1, calls)


def test_the_second_refund_of_an_amount_that_was_made_there_is_told_too(
    paid: Order, people: People, stripe_server: StripeServer
) -> None:
    for _ in range(2):
        tell(stripe_server, "refund.created", stripe_server.refund(intent(paid), 1000))

    told = Mail.objects.filter(template="orders/mail/staff", address=people.staff.email)
    assert (told.count(), left_on_paper(paid)) == (2, 6092)


# -- wording and dates --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("zone", "number", "day"),
    [
        ({"SELLER_COUNTRY": "BE"}, "INV-2027-000001", "2027-01-01"),
        ({"SELLER_COUNTRY": "PT"}, "INV-2026-000001", "2026-12-31"),
        ({"SELLER_TIME_ZONE": "Europe/Lisbon"}, "INV-2026-000001", "2026-12-31"),
    ],
)
def test_documents_are_of_the_sellers_day(
    site: Any, people: People, zone: dict[str, str], number: str, day: str
) -> None:
    at = datetime(2027, 1, 1, 0, 30, tzinfo=ZoneInfo("Europe/Brussels"))
    order = make_order(site, owner=people.owner, test_money=False)
    with override_settings(**zone):
        document = invoices.issue_invoice(order=order, at=at)

    assert (document.number, document.document["issued_on"]) == (number, day)


@pytest.mark.parametrize(("company", "article"), [("", "Articles 58 and 59"), ("Brindle Ltd", "Article 44")])
def test_buyers_outside_the_eu_read_their_article(
    site: Any, people: People, company: str, article: str
) -> None:
    order = make_order(site, owner=people.owner, test_money=False, billing_company=company)
    order.vat_treatment = "outside_scope"
    document = invoices.issue_invoice(order=order, at=timezone.now()).document

    assert document["notes"] == [f"Outside the scope of EU VAT ({article} of Directive 2006/112/EC)."]
