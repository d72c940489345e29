"""Who an invoice is for, put right after it was issued: a correcting document, or another sale in its place.

A sale that was invoiced to the wrong buyer is replaced: a credit note takes the invoice back, and a new one stands in
its place. Both come in one act and of one reason, and no money moves. A sale of which something was credited, or whose
VAT the new buyer would change, is put right in another way, and the refusal says which.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from orders import books, invoices, mails
from orders.books import SETTLED
from orders.errors import OrderCannotMoveError, VatNumberInvalidError
from orders.models import Invoice, Order, Refund
from orders.pricing import Sums
from orders.quoting import decide_vat
from orders.selectors.payers import number_of
from orders.seller import day_of
from orders.timeline import locked, note
from orders.vat import Decision, NumberCheck
from orders.wording import country_name, percent, price

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


@dataclass(frozen=True, kw_only=True)
class Right:
    """Who the new invoice is for, with what was found out of the number before, outside of any transaction."""

    buyer: Buyer
    country: str
    number: NumberCheck


@dataclass(frozen=True, kw_only=True)
class Replacement:
    """What would be issued: who is another, and how the VAT of the new invoice comes about."""

    vat: Decision
    changes: list[tuple[str, str, str]]  # what, before, after


def two_lines(*, credited: Sums, invoiced: Sums, currency: str, how: Sequence[str] = ("", "")) -> list[str]:
    """What a correcting document takes off the books, and what it puts on them; `how` the VAT of each comes about."""
    heads = ("Credited", "Invoiced anew")
    return [
        f"{head}: {_amounts(sums, currency)}{f' ({words})' if words else ''}."
        for head, sums, words in zip(heads, (credited, invoiced), how, strict=True)
    ]


def _amounts(sums: Sums, currency: str) -> str:
    if sums == Sums():
        return "nothing"
    net, vat, total = (price(cents, currency) for cents in (sums.net_cents, sums.vat_cents, sums.total_cents))
    return f"before VAT {net}, VAT {vat}, together {total}"


def lines_of(invoice: Invoice, plan: Replacement) -> list[str]:
    sums, before = Sums.of(invoice), invoice.document["vat"]
    was = _how(country=before["country"], rate=before["rate"], reason=before["reason"])
    now = _how(country=plan.vat.country, rate=str(plan.vat.rate), reason=plan.vat.reason)
    return two_lines(credited=sums, invoiced=sums, currency=invoice.currency, how=(was, now))


def _how(*, country: str, rate: str, reason: str) -> str:
    return f"{country_name(country) or 'no country'}, {percent(rate)}: {reason.rstrip('.')}"


def refusal_to_replace(invoice: Invoice) -> str:
    """Why an invoice cannot be replaced, in a sentence; empty if it can."""
    order, current = invoice.order, invoices.invoice_of(invoice.order)
    if invoice.kind != Invoice.Kind.INVOICE or current is None:
        return "Only an invoice can be credited and issued anew."
    if current.pk != invoice.pk:
        return (
            f"{invoice.number} was credited already: {current.number} stands in its place. Correct that one."
        )
    if order.status not in SETTLED:
        return "The order isn't paid."
    return _refusal_of_money(invoice)


def _refusal_of_money(invoice: Invoice) -> str:
    order, left = invoice.order, books.left(invoice.order)
    if order.status == Order.Status.DISPUTED:
        return "The payment is disputed. Its invoice can be issued anew once the bank has decided."
    if Refund.objects.filter(payment__order=order, status=Refund.Status.PENDING).exists():
        return "A refund is under way. Its invoice can be issued anew once that is done or has failed."
    if left == Sums.of(invoice):
        return ""
    if not left.total_cents:
        return "All of it was refunded, so nothing is left to invoice anew."
    gone = price(invoice.total_cents - left.total_cents, invoice.currency)
    return f"{gone} of it was credited already. “Correct the invoice…” on the order's page changes who it is for."


def plan_of(invoice: Invoice, *, right: Right) -> Replacement:
    """What another buyer changes. Raises OrderCannotMoveError for nothing, and for what would move money."""
    order = invoice.order
    old = order.billing_country or order.vat_country
    changes = changes_of(order, buyer=right.buyer, number=right.number)
    if right.country != old:
        changes.append(("Country", country_name(old), country_name(right.country)))
    if not changes:
        raise OrderCannotMoveError("You changed nothing.", current=order.status)
    on = day_of(order.paid_at or order.created_at)
    vat = decide_vat(country=right.country, postcode=right.buyer.billing_postcode, number=right.number, on=on)
    if vat.rate != order.vat_rate:
        raise OrderCannotMoveError(_way(order, vat), current=order.status)
    return Replacement(vat=vat, changes=changes)


def _way(order: Order, vat: Decision) -> str:
    """What to do in its place where the VAT would be another, so that money has to move too."""
    moves = f"This buyer's VAT would be {percent(vat.rate)}, not {percent(order.vat_rate)}: {vat.reason}"
    if vat.treatment == "reverse_charge":
        return f"{moves} On the order's page, correct the invoice with this number, then give the VAT back."
    return f"{moves} Refund the order, and let the buyer order again with the right details."


def number_on_record(order: Order, vat_number: str) -> NumberCheck | None:
    """What is on record of a number that stays as it is, so that a register that is away changes nothing."""
    return number_of(order) if vat_number == order.vat_number else None


@transaction.atomic
def replace(*, invoice: Invoice, right: Right, reason: str, by: str, at: datetime) -> tuple[Invoice, Invoice]:
    """Credit an invoice and issue it anew to another buyer: the credit note, and the new invoice. Both are mailed.

    Raises what `plan_of` raises, OrderCannotMoveError for
    an invoice that cannot be replaced, and VatNumberInvalidError for a number that cannot be one.
    """
    if right.number.problem:
        raise VatNumberInvalidError(right.number.problem)
    order = invoice.order = locked(invoice.order_id)
    if refusal := refusal_to_replace(invoice):
        raise OrderCannotMoveError(refusal, current=order.status)
    plan = plan_of(invoice, right=right)
    take_buyer(order, buyer=right.buyer, number=right.number)
    order.billing_country, order.vat_country = right.country, plan.vat.country
    order.vat_treatment, order.vat_reason = plan.vat.treatment, plan.vat.reason
    order.save(update_fields=["billing_country", "vat_country", "vat_treatment", "vat_reason"])
    credit, anew = invoices.issue_anew(order=order, invoice=invoice, reason=reason, at=at)
    words = ", ".join(what.lower() for what, _, _ in plan.changes)
    text = f"{credit.number} takes {invoice.number} back; {anew.number} is in its place: {words}. {reason}"
    note(order=order, kind="corrected", text=text, by=by, at=at)
    for document in (credit, anew):
        mails.send_document(document=document)
    return credit, anew
