"""The back office of orders: prices and rates are added, codes tried, weeks and orders looked at."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from directory.models import Launch, Site
from orders.models import LaunchWeek, Order, ProductPrice, VatRate
from orders.services import holding, slots
from tests.conftest import Api, Caller, People
from tests.factories.orders import make_order, make_promo
from tests.orders.conftest import cart
from tests.orders.test_create_checkout import CHECKOUT
from tests.orders.test_slots import WEEK

BASE = "/admin/orders"


@pytest.fixture
def staff(people: People) -> Client:
    """Signed in, with every right."""
    client = Client()
    client.force_login(people.staff)
    return client


def test_a_price_is_added_and_counts_at_once(staff: Client, api: Api, site: Site) -> None:
    before = ProductPrice.objects.count()
    past = {"effective_at_0": "2020-01-01", "effective_at_1": "00:00"}
    new = {"product": "launch", "amount_cents": "12300", "is_on_sale": "on"}

    refused = staff.post(f"{BASE}/productprice/add/", new | past)
    added = staff.post(f"{BASE}/productprice/add/", new)

    assert "in the past" in refused.content.decode()
    assert (added.status_code, ProductPrice.objects.count()) == (302, before + 1)
    products = {item["code"]: item for item in api().get("/api/v1/products").json()["items"]}
    assert products["launch"]["price_cents"] == 12300
    row = ProductPrice.objects.order_by("-pk")[0]
    page = staff.get(f"{BASE}/productprice/").content.decode()
    assert "123.00 EUR" in page
    assert (row.set_by_id, row.set_at is not None) == (staff.session["_auth_user_id"] and row.set_by_id, True)
    assert staff.post(f"{BASE}/productprice/{row.pk}/change/", new).status_code == 403
    assert staff.post(f"{BASE}/productprice/{row.pk}/delete/", {"post": "yes"}).status_code == 403


def test_a_rate_is_added_with_its_source(staff: Client, site: Site) -> None:
    rate = {"country": "fr", "percent": "21", "valid_from": "2027-01-01", "source": "Loi de finances"}

    assert staff.post(f"{BASE}/vatrate/add/", rate | {"country": "EL"}).status_code == 200
    assert staff.post(f"{BASE}/vatrate/add/", rate).status_code == 302
    assert VatRate.objects.filter(country="FR").count() == 2
    assert staff.get(f"{BASE}/vatrate/").status_code == 200


def test_a_code_is_made_and_tried(staff: Client, site: Site) -> None:
    made = staff.post(
        f"{BASE}/promocode/add/",
        {"code": "STAFF123", "percent": "10", "is_active": "on", "max_uses": "5", "products": ["launch"]},
    )
    neither = staff.post(f"{BASE}/promocode/add/", {"code": "NEITHER1", "is_active": "on"})
    promo = make_promo("OFF12345", percent=5, is_active=False)

    assert (made.status_code, neither.status_code) == (302, 200)
    assert "10% off Launch" in staff.get(f"{BASE}/promocode/").content.decode()
    own = staff.get(f"{BASE}/promocode/?q=STAFF123").content.decode().partition("/try/")[0].rpartition("/")[2]
    box = staff.get(f"{BASE}/promocode/{own}/try/?products=launch&products=featured").content.decode()
    assert "148.00 EUR before the code, 9.90 EUR off, 138.10 EUR left" in box
    off = staff.get(f"{BASE}/promocode/{promo.pk}/try/?products=launch").content.decode()
    assert "switched off" in off
    assert staff.get(f"{BASE}/promocode/{promo.pk}/try/").status_code == 200


def test_weeks_show_who_is_in_them(staff: Client, site: Site, people: People) -> None:
    slots.open_weeks(at=timezone.now())
    order = make_order(site, owner=people.owner, week=WEEK)
    listing = order.lines.get().listing
    Launch.objects.create(site=site, listing=listing, week=WEEK, kind="paid", booked_at=timezone.now())
    now = timezone.now()
    holding.hold_for_payment(order=order, until=now + timedelta(minutes=35), at=now)
    row = LaunchWeek.objects.get(week=WEEK)

    listed = staff.get(f"{BASE}/launchweek/").content.decode()
    page = staff.get(f"{BASE}/launchweek/{row.pk}/change/").content.decode()
    changed = staff.post(f"{BASE}/launchweek/{row.pk}/change/", {"capacity": "7"})

    assert '<td class="field-left">48</td>' in listed
    assert order.number in page
    assert listing.name in page
    row.refresh_from_db()
    assert (changed.status_code, row.capacity, row.week) == (302, 7, WEEK)


def test_orders_show_their_timeline_and_the_inbox_what_waits(
    staff: Client, buyer: Caller, site: Site
) -> None:
    quiet, odd = (buyer.post(CHECKOUT, cart("done_for_you")).json()["order"]["number"] for _ in range(2))
    Order.objects.filter(number=odd).update(review_reason="Another amount came.")

    inbox = staff.get(f"{BASE}/orderinreview/").content.decode()
    page = staff.get(f"{BASE}/order/{Order.objects.get(number=quiet).pk}/change/").content.decode()

    assert (odd in inbox, quiet in inbox) == (True, False)
    assert "Order made." in page
    assert staff.get(f"{BASE}/order/?q={quiet}").status_code == 200


def test_staff_without_rights_see_nothing(people: People, site: Site) -> None:
    client = Client()
    people.staff.is_superuser = False
    people.staff.save(update_fields=["is_superuser"])
    client.force_login(people.staff)
    promo = make_promo()
    paths: list[Any] = ["order/", "productprice/", "promocode/", f"promocode/{promo.pk}/try/?products=launch"]

    assert {client.get(f"{BASE}/{path}").status_code for path in paths} == {404}
