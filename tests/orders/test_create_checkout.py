"""Orders made from carts: what they keep, who sees them, and that one key makes one order."""

import random
import re
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone

from directory.models import Listing, Site
from orders import limits, links, vat_numbers
from orders.checkout import reprice, usable_promo
from orders.errors import PromoRefusedError, VatNumberInvalidError
from orders.models import Order, OrderLine, VatRate
from orders.seller import day_of
from tests.conftest import Api, Caller, People
from tests.factories.listings import make_category
from tests.factories.orders import make_promo, set_price
from tests.orders.conftest import Vies, cart
from tests.orders.test_quote_order import QUOTE, coming, one

CHECKOUT = "/api/v1/orders/checkout"
TOTALS = (
    "currency",
    "subtotal_cents",
    "discount_cents",
    "net_cents",
    "vat_cents",
    "total_cents",
    "vat",
    "promo",
)
MONEY = ("unit_cents", "discount_cents", "net_cents", "vat_rate", "vat_cents", "gross_cents", "options")


def test_an_order_keeps_what_was_quoted(api: Api, buyer: Caller, draft: Listing) -> None:
    make_promo()
    body = cart(
        one("launch", draft, week=coming(3)),
        {"product": "done_for_you", "options": {"website": "https://quillon.example/", "note": "Soon"}},
        billing_country="FR",
        promo_code="LAUNCH20",
    )
    quote = buyer.post(QUOTE, body).json()

    answer = buyer.post(CHECKOUT, body)

    made = answer.json()
    order = made["order"]
    assert answer.status_code == 201
    assert re.match(limits.NUMBER, order["number"])
    assert {name: order[name] for name in TOTALS} == {name: quote[name] for name in TOTALS}
    for line, quoted in zip(order["lines"], quote["lines"], strict=True):
        assert {name: line[name] for name in quoted} == quoted
        assert (line["fulfilled"], line["fulfilment_status"]) == (False, "waiting")
    assert (order["status"], order["paid_at"], order["payment"], order["refunds"]) == (
        "pending",
        None,
        None,
        [],
    )
    assert made["checkout_url"] == order["checkout_url"]
    assert made["expires_at"] == order["expires_at"]
    assert order["next_actions"][0]["operation"] == "get_order"

    again = api("orders:write").get(f"/api/v1/orders/{order['number'].lower()}").json()
    assert again == order
    assert buyer.get("/api/v1/orders").json()["items"] == [order]
    assert buyer.get("/api/v1/me").json()["counts"]["orders"] == 1
    assert buyer.get(f"/api/v1/me/listings/{draft.pk}").json()["orders"] == [order["number"]]
    stored = Order.objects.get()
    assert [event.kind for event in stored.events.all()] == ["created"]


@pytest.mark.parametrize("status", ["pending", "processing", "review", "expired", "canceled"])
def test_a_link_to_pay_is_there_while_the_order_is_pending(buyer: Caller, site: Site, status: str) -> None:
    buyer.post(CHECKOUT, cart("done_for_you"))
    Order.objects.update(status=status)

    (listed,) = buyer.get("/api/v1/orders").json()["items"]

    assert (listed["checkout_url"] is not None) == (status == "pending")


def test_the_link_is_signed_for_its_order_alone(buyer: Caller, site: Site) -> None:
    first, second = (buyer.post(CHECKOUT, cart("done_for_you")).json() for _ in range(2))
    number, signature = first["checkout_url"].split("/")[-2:]

    assert links.number_of_link(number=number, signature=signature) == first["order"]["number"]
    assert links.number_of_link(number=second["order"]["number"], signature=signature) is None
    assert links.number_of_link(number=number, signature=f"{signature[:-1]}!") is None


def test_orders_are_their_owners_alone(api: Api, buyer: Caller, people: People, site: Site) -> None:
    number = buyer.post(CHECKOUT, cart("done_for_you")).json()["order"]["number"]
    stranger = api("all", user=people.stranger)

    for path in (number, "PL-00000000", "PL-0", "%00", "x" * 300, "ＰＬ-12345678"):
        answer = stranger.get(f"/api/v1/orders/{path}")
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert stranger.get("/api/v1/orders").json()["items"] == []
    assert api("listings:write").get(f"/api/v1/orders/{number}").status_code == 403
    assert api().get(f"/api/v1/orders/{number}").status_code == 401


def test_one_key_makes_one_order(buyer: Caller, site: Site) -> None:
    first = buyer.post(CHECKOUT, cart("done_for_you"), Idempotency_Key="a-1")
    again = buyer.post(CHECKOUT, cart("done_for_you"), Idempotency_Key='"a-1"')

    assert again.status_code == 201
    assert (again.content, again["Idempotent-Replayed"]) == (first.content, "true")
    assert Order.objects.count() == 1
    other = buyer.post(CHECKOUT, cart("done_for_you", billing_country="FR"), Idempotency_Key="a-1")
    assert other.json()["code"] == "idempotency_key_reused"
    assert buyer.post(CHECKOUT, cart("done_for_you"), Idempotency_Key="").status_code == 400


def test_what_is_refused_builds_nothing_and_leaves_the_key_usable(buyer: Caller, site: Site) -> None:
    refused = buyer.post(CHECKOUT, cart("done_for_you", promo_code="NEVER"), Idempotency_Key="b-1")

    assert (refused.json()["code"], Order.objects.count()) == ("promo_unknown", 0)
    assert buyer.post(CHECKOUT, cart("done_for_you"), Idempotency_Key="b-1").status_code == 201


