"""An order made from a quote, with a link to the page where a person pays; and what it costs later."""

import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction

from accounts.models import User
from core.api import throttling
from core.api.idempotency import Call, fingerprint, store, stored
from directory.models import Site
from orders import limits, promos, timeline
from orders.errors import CheckoutClosedError, PromoRefusedError, Refusal, raise_for
from orders.models import Order, OrderLine, PromoCode
from orders.payments import CLOSED, offered
from orders.pricing import ITEM, SUMS, Item
from orders.promos import Caller, description_of
from orders.quoting import VAT_FIELD, Quote, price, quote_order
from orders.selectors.payers import number_of
from orders.vat import NumberCheck
from orders.wording import price as money


@transaction.atomic
def create_checkout(
    *, buyer: Caller, site: Site, cart: Mapping[str, Any], number: NumberCheck, at: datetime
) -> Order:
    """Build a pending order at today's prices. Nothing is held or charged before the person starts to pay.

    Raises what `quote_order` raises, and CheckoutClosedError while nobody can be paid; then there is no order.
    """
    if not offered():
        raise CheckoutClosedError(CLOSED, current="closed")
    quote = quote_order(buyer=buyer, site=site, cart=cart, number=number, at=at)
    order = Order.objects.create(
        number=_new_number(),
        site=site,
        owner_id=buyer.user_id,
        billing_country=cart.get("billing_country", ""),
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
    *, buyer: Caller, site: Site, cart: Mapping[str, Any], number: NumberCheck, at: datetime
) -> Order:
    """The order of a page's form: a second press finds the first one's order while that can still be paid."""
    person = User.objects.select_for_update().get(pk=buyer.user_id)
    body = {"site": site.pk, **cart}
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
    order = create_checkout(buyer=buyer, site=site, cart=cart, number=number, at=at)
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
        "vat_reason": vat.reason,
        **vat.number.columns(),
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


def items_of(lines: Sequence[OrderLine]) -> list[Item]:
    """What the lines sell, at the prices they were made with."""
    return [Item(**{name: getattr(line, name) for name in ITEM}) for line in lines]


def show_price(*, order: Order, country: str, postcode: str, number: NumberCheck, at: datetime) -> None:
    """Let an order say what it would cost a buyer, for a page; nothing is saved. Raises what refuses the total."""
    items = items_of(list(order.lines.order_by("position")))
    quote = price(items=items, country=country, postcode=postcode, number=number, promo=order.promo, at=at)
    for name, value in totals(quote).items():
        setattr(order, name, value)


def usable_promo(order: Order, *, code: str, at: datetime) -> PromoCode | None:
    """The code that an order has or is to have, if any. Raises PromoRefusedError for one that cannot be used now."""
    if not code:
        return None
    promo, items = promos.find(code), items_of(list(order.lines.order_by("position")))
    refusal = promos.refusal_of(promo, user_id=order.owner_id, items=items, at=at, besides=order.pk)
    raise_for([refusal] if refusal else [])
    return promo


def reprice(
    *,
    order: Order,
    country: str,
    postcode: str = "",
    number: NumberCheck,
    promo: PromoCode | None,
    at: datetime,
) -> bool:
    """Work out a locked order again that is not paid, and store that. True if its total is another now.

    Raises VatNumberInvalidError, or what refuses the total; then nothing changed.
    """
    if number.problem:
        raise_for([Refusal(code="vat_number_invalid", pointer=VAT_FIELD, message=number.problem)])
    lines = list(order.lines.order_by("position"))
    before = order.total_cents
    _store(
        price(items=items_of(lines), country=country, postcode=postcode, number=number, promo=promo, at=at),
        order=order,
        lines=lines,
    )
    if order.total_cents == before:
        return False
    timeline.note(
        order=order,
        kind="repriced",
        text=f"The total is {money(order.total_cents, order.currency)} now. {order.vat_reason}",
        by="system",
        at=at,
        before=before,
        after=order.total_cents,
    )
    return True


def _store(quote: Quote, *, order: Order, lines: list[OrderLine]) -> None:
    columns = totals(quote)
    for name, value in columns.items():
        setattr(order, name, value)
    order.save(update_fields=list(columns))
    for row, line in zip(lines, quote.cart.lines, strict=True):
        for name in SUMS:
            setattr(row, name, getattr(line, name))
    OrderLine.objects.bulk_update(lines, SUMS)


def reprice_from_order(*, order: Order, at: datetime) -> bool:
    """Work a locked, pending order out again from what is on it, as rates have changed. True for another total.

    A code that can no longer be used is taken off, as on the checkout page.
    """
    number, country = number_of(order), order.billing_country or order.vat_country
    try:
        promo = usable_promo(order, code=order.promo.code if order.promo else "", at=at)
    except PromoRefusedError:
        promo = None
    return reprice(
        order=order, country=country, postcode=order.billing_postcode, number=number, promo=promo, at=at
    )
