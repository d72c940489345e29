"""Featured days of a listing that is merged into another: what is left of them goes along, and back with it."""

from datetime import timedelta

from django.utils import timezone

from directory import weeks
from directory.models import FeaturedPlace
from directory.moderation import merging
from tests.conftest import Api, People
from tests.factories.listings import make_listing
from tests.orders.paying import buy, pay
from tests.orders.test_featured import MINUTE, MONDAY, WEEK, dates, give_back, is_featured, one, spans


def test_a_merge_takes_along_what_is_left_and_the_money_still_ends_it(api: Api, people: People) -> None:
    goes, stays = make_listing("goes", owner=people.owner), make_listing("stays", owner=people.owner)
    runs, comes = pay(buy(api, one(goes))), pay(buy(api, one(goes, str(MONDAY))))
    begun = timezone.now() - timedelta(days=2)
    FeaturedPlace.objects.filter(begins_at__lte=timezone.now()).update(begins_at=begun, ends_at=begun + WEEK)
    at = timezone.now()

    undo = merging.merge(listing_id=goes.pk, into_id=stays.pk, staff_id=people.staff.pk, at=at)

    monday = (weeks.start(MONDAY), weeks.end(MONDAY))
    assert spans(goes) == [(begun, at)]
    assert spans(stays) == [(at, begun + WEEK), monday]
    assert is_featured(stays)
    assert dates(api, runs)["until"] == f"{begun + WEEK:%Y-%m-%dT%H:%M:%SZ}"
    stays.refresh_from_db()
    assert stays.featured_until == monday[1]

    give_back(comes, people)
    assert spans(stays) == [(at, begun + WEEK)]
    later = at + MINUTE
    merging.undo_merge(undo_id=undo.pk, staff_id=people.staff.pk, at=later)
    assert spans(stays) == [(at, later)]
    assert spans(goes) == [(begun, at), (later, begun + WEEK)]
    give_back(runs, people)
    assert not FeaturedPlace.objects.filter(ends_at__gt=later + MINUTE).exists()


def test_a_merge_into_a_listing_that_is_featured_goes_on_afterwards(api: Api, people: People) -> None:
    goes, stays = make_listing("goes", owner=people.owner), make_listing("stays", owner=people.owner)
    for listing in (goes, stays):
        pay(buy(api, one(listing)))
    ((_, until),) = spans(stays)
    ((_, end),) = spans(goes)
    at = timezone.now()

    merging.merge(listing_id=goes.pk, into_id=stays.pk, staff_id=people.staff.pk, at=at)

    assert spans(stays)[1:] == [(until, until + (end - at))]


def test_a_merge_into_a_launch_to_come_begins_with_it(api: Api, people: People) -> None:
    goes = make_listing("goes", owner=people.owner)
    stays = make_listing("stays", owner=people.owner, status="scheduled", launch_week=MONDAY)
    pay(buy(api, one(goes)))
    at = timezone.now()
    FeaturedPlace.objects.update(begins_at=at - MINUTE, ends_at=at - MINUTE + WEEK)

    merging.merge(listing_id=goes.pk, into_id=stays.pk, staff_id=people.staff.pk, at=at)

    begins = weeks.start(MONDAY)
    assert spans(stays) == [(begins, begins + WEEK - MINUTE)]
    assert FeaturedPlace.objects.get(listing=stays).with_launch
