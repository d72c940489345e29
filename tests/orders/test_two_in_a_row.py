"""What was paid for, when two things happen to it one after the other."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from directory import weeks
from directory.models import Launch, Listing, ListingCategory
from directory.weeks import WEEK, week_of
from orders import fulfil
from orders.errors import OrderOutdatedError
from orders.links import checkout_url
from orders.models import AiReview, OrderLine
from tests.conftest import Api, People
from tests.factories.listings import make_category, make_listing
from tests.orders.paying import begin, buy, choose, lines, money, pay, work
from tests.orders.test_fulfilment import AFTER, NEXT, again, give_back, launches


def test_a_bundle_that_is_tried_again_does_only_what_was_not_done(api: Api, people: People) -> None:
    listing = make_listing(owner=people.owner, status="draft")
    order = pay(buy(api, {"product": "launch_bundle", "listing_id": listing.pk}))
    until = again(listing).featured_until
    line = order.lines.get()
    OrderLine.objects.update(fulfilment_status="blocked", parts_done=["launch", "featured"])

    fulfil.try_again(line_id=line.pk, owner_id=people.owner.pk, at=timezone.now())
    work()
    assert (lines(order), AiReview.objects.count()) == ([("launch_bundle", "done")], 1)
    assert again(listing).featured_until == until
    line.refresh_from_db()
    assert sorted(line.parts_done) == ["ai_review", "featured", "launch"]


def test_a_bought_category_that_became_the_first_one_stays(api: Api, people: People) -> None:
    make_category("payroll")
    make_category("banking")
    listing = make_listing(owner=people.owner)
    extra = {"categories": ["payroll", "banking"]}
    order = pay(buy(api, {"product": "extra_categories", "listing_id": listing.pk, **extra}))
    ListingCategory.objects.filter(listing=listing, category__slug="invoicing").delete()

    give_back(order, people)
    filed = ListingCategory.objects.filter(listing=listing)
    assert list(filed.values_list("category__slug", flat=True)) == ["payroll"]


def test_featured_days_of_a_scheduled_listing_begin_with_its_week(api: Api, people: People) -> None:
    listing = make_listing(owner=people.owner, status="draft")
    pay(buy(api, {"product": "launch", "listing_id": listing.pk, "week": str(NEXT)}))
    pay(buy(api, {"product": "featured", "listing_id": listing.pk}))

    assert again(listing).status == "scheduled"
    assert listing.featured_until == weeks.start(NEXT) + timedelta(days=7)


def test_a_free_place_is_not_given_back_with_a_bought_one(api: Api, people: People) -> None:
    listing = make_listing(
        owner=people.owner, status="awaiting_badge", at=weeks.start(AFTER + 8 * weeks.WEEK)
    )
    order = pay(buy(api, {"product": "skip_queue", "listing_id": listing.pk, "week": str(NEXT)}))
    Launch.objects.filter(listing=listing).update(kind="free")

    give_back(order, people)
    assert launches(listing) == [(NEXT, "free", False)]


def coming(number: int) -> str:
    return (week_of(timezone.now()) + number * WEEK).isoformat()


def twice(listing: Listing, product: str) -> list[dict[str, Any]]:
    """Two orders of the same, each of which is good alone."""
    more = {
        "launch": ({}, {}),
        "extra_categories": ({"categories": ["crm"]}, {"categories": ["crm"]}),
        "relaunch": ({"week": coming(2)}, {"week": coming(3)}),
    }
    return [{"product": product, "listing_id": listing.pk, **each} for each in more[product]]


PAID_ALREADY = {
    "launch": "Launch is not for a listing on the paid plan.",
    "extra_categories": "The listing has this category.",
    "relaunch": "Relaunch is for once in 90 days.",
}


@pytest.mark.parametrize("product", PAID_ALREADY)
def test_what_was_bought_by_another_order_meanwhile_is_not_paid_again(
    api: Api, people: People, product: str
) -> None:
    make_category("crm")
    listing = make_listing(owner=people.owner, status="draft" if product == "launch" else "live")
    first, second = (buy(api, item) for item in twice(listing, product))
    pay(first)

    with pytest.raises(OrderOutdatedError):
        begin(second)
    page = Client().get("/" + checkout_url(second).split("/", 3)[3]).content.decode()
    assert PAID_ALREADY[product] in page
    assert (money(second), lines(first)) == (("pending", []), [(product, "done")])


@pytest.mark.parametrize("product", PAID_ALREADY)
def test_what_is_paid_twice_at_the_same_moment_is_never_said_to_be_done_twice(
    api: Api, people: People, product: str
) -> None:
    make_category("crm")
    listing = make_listing(owner=people.owner, status="draft" if product == "launch" else "live")
    payments = [begin(buy(api, item)) for item in twice(listing, product)]
    for payment in payments:
        choose(payment, "pay")

    first, second = (payment.order for payment in payments)
    assert (money(first)[0], money(second)[0]) == ("paid", "paid")
    assert (lines(first), lines(second)) == ([(product, "done")], [(product, "blocked")])
    assert "already" in second.lines.get().blocked_detail
