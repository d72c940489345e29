"""The books of money by PayPal and in coins, whatever happens: documents, ledger and provider agree to the cent."""

from datetime import timedelta
from typing import Any

from django.utils import timezone
from hypothesis import Phase
from hypothesis import settings as steps
from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule, run_state_machine_as_test

from core.models import Job
from orders import refunding, settle
from orders.models import Order, Refund
from tests.conftest import Api, People
from tests.orders.books import PICK, WHEN, Books
from tests.orders.paying import dead, deliver, work
from tests.servers.btcpay_server import BTCPayServer
from tests.servers.paypal_server import PayPalServer, value_of

STATUS = {"succeeded": "COMPLETED", "pending": "PENDING"}
REFUNDED, REVERSED = "PAYMENT.CAPTURE.REFUNDED", "PAYMENT.CAPTURE.REVERSED"


class BooksByPayPal(Books):
    """Refunds here and on PayPal's page, and disputes whose money has an event of its own."""

    provider = "paypal"
    server: PayPalServer
    dispute: dict[str, Any] | None = None

    def pay(self) -> None:
        there = self.server.orders[self.begin("paypal")]
        there["status"] = "APPROVED"
        self.tell("CHECKOUT.ORDER.APPROVED", there)
        self.capture = there["purchase_units"][0]["payments"]["captures"][0]["id"]

    def refunds_follow(self, status: str) -> None:
        self.server.refund_status = STATUS[status]

    def was_refunded(self) -> None:
        refund = self.rows()[-1]
        self.happens(
            REFUNDED if refund["status"] == "COMPLETED" else "PAYMENT.REFUND.PENDING", refund, when="late"
        )

    def rows(self, *statuses: str) -> list[dict[str, Any]]:
        rows = self.server.refunds_of(self.capture)
        return [row for row in rows if row["status"] in statuses] if statuses else rows

    def is_quiet(self) -> bool:
        """Whether no dispute is open and its money is on the books under its own name."""
        return self.dispute is None and not self.late

    @precondition(is_quiet)
    @rule(cents=st.integers(min_value=1, max_value=5000), names_payment=st.booleans())
    def refund_on_paypals_page(self, *, cents: int, names_payment: bool) -> None:
        cents = min(cents, self.server.left(self.capture))
        if cents:
            more = {"custom_id": str(self.order.payments.get().pk)} if names_payment else {}
            self.happens(REFUNDED, self.server.refund(self.capture, cents, **more))

    @precondition(is_quiet)
    @rule(cents=st.integers(min_value=1, max_value=5000))
    def the_bank_takes_it_back(self, cents: int) -> None:
        cents = min(cents, self.server.left(self.capture))
        if cents:
            self.happens(REVERSED, self.server.refund(self.capture, cents))

    @precondition(lambda self: self.rows("PENDING"))
    @rule(pick=PICK, status=st.sampled_from(["COMPLETED", "FAILED"]))
    def a_refund_is_decided(self, pick: int, status: str) -> None:
        rows = self.rows("PENDING")
        refund = rows[pick % len(rows)]
        refund["status"] = status
        self.happens(REFUNDED if status == "COMPLETED" else "PAYMENT.REFUND.FAILED", refund)

    @precondition(lambda self: [row for row in self.rows("COMPLETED") if row.get("custom_id")])
    @rule(pick=PICK, when=WHEN)
    def a_refund_fails_after_it_was_done(self, pick: int, when: str) -> None:
        rows = [row for row in self.rows("COMPLETED") if row.get("custom_id")]
        refund = rows[pick % len(rows)]
        refund["status"] = "FAILED"
        self.happens("PAYMENT.REFUND.FAILED", refund, when=when)

    @precondition(lambda self: self.is_quiet() and not self.rows("PENDING"))
    @rule(half=st.booleans(), is_inquiry=st.booleans())
    def the_buyer_disputes(self, *, half: bool, is_inquiry: bool) -> None:
        there = self.server.left(self.capture)
        if cents := there // 2 if half else there:
            self.dispute = {
                "dispute_id": f"PP-D-{len(self.told)}",
                "dispute_life_cycle_stage": "INQUIRY" if is_inquiry else "CHARGEBACK",
                "disputed_transactions": [{"seller_transaction_id": self.capture}],
                "dispute_amount": {"currency_code": "EUR", "value": f"{cents // 100}.{cents % 100:02d}"},
            }
            self.happens("CUSTOMER.DISPUTE.CREATED", self.dispute)

    @precondition(lambda self: self.dispute)
    @rule(is_won=st.booleans(), money_first=st.booleans(), event=st.sampled_from([REFUNDED, REVERSED]))
    def it_is_decided(self, *, is_won: bool, money_first: bool, event: str) -> None:
        dispute, self.dispute = self.dispute or {}, None
        outcome: dict[str, Any] = {"outcome_code": "RESOLVED_SELLER_FAVOUR"}
        if not is_won:
            outcome = {"outcome_code": "RESOLVED_BUYER_FAVOUR", "amount_refunded": dispute["dispute_amount"]}
        told = [("CUSTOMER.DISPUTE.RESOLVED", dispute | {"dispute_outcome": outcome})]
        if not is_won:
            taken = self.server.refund(self.capture, value_of({"amount": dispute["dispute_amount"]}))
            told = [(event, taken), *told] if money_first else [*told, (event, taken)]
        for kind, thing in told:
            self.happens(kind, thing)

    @invariant()
    def everything_told_the_books_are_paypals(self) -> None:
        if self.late:
            return
        assert (dead(), Job.objects.filter(state="queued").count()) == ([], 0)
        order = Order.objects.get(pk=self.order.pk)
        here = order.total_cents - sum(value_of(row) for row in self.rows("COMPLETED"))
        assert sum(row.total_cents for row in order.invoices.all()) == here
        is_disputed = self.dispute and self.dispute["dispute_life_cycle_stage"] != "INQUIRY"
        by_money = {order.total_cents: "paid", 0: "refunded"}
        expected = "disputed" if is_disputed else by_money.get(here, "partially_refunded")
        assert order.status == expected


