"""Invoices, credit notes and what corrects either: numbers without a gap, documents that never change once issued.

A number is drawn in the transaction that needs it, from a locked row of its series and year: what is rolled back gives
its number back, and two that are issued at once wait for each other. Test money has series of its own.
"""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from django.conf import settings
from django.db import connection

from directory.countries import country_names
from orders import books
from orders.documents import files
from orders.models import Invoice, Order, OrderLine, Payment, Refund
from orders.pricing import Sums
from orders.selectors.orders import describe
from orders.seller import day_of, registrations, zone
from orders.timeline import lines_of
from orders.vat import EU, SMALL

Kind = Invoice.Kind
Changes = Sequence[tuple[str, str, str]]  # what, before, after
SERIES = {
    (Kind.INVOICE, False): "INV",
    (Kind.CREDIT_NOTE, False): "CN",
    (Kind.INVOICE, True): "TEST",
    (Kind.CREDIT_NOTE, True): "TEST-CN",
    (Kind.CORRECTION, False): "COR",
    (Kind.CORRECTION, True): "TEST-COR",
}
NOTES = {
    "reverse_charge": "Reverse charge: the customer accounts for VAT (Article 196 of Directive 2006/112/EC).",
    "outside_scope": "Outside the scope of EU VAT (Articles 58 and 59 of Directive 2006/112/EC).",
    "outside_scope_business": "Outside the scope of EU VAT (Article 44 of Directive 2006/112/EC).",
}
NEXT = """
INSERT INTO orders_invoicecounter AS counter (series, year, last) VALUES (%s, %s, 1)
ON CONFLICT (series, year) DO UPDATE SET last = counter.last + 1 RETURNING last
"""
TEST_NOTE = "Test money: nothing was charged, and this is no invoice."


def issue_invoice(*, order: Order, at: datetime) -> Invoice:
    """The invoice of a locked order that was just paid; the one it has, if it has one."""
    existing = invoice_of(order)
    if existing is not None:
        return existing
    document = {
        **_parties(order),
        "lines": [_line(line) for line in lines_of(order)],
        "discount_cents": order.discount_cents,
        "promo": order.promo.code if order.promo else "",
    }
    return _issue(order, kind=Kind.INVOICE, sums=Sums.of(order), document=document, at=at)


def invoice_of(order: Order) -> Invoice | None:
    """The invoice of an order, once it was paid: the last one, where a wrong buyer was put right."""
    return order.invoices.filter(kind=Kind.INVOICE).order_by("pk").last()


def issue_credit_note(*, refund: Refund, at: datetime) -> Invoice | None:
    """The document that corrects an invoice by a refund that was done; none for money that was never invoiced.

    Call it with the order locked. Net and VAT of all documents of an order add up to what is left of it.
    """
    order = refund.payment.order
    invoice = invoice_of(order)
    if invoice is None or refund.payment.status == Payment.Status.FLAGGED:
        return None
    existing = Invoice.objects.filter(refund=refund).first()
    if existing is not None:
        return existing
    sums = books.credited_by(refund, sold=invoice)
    if not sums.total_cents:
        return None
    name = refund.line.name if refund.line else f"Order {order.number}"
    if refund.kind == Refund.Kind.VAT:
        name = f"VAT of {name}"
    document = _correcting(invoice, order, name=name, detail=refund.reason, sums=-sums)
    if invoice.vat_cents:
        document |= _without_vat(refund, document, sums)
    about = {"refund": refund, "corrects": invoice}
    return _issue(order, kind=Kind.CREDIT_NOTE, sums=-sums, document=document, at=at, **about)


def _without_vat(refund: Refund, document: dict[str, Any], sums: Sums) -> dict[str, Any]:
    """What a credit note says of what is, or becomes with it, a reverse charge."""
    order = refund.payment.order
    treatment = _treatment_without_vat(order)
    if refund.kind == Refund.Kind.VAT:
        content: dict[str, Any] = {"notes": _notes(order, treatment=treatment)}
        if treatment == books.REVERSE:
            content["moves"] = {"to": treatment, "net_cents": books.reverse_by_vat_alone(refund)}
        return content
    cents = books.reverse_by_refund(refund, sums)
    if not cents:
        return {}
    if cents < sums.net_cents:
        return {"moves": {"to": books.REVERSE, "net_cents": -cents}}
    vat = {**document["vat"], "treatment": books.REVERSE, "rate": "0.00"}
    return {"vat": vat, "notes": _notes(order, treatment=books.REVERSE)}


