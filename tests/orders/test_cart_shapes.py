"""The shape of a cart: what breaks it is named by its place, and hides nothing else that is wrong."""

from typing import Any

import pytest

from directory.models import Listing, Site
from tests.conftest import Caller
from tests.orders.conftest import NEEDS, cart, codes

QUOTE = "/api/v1/orders/quote"
DONE_FOR_YOU = {"product": "done_for_you", **NEEDS["done_for_you"]}


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ({}, "/items"),
        ({"items": []}, "/items"),
        ({"items": [{"product": "ai_review"}] * 21}, "/items"),
        ({"items": [None]}, "/items/0"),
        ({"items": [{**DONE_FOR_YOU, "colour": "red"}]}, "/items/0/colour"),
        ({"items": [{"product": "nonsense"}]}, "/items/0/product"),
        ({"items": [DONE_FOR_YOU], "note": "x"}, "/note"),
        (
            {"items": [{"product": "done_for_you", "options": {str(n): "x" for n in range(21)}}]},
            "/items/0/options",
        ),
        ({"items": [DONE_FOR_YOU], "billing_country": "DEU"}, "/billing_country"),
        ({"items": [DONE_FOR_YOU], "billing_country": "ZZ"}, "/billing_country"),
        ({"items": [DONE_FOR_YOU], "billing_country": "EL"}, "/billing_country"),
        ({"items": [DONE_FOR_YOU], "vat_number": "1" * 33}, "/vat_number"),
        ({"items": [DONE_FOR_YOU], "promo_code": "x" * 41}, "/promo_code"),
        *(
            ({"items": [{"product": "billboard_min", "amount_cents": amount}]}, "/items/0/amount_cents")
            for amount in (0, -1, 1.5, "500", True, 100_000_001, None)
        ),
        ({"items": [{"product": "extra_categories", "categories": ["a"] * 11}]}, "/items/0/categories"),
    ],
)
def test_what_breaks_the_shape_is_named(buyer: Caller, site: Site, body: Any, where: str) -> None:
    answer = buyer.post(QUOTE, body)

    assert where in [pointer for pointer, _ in codes(answer)]
    assert answer.json()["code"] == "invalid_request"


def test_an_empty_text_counts_as_left_out(buyer: Caller, draft: Listing) -> None:
    empty = dict.fromkeys(("billing_country", "vat_number", "promo_code"), " ")
    launch = {"product": "launch", "listing_id": draft.pk}

    answers = [buyer.post(QUOTE, cart(launch)), buyer.post(QUOTE, cart({**launch, "week": ""}, **empty))]

    assert answers[0].status_code == 200
    assert answers[1].json() == answers[0].json()


def test_what_breaks_its_shape_hides_nothing_else(buyer: Caller, live: Listing) -> None:
    items = [
        {"product": "billboard_min", "listing_id": live.pk, "amount_cents": 0},
        {"product": "skip_queue", "listing_id": live.pk},
        {"product": "nonsense"},
        {"product": "featured", "listing_id": live.pk, "colour": "red"},
        {"product": "ai_review", "listing_id": 999_999},
    ]

    answer = buyer.post(QUOTE, cart(*items, billing_country="XX"))

    assert sorted(codes(answer)) == [
        ("/billing_country", "country_unknown"),
        ("/items/0/amount_cents", "min_value"),
        ("/items/1/listing_id", "invalid_state"),
        ("/items/1/week", "required"),
        ("/items/2/product", "invalid_choice"),
        ("/items/3/colour", "unknown_property"),
        ("/items/4/listing_id", "listing_unknown"),
    ]
