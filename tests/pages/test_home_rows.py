"""The rows of the running week on the home page can be voted for, whatever else is booked."""

from datetime import timedelta

from django.test import Client
from django.utils import timezone

from directory import weeks
from directory.models import Site
from tests.factories.listings import make_listing


def test_a_booked_launch_takes_no_vote_off_the_running_week(site: Site, client: Client) -> None:
    now = timezone.now()
    make_listing("brindle", at=now)
    make_listing("later", status="scheduled", at=weeks.start(weeks.week_of(now)) + timedelta(days=8))

    page = client.get("/").content.decode()

    forms = [f"/listings/{slug}/{act}" for slug in ("brindle", "later") for act in ("vote", "follow")]
    assert [form for form in forms if form in page] == ["/listings/brindle/vote"]