def issue_correction(*, refund: Refund, at: datetime) -> Invoice | None:
    """The document that takes the credit note of a refund back, as its money never arrived; once for each note."""
    credit_note = Invoice.objects.filter(refund=refund).select_related("order").first()
    if credit_note is None or credit_note.corrections.exists():
        return None
    sums = -Sums.of(credit_note)
    name = f"Credit note {credit_note.number} is taken back"
    detail = "the refund did not arrive"
    document = _correcting(credit_note, credit_note.order, name=name, detail=detail, sums=sums)
    if moves := document.get("moves"):
        document["moves"] = {**moves, "net_cents": -moves["net_cents"]}
    order, kind = credit_note.order, Kind.CORRECTION
    return _issue(order, kind=kind, sums=sums, document=document, at=at, corrects=credit_note)


def issue_buyer_correction(
    *, order: Order, changes: Changes, number_before: str, reason: str, at: datetime
) -> Invoice | None:
    """The document that corrects who an invoice is for. No amount changes; it names what was read before.

    `order` is locked and has the right details already. A reverse charge is the new number's from then on.
    """
    invoice = invoice_of(order)
    if invoice is None:
        return None
    document = _correcting(invoice, order, name="The buyer's details", detail=reason, sums=Sums())
    document["changes"] = [
        {"what": what, "before": before, "after": after} for what, before, after in changes
    ]
    cents = books.reverse_net_of(order)
    if cents and number_before != order.vat_number:
        document["moves"] = {"to": books.REVERSE, "net_cents": cents, "from_number": number_before}
    return _issue(order, kind=Kind.CORRECTION, sums=Sums(), document=document, at=at, corrects=invoice)


def issue_anew(*, order: Order, invoice: Invoice, reason: str, at: datetime) -> tuple[Invoice, Invoice]:
    """The credit note that takes a whole invoice back from whom it was for, and the invoice in its place.

    `order` is locked and has the right details already. Both count for the day of the first invoice (`origin_on`).
    """
    sums = Sums.of(invoice)
    name = f"Invoice {invoice.number} is taken back"
    back = _correcting(invoice, order, name=name, detail=reason, sums=-sums)
    back["buyer"] = invoice.document["buyer"]
    credit = _issue(order, kind=Kind.CREDIT_NOTE, sums=-sums, document=back, at=at, corrects=invoice)
    parties, day = _parties(order), issued_on(invoice)
    document = {
        **invoice.document,
        "seller": invoice.document["seller"] | {"vat_number": parties["seller"]["vat_number"]},
        "buyer": parties["buyer"],
        "vat": parties["vat"],
        "notes": [
            *parties["notes"],
            f"In place of invoice {invoice.number} of {date.fromisoformat(day):%-d %B %Y}: {reason}",
        ],
        "corrects": back["corrects"],
        "origin_on": invoice.document.get("origin_on") or day,
    }
    return credit, _issue(order, kind=Kind.INVOICE, sums=sums, document=document, at=at, corrects=invoice)


def _correcting(document: Invoice, order: Order, *, name: str, detail: str, sums: Sums) -> dict[str, Any]:
    """The content of a document that amends another: its seller and VAT, the buyer as known now, one line."""
    line = {"name": name, "detail": detail, "quantity": 1, "discount_cents": 0}
    return {
        **document.document,
        "buyer": _buyer(order),
        "lines": [{**line, "unit_cents": sums.net_cents, **vars(sums)}],
        "corrects": {"kind": document.kind, "number": document.number, "issued_on": issued_on(document)},
        "discount_cents": 0,
        "promo": "",
    }


def issued_on(document: Invoice) -> str:
    """The date of a document; those of former releases were dated by UTC."""
    return str(document.document.get("issued_on") or document.issued_at.date().isoformat())


