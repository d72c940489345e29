"""One order as staff look at it: in few statements, each of them bounded."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import CharField, Exists, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Concat, JSONObject

from accounts.models import User
from directory.wording import who
from orders import evidence, wording
from orders.models import (
    Dispute,
    Invoice,
    Order,
    OrderEvent,
    OrderLine,
    Payment,
    ProviderEvent,
    Refund,
    StaffTask,
    VatRate,
)
from orders.products import PRODUCTS
from orders.selectors.orders import STATES, describe, with_dates
from orders.wording import price

EVENTS, ROWS = 200, 50
PREFIXES = {"refund_began": "Refund asked of the provider: ", "review": "In review: "}
OPEN = (Payment.Status.STARTED, Payment.Status.PROCESSING)
Status = Refund.Status
NOT_DONE = {
    OrderLine.Fulfilment.IN_PROGRESS: "its work has begun and stops",
    OrderLine.Fulfilment.REVERSED: "what it gave was taken back already",
}
TREATMENTS = {
    "domestic": "VAT of the seller's country",
    "destination": "VAT of the buyer's country",
    "reverse_charge": "reverse charge",
    "outside_scope": "outside the EU",
    "assumed": "country not known",
}


@dataclass(frozen=True, kw_only=True)
class StaffLine:
    """A line, how far its work is, and what of its money can be given back."""

    line: OrderLine
    detail: str
    state: str
    tone: str
    left_cents: int
    requested_at: datetime | None  # a refund of it waits for the provider since then

    @property
    def can_work_again(self) -> bool:
        """Whether its work was taken back and its money has come back."""
        is_back = self.line.fulfilment_status == OrderLine.Fulfilment.REVERSED
        return is_back and not self.line.effect.get("frozen") and self.left_cents > 0

    @property
    def ends(self) -> str:
        if self.line.parts_done:
            return PRODUCTS[self.line.product].on_refund
        return NOT_DONE.get(OrderLine.Fulfilment(self.line.fulfilment_status), "nothing was done yet")


@dataclass(frozen=True, kw_only=True)
class StaffWork:
    """What a line leaves to staff, with what its buyer said of it."""

    task: StaffTask

    @property
    def name(self) -> str:
        name = self.task.line.name
        if self.is_wish:
            return f"The buyer asks for the money of {name}"
        return PRODUCTS[self.task.kind].staff_task.format(name)

    @property
    def is_wish(self) -> bool:
        """Whether the buyer asks for money, rather than for work."""
        return self.task.kind in StaffTask.WISHES

    @property
    def facts(self) -> list[tuple[str, str]]:
        """What the buyer gave along; of other work, why it is here."""
        options = self.task.line.options
        typed = [option.key for option in PRODUCTS[self.task.line.product].options if not option.takes_week]
        facts = [(key.capitalize(), str(options[key])) for key in typed if options.get(key)]
        facts += [("Website", self.url)] if options.get("url") else []
        listing = self.task.line.listing
        facts += [("Listing", listing.name)] if listing else []
        if self.task.detail and (self.is_wish or not PRODUCTS[self.task.kind].is_done_by_staff):
            facts.append(("Why", self.task.detail))
        return facts

    @property
    def url(self) -> str:
        """The buyer's website; lines of a former release have it as `url`."""
        options = self.task.line.options
        return str(options.get("website") or options.get("url", ""))


