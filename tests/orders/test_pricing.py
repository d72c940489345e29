"""The arithmetic: the fifteen worked examples, and carts that nobody thought of."""

import random
from decimal import Decimal
from typing import Any

import pytest

from orders.pricing import Item, price_cart, spread
from orders.vat import NO_NUMBER, NumberCheck, Seller, decide
from tests.orders.random_carts import check_cart, off

RATES = {
    "DE": Decimal(19),
    "FR": Decimal(20),
    "FI": Decimal("25.5"),
    "IT": Decimal(22),
    "EE": Decimal(24),
    "HU": Decimal(27),
}
GERMAN = Seller(country="DE", uses_oss=True)
VALID_FR = NumberCheck(number="FR40303265045", country="FR", status="valid")
VALID_DE = NumberCheck(number="DE136695976", country="DE", status="valid")
AWAY_FR = NumberCheck(number="FR40303265045", country="FR", status="unavailable")


# number, lines, country, VAT number, code, then: discount, net, VAT, total, discounts and VAT by line where given
EXAMPLES = [
    (1, [9900], "DE", NO_NUMBER, None, (0, 9900, 1881, 11781), None, None),
    (2, [9900], "DE", NO_NUMBER, off(percent="20"), (1980, 7920, 1505, 9425), None, None),
    (3, [9900], "FR", VALID_FR, None, (0, 9900, 0, 9900), None, None),
    (4, [9900], "FR", NO_NUMBER, None, (0, 9900, 1980, 11880), None, None),
    (4, [9900], "FR", AWAY_FR, None, (0, 9900, 1980, 11880), None, None),
    (5, [4950], "FI", NO_NUMBER, None, (0, 4950, 1262, 6212), None, None),
    (6, [335] * 3, "DE", NO_NUMBER, None, (0, 1005, 191, 1196), None, [64, 64, 63]),
    (7, [150], "DE", NO_NUMBER, None, (0, 150, 29, 179), None, None),
    (8, [9900, 2500], "DE", NO_NUMBER, off(cents=5000), (5000, 7400, 1406, 8806), [3992, 1008], [1123, 283]),
    (9, [4900], "DE", NO_NUMBER, off(cents=5000), (4900, 0, 0, 0), None, None),
    (10, [9900, 4999], "IT", NO_NUMBER, off("p1", percent="50"), (2500, 12399, 2728, 15127), [0, 2500], None),
    (
        11,
        [9900, 2900, 1900],
        "EE",
        NO_NUMBER,
        off(percent="33.33"),
        (4900, 9800, 2352, 12152),
        [3300, 967, 633],
        [1584, 464, 304],
    ),
    (
        12,
        [100_000_000] * 20,
        "HU",
        NO_NUMBER,
        None,
        (0, 2_000_000_000, 540_000_000, 2_540_000_000),
        None,
        None,
    ),
    (13, [9900], "DE", VALID_DE, None, (0, 9900, 1881, 11781), None, None),
    (14, [9900], "US", NO_NUMBER, None, (0, 9900, 0, 9900), None, None),
    (
        15,
        [3] * 7,
        "FR",
        NO_NUMBER,
        off(cents=10),
        (10, 11, 2, 13),
        [2, 2, 2, 1, 1, 1, 1],
        [0, 0, 0, 1, 1, 0, 0],
    ),
]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example[0])
def test_a_worked_example(example: tuple[Any, ...]) -> None:
    _, lines, country, vat, code, sums, offs, vats = example
    decision = decide(seller=GERMAN, buyer=country, number=vat, rates=RATES)
    items = [
        Item(product=f"p{place}", name="", unit_cents=cents, options={}) for place, cents in enumerate(lines)
    ]

    found = price_cart(items=items, rate=decision.rate, discount=code)

    assert (found.discount_cents, found.net_cents, found.vat_cents, found.total_cents) == sums
    assert offs is None or [line.discount_cents for line in found.lines] == offs
    assert vats is None or [line.vat_cents for line in found.lines] == vats


@pytest.mark.parametrize(
    ("buyer", "number", "seller", "treatment", "rate"),
    [
        ("", NO_NUMBER, GERMAN, "assumed", 19),
        ("DE", VALID_DE, GERMAN, "domestic", 19),
        ("FR", VALID_FR, GERMAN, "reverse_charge", 0),
        ("", VALID_FR, GERMAN, "reverse_charge", 0),
        ("DE", VALID_FR, GERMAN, "domestic", 19),
        ("FR", AWAY_FR, GERMAN, "destination", 20),
        ("FR", NO_NUMBER, Seller(country="DE", uses_oss=False), "domestic", 19),
        ("US", NO_NUMBER, GERMAN, "outside_scope", 0),
        ("CH", NO_NUMBER, GERMAN, "outside_scope", 0),
    ],
)
def test_the_treatment_and_its_reason(
    buyer: str, number: NumberCheck, seller: Seller, treatment: str, rate: int
) -> None:
    found = decide(seller=seller, buyer=buyer, number=number, rates=RATES)

    assert (found.treatment, found.rate) == (treatment, rate)
    assert found.reason
    assert ("couldn't check" in found.reason) == (number is AWAY_FR)


def test_random_carts_add_up() -> None:
    """Three thousand of them; benchmarks/orders.py runs a hundred thousand."""
    chance = random.Random(7)
    for _ in range(3000):
        check_cart(chance)


def test_parts_add_up_and_ties_go_to_the_earlier() -> None:
    assert (spread(2, [1, 1, 1]), spread(0, [0, 0]), spread(5, [0, 5])) == ([1, 1, 0], [0, 0], [0, 5])
