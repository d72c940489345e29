"""What of an order became a reverse charge after it was sold with VAT, because its VAT went back alone.

Documents say it: by their treatment, or by `moves`, a net amount that counts as a reverse charge from then on.
"""

from orders import books
from orders.books import Sums
from orders.models import Invoice, Order, OrderLine, Refund
from orders.pricing import spread

REVERSE = "reverse_charge"


def net_of(order: Order) -> int:
    """What of an order is a reverse charge now, of what is left of it; in cents before VAT."""
    return sum(map(_net_of, order.invoices.all()))


def _net_of(document: Invoice) -> int:
    moves = document.document.get("moves", {})
    moved = 0 if "from_number" in moves else moves.get("net_cents", 0)
    return moved + (document.net_cents if document.vat_treatment == REVERSE else 0)


def by_vat_alone(refund: Refund) -> int:
    """What moves as the VAT of a line goes back: the line's part of what still bears VAT."""
    order = refund.payment.order
    lines = [line for line in order.lines.order_by("position") if line == refund.line or not _is_moved(line)]
    taxed = books.left(order).net_cents - net_of(order)
    parts = spread(max(0, taxed), [max(0, books.left_of_line(line).net_cents) for line in lines])
    return sum(part for line, part in zip(lines, parts, strict=True) if line == refund.line)


def by_refund(refund: Refund, sums: Sums) -> int:
    """What a refund takes off the reverse charge: a line's own, or else its share of the order's."""
    order = refund.payment.order
    reverse, there = net_of(order), books.left(order).net_cents
    if refund.line is None:
        share = spread(reverse, (sums.net_cents, there - sums.net_cents))[0]
    else:
        share = sums.net_cents if _is_moved(refund.line) else 0
    return max(sums.net_cents - (there - reverse), min(share, reverse))


def _is_moved(line: OrderLine) -> bool:
    return line.refunds.filter(kind=Refund.Kind.VAT, status=Refund.Status.DONE).exists()
