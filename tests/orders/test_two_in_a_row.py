"""What was paid for, when two things happen to it one after the other."""

from datetime import timedelta

from django.utils import timezone

from directory import weeks
from directory.models import Launch, ListingCategory
from orders import fulfil
from orders.models import AiReview, OrderLine
from tests.conftest import Api, People
from tests.factories.listings import make_category, make_listing
from tests.orders.paying import buy, lines, pay, work
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
