"""An order made from a quote: pending, with a link to the page where a person pays."""

import secrets
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction

from accounts.models import User
from core.api import throttling
from core.api.idempotency import Call, fingerprint, store, stored
from directory.models import Site
from orders import limits
from orders.errors import CheckoutClosedError
from orders.models import Order, OrderLine
from orders.payments import CLOSED, offered
from orders.pricing import ITEM, SUMS
from orders.services import timeline
from orders.services.promos import Guesser, description_of
from orders.services.quoting import Quote, quote_order
from orders.vat import NumberCheck


@transaction.atomic
def create_checkout(
    *, buyer: Guesser, site: Site, asked: Mapping[str, Any], number: NumberCheck, at: datetime
) -> Order:
    """Build a pending order at today's prices. Nothing is held or charged before the person starts to pay.

    Raises what `quote_order` raises, and CheckoutClosedError while nobody can be paid; then there is no order.
    """
    if not offered():
        raise CheckoutClosedError(CLOSED, current="closed")
    quote = quote_order(buyer=buyer, site=site, asked=asked, number=number, at=at)
    order = Order.objects.create(
        number=_new_number(),
        site=site,
        owner_id=buyer.user_id,
        billing_country=asked.get("billing_country", ""),
        created_at=at,
        expires_at=at + limits.PENDING_FOR,
        **totals(quote),
    )
    OrderLine.objects.bulk_create(lines_of(quote, order=order))
    timeline.note(order=order, kind="created", text="Order made.", by=f"user:{buyer.user_id}", at=at)
    throttling.spend("checkout", user_id=buyer.user_id)
    return order


@transaction.atomic
def checkout_once(
    *, buyer: Guesser, site: Site, asked: Mapping[str, Any], number: NumberCheck, at: datetime
) -> Order:
    """The order of a page's form: a second press finds the first one's order while that can still be paid."""
    person = User.objects.select_for_update().get(pk=buyer.user_id)
    body = {"site": site.pk, **asked}
    call = Call(
        user_id=person.pk,
        operation="create_checkout",
        key=f"page-{fingerprint(method='POST', path='', body=body)}",
        fingerprint="",
    )
    if replay := stored(call, at=at):
        made = Order.objects.filter(number=bytes(replay.body).decode(), expires_at__gt=at).first()
        if made is not None and made.status == Order.Status.PENDING:
            return made
        replay.delete()
    order = create_checkout(buyer=buyer, site=site, asked=asked, number=number, at=at)
    store(call, status=303, body=order.number.encode(), headers={}, at=at)
    return order


def totals(quote: Quote) -> dict[str, Any]:
    """The columns of an order that follow from a quote."""
    cart, vat = quote.cart, quote.vat
    return {
        "currency": quote.currency,
        "subtotal_cents": cart.subtotal_cents,
        "discount_cents": cart.discount_cents,
        "net_cents": cart.net_cents,
        "vat_cents": cart.vat_cents,
        "total_cents": cart.total_cents,
        "vat_country": vat.country,
        "vat_rate": vat.rate,
        "vat_treatment": vat.treatment,
        "vat_number": vat.number.number,
        "vat_number_status": vat.number.status,
        "vat_reason": vat.reason,
        "vat_checked_at": vat.number.checked_at,
        "vat_check_reference": vat.number.reference,
        "promo": quote.promo,
        "promo_description": description_of(quote.promo) if quote.promo else "",
    }


def lines_of(quote: Quote, *, order: Order) -> list[OrderLine]:
    """The lines of an order that follow from a quote, not saved."""
    return [
        OrderLine(
            order=order,
            position=position,
            effect={"parts": line.parts} if line.parts else {},
            **{name: getattr(line, name) for name in (*ITEM, *SUMS)},
        )
        for position, line in enumerate(quote.cart.lines, start=1)
    ]


def _new_number() -> str:
    """A number that nobody can guess; 40 random bits, and never one that is taken."""
    while True:
        number = "PL-" + "".join(secrets.choice(limits.NUMBER_LETTERS) for _ in range(8))
        if not Order.objects.filter(number=number).exists():
            return number
