"""Carts of any size, rate and code, held against what the arithmetic promises."""

import random
from decimal import Decimal

from orders.pricing import Discount, Item, price_cart, share


def off(*products: str, percent: str | None = None, cents: int | None = None) -> Discount:
    return Discount(
        code="X",
        percent=Decimal(percent) if percent else None,
        amount_cents=cents,
        products=frozenset(products),
    )


def check_cart(chance: random.Random) -> None:
    """One cart of any size, rate and code; its sums are exact and nothing in it is negative."""
    items = [
        Item(
            product=f"p{chance.randrange(4)}",
            name="",
            unit_cents=chance.choice((0, 1, 3, 335, chance.randrange(20_000), chance.randrange(100_000_001))),
            quantity=chance.randint(1, 3),
            options={},
        )
        for _ in range(chance.randint(1, 20))
    ]
    rate = Decimal(chance.randint(0, 2700)) / 100
    code = chance.choice(
        (
            None,
            off("p0", "p1", percent=str(Decimal(chance.randint(1, 10_000)) / 100)),
            off(percent=str(Decimal(chance.randint(1, 10_000)) / 100)),
            off("p2", cents=chance.randint(1, 50_000)),
            off(cents=chance.randint(1, 10**9)),
        )
    )

    found = price_cart(items=items, rate=rate, discount=code)

    lines = found.lines
    assert found.subtotal_cents == sum(item.subtotal_cents for item in items)
    assert found.discount_cents == sum(line.discount_cents for line in lines)
    assert (
        found.net_cents
        == sum(line.net_cents for line in lines)
        == found.subtotal_cents - found.discount_cents
    )
    assert found.vat_cents == sum(line.vat_cents for line in lines) == share(found.net_cents, rate)
    assert found.total_cents == sum(line.gross_cents for line in lines)
    assert all(0 <= line.discount_cents <= line.subtotal_cents for line in lines)
    assert all(line.vat_cents >= 0 and line.net_cents >= 0 for line in lines)
    assert code is None or all(code.covers(line.product) or not line.discount_cents for line in lines)
