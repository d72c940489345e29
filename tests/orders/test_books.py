"""Whatever happens to the money of an order, in any order: documents, ledger and the provider agree to the cent."""

from typing import Any

from django.utils import timezone
from hypothesis import settings as steps
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from core.models import Job
from leaderboards.models import Contribution
from orders.errors import RefundRefusedError
from orders.models import Invoice, Order, Refund
from orders.services import refunding
from orders.vat import NO_NUMBER
from tests.conftest import Api, People
from tests.factories.listings import make_listing
from tests.orders.paying import begin, buy, dead, deliver, work
from tests.servers.stripe_server import StripeServer

WHEN = st.sampled_from(["now", "late"])
PICK = st.integers(min_value=0, max_value=50)
CARTS = (("billboard_min",), ("featured", "ai_review"), ("billboard_min", "featured", "ai_review"))
SIGNS = {"invoice": 1, "correction": 1, "credit_note": -1}


class Books(RuleBasedStateMachine):
    """One order paid by card, and everything that staff, the buyer's bank and the dashboard can do to its money."""

    def __init__(self, api: Api, people: People, server: StripeServer) -> None:
        super().__init__()
        self.api, self.people, self.server = api, people, server

    @initialize(cart=st.sampled_from(CARTS), cents=st.integers(min_value=4500, max_value=9999))
    def pay(self, cart: tuple[str, ...], cents: int) -> None:
        listing = make_listing(f"books-{Order.objects.count()}", owner=self.people.owner)
        amounts = {"billboard_min": {"amount_cents": cents}}
        items = [{"product": name, "listing_id": listing.pk} | amounts.get(name, {}) for name in cart]
        self.order = buy(self.api, *items)
        session = self.server.pay(begin(self.order, "card").provider_reference or "")
        self.late: list[tuple[str, dict[str, Any]]] = []
        self.told: list[tuple[str, dict[str, Any]]] = []
        self.issued: dict[str, dict[str, Any]] = {}
        self.tell("checkout.session.completed", session)
        self.intent = session["payment_intent"]

    # -- what happens ---------------------------------------------------------------------------------------

    @rule(
        line=PICK,
        cents=st.integers(min_value=1, max_value=4000),
        status=st.sampled_from(["succeeded", "pending"]),
    )
    def refund_a_part(self, line: int, cents: int, status: str) -> None:
        rows = [None, *self.order.lines.order_by("position").values_list("pk", flat=True)]
        self.server.refund_status = status
        self.staff_refund(line_id=rows[line % len(rows)], amount_cents=cents)

    @rule(line=PICK)
    def refund_the_rest(self, line: int) -> None:
        rows = [None, *self.order.lines.order_by("position").values_list("pk", flat=True)]
        self.server.refund_status = "succeeded"
        self.staff_refund(line_id=rows[line % len(rows)])

    def staff_refund(self, **what: Any) -> None:
        about = {"payment_id": str(self.order.payments.get().pk), "staff_id": self.people.staff.pk}
        try:
            refunding.refund(**about, reason="Asked", at=timezone.now(), **what)
        except RefundRefusedError:
            return
        work()
        self.happens("refund.created", self.rows("refunds")[-1], when="late")

    @rule()
    def give_vat_back(self) -> None:
        self.server.refund_status = "succeeded"
        about = {"order_id": self.order.pk, "staff_id": self.people.staff.pk, "reason": "Number valid"}
        try:
            refunding.give_vat_back(**about, number=NO_NUMBER, at=timezone.now())
        except RefundRefusedError:
            return
        work()

    @precondition(lambda self: not self.rows("disputes", "needs_response"))
    @rule(
        cents=st.integers(min_value=1, max_value=5000),
        tells=st.sampled_from(["refund.created", "charge.refunded"]),
    )
    def refund_in_the_dashboard(self, cents: int, tells: str) -> None:
        cents = min(cents, self.server.left(self.intent))
        if cents:
            refund = self.server.refund(self.intent, cents)
            self.happens(tells, self.server.charge(self.intent) if tells.startswith("charge") else refund)

    @precondition(lambda self: self.rows("refunds", "succeeded", "pending"))
    @rule(pick=PICK, when=WHEN)
    def a_refund_fails(self, pick: int, when: str) -> None:
        rows = self.rows("refunds", "succeeded", "pending")
        refund = rows[pick % len(rows)]
        refund["status"] = "failed"
        self.happens("refund.failed", refund, when=when)

    @precondition(lambda self: self.rows("refunds", "pending"))
    @rule(pick=PICK)
    def a_refund_arrives(self, pick: int) -> None:
        rows = self.rows("refunds", "pending")
        refund = rows[pick % len(rows)]
        refund["status"] = "succeeded"
        self.happens("refund.updated", refund)

    @precondition(lambda self: not self.rows("disputes", "needs_response", "warning_needs_response"))
    @rule(cents=PICK, status=st.sampled_from(["needs_response", "warning_needs_response"]), when=WHEN)
    def the_bank_asks(self, cents: int, status: str, when: str) -> None:
        there = self.server.left(self.intent)
        amount = there if cents % 2 else there // 2
        if amount:
            dispute = self.server.dispute(self.intent, amount, status=status)
            self.happens("charge.dispute.created", dispute, when=when)

    @precondition(lambda self: self.rows("disputes", "warning_needs_response"))
    @rule()
    def an_inquiry_is_settled(self) -> None:
        dispute = self.rows("disputes", "warning_needs_response")[0]
        dispute["status"] = "warning_closed"
        self.happens("charge.dispute.closed", dispute)

    @precondition(lambda self: self.rows("disputes", "needs_response"))
    @rule(status=st.sampled_from(["won", "lost"]))
    def a_dispute_is_decided(self, status: str) -> None:
        dispute = self.rows("disputes", "needs_response")[0]
        dispute["status"] = status
        self.happens("charge.dispute.closed", dispute)

    @precondition(lambda self: self.rows("disputes", "lost"))
    @rule()
    def the_money_of_a_dispute_comes_back(self) -> None:
        dispute = self.rows("disputes", "lost")[0]
        dispute["status"] = "won"
        self.happens("charge.dispute.funds_reinstated", dispute)

    @precondition(lambda self: self.told)
    @rule(pick=PICK)
    def something_old_is_told_again(self, pick: int) -> None:
        self.tell(*self.told[pick % len(self.told)])

    @precondition(lambda self: self.late)
    @rule(pick=PICK)
    def something_late_is_told(self, pick: int) -> None:
        self.tell(*self.late.pop(pick % len(self.late)))

    # -- telling --------------------------------------------------------------------------------------------

    def rows(self, name: str, *statuses: str) -> list[dict[str, Any]]:
        rows = [row for row in getattr(self.server, name) if row["payment_intent"] == self.intent]
        return [row for row in rows if row["status"] in statuses] if statuses else rows

    def happens(self, kind: str, thing: dict[str, Any], *, when: str = "now") -> None:
        """Its event says how things were then, now or later."""
        if when == "late":
            self.late.append((kind, dict(thing)))
        else:
            self.tell(kind, dict(thing))

    def tell(self, kind: str, thing: dict[str, Any]) -> None:
        self.told.append((kind, thing))
        body = self.server.event(kind, thing)
        assert deliver("stripe", body, self.server.signature(body)) == 200
        work()

    # -- what holds -----------------------------------------------------------------------------------------

    @invariant()
    def documents_stay_and_have_numbers_without_a_gap(self) -> None:
        documents = Invoice.objects.filter(order=self.order).order_by("pk")
        for row in documents.values(
            "number", "net_cents", "vat_cents", "total_cents", "document", "issued_at"
        ):
            assert self.issued.setdefault(row["number"], row) == row
        for kind, sign in SIGNS.items():
            drawn = Invoice.objects.filter(kind=kind).order_by("pk")
            assert [row.sequence for row in drawn] == list(range(1, len(drawn) + 1))
            assert all(row.net_cents * sign >= 0 <= row.vat_cents * sign for row in drawn)
            assert all(row.net_cents + row.vat_cents == row.total_cents for row in drawn)

    @invariant()
    def what_the_documents_come_to_is_what_the_ledger_says(self) -> None:
        order = Order.objects.get(pk=self.order.pk)
        documents = list(order.invoices.all())
        net, vat = (sum(getattr(row, column) for row in documents) for column in ("net_cents", "vat_cents"))
        done = Refund.objects.filter(payment__order=order, status="done")
        assert 0 <= net <= order.net_cents
        assert 0 <= vat <= order.vat_cents
        assert net + vat == order.total_cents - sum(row.amount_cents for row in done)
        for line in order.lines.all():
            assert line.refunded_cents == sum(row.amount_cents for row in done if row.line_id == line.pk)
            assert 0 <= line.refunded_cents <= line.gross_cents
            ranked = Contribution.objects.filter(reference__startswith=f"line-{line.pk}-")
            on_board = sum(ranked.values_list("amount_cents", flat=True))
            assert 0 <= on_board <= line.net_cents
            assert not on_board or line.fulfilment_status == "done"
            assert not on_board or order.status in ("paid", "partially_refunded")

    @invariant()
    def everything_told_the_books_are_the_providers(self) -> None:
        if self.late:
            return
        assert (dead(), Job.objects.filter(state="queued").count()) == ([], 0)
        order = Order.objects.get(pk=self.order.pk)
        gone = [*self.rows("refunds", "succeeded"), *self.rows("disputes", "lost")]
        here = order.total_cents - sum(row["amount"] for row in gone)
        assert sum(row.total_cents for row in order.invoices.all()) == here
        payment = order.payments.get()
        if self.rows("disputes", "needs_response") and payment.status == "disputed":
            assert order.status == "disputed"
        elif not self.rows("disputes", "needs_response"):
            by_money = {order.total_cents: "paid", 0: "refunded"}
            assert order.status == by_money.get(here, "partially_refunded")
            assert here == 0 or payment.status == "paid"


def test_the_books_agree_whatever_happens(api: Api, people: People, stripe_server: StripeServer) -> None:
    run_state_machine_as_test(  # type: ignore[no-untyped-call]
        lambda: Books(api, people, stripe_server),
        settings=steps(max_examples=8, stateful_step_count=16, deadline=None),
    )
