"""Invoices and credit notes: numbers without a gap, and documents that never change once they are issued.

A number is drawn in the transaction that needs it, from a locked row of its series and year: what is rolled back gives
its number back, and two that are issued at once wait for each other. Test money has series of its own.
"""

from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import Sum

from directory.countries import country_names
from orders.models import Invoice, InvoiceCounter, Order, OrderLine, Payment, Refund
from orders.pricing import spread
from orders.selectors.orders import describe

Kind = Invoice.Kind
SERIES = {
    (Kind.INVOICE, False): "INV",
    (Kind.CREDIT_NOTE, False): "CN",
    (Kind.INVOICE, True): "TEST",
    (Kind.CREDIT_NOTE, True): "TEST-CN",
}
NOTES = {
    "reverse_charge": "Reverse charge: the customer accounts for VAT (Article 196 of Directive 2006/112/EC).",
    "outside_scope": "Outside the scope of EU VAT (Article 44 or 59 of Directive 2006/112/EC).",
}
TEST_NOTE = "Test money: nothing was charged, and this is no invoice."


def issue_invoice(*, order: Order, at: datetime) -> Invoice:
    """The invoice of a locked order that was just paid; the one it has, if it has one."""
    found = order.invoices.filter(kind=Kind.INVOICE).first()
    if found is not None:
        return found
    document = {
        **_parties(order),
        "lines": [_line(line) for line in order.lines.select_related("listing").order_by("position")],
        "discount_cents": order.discount_cents,
        "promo": order.promo.code if order.promo else "",
    }
    cents = (order.net_cents, order.vat_cents)
    return _issue(order, kind=Kind.INVOICE, cents=cents, document=document, at=at)


def issue_credit_note(*, refund: Refund, at: datetime) -> Invoice | None:
    """The document that corrects an invoice by a refund; none for money that was never invoiced.

    Call it with the order locked. Net and VAT of all credit notes of an order add up to those of its invoice.
    """
    order = refund.payment.order
    invoice = order.invoices.filter(kind=Kind.INVOICE).first()
    if invoice is None or refund.payment.status == Payment.Status.FLAGGED:
        return None
    found = Invoice.objects.filter(refund=refund).first()
    if found is not None:
        return found
    vat_cents = _vat_of(refund, invoice)
    net_cents = refund.amount_cents - vat_cents
    name = refund.line.name if refund.line else f"Order {order.number}"
    document = {
        **invoice.document,
        "lines": [
            {
                "name": name,
                "detail": refund.reason,
                "quantity": 1,
                "unit_cents": -net_cents,
                "discount_cents": 0,
                "net_cents": -net_cents,
                "vat_cents": -vat_cents,
            }
        ],
        "corrects": {"number": invoice.number, "issued_on": invoice.issued_at.date().isoformat()},
        "discount_cents": 0,
        "promo": "",
    }
    cents = (-net_cents, -vat_cents)
    return _issue(
        order, kind=Kind.CREDIT_NOTE, cents=cents, document=document, at=at, refund=refund, corrects=invoice
    )


def _vat_of(refund: Refund, invoice: Invoice) -> int:
    """The VAT in what was given back: a line's own, the rest at the end, and else its share."""
    before = invoice.corrections.aggregate(vat=Sum("vat_cents"), total=Sum("total_cents"))
    left_vat = invoice.vat_cents + (before["vat"] or 0)
    left_total = invoice.total_cents + (before["total"] or 0)
    line = refund.line
    if refund.amount_cents >= left_total:
        return left_vat
    if line is not None and refund.amount_cents == line.gross_cents:
        return min(line.vat_cents, left_vat)
    weights = (refund.amount_cents, invoice.total_cents - refund.amount_cents)
    return min(left_vat, spread(invoice.vat_cents, weights)[0])


def _issue(
    order: Order,
    *,
    kind: Kind,
    cents: tuple[int, int],
    document: dict[str, Any],
    at: datetime,
    **more: Any,
) -> Invoice:
    is_test = bool(order.test_money)
    series = SERIES[kind, is_test]
    counter = _counter(series, at.year)
    counter.last += 1
    counter.save(update_fields=["last"])
    net_cents, vat_cents = cents
    return Invoice.objects.create(
        kind=kind,
        series=series,
        year=at.year,
        sequence=counter.last,
        number=f"{series}-{at.year}-{counter.last:06d}",
        order=order,
        currency=order.currency,
        net_cents=net_cents,
        vat_cents=vat_cents,
        total_cents=net_cents + vat_cents,
        test_money=is_test,
        document=document,
        issued_at=at,
        **more,
    )


def _counter(series: str, year: int) -> InvoiceCounter:
    InvoiceCounter.objects.get_or_create(series=series, year=year)
    return InvoiceCounter.objects.select_for_update().get(series=series, year=year)


def _parties(order: Order) -> dict[str, Any]:
    notes = [NOTES[order.vat_treatment]] if order.vat_treatment in NOTES else []
    if order.test_money:
        notes.insert(0, TEST_NOTE)
    return {
        "site": order.site.name,
        "order": order.number,
        "supplied_on": order.paid_at.date().isoformat() if order.paid_at else None,
        "seller": {
            "name": settings.SELLER_NAME,
            "address": settings.SELLER_ADDRESS,
            "country": _country(settings.SELLER_COUNTRY),
            "vat_number": settings.SELLER_VAT_NUMBER,
            "email": settings.SELLER_EMAIL,
            "registration": settings.SELLER_REGISTRATION,
        },
        "buyer": {
            "name": order.billing_company or order.billing_name,
            "attention": order.billing_name if order.billing_company else "",
            "address": ", ".join(
                filter(
                    None,
                    (order.billing_address, f"{order.billing_postcode} {order.billing_city}".strip()),
                )
            ),
            "country": _country(order.billing_country),
            "vat_number": order.vat_number,
            "email": order.billing_email,
        },
        "vat": {
            "rate": f"{order.vat_rate:.2f}",
            "country": order.vat_country,
            "treatment": order.vat_treatment,
            "reason": order.vat_reason,
            "number_status": order.vat_number_status,
            "number_checked_at": order.vat_checked_at.isoformat() if order.vat_checked_at else None,
            "reference": order.vat_check_reference,
        },
        "notes": notes,
    }


def _country(code: str) -> str:
    return country_names().get(code, [code])[0]


def _line(line: OrderLine) -> dict[str, Any]:
    return {
        "name": line.name,
        "detail": describe(line),
        "quantity": line.quantity,
        "unit_cents": line.unit_cents,
        "discount_cents": line.discount_cents,
        "net_cents": line.net_cents,
        "vat_cents": line.vat_cents,
    }