@dataclass(frozen=True, kw_only=True)
class StaffOrder:
    order: Order
    lines: list[StaffLine]
    payments: Sequence[Payment]
    refunds: list[Refund]
    events: list[dict[str, Any]]
    invoices: list[Invoice]
    work: list[StaffWork]

    @property
    def paid(self) -> Payment | None:
        return next((row for row in self.payments if row.status == Payment.Status.PAID), None)

    @property
    def flagged(self) -> list[Payment]:
        """Money that came and does not fit, as far as it is still here."""
        return [
            row for row in self.payments if row.status == Payment.Status.FLAGGED and self.left_of(row) > 0
        ]

    @property
    def is_disputed(self) -> bool:
        """Whether a bank decides about some of such money."""
        return any(_is_disputed(row) for row in self.flagged)

    @property
    def waits_for_bank(self) -> bool:
        """Whether a bank decides about the money that staff would accept, or why the order is in review."""
        if self.order.status != Order.Status.REVIEW:
            return self.is_disputed and self.order.review_reason == wording.DISPUTED
        flagged = [row for row in self.payments if row.status == Payment.Status.FLAGGED]
        by_time = sorted(flagged, key=lambda row: (row.settled_at is None, row.settled_at))
        first = min(by_time, key=self._is_gone, default=None)
        return first is not None and _is_disputed(first)

    def _is_gone(self, payment: Payment) -> bool:
        """Whether nothing is left of it, as `settle.money_in_review` asks; what nobody could count is here."""
        return payment.paid_cents is not None and self.left_of(payment) <= 0

    @property
    def surplus_cents(self) -> int:
        """What came above the total, as far as it is still here."""
        return max(0, self.left_cents - self.order.total_cents)

    @property
    def surplus(self) -> str:
        return f"{self.surplus_cents // 100}.{self.surplus_cents % 100:02d}"

    @property
    def is_open(self) -> bool:
        return any(row.status in OPEN and row.provider_reference for row in self.payments)

    @property
    def answer_by(self) -> datetime | None:
        """Until when a dispute can be answered, if its provider told."""
        return next((row.answer_by for row in self.payments if row.answer_by), None)

    @property
    def evidence(self) -> list[tuple[str, str]]:
        rows = self.order.place_evidence
        return [(words, rows[source]) for source, words in evidence.SOURCES.items() if rows.get(source)]

    @property
    def is_unlike(self) -> bool:
        """Whether a VAT number is registered under another name than the buyer's."""
        order = self.order
        return wording.is_unlike(order.vat_check_name, order.billing_company, order.billing_name)

    @property
    def vat_words(self) -> str:
        return TREATMENTS.get(self.order.vat_treatment, "")

    @property
    def left_cents(self) -> int:
        """What can still be given back of the payment."""
        return self.left_of(self.paid) if self.paid else 0

    @property
    def has_vat_left(self) -> bool:
        """Whether VAT can still be given back, as its documents and what is left of the payment say."""
        return self.left_cents > 0 and sum(row.vat_cents for row in self.invoices) > 0

    def left_of(self, payment: Payment) -> int:
        """What is left of a payment; refunds under way count as gone."""
        return (payment.paid_cents or 0) - _gone(row for row in self.refunds if row.payment_id == payment.pk)

    @property
    def says(self) -> str:
        gone = _gone(row for row in self.refunds if row.status == Status.DONE)
        back = f", {price(gone, self.order.currency)} given back" if gone else ""
        done = sum(row.line.fulfilment_status == OrderLine.Fulfilment.DONE for row in self.lines)
        money = f"Paid {self.order.paid_at:%-d %B %Y, %H:%M} UTC{back}" if self.order.paid_at else "Not paid"
        return (
            f"{money}. {done} of {len(self.lines)} {'line is' if len(self.lines) == 1 else 'lines are'} done."
        )


def _is_disputed(payment: Payment) -> bool:
    return bool(getattr(payment, "is_disputed", False))


def _gone(refunds: Any) -> int:
    return sum(row.amount_cents for row in refunds if row.status != Status.FAILED)


def staff_order(order_id: int) -> StaffOrder | None:
    """An order with all that happened to it: six statements."""
    order = staff_orders().filter(pk=order_id).first()
    if order is None:
        return None
    refunds = list(
        Refund.objects.filter(payment__order=order)
        .select_related("line", "by")
        .order_by("created_at", "pk")[:ROWS]
    )
    disputes = Dispute.objects.filter(payment=OuterRef("pk"), state=Dispute.State.OPEN)
    payments = list(order.payments.annotate(is_disputed=Exists(disputes)).order_by("created_at", "pk")[:ROWS])
    left = sum((row.paid_cents or 0) for row in payments if row.status == "paid") - _gone(
        row for row in refunds if any(p.pk == row.payment_id and p.status == "paid" for p in payments)
    )
    left = min(left, order.total_cents)
    lines = _lines(order)
    return StaffOrder(
        order=order,
        payments=payments,
        refunds=refunds,
        lines=[_line(line, refunds, left=max(0, left)) for line in lines],
        events=_events(order),
        work=[work for line in lines for work in _work(line)],
        invoices=list(order.invoices.order_by("issued_at", "pk")[:ROWS]),
    )