def test_an_order_keeps_its_price_and_a_new_one_has_the_new(buyer: Caller, site: Site) -> None:
    old = buyer.post(CHECKOUT, cart("done_for_you")).json()["order"]
    set_price("done_for_you", 40000)

    assert buyer.get(f"/api/v1/orders/{old['number']}").json()["net_cents"] == 29900
    assert buyer.post(CHECKOUT, cart("done_for_you")).json()["order"]["net_cents"] == 40000


def test_an_order_of_nothing_is_an_order(buyer: Caller, site: Site) -> None:
    make_promo("FREE4ALL", percent=100)

    order = buyer.post(CHECKOUT, cart("done_for_you", promo_code="FREE4ALL")).json()["order"]

    assert (order["total_cents"], order["status"]) == (0, "pending")


def test_links_may_be_made_so_often_and_no_oftener(buyer: Caller, site: Site, settings: Any) -> None:
    settings.RATE_LIMIT_FACTOR = 0.02

    statuses = [buyer.post(CHECKOUT, cart("done_for_you")).status_code for _ in range(3)]

    assert statuses == [201, 201, 429]
    assert Order.objects.count() == 2


def costs(line: dict[str, Any]) -> list[Any]:
    """What a line comes to; a place that begins now begins a moment later in the order than in the quote."""
    options = {name: value for name, value in line["options"].items() if name not in {"from", "until"}}
    return [line[name] for name in MONEY if name != "options"] + [options]


def test_random_carts_cost_the_same_everywhere(buyer: Caller, live: Listing, settings: Any) -> None:
    settings.RATE_LIMIT_FACTOR = 100
    chance = random.Random(11)
    for slug in ("one", "two", "three"):
        make_category(slug)
    make_promo("THIRD", percent=Decimal("33.33"))
    make_promo("FIVER", amount_cents=500, products=["featured", "ai_review"])
    for _ in range(15):
        items = [
            one("billboard_min", live, amount_cents=chance.randint(500, 10**6)),
            *[one("featured", live) for _ in range(chance.randint(1, 5))],
            one("extra_categories", live, categories=["one", "two", "three"][: chance.randint(1, 3)]),
        ]
        body = cart(*items, billing_country=chance.choice(["DE", "FI", "HU", "US"]))
        body["promo_code"] = chance.choice(["THIRD", "FIVER"])

        quote, made = buyer.post(QUOTE, body).json(), buyer.post(CHECKOUT, body).json()["order"]

        stored = buyer.get(f"/api/v1/orders/{made['number']}").json()
        assert stored == made
        assert {name: made[name] for name in TOTALS} == {name: quote[name] for name in TOTALS}
        assert [costs(line) for line in made["lines"]] == [costs(line) for line in quote["lines"]]


def test_lists_cost_the_same_however_long(
    buyer: Caller, site: Site, django_assert_max_num_queries: Any
) -> None:
    for _ in range(3):
        buyer.post(CHECKOUT, cart("done_for_you", "done_for_you"))
    with django_assert_max_num_queries(8):
        assert len(buyer.get("/api/v1/orders?per_page=100").json()["items"]) == 3


def check(number: str, country: str) -> Any:
    return vat_numbers.check_number(vat_number=number, country=country, at=timezone.now())


def again(order: Order, number: str, country: str, *, code: str = "GONE1234", at: datetime) -> bool:
    promo = usable_promo(order, code=code, at=at)
    return reprice(order=order, country=country, number=check(number, country), promo=promo, at=at)


def test_what_the_buyer_adds_changes_vat_and_nothing_else(buyer: Caller, vies: Vies, site: Site) -> None:
    now = timezone.now()
    make_promo("GONE1234", percent=50)
    made = buyer.post(CHECKOUT, cart("done_for_you", "done_for_you", promo_code="GONE1234")).json()["order"]
    order = Order.objects.get(number=made["number"])
    set_price("done_for_you", 1_000_000)
    vies.knows("FR40303265045")

    same = again(order, "", "DE", at=now)
    cheaper = again(order, "FR40303265045", "FR", at=now)

    assert (same, cheaper) == (False, True)
    body = buyer.get(f"/api/v1/orders/{made['number']}").json()
    assert (body["total_cents"], body["vat"]["treatment"]) == (29900, "reverse_charge")
    assert sum(line["gross_cents"] for line in body["lines"]) == 29900
    assert order.vat_check_reference == "WAPIAAAA1"

    with pytest.raises(VatNumberInvalidError):
        again(order, "FR1", "FR", at=now)
    late = now + timedelta(days=1)
    order.promo.ends_at = now
    order.promo.save(update_fields=["ends_at"])
    with pytest.raises(PromoRefusedError):
        again(order, "", "FR", at=late)
    assert Order.objects.get().total_cents == 29900
    assert again(order, "", "FR", code="", at=late)
    assert Order.objects.get().total_cents == 59800 + 11960
    assert sum(OrderLine.objects.values_list("gross_cents", flat=True)) == 71760


def test_a_rate_counts_from_its_day(buyer: Caller, site: Site) -> None:
    today = day_of(timezone.now())  # the seller's, which begins before UTC's
    for days, percent in ((1, 30), (0, 22)):
        VatRate.objects.create(
            country="DE",
            percent=percent,
            valid_from=today + timedelta(days=days),
            source="The law.",
            entered_at=timezone.now(),
        )

    assert buyer.post(QUOTE, cart("done_for_you")).json()["vat"]["rate"] == "22.00"
