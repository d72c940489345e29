"""The arithmetic of a cart: pure, in whole cents. A quote, an order and an invoice all come from here.

What is taken off, and the VAT, are rounded once over the whole cart, half up, and then spread over the lines by
largest remainder (ties: the earlier line), so that lines always add up to the totals.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date
from decimal import Decimal
from typing import Any

HUNDREDTHS = 100  # of a percent, which rates and codes are given in


@dataclass(frozen=True, kw_only=True)
class Sums:
    net_cents: int = 0
    vat_cents: int = 0

    @staticmethod
    def of(row: Any) -> "Sums":
        """What an order, a line or a document comes to."""
        return Sums(net_cents=row.net_cents, vat_cents=row.vat_cents)

    @property
    def total_cents(self) -> int:
        return self.net_cents + self.vat_cents

    def __add__(self, more: "Sums") -> "Sums":
        return Sums(net_cents=self.net_cents + more.net_cents, vat_cents=self.vat_cents + more.vat_cents)

    def __neg__(self) -> "Sums":
        return Sums(net_cents=-self.net_cents, vat_cents=-self.vat_cents)


@dataclass(frozen=True, kw_only=True)
class Item:
    """What one line sells, before anything is taken off."""

    product: str
    name: str
    unit_cents: int
    quantity: int = 1
    listing_id: int | None = None
    week: date | None = None
    options: Mapping[str, Any]
    parts: Sequence[str] = ()

    @property
    def subtotal_cents(self) -> int:
        """The price of the line as it stands in the catalogue."""
        return self.unit_cents * self.quantity


@dataclass(frozen=True, kw_only=True)
class Discount:
    """A percentage or an amount off these products; no products means all."""

    code: str
    percent: Decimal | None = None
    amount_cents: int | None = None
    products: frozenset[str] = frozenset()

    def covers(self, product: str) -> bool:
        return not self.products or product in self.products


@dataclass(frozen=True, kw_only=True)
class Line(Item):
    discount_cents: int
    net_cents: int
    vat_rate: Decimal
    vat_cents: int

    @property
    def gross_cents(self) -> int:
        return self.net_cents + self.vat_cents


ITEM = [field.name for field in fields(Item) if field.name != "parts"]
SUMS = [*(field.name for field in fields(Line) if field.name not in {*ITEM, "parts"}), "gross_cents"]


@dataclass(frozen=True, kw_only=True)
class Cart(Sums):
    lines: tuple[Line, ...]
    subtotal_cents: int
    discount_cents: int


def share(amount: int, percent: Decimal) -> int:
    """So many percent of an amount, half a cent rounded up."""
    return (amount * int(percent * HUNDREDTHS) * 2 + 100 * HUNDREDTHS) // (200 * HUNDREDTHS)


def spread(amount: int, weights: Sequence[int]) -> list[int]:
    """An amount in whole parts after these weights; the parts add up to it exactly."""
    whole = sum(weights)
    if not whole:
        return [0] * len(weights)
    parts = [amount * weight // whole for weight in weights]
    by_remainder = sorted(range(len(weights)), key=lambda index: -(amount * weights[index] % whole))
    for index in by_remainder[: amount - sum(parts)]:
        parts[index] += 1
    return parts


def price_cart(*, items: Sequence[Item], rate: Decimal, discount: Discount | None = None) -> Cart:
    """Take off what the code is good for, then put VAT on top."""
    subtotals = [item.subtotal_cents for item in items]
    off = spread(*_discount(items, discount))
    nets = [subtotal - less for subtotal, less in zip(subtotals, off, strict=True)]
    vat_cents = share(sum(nets), rate)
    vats = spread(vat_cents, nets)
    return Cart(
        lines=tuple(
            Line(**vars(item), discount_cents=less, net_cents=net, vat_rate=rate, vat_cents=vat)
            for item, less, net, vat in zip(items, off, nets, vats, strict=True)
        ),
        subtotal_cents=sum(subtotals),
        discount_cents=sum(off),
        net_cents=sum(nets),
        vat_cents=vat_cents,
    )


def _discount(items: Sequence[Item], discount: Discount | None) -> tuple[int, list[int]]:
    """What is taken off altogether, and what of each line it is taken from."""
    if discount is None:
        return 0, [0] * len(items)
    eligible = [item.subtotal_cents if discount.covers(item.product) else 0 for item in items]
    whole = sum(eligible)
    off = discount.amount_cents if discount.percent is None else share(whole, discount.percent)
    return min(whole, off or 0), eligible
