"""A year that the services play: sold, given back, failed, VAT given back alone, invoiced anew; returned by quarter."""

import heapq
import random
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any
from zoneinfo import ZoneInfo

from django.utils import timezone

from directory.models import Listing
from orders import correcting, refund_outcomes, refunding, settle
from orders.checkout import create_checkout
from orders.correcting import WORDS, Buyer, Right
from orders.ledger.returns import DOMESTIC, OSS, OUTSIDE, REVERSE, Quarter, returns_of
from orders.models import Invoice, Order, Payment, Refund
from orders.paying import start_payment
from orders.payments import Kind, PaymentEvent
from orders.promos import Caller
from orders.vat import NO_NUMBER, NumberCheck
from tests.conftest import People

ZONE = ZoneInfo("Pacific/Auckland")  # its day begins half a day before that of UTC
FRENCH, ORDERS, YEAR = "FR40303265045", 60, 2025
# where, with which number, and the part of the return that the sale belongs to
BUYERS = (
    ("", "", DOMESTIC),
    ("DE", "", DOMESTIC),
    ("FR", "", OSS),
    ("FI", "", OSS),
    ("FR", FRENCH, REVERSE),
    ("US", "", OUTSIDE),
)


class PlayedYear:
    """What happens next is on the agenda, so that it happens in the order of time."""

    def __init__(self, listing: Listing, people: People) -> None:
        self.listing, self.people, self.dice = listing, people, random.Random(3335)
        self.agenda: list[tuple[datetime, int, Callable[[datetime], None]]] = []
        self.places, self.last = count(), 0
        self.parts: dict[int, str] = {}  # of each order
        self.left: Counter[int] = Counter()  # money of each order that is here
        self.fails: set[int] = set()  # orders of which a refund comes back
        for _ in range(ORDERS):
            minutes = self.dice.randrange(365 * 1440)
            self.plan(datetime(YEAR, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes), self.sell)

    def plan(self, at: datetime, act: Callable[[datetime], None]) -> None:
        heapq.heappush(self.agenda, (at, next(self.places), act))

    def play(self) -> None:
        """Whatever an act issues bears the day of the act by the seller's clock."""
        while self.agenda:
            at, _, act = heapq.heappop(self.agenda)
            act(at)
            for document in Invoice.objects.filter(pk__gt=self.last).order_by("pk"):
                assert document.issued_on == at.astimezone(ZONE).date()
                self.last = document.pk

    def sell(self, at: datetime) -> None:
        country, number, part = self.dice.choice(BUYERS)
        items: list[dict[str, Any]] = [
            {
                "product": "billboard_min",
                "listing_id": self.listing.pk,
                "amount_cents": self.dice.randint(500, 30_000),
            },
            {"product": "done_for_you", "options": {"website": "https://tidewell.com/"}},
        ][: self.dice.randint(1, 2)]
        order = create_checkout(
            buyer=Caller(user_id=self.people.owner.pk, network="here"),
            site=self.listing.site,
            cart={"items": items} | ({"billing_country": country} if country else {}),
            number=valid(number, at) if number else NO_NUMBER,
            at=timezone.now(),  # at today's prices
        )
        pages = {"return_url": "https://launch.example/", "cancel_url": "https://launch.example/"}
        payment = start_payment(
            order_id=order.pk, method="test", total_cents=order.total_cents, at=at, **pages
        )
        Payment.objects.filter(pk=payment.pk).update(test_money=False)
        paid = PaymentEvent(kind=Kind.PAID, amount_cents=order.total_cents, currency=order.currency)
        assert settle.settle(payment_id=str(payment.pk), event=paid, at=at) == "Paid."
        self.parts[order.pk], self.left[order.pk] = part, order.total_cents
        acts = [self.give_back, self.give_back, self.anew, self.give_vat_back]
        for act in self.dice.sample(acts, self.dice.choice((0, 0, 1, 2, 3))):
            later = at + timedelta(minutes=self.dice.randrange(120 * 1440))
            self.plan(later, lambda at, act=act: act(Order.objects.get(pk=order.pk), at))  # type: ignore[misc]

    def give_back(self, order: Order, at: datetime) -> None:
        """A part or all, of a line or of the whole; one in four comes back later."""
        there = self.left[order.pk]
        if not there:
            return
        payment = order.payments.get()
        line = self.dice.choice([None, *order.lines.all()])
        most = min(there, refunding.left(payment, line=line))
        cents = self.dice.choice((most, self.dice.randint(1, max(1, most))))
        if not most:
            return
        about: dict[str, Any] = {"reason": "Asked", "staff_id": self.people.staff.pk}
        row = refunding.refund(
            payment_id=str(payment.pk),
            line_id=line.pk if line else None,
            amount_cents=cents,
            at=at,
            **about,
        )
        self.done(row, order, at)

    def done(self, row: Refund, order: Order, at: datetime) -> None:
        refunding.carry_out(refund_id=str(row.pk), at=at)
        row.refresh_from_db()
        assert row.status == "done"
        self.left[order.pk] -= row.amount_cents
        if self.dice.random() < 0.25:
            self.fails.add(order.pk)
            self.plan(
                at + timedelta(days=self.dice.randint(1, 60)), lambda at: self.comes_back(row, order, at)
            )

    def comes_back(self, row: Refund, order: Order, at: datetime) -> None:
        failed = PaymentEvent(kind=Kind.REFUND_FAILED)
        assert refund_outcomes.finish(refund_id=str(row.pk), event=failed, at=at) == "The refund failed."
        self.left[order.pk] += row.amount_cents

    def give_vat_back(self, order: Order, at: datetime) -> None:
        is_french = self.parts[order.pk] == OSS and order.vat_country == "FR"
        if not is_french or order.pk in self.fails or not refunding.vat_left(order)[1]:
            return
        rows = refunding.give_vat_back(
            order_id=order.pk,
            number=valid(FRENCH, at),
            reason="Valid",
            staff_id=self.people.staff.pk,
            at=at,
        )
        for row in rows:
            refunding.carry_out(refund_id=str(row.pk), at=at)
            self.left[order.pk] -= row.amount_cents
        self.parts[order.pk] = REVERSE

    def anew(self, order: Order, at: datetime) -> None:
        """Another company of the same place, where that is still possible."""
        invoice = order.invoices.filter(kind="invoice").latest("pk")
        if correcting.refusal_to_replace(invoice):
            return
        stored = {name: getattr(order, name) for name in WORDS if name != "vat_number"}
        right = Right(
            buyer=Buyer(**stored | {"billing_company": f"{order.billing_company}Group "}),
            country=order.billing_country or order.vat_country,
            number=correcting.number_on_record(order, order.vat_number) or NO_NUMBER,
        )
        correcting.replace(invoice=invoice, right=right, reason="Another company", by="staff:1", at=at)


