"""What staff can do to the money of an order, whoever was paid, and what documents and ledger hold at every step."""

from collections import defaultdict
from contextlib import suppress
from typing import Any

from django.utils import timezone
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from leaderboards.models import Contribution
from orders import correcting, refunding
from orders.correcting import WORDS, Buyer, Right, correct_buyer
from orders.errors import OrderCannotMoveError, RefundRefusedError
from orders.ledger.returns import OSS, REVERSE, Quarter, returns_of
from orders.models import Invoice, Order, Payment, Refund
from orders.pricing import Sums
from orders.seller import local
from orders.vat import NO_NUMBER, NumberCheck
from tests.conftest import Api, People
from tests.factories.listings import make_listing
from tests.orders.paying import begin, buy, deliver, work

WHEN = st.sampled_from(["now", "late"])
PICK = st.integers(min_value=0, max_value=50)
CARTS = (("billboard_min",), ("featured", "ai_review"), ("billboard_min", "featured", "ai_review"))
FRENCH = ("FR40303265045", "FR23334175221")
SIGNS = {"invoice": 1, "correction": 1, "credit_note": -1}


def parts() -> dict[tuple[str, str], Sums]:
    """What the return of the running quarter says, by part and customer."""
    sums: dict[tuple[str, str], Sums] = defaultdict(Sums)
    for row in returns_of(Quarter.of(local(timezone.now()).date())).rows:
        sums[row.key.part, row.key.customer] += row.sums
    return sums


def less(sums: Sums, off: Sums) -> Sums:
    """The one without the other."""
    return Sums(net_cents=sums.net_cents - off.net_cents, vat_cents=sums.vat_cents - off.vat_cents)