class BooksInCoins(Books):
    """Coins come exactly, too many or too few, and go back by hand: the provider tells of nothing that goes."""

    provider = "btcpay"
    server: BTCPayServer
    off = 0  # what came above what was asked for, or below

    def pay(self) -> None:
        self.begin("crypto")
        self.invoice = list(self.server.invoices.values())[-1]
        self.asked = self.order.payments.get().amount_cents
        self.came(self.asked + self.off)
        if self.off < 0:
            self.invoice |= {"status": "Expired", "additionalStatus": "PaidPartial"}
            self.deliver("InvoiceExpired", partiallyPaid=True)
            self.accept()
        else:
            self.invoice |= {"status": "Settled", "additionalStatus": "PaidOver" if self.off else "None"}
            self.deliver("InvoiceSettled", overPaid=bool(self.off))

    def came(self, cents: int) -> None:
        self.invoice["paid"] = f"{cents // 100}.{cents % 100:02d}"

    def deliver(self, kind: str, **more: Any) -> None:
        body = self.server.event(kind, self.invoice["id"], **more)
        for _ in range(2):
            assert deliver("btcpay", body, self.server.signature(body)) == 200
        work()

    def accept(self) -> None:
        settle.accept_review(
            order_id=self.order.pk, staff_id=self.people.staff.pk, at=timezone.now() + timedelta(seconds=1)
        )
        work()

    def done(self) -> int:
        return sum(
            Refund.objects.filter(payment__order=self.order, status="done").values_list(
                "amount_cents", flat=True
            )
        )

    @rule(pick=PICK)
    def staff_see_that_the_buyer_has_it(self, pick: int) -> None:
        rows = list(
            Refund.objects.filter(payment__order=self.order, status="pending").order_by("created_at", "pk")
        )
        if rows:
            for _ in range(2):
                row = rows[pick % len(rows)]
                refunding.confirm_refund(
                    refund_id=str(row.pk), staff_id=self.people.staff.pk, at=timezone.now()
                )
            work()

    @precondition(lambda self: self.off < 0 and not self.done())
    @rule()
    def the_missing_coins_come_late(self) -> None:
        self.off = 0
        self.came(self.asked)
        self.invoice["additionalStatus"] = "PaidLate"
        self.deliver("InvoicePaymentSettled", afterExpiration=True)

    @rule()
    def it_is_told_again(self) -> None:
        self.deliver("InvoiceSettled" if self.invoice["status"] == "Settled" else "InvoiceExpired")

    def check_left(self, order: Order, *, on_paper: int, done: int) -> None:
        """What came above the invoice goes back first and is on no document; all that came is all of the invoice."""
        payment = order.payments.get()
        assert payment.paid_cents == self.asked + self.off
        here = self.asked + self.off - done
        assert here >= 0
        if here == 0:
            assert on_paper == 0
        elif self.off < 0:
            assert on_paper == here - self.off
        else:
            assert 0 <= here - on_paper <= self.off
        by_paper = {order.total_cents: "paid", 0: "refunded"}
        assert order.status == by_paper.get(on_paper, "partially_refunded")

    @invariant()
    def all_is_done(self) -> None:
        assert (dead(), Job.objects.filter(state="queued").count()) == ([], 0)
        asked = {
            f"Refund {pk}"
            for pk in Refund.objects.filter(payment__order=self.order).values_list("pk", flat=True)
        }
        names = [pull["name"] for pull in self.server.pulls if pull["name"] in asked]
        assert sorted(names) == sorted(asked)


class BooksOfTooManyCoins(BooksInCoins):
    """€1.69 too many."""

    off = 169


class BooksOfTooFewCoins(BooksInCoins):
    """€1.69 is missing, and staff accept it."""

    off = -169


def test_the_books_agree_by_paypal(api: Api, people: People, paypal_server: PayPalServer) -> None:
    run_state_machine_as_test(  # type: ignore[no-untyped-call]
        lambda: BooksByPayPal(api, people, paypal_server),
        settings=steps(
            max_examples=6,
            stateful_step_count=16,
            deadline=None,
            phases=[Phase.explicit, Phase.reuse, Phase.generate],
        ),
    )


def test_the_books_agree_in_coins(api: Api, people: People, btcpay_server: BTCPayServer) -> None:
    for books in (BooksInCoins, BooksOfTooManyCoins, BooksOfTooFewCoins):
        run_state_machine_as_test(  # type: ignore[no-untyped-call]
            lambda books=books: books(api, people, btcpay_server),
            settings=steps(
                max_examples=3,
                stateful_step_count=12,
                deadline=None,
                phases=[Phase.explicit, Phase.reuse, Phase.generate],
            ),
        )
