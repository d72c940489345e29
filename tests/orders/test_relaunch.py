"""Another launch of a listing that had one: once in ninety days."""

import pytest
from django.utils import timezone

from directory import weeks
from directory.errors import ListingCannotMoveError, WeekOverError
from directory.launches import paid
from directory.models import Launch, Listing, Site
from orders import limits
from tests.conftest import Caller, People
from tests.factories.listings import make_listing
from tests.orders.conftest import cart
from tests.orders.test_quote_order import QUOTE, coming, one


def test_a_relaunch_is_for_once_in_ninety_days(buyer: Caller, live: Listing) -> None:
    now = timezone.now()
    week = weeks.week_of(now) - 2 * weeks.WEEK
    Launch.objects.filter(listing=live).update(week=week, kind="relaunch", booked_at=now, launched_at=now)

    assert buyer.post(QUOTE, cart(one("relaunch", live, week=coming()))).json()["code"] == "invalid_state"


@pytest.mark.parametrize(("weeks_later", "refused"), [(0, None), (1, "invalid_state")])
def test_the_ninety_days_begin_with_the_week_of_the_last_relaunch(
    buyer: Caller, live: Listing, weeks_later: int, refused: str | None
) -> None:
    now = timezone.now()
    week = weeks.week_of(now - limits.RELAUNCH_AFTER) + weeks_later * weeks.WEEK
    Launch.objects.filter(listing=live).update(week=week, kind="relaunch", booked_at=now, launched_at=now)

    answer = buyer.post(QUOTE, cart(one("relaunch", live, week=coming()))).json()

    assert answer.get("code") == refused


def test_what_is_done_after_its_week_is_over_books_nothing(live: Listing) -> None:
    now = timezone.now()
    week = weeks.week_of(now) - weeks.WEEK
    Launch.objects.filter(listing=live).update(week=week - weeks.WEEK, launched_at=now)

    with pytest.raises(WeekOverError):
        paid.relaunch(listing_id=live.pk, week=week, not_since=week - weeks.WEEK, at=now)

    assert live.launches.count() == 1


def test_an_older_relaunch_is_in_the_way_of_none(live: Listing) -> None:
    now = timezone.now()
    this = weeks.week_of(now)
    Launch.objects.filter(listing=live).update(week=this - 20 * weeks.WEEK, kind="relaunch", launched_at=now)

    paid.relaunch(listing_id=live.pk, week=this + weeks.WEEK, not_since=this - 13 * weeks.WEEK, at=now)

    assert live.launches.filter(week=this + weeks.WEEK).exists()


def test_a_relaunch_that_nobody_began_in_its_week_is_part_of_the_running_one(live: Listing) -> None:
    now = timezone.now()
    this = weeks.week_of(now)
    Launch.objects.filter(listing=live).update(week=this - 20 * weeks.WEEK)
    late = {"week": this - weeks.WEEK, "kind": "relaunch", "booked_at": now - 3 * weeks.WEEK}
    Launch.objects.create(site_id=live.site_id, listing=live, **late)

    assert [paid.begin_relaunches(at=now) for _ in range(2)] == [1, 0]
    launches = live.launches.filter(kind="relaunch").values_list("week", "launched_at")
    assert list(launches) == [(this, now)]
    live.refresh_from_db()
    assert live.launch_week == this


def test_the_week_that_a_listing_has_already_is_not_skipped_to(people: People, site: Site) -> None:
    now = timezone.now()
    week = weeks.week_of(now) + 2 * weeks.WEEK
    listing = make_listing("brindle", owner=people.owner, status="scheduled", at=weeks.start(week))

    with pytest.raises(ListingCannotMoveError):
        paid.skip_queue(listing_id=listing.pk, week=week, by="payment", at=now)
