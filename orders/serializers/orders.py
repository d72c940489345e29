"""Quotes and orders as answers show them."""

from typing import Any

from rest_framework import serializers

from core.api.serializers import AnyValue, OpenWord, Shape
from directory.serializers.own import NextActionOut
from orders import links
from orders.models import Order, OrderLine, Payment
from orders.pricing import Line
from orders.selectors.featured import dated_options
from orders.services.promos import description_of
from orders.services.quoting import Quote

TREATMENTS = ("domestic", "destination", "reverse_charge", "outside_scope", "assumed")
NUMBER_STATUSES = ("none", "valid", "invalid", "unavailable")


def _cents(what: str) -> serializers.IntegerField:
    return serializers.IntegerField(help_text=f"{what}, in cents.")


class QuoteLineOut(Shape):
    """One product with its price."""

    product = serializers.CharField(help_text="The product's code.")
    name = serializers.CharField(help_text="The product's name.")
    listing_id = serializers.IntegerField(allow_null=True, help_text="The listing it is for.")
    week = serializers.DateField(
        allow_null=True, help_text="The Monday of the week; null for at once or none."
    )
    quantity = serializers.IntegerField(min_value=1, help_text="How many.")
    unit_cents = _cents("One of them before discount and VAT")
    discount_cents = _cents("The line's share of what the code takes off")
    net_cents = _cents("The line before VAT")
    vat_rate = serializers.CharField(help_text="Percent, with two decimals.")
    vat_cents = _cents("The line's share of the VAT")
    gross_cents = _cents("The line with VAT")
    options = serializers.DictField(
        child=AnyValue(),
        help_text="What was chosen; extra categories under categories; a featured place's dates under from and until.",
    )


class VatOut(Shape):
    """Which VAT applies, and why."""

    country = serializers.CharField(allow_null=True, help_text="The buyer's country; null if none is known.")
    rate = serializers.CharField(help_text="Percent, with two decimals.")
    treatment = OpenWord(known=TREATMENTS, help_text="How the rate came about.")
    vat_number = serializers.CharField(allow_null=True, help_text="The number in its plain form.")
    vat_number_status = OpenWord(known=NUMBER_STATUSES, help_text="What the EU's service says of it.")
    reason = serializers.CharField(help_text="In words for the buyer.")


class PromoOut(Shape):
    """A code that is used."""

    code = serializers.CharField(help_text="The code.")
    description = serializers.CharField(help_text="What it takes off, in words.")
    discount_cents = _cents("What it takes off before VAT")


class TotalsOut(Shape):
    """Sums of a quote or an order."""

    currency = serializers.CharField(help_text="ISO 4217, of every amount.")
    subtotal_cents = _cents("Everything before discount and VAT")
    discount_cents = _cents("What the code takes off")
    net_cents = _cents("What VAT is put on")
    vat_cents = _cents("The VAT")
    total_cents = _cents("What is paid")
    vat = VatOut(help_text="Which VAT applies, and why.")
    promo = PromoOut(allow_null=True, help_text="The code that is used; null without one.")


class QuoteOut(TotalsOut):
    """What a cart costs. Nothing was saved or charged."""

    lines = QuoteLineOut(many=True, help_text="One for each item, in their order.")

    @classmethod
    def render(cls, value: Quote) -> dict[str, Any]:
        """From a priced cart."""
        cart, vat, rate = value.cart, value.vat, f"{value.vat.rate:.2f}"
        return {
            "currency": value.currency,
            "lines": [_priced(line, rate=rate) for line in cart.lines],
            "subtotal_cents": cart.subtotal_cents,
            "discount_cents": cart.discount_cents,
            "net_cents": cart.net_cents,
            "vat_cents": cart.vat_cents,
            "total_cents": cart.total_cents,
            "vat": {
                "country": vat.country or None,
                "rate": rate,
                "treatment": vat.treatment,
                "vat_number": vat.number.number or None,
                "vat_number_status": vat.number.status,
                "reason": vat.reason,
            },
            "promo": {
                "code": value.promo.code,
                "description": description_of(value.promo),
                "discount_cents": cart.discount_cents,
            }
            if value.promo
            else None,
        }


def _priced(line: Line, *, rate: str) -> dict[str, Any]:
    item = line.item
    return {
        "product": item.product,
        "name": item.name,
        "listing_id": item.listing_id,
        "week": item.week,
        "quantity": item.quantity,
        "unit_cents": item.unit_cents,
        "discount_cents": line.discount_cents,
        "net_cents": line.net_cents,
        "vat_rate": rate,
        "vat_cents": line.vat_cents,
        "gross_cents": line.gross_cents,
        "options": item.options,
    }


class OrderLineOut(QuoteLineOut):
    """One product of an order, and how far its work is."""

    id = serializers.IntegerField(help_text="The line's id.")
    fulfilled = serializers.BooleanField(help_text="Its work is done.")
    fulfilled_at = serializers.DateTimeField(allow_null=True, help_text="Since when.")
    fulfilment_status = OpenWord(
        known=("waiting", "in_progress", "done", "blocked", "reversed"), help_text="How far its work is."
    )

    @classmethod
    def render(cls, value: OrderLine) -> dict[str, Any]:
        """From a row."""
        return {
            "id": value.pk,
            "product": value.product,
            "name": value.name,
            "listing_id": value.listing_id,
            "week": value.week,
            "quantity": value.quantity,
            "unit_cents": value.unit_cents,
            "discount_cents": value.discount_cents,
            "net_cents": value.net_cents,
            "vat_rate": f"{value.vat_rate:.2f}",
            "vat_cents": value.vat_cents,
            "gross_cents": value.gross_cents,
            "options": dated_options(value),
            "fulfilled": value.fulfilment_status == OrderLine.Fulfilment.DONE,
            "fulfilled_at": value.fulfilled_at,
            "fulfilment_status": value.fulfilment_status,
        }


