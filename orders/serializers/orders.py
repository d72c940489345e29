from decimal import Decimal
from typing import Any

from rest_framework import serializers

from core.api.serializers import AnyValue, Bool, Date, DictOf, Int, Moment, OpenWord, Shape, Str, Url, Uuid
from directory.listings.shapes.own import NextActionOut
from orders import links
from orders.checkout import lines_of, totals
from orders.models import Order, OrderLine, Payment
from orders.quoting import Quote
from orders.selectors.orders import dated_options

TREATMENTS = ("domestic", "destination", "reverse_charge", "outside_scope", "assumed")
NUMBER_STATUSES = ("none", "valid", "invalid", "unavailable")


def _cents(what: str) -> serializers.IntegerField:
    return Int(f"{what}, in cents.")


class Percent(serializers.CharField):
    """A rate, with two decimals."""

    def show(self, rate: Decimal) -> str:
        return f"{rate:.2f}"


class QuoteLineOut(Shape):
    """One product with its price."""

    product = Str("The product's code.")
    name = Str("The product's name.")
    listing_id = Int("The listing it is for.", null=True)
    week = Date("The Monday of the week; null for at once or none.", null=True)
    quantity = Int("How many.", min_value=1)
    unit_cents = _cents("One of them before discount and VAT")
    discount_cents = _cents("The line's share of what the code takes off")
    net_cents = _cents("The line before VAT")
    vat_rate = Percent(help_text="Percent, with two decimals.")
    vat_cents = _cents("The line's share of the VAT")
    gross_cents = _cents("The line with VAT")
    options = DictOf(
        AnyValue(),
        "What was chosen; extra categories under categories; a featured place's dates under from and until.",
    )

    @classmethod
    def render(cls, value: OrderLine) -> dict[str, Any]:
        return cls.of(value, options=dated_options(value))


class VatOut(Shape):
    """Which VAT applies, and why."""

    country = Str("The buyer's country; null if none is known.", null=True, source="vat_country")
    rate = Percent(source="vat_rate", help_text="Percent, with two decimals.")
    treatment = OpenWord("How the rate came about.", source="vat_treatment", values=TREATMENTS)
    vat_number = Str("The number in its plain form.", null=True)
    vat_number_status = OpenWord("What the EU's service says of it.", values=NUMBER_STATUSES)
    reason = Str("In words for the buyer.", source="vat_reason")


class PromoOut(Shape):
    """A code that is used."""

    code = Str("The code.", source="promo.code")
    description = Str("What it takes off, in words.", source="promo_description")
    discount_cents = _cents("What it takes off before VAT")

    @classmethod
    def render(cls, value: Order) -> dict[str, Any] | None:
        return cls.of(value) if value.promo else None


class TotalsOut(Shape):
    """Sums of a quote or an order."""

    currency = Str("ISO 4217, of every amount.")
    subtotal_cents = _cents("Everything before discount and VAT")
    discount_cents = _cents("What the code takes off")
    net_cents = _cents("What VAT is put on")
    vat_cents = _cents("The VAT")
    total_cents = _cents("What is paid")
    vat = VatOut(source="*", help_text="Which VAT applies, and why.")
    promo = PromoOut(source="*", allow_null=True, help_text="The code that is used; null without one.")


class QuoteOut(TotalsOut):
    """What a cart costs. Nothing was saved or charged."""

    lines = QuoteLineOut.list_of("One for each item, in their order.")

    @classmethod
    def render(cls, value: Quote) -> dict[str, Any]:
        order = Order(**totals(value))
        return cls.of(order, lines=[QuoteLineOut.render(line) for line in lines_of(value, order=order)])


class OrderLineOut(QuoteLineOut):
    """One product of an order, and how far its work is."""

    id = Int("The line's id.")
    fulfilled = Bool("Its work is done.", source="is_done")
    fulfilled_at = Moment("Since when.", null=True)
    fulfilment_status = OpenWord(
        "How far its work is.", values=("waiting", "in_progress", "done", "blocked", "reversed")
    )


class PaymentOut(Shape):
    """How it was paid, or is being paid."""

    provider = Str("Who takes the money; none for a total of nothing.")
    method = Str("card, wallet, paypal, crypto, test or none.")
    test_money = Bool("No real money moved.")


class RefundOut(Shape):
    """Money that was given back."""

    id = Uuid("The refund's id.")
    line_id = Int("The line it is for; null for the order.", null=True)
    amount_cents = _cents("How much, VAT included")
    currency = Str("ISO 4217.")
    status = OpenWord("Whether the provider has confirmed it.", values=("pending", "done", "failed"))
    created_at = Moment("When.")


class OrderOut(TotalsOut):
    """An order. `status` is about the money, each line says how far its work is."""

    number = Str("The order's number.")
    status = OpenWord("Where the money stands.", values=Order.Status.values)
    created_at = Moment("When it was made.")
    paid_at = Moment("When it was paid.", null=True)
    expires_at = Moment("Until when it can be paid; null when it no longer can.", null=True)
    lines = OrderLineOut.list_of("What was ordered.")
    payment = PaymentOut(allow_null=True, help_text="How it is paid; null before a payment was begun.")
    checkout_url = Url("Where a person reviews and pays it, while it is pending.", null=True)
    invoice_url = Url("The invoice as a page, once it is paid; takes your credential.", null=True)
    refunds = RefundOut.list_of("What was given back.")
    next_actions = NextActionOut.list_of("What to do now.")

    @classmethod
    def render(cls, value: Order) -> dict[str, Any]:
        is_pending = value.status == Order.Status.PENDING
        payments = list(value.payments.all())
        return cls.of(
            value,
            expires_at=value.expires_at if is_pending else None,
            payment=PaymentOut.render(_main_payment(payments)),
            checkout_url=links.checkout_url(value) if is_pending else None,
            invoice_url=links.invoice_url(value),
            refunds=[RefundOut.render(refund) for each in payments for refund in each.refunds.all()],
            next_actions=next_actions(value),
        )


def _main_payment(payments: list[Payment]) -> Payment | None:
    settled = [payment for payment in payments if payment.status == Payment.Status.PAID]
    return next(iter(settled or payments[-1:]), None)


def next_actions(order: Order) -> list[dict[str, str]]:
    see = {"operation": "get_order", "method": "GET", "path": f"/api/v1/orders/{order.number}"}
    if order.status == Order.Status.PENDING:
        why = (
            "Hand checkout_url to the person who pays; they do it there themselves. Then call this for the status."
            " What nobody pays expires by itself."
        )
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

    checkout_url = Url("Where a person reviews and pays. Hand it to them.")
    expires_at = Moment("Until when it can be paid.")
    order = OrderOut(source="*", help_text="The order.")

    @classmethod
    def render(cls, value: Order) -> dict[str, Any]:
        return cls.of(value, checkout_url=links.checkout_url(value))
