"""What the documents of an order say of its money. Its status follows from them, and from no count beside them."""

from datetime import datetime

from django.db.models import QuerySet, Sum

from orders.models import Dispute, Invoice, Order, OrderLine, Payment, Refund
from orders.pricing import Sums, spread
from orders.timeline import move_order, note

REVERSE = "reverse_charge"
Kind, Status = Invoice.Kind, Order.Status
SETTLED = (Status.PAID, Status.PARTIALLY_REFUNDED, Status.REFUNDED, Status.DISPUTED)


def left(order: Order) -> Sums:
    """What all documents of an order come to: its invoice, less what was credited and not taken back."""
    return _sums(Invoice.objects.filter(order=order))


def left_of_line(line: OrderLine) -> Sums:
    """What is left of a line: as it was sold, less the credit notes for it that stand."""
    notes = Invoice.objects.filter(order=line.order_id, refund__line=line)
    return Sums.of(line) + _sums(notes | Invoice.objects.filter(corrects__refund__line=line))


def _sums(documents: QuerySet[Invoice]) -> Sums:
    sums = documents.aggregate(net=Sum("net_cents"), vat=Sum("vat_cents"))
    return Sums(net_cents=sums["net"] or 0, vat_cents=sums["vat"] or 0)


def credited_by(refund: Refund, *, sold: Invoice) -> Sums:
    """What a refund that was just done takes off the books; its payment's refunds that are done include it.

    Money above the invoice goes back first and is on no document. Whoever has all back that came has no invoice left,
    however little that was.
    """
    order, payment = refund.payment.order, refund.payment
    there = left(order)
    came, gone = payment.paid_cents or 0, sum_of(payment.refunds.filter(status=Refund.Status.DONE))
    cents = min(refund.amount_cents, there.total_cents)
    if refund.line is None and came > sold.total_cents:
        credited = sold.total_cents - there.total_cents
        cents = min(there.total_cents, max(0, gone - (came - sold.total_cents) - credited))
    elif gone >= came:
        cents = there.total_cents
    return _split(refund, cents=cents, there=there)


def _split(refund: Refund, *, cents: int, there: Sums) -> Sums:
    """The VAT in an amount: all that is left at the end, a line's own at the line's end, and else its share."""
    if refund.kind == Refund.Kind.VAT:
        vat_cents = cents
    elif refund.line is not None:
        vat_cents = _share(cents, of=left_of_line(refund.line))
    else:
        vat_cents = _share(cents, of=there)
    lowest, highest = max(0, cents - there.net_cents), min(cents, there.vat_cents)
    vat_cents = max(lowest, min(vat_cents, highest))
    return Sums(net_cents=cents - vat_cents, vat_cents=vat_cents)


def _share(cents: int, *, of: Sums) -> int:
    if cents >= of.total_cents:
        return of.vat_cents
    return spread(of.vat_cents, (cents, of.total_cents - cents))[0]


def left_of(payment: Payment) -> int:
    """What is here of a payment: what came, less what is done of going back."""
    return (payment.paid_cents or 0) - sum_of(payment.refunds.filter(status=Refund.Status.DONE))


def gone_of(payment: Payment) -> int:
    """What went back of a payment, or is on its way back."""
    return sum_of(payment.refunds.exclude(status=Refund.Status.FAILED))


def sum_of(refunds: QuerySet[Refund]) -> int:
    return refunds.aggregate(sum=Sum("amount_cents"))["sum"] or 0


def status_of(order: Order) -> str:
    """Where the money of a paid order stands, read from its disputes and its documents."""
    disputed = Payment.objects.filter(order=order, status=Payment.Status.DISPUTED)
    if disputed.filter(disputes__state=Dispute.State.OPEN).exists():
        return Status.DISPUTED
    sold = order.invoices.filter(kind=Kind.INVOICE).order_by("pk").last()
    if sold is None:  # its money never fitted
        return order.status
    there = left(order).total_cents
    if there >= sold.total_cents:
        return Status.PAID
    return Status.PARTIALLY_REFUNDED if there > 0 else Status.REFUNDED


def update_review(order: Order) -> None:
    """Staff look at an order for money that does not fit and is here, or of which nobody knows how much it is."""
    flagged = order.payments.filter(status=Payment.Status.FLAGGED).order_by("settled_at", "pk")
    here = (row.flag for row in flagged if left_of(row) > (-1 if row.paid_cents is None else 0))
    order.review_reason = next(here, "")
    order.save(update_fields=["review_reason"])


def follow(order: Order, *, kind: str, text: str, by: str, at: datetime) -> None:
    """Bring the status of a locked, paid order in line with its books, or only record what happened."""
    to = status_of(order)
    if order.status in SETTLED and to != order.status:
        move_order(order=order, to=to, by=by, text=text, at=at)
    else:
        note(order=order, kind=kind, text=text, by=by, at=at)


# What of an order became a reverse charge after it was sold with VAT, because its VAT went back alone.
# Documents say it: by their treatment, or by `moves`, a net amount that counts as a reverse charge from then on.
def reverse_net_of(order: Order) -> int:
    """What of an order is a reverse charge now, of what is left of it; in cents before VAT."""
    return sum(map(_reverse_net, order.invoices.all()))


def _reverse_net(document: Invoice) -> int:
    moves = document.document.get("moves", {})
    moved = 0 if "from_number" in moves else moves.get("net_cents", 0)
    return moved + (document.net_cents if document.vat_treatment == REVERSE else 0)


def reverse_by_vat_alone(refund: Refund) -> int:
    """What moves as the VAT of a line goes back: the line's part of what still bears VAT."""
    order = refund.payment.order
    lines = [line for line in order.lines.order_by("position") if line == refund.line or not _is_moved(line)]
    taxed = left(order).net_cents - reverse_net_of(order)
    parts = spread(max(0, taxed), [max(0, left_of_line(line).net_cents) for line in lines])
    return sum(part for line, part in zip(lines, parts, strict=True) if line == refund.line)


def reverse_by_refund(refund: Refund, sums: Sums) -> int:
    """What a refund takes off the reverse charge: a line's own, or else its share of the order's."""
    order = refund.payment.order
    reverse, there = reverse_net_of(order), left(order).net_cents
    if refund.line is None:
        share = spread(reverse, (sums.net_cents, there - sums.net_cents))[0]
    else:
        share = sums.net_cents if _is_moved(refund.line) else 0
    return max(sums.net_cents - (there - reverse), min(share, reverse))


def _is_moved(line: OrderLine) -> bool:
    return line.refunds.filter(kind=Refund.Kind.VAT, status=Refund.Status.DONE).exists()
