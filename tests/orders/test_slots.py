"""Paid places in launch weeks: the last one goes to one buyer, and what is not paid comes back."""

from datetime import date, timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from core.api import caching
from directory import weeks
from directory.models import Launch, Listing, Site
from orders import places
from orders.errors import WeekUnavailableError
from orders.models import LaunchWeek, Order, SlotHold
from tests.conftest import Api
from tests.factories.orders import make_order
from tests.orders.racing import race
from tests.orders.test_quote_order import coming

WEEK = date.fromisoformat(coming(2))


def buyers(site: Site, number: int, week: date = WEEK) -> list[Order]:
    """Orders of different people for one week."""
    return [
        make_order(site, owner=User.objects.create_user(f"b{n}@people.example"), week=week)
        for n in range(number)
    ]


def left(api: Api, week: date = WEEK) -> int:
    """What list_products says to whoever asks first after a commit, which a test inside a transaction never makes."""
    caching.ANSWERS.clear()
    rows = api().get("/api/v1/products").json()["weeks"]
    return next(row["slots_left"] for row in rows if row["week"] == week.isoformat())


@pytest.mark.django_db(transaction=True)
def test_fifty_buyers_for_the_last_place(api: Api, site: Site) -> None:
    LaunchWeek.objects.create(site=site, week=WEEK, capacity=1)

    assert race(buyers(site, 50), refusal=WeekUnavailableError) == 1
    assert SlotHold.objects.filter(state="held").count() == 1
    assert left(api) == 0


@pytest.fixture
def two(site: Site) -> list[Order]:
    """Two orders for a week with one place."""
    LaunchWeek.objects.create(site=site, week=WEEK, capacity=1)
    return buyers(site, 2)


def test_a_hold_lapses_or_is_given_back(api: Api, two: list[Order]) -> None:
    first, second = two
    now = timezone.now()
    until = now + timedelta(minutes=35)
    places.reserve_for_payment(order=first, until=until, at=now)
    places.reserve_for_payment(order=first, until=until, at=now)  # again prolongs, and takes no second place
    with pytest.raises(WeekUnavailableError):
        places.reserve_for_payment(order=second, until=until, at=now)
    places.release_reservations(order=first)
    places.reserve_for_payment(order=second, until=until, at=now)
    late = until + timedelta(seconds=1)
    places.reserve_for_payment(order=first, until=late + timedelta(minutes=35), at=late)

    assert places.confirm_reservations(order=first, at=late) == []
    assert [line.order for line in places.confirm_reservations(order=second, at=late)] == [second]


def test_a_paid_place_stays_until_a_launch_stands_for_it(api: Api, two: list[Order], site: Site) -> None:
    first, second = two
    now = timezone.now()
    assert places.confirm_reservations(order=first, at=now) == []
    places.release_reservations(order=second)
    line = first.lines.get()
    assert left(api) == 0

    Launch.objects.create(site=site, listing=line.listing, week=WEEK, kind="paid", booked_at=now)
    places.place(line=line)
    LaunchWeek.objects.update(capacity=2)
    assert left(api) == 1

    assert places.confirm_reservations(order=second, at=now) == []
    places.free(line=second.lines.get())
    assert left(api) == 1


def test_a_blocked_line_goes_to_another_week(two: list[Order], site: Site) -> None:
    first, second = two
    now = timezone.now()
    places.confirm_reservations(order=first, at=now)
    (line,) = places.confirm_reservations(order=second, at=now)
    other = date.fromisoformat(coming(4))
    LaunchWeek.objects.create(site=site, week=other, capacity=1)

    places.move_to_week(line=line, week=other, at=now)

    assert (second.lines.get().week, second.lines.get().slot.state) == (other, "taken")
    with pytest.raises(WeekUnavailableError):
        places.move_to_week(line=first.lines.get(), week=other, at=now)


def test_one_person_holds_two_places_of_a_week_at_most(site: Site, people: Any) -> None:
    now = timezone.now()
    LaunchWeek.objects.create(site=site, week=WEEK, capacity=9)
    orders = [make_order(site, owner=people.owner, week=WEEK) for _ in range(3)]
    for order in orders[:2]:
        places.reserve_for_payment(order=order, until=now + timedelta(minutes=35), at=now)

    with pytest.raises(WeekUnavailableError):
        places.reserve_for_payment(order=orders[2], until=now + timedelta(minutes=35), at=now)
    later = now + timedelta(minutes=70)
    places.reserve_for_payment(order=orders[0], until=later, at=now)  # its own, for longer
    lapsed = now + timedelta(minutes=35)
    places.reserve_for_payment(order=orders[2], until=later, at=lapsed)  # as the second has none by then


def test_less_capacity_moves_nobody(api: Api, two: list[Order]) -> None:
    first, _ = two
    now = timezone.now()
    places.confirm_reservations(order=first, at=now)
    LaunchWeek.objects.update(capacity=0)

    assert left(api) == 0
    assert SlotHold.objects.get().state == "taken"


def test_weeks_come_on_sale_by_themselves(site: Site) -> None:
    now = timezone.now()
    places.open_weeks(at=now)
    places.open_weeks(at=now)

    assert LaunchWeek.objects.count() == 13
    assert set(LaunchWeek.objects.values_list("capacity", flat=True)) == {None}


def test_listings_may_be_deleted_and_orders_stay(site: Site, people: Any) -> None:
    order = make_order(site, owner=people.owner, week=WEEK)
    Listing.objects.all().delete()

    assert order.lines.get().listing is None


def test_no_place_of_a_week_that_has_begun_is_held(two: list[Order]) -> None:
    first, second = two
    monday = weeks.start(WEEK)
    sunday = monday - timedelta(seconds=1)
    with pytest.raises(WeekUnavailableError):
        places.reserve_for_payment(order=first, until=monday + timedelta(minutes=35), at=monday)
    assert SlotHold.objects.count() == 0

    places.reserve_for_payment(order=second, until=sunday + timedelta(minutes=35), at=sunday)
    assert SlotHold.objects.get().line.order == second