def _treatment_without_vat(order: Order) -> str:
    """Why no VAT is due after all: the buyer accounts for it, or staff had another reason."""
    is_abroad = order.vat_country in EU and order.vat_country != settings.SELLER_COUNTRY
    return books.REVERSE if order.vat_number_status == "valid" and is_abroad else order.vat_treatment


def _issue(
    order: Order, *, kind: Kind, sums: Sums, document: dict[str, Any], at: datetime, **more: Any
) -> Invoice:
    is_test, day = bool(order.test_money), day_of(at)
    series = SERIES[kind, is_test]
    sequence = _next_number(series, day.year)
    row = Invoice.objects.create(
        kind=kind,
        series=series,
        year=day.year,
        sequence=sequence,
        number=f"{series}-{day.year}-{sequence:06d}",
        order=order,
        currency=order.currency,
        net_cents=sums.net_cents,
        vat_cents=sums.vat_cents,
        total_cents=sums.total_cents,
        test_money=is_test,
        document={**document, "issued_on": day.isoformat(), "time_zone": zone()},
        issued_at=at,
        **more,
    )
    files.plan(row, at=at)
    return row


def _next_number(series: str, year: int) -> int:
    with connection.cursor() as cursor:
        cursor.execute(NEXT, [series, year])
        return int(cursor.fetchone()[0])


def _parties(order: Order) -> dict[str, Any]:
    return {
        "site": order.site.name,
        "order": order.number,
        "supplied_on": day_of(order.paid_at).isoformat() if order.paid_at else None,
        "seller": {
            "name": settings.SELLER_NAME,
            "address": settings.SELLER_ADDRESS,
            "country": _country(settings.SELLER_COUNTRY),
            "country_code": settings.SELLER_COUNTRY,
            "vat_number": _registered(order) or settings.SELLER_VAT_NUMBER,
            "email": settings.SELLER_EMAIL,
            "registration": settings.SELLER_REGISTRATION,
        },
        "buyer": _buyer(order),
        "vat": {
            "rate": f"{order.vat_rate:.2f}",
            "country": order.vat_country,
            "treatment": order.vat_treatment,
            "reason": order.vat_reason,
            "number_status": order.vat_number_status,
            "number_checked_at": order.vat_checked_at.isoformat() if order.vat_checked_at else None,
            "reference": order.vat_check_reference,
            "registered_to": ", ".join(filter(None, (order.vat_check_name, order.vat_check_address))),
        },
        "notes": _notes(order, treatment=order.vat_treatment),
    }


def _registered(order: Order) -> str:
    """The seller's number in a country outside the EU whose VAT an order bears."""
    is_charged = order.vat_treatment == "destination" and order.vat_country not in EU
    if not is_charged or order.paid_at is None:
        return ""
    return registrations(on=day_of(order.paid_at)).get(order.vat_country, "")


def _buyer(order: Order) -> dict[str, Any]:
    place = f"{order.billing_postcode} {order.billing_city}".strip()
    return {
        "name": order.billing_company or order.billing_name,
        "attention": order.billing_name if order.billing_company else "",
        "address": ", ".join(filter(None, (order.billing_address, place))),
        "street": order.billing_address,
        "postcode": order.billing_postcode,
        "city": order.billing_city,
        "country": _country(order.billing_country),
        "country_code": order.billing_country or order.vat_country,
        "vat_number": order.vat_number,
        "email": order.billing_email,
    }


def _notes(order: Order, *, treatment: str) -> list[str]:
    if treatment == "outside_scope" and (order.billing_company or order.vat_number):
        treatment = "outside_scope_business"
    notes = [NOTES[treatment]] if treatment in NOTES else []
    if order.vat_reason == SMALL:
        notes = [SMALL]
    return [TEST_NOTE, *notes] if order.test_money else notes


def _country(code: str) -> str:
    return country_names().get(code, [code])[0]


def _line(line: OrderLine) -> dict[str, Any]:
    columns = ("name", "quantity", "unit_cents", "discount_cents", "net_cents", "vat_cents")
    return {name: getattr(line, name) for name in columns} | {"detail": describe(line)}
