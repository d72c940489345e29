"""Invoices and credit notes."""

from datetime import datetime

from orders.models import Invoice, Order, Refund


def issue_invoice(*, order: Order, at: datetime) -> Invoice | None:
    """The invoice of an order that was just paid."""


def issue_credit_note(*, refund: Refund, at: datetime) -> Invoice | None:
    """The document that corrects an invoice by a refund."""