def valid(number: str, at: datetime) -> NumberCheck:
    return NumberCheck(number=number, country=number[:2], status="valid", checked_at=at)


def test_each_quarter_of_a_played_year_adds_up_to_documents_and_money(
    live: Listing, people: People, settings: Any
) -> None:
    settings.SELLER_TIME_ZONE, settings.INVOICE_FILES = ZONE.key, False
    year = PlayedYear(live, people)
    year.play()

    documents = list(Invoice.objects.order_by("issued_at", "pk"))
    numbers: dict[tuple[str, int], list[int]] = {}
    for row in documents:
        numbers.setdefault((row.series, row.issued_on.year), []).append(row.sequence)
    assert all(drawn == list(range(1, len(drawn) + 1)) for drawn in numbers.values())
    quarters = {Quarter.of(row.issued_on) for row in documents}
    assert len(quarters) > 4

    gross: Counter[tuple[str, str]] = Counter()
    for quarter in quarters:
        own = [row for row in documents if quarter.first <= row.issued_on <= quarter.last]
        returns = returns_of(quarter)
        assert (returns.agrees, returns.documents) == (True, len(own))
        for column in ("net_cents", "vat_cents"):
            assert sum(getattr(row.sums, column) for row in returns.rows) == sum(
                getattr(row, column) for row in own
            )
        for row in returns.rows:
            gross[row.key.part, row.key.country] += row.sums.total_cents
    here: Counter[tuple[str, str]] = Counter()
    for order in Order.objects.all():
        here[year.parts[order.pk], order.vat_country] += year.left[order.pk]
    assert {key: cents for key, cents in gross.items() if cents} == {
        key: cents for key, cents in here.items() if cents
    }
    assert {row.kind for row in documents} == {"invoice", "credit_note", "correction"}
