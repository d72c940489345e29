"""The link to an order's checkout page: signed, so that nobody makes one up, and stored nowhere."""

from django.core import signing

from core.api.links import on_site
from orders.models import Invoice, Order

SIGNER = "orders.checkout"


def checkout_url(order: Order) -> str:
    """Where a person reviews and pays an order; the same each time it is asked for."""
    number, _, signature = signing.Signer(salt=SIGNER).sign(order.number).rpartition(":")
    return on_site(f"/checkout/{number}/{signature}")


def number_of_link(*, number: str, signature: str) -> str | None:
    try:
        return signing.Signer(salt=SIGNER).unsign(f"{number}:{signature}")
    except signing.BadSignature:
        return None


def invoice_url(order: Order) -> str | None:
    """The invoice of an order whose invoices were read along; None before there is one."""
    rows = [invoice for invoice in order.invoices.all() if invoice.kind == Invoice.Kind.INVOICE]
    last = max(rows, key=lambda invoice: invoice.pk, default=None)
    return on_site(f"/account/orders/{order.number}/invoices/{last.number}") if last else None


def account_url(order: Order) -> str:
    return on_site(f"/account/orders/{order.number}")
