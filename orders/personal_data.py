"""What the orders area holds of a person: theirs to take along; what tax law asks for stays under a number."""

from datetime import datetime
from typing import Any

from django.db import transaction

from accounts.models import User
from accounts.staff.audit import notes_on
from orders.models import Invoice, Order, OrderLine
from orders.paying import cancel_order

BILLING = (
    "billing_email",
    "billing_name",
    "billing_company",
    "billing_address",
    "billing_postcode",
    "billing_city",
    "vat_check_name",
    "vat_check_address",
)


def export(*, user_id: int) -> dict[str, Any]:
    mine = {"order__owner": user_id}
    return {
        "orders": list(Order.objects.filter(owner=user_id).order_by("created_at", "pk").values()),
        "lines": list(OrderLine.objects.filter(**mine).order_by("pk").values()),
        "invoices": list(
            Invoice.objects.filter(**mine).order_by("pk").values("number", "kind", "document", "issued_at")
        ),
    }


@transaction.atomic
def erase(*, user: User, at: datetime) -> None:
    """Orders stay with the number of a person who has no name any more. Invoices stay as they were written.

    What waits for a payment is cancelled: nobody is there for whom it would be done.
    """
    mine = Order.objects.filter(owner=user)
    for order_id in mine.filter(status=Order.Status.PENDING).order_by("pk").values_list("pk", flat=True):
        cancel_order(order_id=order_id, by="system", at=at)
    notes_on("orders.order", *mine.values_list("pk", flat=True)).delete()
    mine.update(**dict.fromkeys(BILLING, ""))
