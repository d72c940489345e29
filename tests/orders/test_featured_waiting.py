"""Featured days whose launch is gone: they wait for the next one, and nothing says or counts them as running."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from directory import weeks
from directory.models import FeaturedPlace, Listing
from directory.moderation import merging
from directory.moderation.comparing import merge_of
from orders import refunding
from orders.models import Order
from orders.selectors.orders import beside
from tests.conftest import Api, People
from tests.factories.listings import go_live, make_listing
from tests.factories.staff import staff_client
from tests.orders.paying import buy, lines, pay, work
from tests.orders.test_featured import MONDAY, WEEK, is_featured, one, spans


@pytest.fixture
def draft(people: People) -> Listing:
    return make_listing("tidewell", owner=people.owner, status="draft", launch_week=None)


@pytest.fixture
def order(api: Api, people: People, draft: Listing) -> Order:
    """Launch and featured days in one cart; the launch alone is given back, and the dates of the days have come."""
    launch = {"product": "launch", "listing_id": draft.pk, "week": str(MONDAY)}
    bought = pay(buy(api, launch, one(draft)))
    line = bought.lines.get(product="launch")
    refunding.refund(
        payment_id=str(bought.payments.get(status="paid").pk),
        line_id=line.pk,
        reason="Asked",
        staff_id=people.staff.pk,
        at=timezone.now(),
    )
    work()
    assert lines(bought) == [("launch", "reversed"), ("featured", "done")]
    return bought


def options(api: Api, order: Order) -> dict[str, str]:
    """What the order says of its featured days."""
    body = api("all").get(f"/api/v1/orders/{order.number}").json()
    return dict(body["lines"][1]["options"])


def time_passes(days: int) -> None:
    """The dates that the place had lie so far back."""
    began = timezone.now() - timedelta(days=days)
    FeaturedPlace.objects.update(begins_at=began, ends_at=began + WEEK)


@pytest.mark.parametrize("days", [-10, 2, 20])
def test_featured_days_whose_launch_was_refunded_wait(
    api: Api, people: People, draft: Listing, order: Order, client: Client, days: int
) -> None:
    time_passes(days)
    client.force_login(people.owner)

    own = client.get(f"/account/listings/{draft.pk}").content.decode()
    bought = client.get(f"/account/orders/{order.number}").content.decode()

    for page in (own, bought):
        assert "Featured: waits for its launch" in page
        assert "All its 7 days begin when the listing goes live" in page
        assert "Featured: day" not in page
    assert "featured from its launch on" in bought
    assert options(api, order).keys().isdisjoint({"from", "until"})
    other = make_listing("brindle")
    assert beside(listing=other, begins=timezone.now() - 30 * WEEK, ends=timezone.now() + 30 * WEEK) == 0


def test_staff_see_what_waits(site: object, draft: Listing, order: Order) -> None:
    time_passes(2)
    staff = staff_client("administrator")

    listing = staff.get(f"/admin/directory/listing/{draft.pk}/change/?tab=sites").content.decode()
    bought = staff.get(f"/admin/orders/order/{order.pk}/change/").content.decode()

    assert "featured days that wait for its launch" in listing
    assert "featured from its launch on" in bought


def test_what_waited_runs_whole_from_the_next_launch_on(
    api: Api, people: People, draft: Listing, order: Order, client: Client
) -> None:
    time_passes(20)
    client.force_login(people.owner)
    at = timezone.now()
    Listing.objects.filter(pk=draft.pk).update(status="scheduled", launch_week=weeks.week_of(at))

    go_live(listing_id=draft.pk, at=at)

    assert spans(draft) == [(at, at + WEEK)]
    assert is_featured(draft)
    assert "Featured: day 1 of 7" in client.get(f"/account/orders/{order.number}").content.decode()
    assert options(api, order)["from"] == f"{at:%Y-%m-%dT%H:%M:%SZ}"


@pytest.mark.parametrize("days", [2, 20])
def test_what_waited_runs_whole_on_the_listing_that_its_own_is_merged_into(
    people: People, draft: Listing, order: Order, days: int
) -> None:
    stays = make_listing("stays", owner=people.owner)
    time_passes(days)
    at = timezone.now()

    assert merge_of(listing=draft, into=stays, at=at).places == 1
    merging.merge(listing_id=draft.pk, into_id=stays.pk, staff_id=people.staff.pk, at=at)

    assert (spans(draft), spans(stays)) == ([], [(at, at + WEEK)])
    assert is_featured(stays)


def test_what_waited_waits_on_and_comes_back_when_a_merge_into_a_draft_is_undone(
    people: People, draft: Listing, order: Order
) -> None:
    stays = make_listing("stays", owner=people.owner, status="draft", launch_week=None)
    time_passes(20)
    at = timezone.now()
    undo = merging.merge(listing_id=draft.pk, into_id=stays.pk, staff_id=people.staff.pk, at=at)
    ((begins, ends),) = spans(stays)
    assert (ends - begins, spans(draft)) == (WEEK, [])

    time_passes(9)
    merging.undo_merge(undo_id=undo.pk, staff_id=people.staff.pk, at=at)

    ((begins, ends),) = spans(draft)
    assert (ends - begins, spans(stays)) == (WEEK, [])
