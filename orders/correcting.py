"""Who an invoice is for, corrected after it was issued: the order's details change, and a document says from what."""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from orders import books, invoices
from orders.books import SETTLED
from orders.errors import OrderCannotMoveError, VatNumberInvalidError
from orders.models import Invoice, Order
from orders.timeline import locked, note
from orders.vat import NumberCheck

WORDS = {
    "billing_name": "Name",
    "billing_company": "Company",
    "billing_address": "Street and number",
    "billing_postcode": "Postal code",
    "billing_city": "City",
    "vat_number": "VAT number",
}
NEEDS_NUMBER = "This is a reverse charge, so it needs a number that VIES confirms. Another one would owe VAT."


@dataclass(frozen=True, kw_only=True)
class Buyer:
    """Who an invoice is for. The country stays, since the VAT came of it."""

    billing_name: str
    billing_company: str
    billing_address: str
    billing_postcode: str
    billing_city: str


def changes_of(order: Order, *, buyer: Buyer, number: NumberCheck) -> list[tuple[str, str, str]]:
    """What is another: its name, what it was, what it is to be."""
    new = {**vars(buyer), "vat_number": number.number}
    return [
        (WORDS[name], getattr(order, name), value)
        for name, value in new.items()
        if getattr(order, name) != value
    ]


def refusal_of(order: Order, number: NumberCheck) -> str:
    """Why an order cannot bear this number, in a sentence; empty if it can."""
    is_other = number.number != order.vat_number and number.status != "valid"
    return NEEDS_NUMBER if is_other and books.reverse_net_of(order) else ""


@transaction.atomic
def correct_buyer(
    *, order_id: int, buyer: Buyer, number: NumberCheck, reason: str, by: str, at: datetime
) -> Invoice:
    """Correct who the invoice of a paid order is for, by a document that refers to it. No amount changes.

    `number` was found out before, outside of any transaction. Raises VatNumberInvalidError for one that cannot be one,
    and OrderCannotMoveError for an order without an invoice or with nothing to correct.
    """
    if number.problem:
        raise VatNumberInvalidError(number.problem)
    order = locked(order_id)
    changes = changes_of(order, buyer=buyer, number=number)
    if order.status not in SETTLED or not changes:
        raise OrderCannotMoveError("Nothing of its invoice is to be corrected.", current=order.status)
    if refusal := refusal_of(order, number):
        raise OrderCannotMoveError(refusal, current=order.status)
    before = order.vat_number
    take_buyer(order, buyer=buyer, number=number)
    document = invoices.issue_buyer_correction(
        order=order, changes=changes, number_before=before, reason=reason, at=at
    )
    if document is None:
        raise OrderCannotMoveError("This order has no invoice to correct.", current=order.status)
    words = ", ".join(what.lower() for what, _, _ in changes)
    note(order=order, kind="corrected", text=f"{document.number} corrects: {words}. {reason}", by=by, at=at)
    return document


def take_buyer(order: Order, *, buyer: Buyer, number: NumberCheck) -> None:
    """Let a locked order be for this buyer."""
    values = vars(buyer) | (number.columns() if order.vat_number != number.number else {})
    for name, value in values.items():
        setattr(order, name, value)
    order.save(update_fields=[*values])
