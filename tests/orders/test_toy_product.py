"""A product that nobody wrote a line for elsewhere: bought, paid, done by staff, refunded, through every page."""

import html
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from directory.models import Listing
from orders import links, promos
from orders.models import Order, StaffTask
from orders.products import PRODUCTS
from orders.products.base import Option
from orders.products.by_staff import DoneByStaff
from tests.conftest import Api, People, signed_in
from tests.factories.orders import set_price
from tests.factories.staff import fresh, staff_client
from tests.orders.paying import lines, money, pay, work


class PressKit(DoneByStaff):
    position = 95
    code, name = "press_kit", "Press kit"
    description = "Our staff write a press kit."
    options = (Option(key="tone", type="text", choices=("calm", "loud")),)


@pytest.fixture(autouse=True)
def press_kit(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PRODUCTS, PressKit.code, PressKit())
    set_price(PressKit.code, 10000)


def read(client: Client, url: str, **sent: Any) -> str:
    """What a person reads after a look, or after sending a form."""
    answer = client.post(url, sent, follow=True) if sent else client.get(url, follow=True)
    assert answer.status_code == 200, answer.content
    return html.unescape(answer.content.decode())


@pytest.fixture
def order(people: People, live: Listing) -> Order:
    """Bought on the page of add-ons by the listing's owner."""
    client = signed_in(people.owner)
    page = f"/account/listings/{live.pk}/buy"
    offer = read(client, page)
    assert [
        words for words in ("Press kit", "Our staff write a press kit.", "€100.00") if words not in offer
    ] == []
    checkout = read(client, page, product=PressKit.code)
    order = Order.objects.get()
    assert ("Press kit" in checkout, order.net_cents) == (True, 10000)
    return order


def test_it_is_in_the_catalogue_and_its_options_are_checked(api: Api, live: Listing) -> None:
    item = next(row for row in api().get("/api/v1/products").json()["items"] if row["code"] == "press_kit")
    assert (item["name"], item["price_cents"], item["available"]) == ("Press kit", 10000, True)

    bought = {"product": "press_kit", "listing_id": live.pk, "options": {"tone": "shrill"}}
    refused = api("all").post("/api/v1/orders/checkout", {"items": [bought]})

    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (400, "/items/0/options/tone")
    assert Order.objects.count() == 0


def test_it_is_done_when_staff_close_it_and_ends_with_its_money(order: Order, people: People) -> None:
    pay(order)
    assert lines(order) == [("press_kit", "in_progress")]
    finance, page = fresh(staff_client("finance", name="asta")), f"/admin/orders/order/{order.pk}"
    task = StaffTask.objects.get()
    assert "Press kit" in read(finance, f"{page}/change/")
    assert "Press kit" in read(finance, "/admin/orders/stafftask/")
    assert "Press kit then counts as done." in read(finance, f"{page}/tasks/{task.pk}/")

    read(finance, f"{page}/tasks/{task.pk}/", result="Written and sent.")
    line = order.lines.get()
    assert (lines(order), line.parts_done) == ([("press_kit", "done")], ["press_kit"])
    assert "Written and sent." in read(Client(), links.checkout_url(order))

    asked = read(finance, f"{page}/refund/?line={line.pk}")
    assert "what was done stays" in asked
    read(finance, f"{page}/refund/", line=line.pk, cents=str(order.total_cents), reason="Not needed")
    work()
    assert (money(order)[0], lines(order)) == ("refunded", [("press_kit", "reversed")])


def test_staff_price_it_and_make_codes_for_it(order: Order) -> None:
    finance = fresh(staff_client("finance"))
    assert "Press kit" in read(finance, "/admin/orders/productprice/")
    assert "Press kit" in read(finance, "/admin/orders/promocode/add/")

    promo = promos.create_promo_code(
        code="KIT10", percent=Decimal(10), amount_cents=None, products=["press_kit"], at=timezone.now()
    )

    assert promos.description_of(promo) == "10% off Press kit"
