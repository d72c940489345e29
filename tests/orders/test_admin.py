"""The back office of orders: prices and rates are added, codes tried, weeks and orders looked at."""

import html
from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, transaction
from django.test import Client
from django.utils import timezone

from accounts.models import StaffAct
from directory.models import Launch, Listing, Site
from directory.weeks import WEEK as WEEK_LONG
from directory.weeks import week_of
from orders import places
from orders.models import LaunchWeek, Order, ProductPrice, PromoUse, VatRate
from orders.selectors.catalogue import prices
from tests.conftest import Api, Caller, People
from tests.factories.orders import make_order, make_promo
from tests.factories.staff import staff_client
from tests.orders.conftest import cart
from tests.orders.test_create_checkout import CHECKOUT
from tests.orders.test_slots import WEEK

BASE = "/admin/orders"
STATES = ("scheduled", "now", "past")


def test_finance_raises_a_price_from_next_monday_and_takes_it_back(api: Api, site: Site) -> None:
    finance, url = staff_client("finance", name="asta"), f"{BASE}/productprice/prices/"
    new = {"product": "launch", "amount": "123.00", "begins": "monday", "is_on_sale": "on"}
    monday = week_of(timezone.now()) + WEEK_LONG

    assert staff_client("moderator").post(url, new).status_code == 403
    assert "now €99.00" in read(finance, url)
    assert "begins now or later" in read(
        finance, url, **new | {"begins": "other", "moment": "2020-01-01T00:00"}
    )
    said = read(finance, url, **new)
    row = ProductPrice.objects.latest("pk")
    assert f"From Monday {monday:%-d %B %Y}, 00:00 UTC Launch costs €123.00." in said
    assert (row.effective_at.date(), row.set_by.name if row.set_by else "") == (monday, "Asta")
    assert [prices(at=at)["launch"].amount_cents for at in (row.set_at, row.effective_at)] == [9900, 12300]
    assert [state for state in STATES if f">{state}<" in said] == ["scheduled", "now"]

    assert "Withdrawn" in read(finance, f"{BASE}/productprice/{row.pk}/withdraw/", x="")
    read(finance, url, **new | {"begins": "now"})
    assert price_of(api, "launch") == 12300
    assert [state for state in STATES if f">{state}<" in read(finance, url)] == ["now", "past"]
    now = ProductPrice.objects.latest("pk")
    assert list(StaffAct.objects.order_by("pk").values_list("said", flat=True)) == [
        "set the price",
        "withdrew the price of Launch",
        "set the price",
    ]
    for change in (now.delete, lambda: ProductPrice.objects.filter(pk=now.pk).update(amount_cents=1)):
        with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
            change()


def price_of(api: Api, product: str) -> int:
    """What buyers are told."""
    products = {item["code"]: item for item in api().get("/api/v1/products").json()["items"]}
    return int(products[product]["price_cents"])


def read(client: Client, url: str, **sent: Any) -> str:
    """What staff read after a look, or after sending a form."""
    answer = client.post(url, sent, follow=True) if sent else client.get(url, follow=True)
    return html.unescape(answer.content.decode())


def test_a_rate_is_added_with_its_source(staff: Client, site: Site) -> None:
    rate = {"country": "fr", "percent": "21", "valid_from": "2027-01-01", "source": "Loi de finances"}

    assert staff.post(f"{BASE}/vatrate/add/", rate | {"country": "EL"}).status_code == 200
    assert staff.post(f"{BASE}/vatrate/add/", rate).status_code == 302
    assert VatRate.objects.filter(country="FR").count() == 2
    assert staff.get(f"{BASE}/vatrate/").status_code == 200


def test_a_code_is_made_and_tried(staff: Client, site: Site, people: People) -> None:
    made = staff.post(
        f"{BASE}/promocode/add/",
        {"code": "STAFF123", "percent": "10", "is_active": "on", "max_uses": "5", "products": ["launch"]},
    )
    neither = staff.post(f"{BASE}/promocode/add/", {"code": "NEITHER1", "is_active": "on"})
    promo = make_promo("OFF12345", percent=5, is_active=False)

    assert (made.status_code, neither.status_code) == (302, 200)
    assert "10% off Launch" in staff.get(f"{BASE}/promocode/").content.decode()
    assert "STAFF123" in staff.get(f"{BASE}/promocode/?q=STAFF").content.decode()
    url = f"{BASE}/productprice/prices/?products=launch&products=featured"
    box = read(staff, f"{url}&code=STAFF123&country=PT&address={people.owner.email.upper()}")
    assert [
        amount for amount in ("−€9.90", "€138.10", "5 uses, 0 held") if amount in " ".join(box.split())
    ] == ["−€9.90", "€138.10", "5 uses, 0 held"]
    assert "This code no longer works." in read(staff, f"{url}&code={promo.code}")
    assert "No account has this address" in read(staff, f"{url}&address=nobody@people.example")
    assert (Order.objects.count(), PromoUse.objects.count()) == (0, 0)


def test_the_page_of_prices_costs_six_statements(site: Site, django_assert_max_num_queries: Any) -> None:
    finance = staff_client("finance")
    read(finance, f"{BASE}/productprice/prices/")
    with django_assert_max_num_queries(6):
        read(finance, f"{BASE}/productprice/prices/")


def test_weeks_show_who_is_in_them(staff: Client, site: Site, people: People) -> None:
    places.open_weeks(at=timezone.now())
    order = make_order(site, owner=people.owner, week=WEEK)
    listing = order.lines.get().listing
    Launch.objects.create(site=site, listing=listing, week=WEEK, kind="paid", booked_at=timezone.now())
    now = timezone.now()
    places.reserve_for_payment(order=order, until=now + timedelta(minutes=35), at=now)
    row = LaunchWeek.objects.get(week=WEEK)
    waiting = {"status": "awaiting_badge", "launch_week": WEEK}  # which gives no paid place back
    Listing.objects.filter(pk=listing.pk).update(**waiting)
    sent = {"site": site.pk, "week": str(WEEK), "places": "7"}

    url = f"{BASE}/launchweek/calendar/?from={WEEK}"
    before = [week for week in staff.get(url).context["rows"] if week.week == WEEK]
    page = staff.get(f"{BASE}/launchweek/{row.pk}/change/").content.decode()
    assert staff_client("editor").post(url, sent).status_code == 403
    said = read(staff_client("moderator"), url, **sent)
    over = read(staff, url, **sent | {"week": str(week_of(now))})
    assert "within ten years" in read(staff, url, **sent | {"week": "2999-12-30"})

    assert [(week.paid_left, week.reserved, week.booked["paid"]) for week in before] == [(48, 1, 1)]
    assert order.number in page
    assert listing.name in page
    assert "has 7 paid places" in said
    assert listing.name in said
    assert "can’t be booked" in over
    row.refresh_from_db()
    assert (row.capacity, row.week) == (7, WEEK)
    act = StaffAct.objects.get()
    assert (act.act, act.before, act.after) == ("weeks.edit", {"paid places": None}, {"paid places": 7})


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
    paths: list[Any] = ["order/", "productprice/", "promocode/", f"productprice/prices/?code={promo.code}"]

    assert {client.get(f"{BASE}/{path}").status_code for path in paths} == {404}
