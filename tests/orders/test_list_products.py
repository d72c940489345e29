"""What is for sale, and in which weeks."""

from collections.abc import Callable
from datetime import timedelta

from django.utils import timezone

from directory.models import Launch, Site, SiteSettings
from directory.weeks import WEEK, week_of
from tests.conftest import Caller
from tests.factories.listings import make_listing


def test_shows_the_coming_weeks_with_the_paid_places_left(api: Callable[..., Caller], site: Site) -> None:
    now = timezone.now()
    SiteSettings.objects.create(site=site, paid_slots_per_week=3, changed_at=now)
    following = week_of(now) + WEEK
    for number, kind in enumerate(["paid", "relaunch", "free"]):
        listing = make_listing(f"listing-{number}", at=now - timedelta(weeks=9))
        Launch.objects.create(site=site, listing=listing, week=following, kind=kind, booked_at=now)

    body = api().get("/api/v1/products").json()

    assert (body["currency"], body["prices_include_vat"], body["items"]) == ("EUR", False, [])
    assert [week["slots_left"] for week in body["weeks"][:2]] == [1, 3]
    assert body["weeks"][0]["week"] == following.isoformat()
