"""Mail about orders."""

from orders.models import Order, OrderLine, Refund


def send_receipt(*, order: Order) -> None:
    """It is paid."""


def send_blocked(*, line: OrderLine) -> None:
    """A line could not be done."""


def send_refunded(*, refund: Refund) -> None:
    """Money went back."""


def send_to_staff(*, order: Order, reason: str) -> None:
    """Somebody has to look at it."""
