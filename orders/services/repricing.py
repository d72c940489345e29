"""What an order costs once more is known of its buyer. Its unit prices stay as they were."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from orders.errors import PromoRefusedError, Refusal, raise_for
from orders.models import Order, OrderLine
from orders.pricing import ITEM, SUMS, Item
from orders.selectors.payers import number_of
from orders.services import promos, timeline
from orders.services.checkout import totals
from orders.services.quoting import VAT_FIELD, price
from orders.vat import NumberCheck
from orders.wording import price as money


def items_of(lines: Sequence[OrderLine]) -> list[Item]:
    """What the lines sell, at the prices they were made with."""
    return [Item(**{name: getattr(line, name) for name in ITEM}) for line in lines]


def show_price(*, order: Order, country: str, number: NumberCheck, at: datetime) -> None:
    """Let an order say what it would cost a buyer, for a page; nothing is saved. Raises what refuses the total."""
    items = items_of(list(order.lines.order_by("position")))
    quote = price(items=items, country=country, number=number, promo=order.promo, at=at)
    for name, value in totals(quote).items():
        setattr(order, name, value)


def reprice(*, order: Order, country: str, number: NumberCheck, promo_code: str | None, at: datetime) -> bool:
    """Work out VAT and code of a locked, pending order again, and store them. True if its total is another now.

    Raises VatNumberInvalidError, PromoRefusedError, or what refuses the total; then nothing changed.
    """
    if number.problem:
        raise_for([Refusal(code="vat_number_invalid", pointer=VAT_FIELD, message=number.problem)])
    lines = list(order.lines.order_by("position"))
    items = items_of(lines)
    promo = promos.find(promo_code) if promo_code else None
    if promo_code:
        refusal = promos.refusal_of(promo, user_id=order.owner_id, items=items, at=at, besides=order.pk)
        raise_for([refusal] if refusal else [])
    quote = price(items=items, country=country, number=number, promo=promo, at=at)
    before, columns = order.total_cents, totals(quote)
    for name, value in columns.items():
        setattr(order, name, value)
    order.save(update_fields=list(columns))
    for row, line in zip(lines, quote.cart.lines, strict=True):
        for name in SUMS:
            setattr(row, name, getattr(line, name))
    OrderLine.objects.bulk_update(lines, SUMS)
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


def reprice_as_known(*, order: Order, at: datetime) -> bool:
    """Work a locked, pending order out again from what is on it, as rates have changed. True for another total.

    A code that can no longer be used is taken off, as on the checkout page.
    """
    number = number_of(order)
    code = order.promo.code if order.promo else None
    try:
        with transaction.atomic():
            return reprice(order=order, country=order.vat_country, number=number, promo_code=code, at=at)
    except PromoRefusedError:
        return reprice(order=order, country=order.vat_country, number=number, promo_code=None, at=at)
