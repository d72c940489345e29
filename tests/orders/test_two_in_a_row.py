"""What was paid for, when two things happen to it one after the other."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from directory import weeks
from directory.launches import staff_queue
from directory.models import Launch, ListingCategory
from directory.moderation import status as moderation
from orders import fulfil
from orders.errors import OrderOutdatedError
from orders.links import checkout_url
from orders.models import AiReview, Order, OrderLine
from tests.conftest import Api, People
from tests.factories.listings import make_category, make_listing
from tests.orders.paying import begin, buy, choose, lines, money, pay, work
from tests.orders.test_fulfilment import AFTER, NEXT, again, give_back, launches
from tests.orders.test_quote_order import coming

MINUTE = timedelta(minutes=1)


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


def test_a_place_bought_before_the_launch_gives_only_itself_back(api: Api, people: People) -> None:
    listing = make_listing(
        owner=people.owner, status="awaiting_badge", at=weeks.start(AFTER + 8 * weeks.WEEK)
    )
    item = {"listing_id": listing.pk, "week": str(NEXT)}
    skipped, launch = (pay(buy(api, {"product": product, **item})) for product in ("skip_queue", "launch"))

    give_back(skipped, people)
    assert (again(listing).status, listing.plan, launches(listing)) == (
        "scheduled",
        "paid",
        [(NEXT, "paid", False)],
    )
    give_back(launch, people)
    assert (again(listing).status, launches(listing)) == ("draft", [])


@pytest.mark.parametrize(("product", "status"), [("launch", "draft"), ("skip_queue", "awaiting_badge")])
def test_a_week_refunded_while_its_listing_is_suspended_does_not_come_back_with_it(
    api: Api, people: People, product: str, status: str
) -> None:
    listing = make_listing(owner=people.owner, status=status, at=weeks.start(AFTER + 8 * weeks.WEEK))
    order = pay(buy(api, {"product": product, "listing_id": listing.pk, "week": str(NEXT)}))
    staff: dict[str, Any] = {"listing_id": listing.pk, "staff_id": people.staff.pk, "reason": "Asked"}
    moderation.moderate(to="suspended", at=timezone.now(), **staff)
    give_back(order, people)
    moderation.put_back(at=timezone.now(), **staff)

    assert (again(listing).status, listing.plan, listing.launch_week) == ("draft", "free", None)
    assert launches(listing) == []


def test_a_paid_launch_that_was_refused_goes_live_in_the_next_week_without_a_badge(
    api: Api, people: People
) -> None:
    listing = make_listing(owner=people.owner, status="draft")
    pay(buy(api, {"product": "launch", "listing_id": listing.pk, "week": str(NEXT)}))
    filed = listing.filed.get()
    filed.delete()
    call_command("publish_due", at=weeks.start(NEXT) + MINUTE)
    assert (again(listing).status, listing.plan) == ("draft", "paid")
    filed.save()

    own = f"/api/v1/me/listings/{listing.pk}"
    assert "needs no badge" in api("all").get(own).json()["next_actions"][0]["why"]
    first, second = (api("all").post(f"{own}/free").json() for _ in range(2))
    assert (first["status"], first["launch_week"]) == ("scheduled", second["launch_week"])
    call_command("publish_due", at=weeks.start(again(listing).launch_week) + MINUTE)
    assert again(listing).status == "live"


def test_who_needs_no_badge_waits_for_none_after_a_refund(api: Api, people: People) -> None:
    listing = make_listing(
        owner=people.owner, status="scheduled", badge_waived=True, at=weeks.start(AFTER + 8 * weeks.WEEK)
    )
    give_back(pay(buy(api, {"product": "skip_queue", "listing_id": listing.pk, "week": str(NEXT)})), people)

    assert again(listing).launch_week != NEXT
    assert listing.status == "scheduled"


PAID_ALREADY = {
    "launch": "Launch is not for a listing on the paid plan.",
    "skip_queue": "The listing launches in the week of",
    "extra_categories": "The listing has this category.",
    "relaunch": "Relaunch is for once in 90 days.",
}
FROM = {"launch": "draft", "skip_queue": "awaiting_badge"}


@pytest.fixture(params=PAID_ALREADY)
def twice(request: pytest.FixtureRequest, api: Api, people: People) -> tuple[str, list[Order]]:
    """A product, and two orders of it for one listing, each of which is good alone."""
    product, category = request.param, make_category("crm")
    listing = make_listing(
        owner=people.owner,
        status=FROM.get(product, "live"),
        launch_week=weeks.week_of(timezone.now()) + 8 * weeks.WEEK,
    )
    more: dict[str, Any] = {"extra_categories": [{"categories": [category.slug]}] * 2, "launch": [{}, {}]}
    weeks_apart = [{"week": coming(2)}, {"week": coming(3)}]
    items = [
        {"product": product, "listing_id": listing.pk, **each} for each in more.get(product, weeks_apart)
    ]
    return product, [buy(api, item) for item in items]


def test_what_was_bought_by_another_order_meanwhile_is_not_paid_again(twice: tuple[str, list[Order]]) -> None:
    product, (first, second) = twice
    pay(first)

    with pytest.raises(OrderOutdatedError):
        begin(second)
    page = Client().get("/" + checkout_url(second).split("/", 3)[3]).content.decode()
    assert PAID_ALREADY[product] in page
    assert 'value="pay"' not in page
    assert (money(second), lines(first)) == (("pending", []), [(product, "done")])


def test_what_is_paid_twice_at_the_same_moment_is_never_called_done_twice(
    twice: tuple[str, list[Order]],
) -> None:
    product, (first, second) = twice
    for payment in [begin(first), begin(second)]:
        choose(payment, "pay")

    assert (money(first)[0], money(second)[0]) == ("paid", "paid")
    assert (lines(first), lines(second)) == ([(product, "done")], [(product, "blocked")])
    assert "already" in second.lines.get().blocked_detail


def test_of_two_categories_one_of_which_is_there_already_none_is_called_done(
    api: Api, people: People
) -> None:
    make_category("crm")
    make_category("payroll")
    item = {"product": "extra_categories", "listing_id": make_listing(owner=people.owner).pk}
    first, second = (buy(api, {**item, "categories": slugs}) for slugs in (["crm"], ["payroll", "crm"]))
    for payment in [begin(first), begin(second)]:
        choose(payment, "pay")

    assert (lines(first), lines(second)) == ([(item["product"], "done")], [(item["product"], "blocked")])


def test_a_bought_place_that_staff_moved_is_given_back_where_it_is(api: Api, people: People) -> None:
    listing = make_listing(
        owner=people.owner, status="awaiting_badge", at=weeks.start(AFTER + 8 * weeks.WEEK)
    )
    order = pay(buy(api, {"product": "skip_queue", "listing_id": listing.pk, "week": str(NEXT)}))
    staff_queue.move_week(listing_id=listing.pk, week=AFTER, staff_id=people.staff.pk, at=timezone.now())
    assert (launches(listing), order.lines.get().week) == ([(AFTER, "paid", False)], AFTER)

    give_back(order, people)
    assert AFTER not in {week for week, kind, _ in launches(listing) if kind == "paid"}
    assert again(listing).status == "awaiting_badge"