class PaymentOut(Shape):
    """How it was paid, or is being paid."""

    provider = serializers.CharField(help_text="Who takes the money; none for a total of nothing.")
    method = serializers.CharField(help_text="card, wallet, paypal, crypto, test or none.")
    test_money = serializers.BooleanField(help_text="No real money moved.")


class RefundOut(Shape):
    """Money that was given back."""

    id = serializers.UUIDField(help_text="The refund's id.")
    line_id = serializers.IntegerField(allow_null=True, help_text="The line it is for; null for the order.")
    amount_cents = _cents("How much, VAT included")
    currency = serializers.CharField(help_text="ISO 4217.")
    status = OpenWord(known=("pending", "done", "failed"), help_text="Whether the provider has confirmed it.")
    created_at = serializers.DateTimeField(help_text="When.")


class OrderOut(TotalsOut):
    """An order. `status` is about the money, each line says how far its work is."""

    number = serializers.CharField(help_text="The order's number.")
    status = OpenWord(known=Order.Status.values, help_text="Where the money stands.")
    created_at = serializers.DateTimeField(help_text="When it was made.")
    paid_at = serializers.DateTimeField(allow_null=True, help_text="When it was paid.")
    expires_at = serializers.DateTimeField(
        allow_null=True, help_text="Until when it can be paid; null when it no longer can."
    )
    lines = OrderLineOut(many=True, help_text="What was ordered.")
    payment = PaymentOut(allow_null=True, help_text="How it is paid; null before a payment was begun.")
    checkout_url = serializers.URLField(
        allow_null=True, help_text="Where a person reviews and pays it, while it is pending."
    )
    invoice_url = serializers.URLField(
        allow_null=True, help_text="The invoice as a page, once it is paid; takes your credential."
    )
    refunds = RefundOut(many=True, help_text="What was given back.")
    next_actions = NextActionOut(many=True, help_text="What to do now.")

    @classmethod
    def render(cls, value: Order) -> dict[str, Any]:
        """From a row with everything prefetched."""
        is_pending = value.status == Order.Status.PENDING
        payments = list(value.payments.all())
        return {
            "number": value.number,
            "status": value.status,
            "created_at": value.created_at,
            "paid_at": value.paid_at,
            "expires_at": value.expires_at if is_pending else None,
            **_totals(value),
            "lines": [OrderLineOut.render(line) for line in value.lines.all()],
            "payment": _payment(payments),
            "checkout_url": links.checkout_url(value) if is_pending else None,
            "invoice_url": links.invoice_url(value),
            "refunds": [_refund(refund) for payment in payments for refund in payment.refunds.all()],
            "next_actions": next_actions(value),
        }


def _totals(order: Order) -> dict[str, Any]:
    promo = order.promo and {
        "code": order.promo.code,
        "description": order.promo_description,
        "discount_cents": order.discount_cents,
    }
    return {
        "currency": order.currency,
        "subtotal_cents": order.subtotal_cents,
        "discount_cents": order.discount_cents,
        "net_cents": order.net_cents,
        "vat_cents": order.vat_cents,
        "total_cents": order.total_cents,
        "vat": {
            "country": order.vat_country or None,
            "rate": f"{order.vat_rate:.2f}",
            "treatment": order.vat_treatment,
            "vat_number": order.vat_number or None,
            "vat_number_status": order.vat_number_status,
            "reason": order.vat_reason,
        },
        "promo": promo,
    }


def _payment(payments: list[Payment]) -> dict[str, Any] | None:
    """The payment that was made, or else the last that was begun."""
    settled = [payment for payment in payments if payment.status == Payment.Status.PAID]
    shown = next(iter(settled or payments[-1:]), None)
    if shown is None:
        return None
    return {"provider": shown.provider, "method": shown.method, "test_money": shown.test_money}


def _refund(refund: Any) -> dict[str, Any]:
    return {
        "id": refund.pk,
        "line_id": refund.line_id,
        "amount_cents": refund.amount_cents,
        "currency": refund.currency,
        "status": refund.status,
        "created_at": refund.created_at,
    }


def next_actions(order: Order) -> list[dict[str, str]]:
    """What the buyer, or the buyer's agent, can do now."""
    see = {"operation": "get_order", "method": "GET", "path": f"/api/v1/orders/{order.number}"}
    if order.status == Order.Status.PENDING:
        why = "Hand checkout_url to the person who pays; they do it there themselves. Then call this for the status."
        return [{**see, "why": why}]
    undone = {OrderLine.Fulfilment.WAITING, OrderLine.Fulfilment.IN_PROGRESS}
    states = {line.fulfilment_status for line in order.lines.all()}
    if OrderLine.Fulfilment.BLOCKED in states:
        why = f"A line is blocked: the person has to choose at {links.account_url(order)}."
        return [{**see, "why": why}]
    if order.status == Order.Status.PROCESSING or (order.paid_at and states & undone):
        return [{**see, "why": "The payment or the work is under way. Call this again for the status."}]
    return []


class CheckoutOut(Shape):
    """A new order and the link to pay it."""

    checkout_url = serializers.URLField(help_text="Where a person reviews and pays. Hand it to them.")
    expires_at = serializers.DateTimeField(help_text="Until when it can be paid.")
    order = OrderOut(help_text="The order.")

    @classmethod
    def render(cls, value: Order) -> dict[str, Any]:
        """From the new order."""
        return {
            "checkout_url": links.checkout_url(value),
            "expires_at": value.expires_at,
            "order": OrderOut.render(value),
        }