def _lines(order: Order) -> list[OrderLine]:
    tasks = StaffTask.objects.filter(line=OuterRef("pk"), closed_at=None).order_by("opened_at", "pk")
    columns = JSONObject(id="pk", kind="kind", detail="detail", opened_at="opened_at")
    lines = with_dates(order.lines.select_related("listing")).annotate(
        open_work=ArraySubquery(tasks.values(row=columns))
    )
    return list(lines.order_by("position"))


def _work(line: Any) -> Iterator[StaffWork]:
    for row in line.open_work:
        opened_at = datetime.fromisoformat(row["opened_at"])
        task = StaffTask(pk=row["id"], kind=row["kind"], detail=row["detail"], opened_at=opened_at, line=line)
        yield StaffWork(task=task)


def disputed_orders() -> QuerySet[Order]:
    """Those whose money is disputed, with the moment until which the first of their disputes can be answered."""
    return with_answer_by(Order.objects.filter(status=Order.Status.DISPUTED))


def with_answer_by(orders: QuerySet[Order]) -> QuerySet[Order]:
    payments = Payment.objects.filter(order=OuterRef("pk"), answer_by__isnull=False).order_by("answer_by")
    return orders.annotate(answer_by=Subquery(payments.values("answer_by")[:1]))


def staff_orders() -> QuerySet[Order]:
    """Orders with their buyer, their code, and where their VAT rate can be read."""
    rates = VatRate.objects.filter(
        country=OuterRef("vat_country"),
        valid_from__lte=OuterRef("created_at__date"),
        percent=OuterRef("vat_rate"),
    )
    newest = rates.order_by("-valid_from")
    return Order.objects.select_related("owner", "promo").annotate(
        rate_source=Subquery(newest.values("source")[:1]),
        rate_since=Subquery(newest.values("valid_from")[:1]),
    )


def _line(line: OrderLine, refunds: list[Refund], *, left: int) -> StaffLine:
    own = [row for row in refunds if row.line_id == line.pk]
    state, style = STATES[OrderLine.Fulfilment(line.fulfilment_status)]
    return StaffLine(
        line=line,
        detail=describe(line),
        state=state,
        tone=style,
        left_cents=min(left, line.gross_cents - _gone(own)),
        requested_at=next((row.created_at for row in own if row.status == Status.PENDING), None),
    )


def _events(order: Order) -> list[dict[str, Any]]:
    """What happened to it and what providers told of it, in one order of time."""
    mine = OrderEvent.objects.filter(order=order).values_list("at", "kind", "text", "by")
    events = ProviderEvent.objects.filter(payment__order=order).values_list(
        "received_at",
        "kind",
        "outcome",
        Concat(Value("provider:"), "provider", Value(" "), "event_id", output_field=CharField()),
    )
    rows = list(mine.union(events, all=True).order_by("at")[:EVENTS])
    staff = _names({int(by.partition(":")[2]) for _, _, _, by in rows if by.startswith("staff:")})
    return [
        {
            "at": at,
            "text": f"{PREFIXES.get(kind, '')}{text}" or kind.capitalize(),
            "by": _who(by, order, staff),
        }
        for at, kind, text, by in rows
    ]


def _names(staff_ids: set[int]) -> dict[int, str]:
    people = User.objects.filter(pk__in=staff_ids) if staff_ids else ()
    return {person.pk: person.get_short_name() for person in people}


def _who(by: str, order: Order, staff: Mapping[int, str]) -> str:
    """Who did it, in words: the buyer, a colleague, a provider with its id, or nobody."""
    kind, _, key = by.partition(":")
    if by == f"user:{order.owner_id}":
        return "the buyer"
    if kind == "staff":
        return staff.get(int(key), "staff")
    return who(by)
