"""Nothing is on offer that has no effect: each product is bought in each state it is for, done, and seen on a page."""

import html
import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from core.api import caching
from directory import weeks
from directory.models import FeaturedCount, FeaturedPlace, Listing
from orders import fulfil
from orders.fulfil import parts_of
from orders.models import Order, StaffTask
from orders.products import PRODUCTS, Effect
from tests.conftest import Api, People
from tests.factories.listings import make_category, make_listing
from tests.orders.paying import buy, lines, pay

THIS = weeks.week_of(timezone.now())
NEXT, LATER = THIS + 2 * weeks.WEEK, THIS + 9 * weeks.WEEK
MORE: dict[str, dict[str, Any]] = {
    "skip_queue": {"week": str(NEXT)},
    "relaunch": {"week": str(NEXT)},
    "extra_categories": {"categories": ["payroll"]},
    "billboard_min": {"amount_cents": 5000},
}
WAYS = [  # one that waits for its badge is to these products what a draft or a scheduled one is
    (code, status)
    for code, product in PRODUCTS.items()
    for status in sorted(product.statuses)
    if status != "awaiting_badge" or "draft" not in product.statuses
]


def read(client: Client, page: str) -> str:
    """The words of a page; none of one that is not there."""
    caching.ANSWERS.clear()
    answer = client.get(page)
    main = re.sub(r"(?s)^.*?<main|</main>.*$|<[^>]*>", " ", answer.content.decode())
    return " ".join(html.unescape(main).split()) if answer.status_code == 200 else ""


def bought(api: Api, people: People, *, code: str, listing: Listing) -> Order:
    """Paid in test money, with everything done, by staff where it is theirs."""
    order = pay(buy(api, {"product": code, "listing_id": listing.pk, **MORE.get(code, {})}))
    for task in StaffTask.objects.filter(closed_at=None):
        result = "We wrote it, and you said yes."
        fulfil.close_task(task_id=task.pk, result=result, staff_id=people.staff.pk, at=timezone.now())
    assert lines(order) == [(code, "done")]
    return order


def effects_of(order: Order) -> dict[str, list[Effect]]:
    line = order.lines.select_related("listing", "order").get()
    return {part: PRODUCTS[part].effects(line) for part in parts_of(line)}


@pytest.mark.parametrize(("code", "status"), WAYS)
def test_what_is_bought_is_seen_on_a_page_where_it_was_not_before(
    api: Api, people: People, client: Client, code: str, status: str
) -> None:
    at = weeks.start(LATER) if status in ("awaiting_badge", "scheduled") else timezone.now() - timedelta(400)
    listing = make_listing(owner=people.owner, status=status, at=at)
    make_category("payroll")
    client.force_login(people.owner)
    own, public = f"/account/listings/{listing.pk}", f"/listings/{listing.slug}"
    boards = ["/", "/leaderboards/billboard", "/categories/payroll", f"/weeks/{THIS}", f"/weeks/{NEXT}"]
    before = {page: read(client, page) for page in (own, public, *boards)}

    order = bought(api, people, code=code, listing=listing)

    on_order = client.get(f"/account/orders/{order.number}").content.decode()
    for part, effects in effects_of(order).items():
        unseen = [effect for effect in effects if effect.words not in read(client, effect.page)]
        fresh = [effect for effect in effects if effect.words not in before.get(effect.page, "")]
        assert (part, unseen, bool(fresh)) == (part, [], True)
        pages = {effect.page for effect in effects} - {f"/account/orders/{order.number}"}
        assert [page for page in pages if f'href="{page}"' not in on_order] == []


def test_every_product_of_the_catalogue_is_bought_here(api: Api, people: People) -> None:
    items = api().get("/api/v1/products").json()["items"]

    assert {item["code"] for item in items if item["available"]} == {code for code, _ in WAYS}


def test_a_listing_shows_its_featured_place_with_what_it_brings(
    api: Api, people: People, client: Client
) -> None:
    listing = make_listing(owner=people.owner)
    bought(api, people, code="featured", listing=listing)
    client.force_login(people.owner)

    FeaturedCount.objects.create(
        place=FeaturedPlace.objects.get(), day=timezone.now().date(), kind="home", number=812
    )

    words = read(client, f"/account/listings/{listing.pk}")

    assert "Featured: day 1 of 7 Paid" in words
    assert "Seen on: Home page 812 Seen on: Launch week 0" in words
