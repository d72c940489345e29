"""Whatever happens to the money of an order, in any order: documents, ledger and the provider agree to the cent."""

from typing import Any

from hypothesis import settings as steps
from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule, run_state_machine_as_test

from core.models import Job
from orders.models import Order
from tests.conftest import Api, People
from tests.orders.books import PICK, WHEN, Books
from tests.orders.paying import dead
from tests.servers.stripe_server import StripeServer


class BooksByCard(Books):
    """Everything that staff, the buyer's bank and the dashboard can do to money by card."""

    provider = "stripe"
    server: StripeServer

    def pay(self) -> None:
        session = self.server.pay(self.begin("card"))
        self.tell("checkout.session.completed", session)
        self.intent = session["payment_intent"]

    def refunds_follow(self, status: str) -> None:
        self.server.refund_status = status

    def was_refunded(self) -> None:
        self.happens("refund.created", self.rows("refunds")[-1], when="late")

    # -- what happens ---------------------------------------------------------------------------------------

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

    def rows(self, name: str, *statuses: str) -> list[dict[str, Any]]:
        rows = [row for row in getattr(self.server, name) if row["payment_intent"] == self.intent]
        return [row for row in rows if row["status"] in statuses] if statuses else rows

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
        lambda: BooksByCard(api, people, stripe_server),
        settings=steps(max_examples=8, stateful_step_count=16, deadline=None),
    )
