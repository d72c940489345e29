"""Home: the rows of the running week can be voted for, and what stands beside them is drawn ahead of requests."""

from datetime import timedelta

from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from core import jobs
from directory import weeks
from directory.models import Listing, Site
from tests.factories.listings import make_listing


def test_a_booked_launch_takes_no_vote_off_the_running_week(site: Site, client: Client) -> None:
    now = timezone.now()
    make_listing("brindle", at=now)
    make_listing("later", status="scheduled", at=weeks.start(weeks.week_of(now)) + timedelta(days=8))

    page = client.get("/").content.decode()

    forms = [f"/listings/{slug}/{act}" for slug in ("brindle", "later") for act in ("vote", "follow")]
    assert [form for form in forms if form in page] == ["/listings/brindle/vote"]


def test_a_worker_draws_what_stands_beside_the_race_so_that_no_request_does(
    site: Site, client: Client
) -> None:
    launch = timezone.now() - timedelta(days=20)
    make_listing("brindle", at=launch)
    client.get("/")  # what a process keeps is kept now
    caches["process"].clear()
    with CaptureQueriesContext(connection) as alone:
        fresh = client.get("/").content.decode().split("More launches")[1]
    assert f"Launched {launch:%-d %b %Y}" in fresh

    jobs.add("config.draw_home", key="now")
    jobs.run_due()
    with CaptureQueriesContext(connection) as drawn:
        page = client.get("/").content.decode()
    assert 'href="/listings/brindle"' in page
    assert len(drawn) <= len(alone) - 6

    Listing.objects.update(name="Brindle Rota")  # seen when the worker has come round again
    assert "Brindle Rota" not in client.get("/").content.decode()
