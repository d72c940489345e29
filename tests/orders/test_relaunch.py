"""Another launch of a listing that had one: once in ninety days."""

import pytest
from django.utils import timezone

from directory import weeks
from directory.models import Launch, Listing
from orders import limits
from tests.conftest import Caller
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