class Books(RuleBasedStateMachine):
    """One order that was paid. A provider's own class says how it is paid there and what else can happen."""

    provider = ""

    def __init__(self, api: Api, people: People, server: Any) -> None:
        super().__init__()
        self.api, self.people, self.server = api, people, server

    @initialize(
        cart=st.sampled_from(CARTS),
        cents=st.integers(min_value=4500, max_value=9999),
        country=st.sampled_from(["", "FR"]),
    )
    def buy(self, cart: tuple[str, ...], cents: int, country: str) -> None:
        listing = make_listing(f"books-{Order.objects.count()}", owner=self.people.owner)
        amounts = {"billboard_min": {"amount_cents": cents}}
        items = [{"product": name, "listing_id": listing.pk} | amounts.get(name, {}) for name in cart]
        self.country, self.before = country, parts()
        self.order = buy(self.api, *items, **({"billing_country": country} if country else {}))
        self.late: list[tuple[str, dict[str, Any]]] = []
        self.told: list[tuple[str, dict[str, Any]]] = []
        self.issued: dict[str, dict[str, Any]] = {}
        self.pay()

    def pay(self) -> None:
        """The person pays, and the provider tells."""
        raise NotImplementedError

    def begin(self, method: str) -> str:
        """The payment, of money that is on the books; what its provider calls it."""
        payment = begin(self.order, method)
        Payment.objects.filter(pk=payment.pk).update(test_money=False)
        return payment.provider_reference or ""

    def number(self, text: str) -> NumberCheck:
        """What VIES says of a business there; nothing of a consumer at home."""
        if not self.country:
            return NO_NUMBER
        return NumberCheck(number=text, country="FR", status="valid", checked_at=timezone.now())

    def refunds_follow(self, status: str) -> None:
        """How the provider answers the next refund: `succeeded` or `pending`."""

    def was_refunded(self) -> None:
        """What the provider tells of a refund that it was just asked for."""

    @rule(
        line=PICK,
        cents=st.integers(min_value=1, max_value=4000),
        status=st.sampled_from(["succeeded", "pending"]),
    )
    def refund_a_part(self, line: int, cents: int, status: str) -> None:
        rows = [None, *self.order.lines.order_by("position").values_list("pk", flat=True)]
        self.refunds_follow(status)
        self.staff_refund(line_id=rows[line % len(rows)], amount_cents=cents)

    @rule(line=PICK)
    def refund_the_rest(self, line: int) -> None:
        rows = [None, *self.order.lines.order_by("position").values_list("pk", flat=True)]
        self.refunds_follow("succeeded")
        self.staff_refund(line_id=rows[line % len(rows)])

    def staff_refund(self, **what: Any) -> None:
        about = {"payment_id": str(self.order.payments.get().pk), "staff_id": self.people.staff.pk}
        try:
            refunding.refund(**about, reason="Asked", at=timezone.now(), **what)
        except RefundRefusedError:
            return
        work()
        self.was_refunded()

    @rule()
    def give_vat_back(self) -> None:
        self.refunds_follow("succeeded")
        about = {"order_id": self.order.pk, "staff_id": self.people.staff.pk, "reason": "Number valid"}
        number = self.number(Order.objects.get(pk=self.order.pk).vat_number or FRENCH[0])
        try:
            refunding.give_vat_back(**about, number=number, at=timezone.now())
        except RefundRefusedError:
            return
        work()

    @rule(name=st.sampled_from(["Brindel", "Maison Martin", "Lilas SARL"]))
    def invoice_anew(self, name: str) -> None:
        order = Order.objects.get(pk=self.order.pk)
        invoice = order.invoices.filter(kind="invoice").order_by("pk").last()
        if invoice is None:
            return
        buyer = Buyer(
            billing_name=name,
            billing_company="",
            billing_address="",
            billing_postcode="",
            billing_city="",
        )
        right = Right(buyer=buyer, country=order.billing_country or order.vat_country, number=NO_NUMBER)
        about: dict[str, Any] = {"reason": "Misspelt", "by": f"staff:{self.people.staff.pk}"}
        with suppress(OrderCannotMoveError):
            correcting.replace(invoice=invoice, right=right, at=timezone.now(), **about)
        work()

    @rule(text=st.sampled_from(FRENCH))
    def correct_the_number(self, text: str) -> None:
        order = Order.objects.get(pk=self.order.pk)
        buyer = Buyer(**{name: getattr(order, name) for name in WORDS if name != "vat_number"})
        about: dict[str, Any] = {"order_id": order.pk, "buyer": buyer, "reason": "Misspelt", "by": "staff:1"}
        with suppress(OrderCannotMoveError):
            correct_buyer(**about, number=self.number(text), at=timezone.now())

    # -- telling --------------------------------------------------------------------------------------------

    @precondition(lambda self: self.told)
    @rule(pick=PICK)
    def something_old_is_told_again(self, pick: int) -> None:
        self.tell(*self.told[pick % len(self.told)])

    @precondition(lambda self: self.late)
    @rule(pick=PICK)
    def something_late_is_told(self, pick: int) -> None:
        self.tell(*self.late.pop(pick % len(self.late)))

    def happens(self, kind: str, thing: dict[str, Any], *, when: str = "now") -> None:
        """Its event says how things were then, now or later."""
        if when == "late":
            self.late.append((kind, dict(thing)))
        else:
            self.tell(kind, dict(thing))

    def tell(self, kind: str, thing: dict[str, Any]) -> None:
        self.told.append((kind, thing))
        body = self.server.event(kind, thing)
        assert deliver(self.provider, body, self.server.signature(body)) == 200
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
        self.check_left(order, on_paper=net + vat, done=sum(row.amount_cents for row in done))
        for line in order.lines.all():
            assert line.refunded_cents == sum(row.amount_cents for row in done if row.line_id == line.pk)
            assert 0 <= line.refunded_cents <= line.gross_cents
            ranked = Contribution.objects.filter(reference__startswith=f"line-{line.pk}-")
            on_board = sum(ranked.values_list("amount_cents", flat=True))
            assert 0 <= on_board <= line.net_cents
            assert not on_board or line.fulfilment_status == "done"
            assert not on_board or order.status in ("paid", "partially_refunded")

    @invariant()
    def each_part_of_a_return_holds_what_is_left_and_bears_its_own_vat(self) -> None:
        rows, nothing = parts(), Sums()
        own = {key: less(sums, self.before.get(key, nothing)) for key, sums in rows.items()}
        documents = list(self.order.invoices.order_by("pk"))
        left = sum(row.total_cents for row in documents)
        assert sum(sums.total_cents for sums in own.values()) == left
        for (part, customer), sums in own.items():
            assert sums.net_cents >= 0 <= sums.vat_cents
            assert left or sums == nothing
            assert part != REVERSE or customer == documents[-1].buyer_vat_number or sums == nothing
            if part == OSS:
                assert abs(sums.vat_cents - sums.net_cents * 0.2) <= len(documents)

    def check_left(self, order: Order, *, on_paper: int, done: int) -> None:
        """What stands on paper is what was paid, less what went back."""
        assert on_paper == order.total_cents - done
