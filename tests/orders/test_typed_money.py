"""Money is typed in the currency's own form wherever staff or buyers type it, and a large change is asked once more."""

import html
from typing import Any

import pytest
from django.test import Client

from accounts.models import StaffAct
from directory.models import Site
from orders.models import Order, ProductPrice, PromoCode, Refund, VatRate
from tests.conftest import Api, People
from tests.factories.listings import make_listing
from tests.factories.orders import make_promo
from tests.factories.staff import fresh, staff_client
from tests.orders.paying import buy, pay, work

BASE = "/admin/orders"
PRICES = f"{BASE}/productprice/prices/"
NEW = {"product": "featured", "amount": "52,90", "begins": "now", "is_on_sale": "on"}


def read(client: Client, url: str, **sent: Any) -> str:
    """What staff read after a look, or after sending a form."""
    answer = client.post(url, sent, follow=True) if sent else client.get(url, follow=True)
    return html.unescape(answer.content.decode())


def box(page: str) -> str:
    """The value of the box that asks once more."""
    _, found, rest = page.partition('name="meant" value="')
    assert found, "nothing is asked"
    return rest.partition('"')[0]


def newest() -> tuple[str, int]:
    row = ProductPrice.objects.latest("pk")
    return row.product, row.amount_cents


@pytest.mark.parametrize(("typed", "cents"), [("52,90", 5290), ("52.90", 5290), ("60", 6000)])
def test_a_price_is_set_as_it_is_typed(site: Site, typed: str, cents: int) -> None:
    said = read(staff_client("finance"), PRICES, **NEW | {"amount": typed})

    assert f"Featured listing costs €{cents / 100:.2f}." in said
    assert newest() == ("featured", cents)


@pytest.mark.parametrize("typed", ["0", "5,90", "590", "73.51", "24.49"])
def test_nothing_and_a_change_of_more_than_half_are_asked_once_more(site: Site, typed: str) -> None:
    finance, before = staff_client("finance"), ProductPrice.objects.count()
    sent = NEW | {"amount": typed}

    asked = read(finance, PRICES, **sent)
    assert "Featured listing costs €49.00 now: " in asked
    assert "from this moment?" in asked
    assert "Yes, that is meant" in asked
    assert ProductPrice.objects.count() == before
    other = read(finance, PRICES, **sent | {"amount": "1", "meant": box(asked)})  # ticked for another amount
    assert "Tick the box" in other
    assert ProductPrice.objects.count() == before

    assert "Now Featured listing costs" in read(finance, PRICES, **sent | {"meant": box(asked)})
    assert ProductPrice.objects.count() == before + 1


def test_a_price_never_begins_now_by_itself_and_what_is_unclear_is_refused(site: Site) -> None:
    finance, before = staff_client("finance"), ProductPrice.objects.count()

    assert 'value="now" selected' not in read(finance, PRICES)
    assert "This field is required" in read(finance, PRICES, **NEW | {"begins": ""})
    assert "1.234 can be read in two ways" in read(finance, PRICES, **NEW | {"amount": "1.234"})
    assert "no amount" in read(finance, PRICES, **NEW | {"amount": "fifty"})
    assert ProductPrice.objects.count() == before


def test_a_promo_code_is_made_in_the_currency(site: Site) -> None:
    finance, add = staff_client("finance"), f"{BASE}/promocode/add/"
    sent = {"code": "TWENTY12", "amount_cents": "20,50", "min_subtotal_cents": "1.050,00", "is_active": "on"}

    page = read(finance, add)
    assert [
        word for word in ("Amount cents", "subtotal cents", 'type="number" name="amount') if word in page
    ] == []
    assert "Amount off, EUR" in page
    read(finance, add, **sent)
    promo = PromoCode.objects.get()
    assert (promo.amount_cents, promo.min_subtotal_cents) == (2050, 105_000)
    form = read(finance, f"{BASE}/promocode/{promo.pk}/change/")
    assert [value for value in ('value="20.50"', 'value="1050.00"') if value not in form] == []
    assert "Select a valid" not in read(finance, add, **sent | {"code": "NEITHER1", "amount_cents": ""})
    assert PromoCode.objects.count() == 1


def test_a_code_that_takes_all_off_or_far_more_than_before_is_asked_once_more(site: Site) -> None:
    finance, add = staff_client("finance"), f"{BASE}/promocode/add/"
    promo = make_promo("OLD12345", amount_cents=1000)
    sent = {"code": "FREE1234", "percent": "100", "is_active": "on", "products": ["launch", "featured"]}

    asked = read(finance, add, **sent)
    assert "100% off?" in asked
    assert PromoCode.objects.count() == 1
    read(finance, add, **sent | {"meant": box(asked)})
    made = PromoCode.objects.get(code="FREE1234")
    assert (f"{made.percent:.0f}", made.products) == ("100", ["launch", "featured"])

    url, more = f"{BASE}/promocode/{promo.pk}/change/", {"code": promo.code, "is_active": "on"}
    assert "far from what it took off before?" in read(finance, url, **more | {"amount_cents": "15,01"})
    promo.refresh_from_db()
    assert promo.amount_cents == 1000
    read(finance, url, **more | {"amount_cents": "15"})
    promo.refresh_from_db()
    assert promo.amount_cents == 1500
    assert StaffAct.objects.latest("pk").after == {"amount_cents": 1500}


def test_a_mistyped_rate_is_asked_once_more(site: Site) -> None:
    finance, add = staff_client("finance"), f"{BASE}/vatrate/add/"
    sent = {"country": "DK", "percent": "2,5", "valid_from": "2026-11-01", "source": "Skat"}

    asked = read(finance, add, **sent)
    assert "DK has 25%: 2.5% from 1 November 2026?" in asked
    assert VatRate.objects.filter(country="DK").count() == 1
    assert "Between 0.00 and 100.00" in read(finance, add, **sent | {"percent": "250"})
    read(finance, add, **sent | {"meant": box(asked)})
    assert [f"{row.percent:f}" for row in VatRate.objects.filter(country="DK").order_by("valid_from")] == [
        "25.00",
        "2.50",
    ]


def test_a_buyer_types_an_amount_with_a_comma(people: People) -> None:
    listing, me = make_listing(owner=people.owner), Client()
    me.force_login(people.owner)
    url = f"/account/listings/{listing.pk}/buy"

    for typed, words in (("1.234", "two ways"), ("lots", "no amount"), ("4,99", "At least €5.00")):
        assert words in read(me, url, product="billboard_min", amount=typed)
    assert Order.objects.count() == 0
    me.post(url, {"product": "billboard_min", "amount": "1.234,50"})
    assert Order.objects.get().subtotal_cents == 123_450


def test_part_of_a_line_is_refunded_as_it_is_typed(api: Api, people: People) -> None:
    listing = make_listing(owner=people.owner)
    order = pay(buy(api, {"product": "billboard_min", "listing_id": listing.pk, "amount_cents": 4500}))
    finance, url = fresh(staff_client("finance")), f"{BASE}/order/{order.pk}/refund/"
    line = order.lines.get().pk

    assert "Refund €5.90 of" in read(finance, f"{url}?line={line}&amount=5,90")
    assert "two ways" in read(finance, f"{url}?line={line}&amount=5.900")
    read(finance, url, line=line, amount="5,90", cents="590", reason="A part")
    work()
    assert [row.amount_cents for row in Refund.objects.all()] == [590]
