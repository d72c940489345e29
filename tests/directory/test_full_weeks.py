"""What many do at once: the last place of a week, and a Monday on which many launch while workers die."""

import threading
import time
from collections import Counter
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from core import jobs
from core.models import Job
from directory import weeks
from directory.launches import badges, publishing
from directory.models import Launch, Listing, Site, SiteSettings
from tests.conftest import Api, People
from tests.factories.listings import AT, make_listing
from tests.servers.website import Website, html, plain

PLACES = CALLERS = 40
WEEK = date(2026, 11, 23)
MONDAY = weeks.start(WEEK)


def fill(site: Site, *, week: date, places: int) -> None:
    """Book so many places of a week."""
    names = [f"booked-{number}" for number in range(places)]
    rows = [
        Listing(site=site, slug=name, name=name, url=f"https://{name}.example/", created_at=AT, updated_at=AT)
        for name in names
    ]
    listings = Listing.objects.bulk_create(rows)
    Launch.objects.bulk_create(
        Launch(site=site, listing=listing, week=week, kind="free", booked_at=AT) for listing in listings
    )


@pytest.mark.django_db(transaction=True)
def test_of_forty_who_want_the_last_place_of_a_week_one_gets_it_and_the_others_the_next_week(
    api: Api, people: People, site: Site, settings: Any
) -> None:
    SiteSettings.objects.create(site=site, free_slots_per_week=PLACES, changed_at=timezone.now())
    first = weeks.week_of(datetime.now(UTC)) + 2 * weeks.WEEK
    fill(site, week=first, places=PLACES - 1)
    listings = [
        make_listing(f"one-{number}", owner=people.owner, status="draft") for number in range(CALLERS)
    ]
    callers, statuses = [api("all") for _ in listings], list[int]()
    together = threading.Barrier(CALLERS)

    def choose(caller: Any, listing: Listing) -> None:
        try:
            together.wait(60)
            path, ends = f"/api/v1/me/listings/{listing.pk}/free", time.monotonic() + 60
            while (status := caller.post(path).status_code) == 503 and time.monotonic() < ends:
                """A busy machine may say that it is; whoever comes again, as it asks, gets a place."""
            statuses.append(status)
        finally:
            connection.close()

    with Website({"/robots.txt": plain(""), "/": html("<h1>Soon</h1>")}) as website:
        settings.CRAWL_RESOLVE = website.at(*(f"{listing.slug}.example" for listing in listings))
        threads = [threading.Thread(target=choose, args=pair) for pair in zip(callers, listings, strict=True)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(120)

    assert statuses == [200] * CALLERS
    booked = Counter(Launch.objects.filter(listing__in=listings).values_list("week", flat=True))
    assert booked == {first: 1, first + weeks.WEEK: CALLERS - 1}
    told = Counter(
        Listing.objects.filter(pk__in=[row.pk for row in listings]).values_list("launch_week", flat=True)
    )
    assert told == booked


def test_on_a_monday_with_workers_that_die_each_launches_once_with_one_mail(
    site: Site, people: People, settings: Any, mailoutbox: list[Any]
) -> None:
    slugs = [f"one-{number}" for number in range(12)]
    with Website({"/robots.txt": plain("")}) as website:
        website.pages["/"] = html("".join(badges.badge_html(slug=slug, name=slug) for slug in slugs))
        settings.CRAWL_RESOLVE = website.at(*(f"{slug}.example" for slug in slugs))
        for slug in slugs:
            make_listing(slug, owner=people.owner, status="scheduled", at=MONDAY, launch_week=WEEK)
        publishing.plan_launches(at=MONDAY)
        before, after = list(Job.objects.filter(kind="directory.launch_one").order_by("run_after"))[:2]
        for job in (before, after):
            assert jobs.claim(job_id=job.pk)
        # one worker died before it had done anything, another when only the job's own row was still to be written
        publishing.launch_listing(listing_id=after.payload["listing_id"], at=MONDAY)
        Job.objects.filter(pk__in=[before.pk, after.pk]).update(
            lease_until=timezone.now() - timedelta(minutes=1)
        )
        for _ in range(2):
            publishing.plan_launches(at=MONDAY + timedelta(minutes=1))
            for job in Job.objects.filter(kind="directory.launch_one", state__in=["queued", "running"]):
                claimed = jobs.claim(job_id=job.pk)
                assert claimed
                publishing.launch_listing(listing_id=job.payload["listing_id"], at=MONDAY)
                Job.objects.filter(pk=job.pk).update(state="done", finished_at=timezone.now())
        jobs.run_due()

    assert set(Listing.objects.values_list("status", "launch_week")) == {("live", WEEK)}
    launches = Launch.objects.filter(launched_at=MONDAY).values_list("listing", flat=True)
    assert (len(launches), len(set(launches))) == (len(slugs), len(slugs))
    assert {listing.moves.count() for listing in Listing.objects.all()} == {1}
    assert sorted(mail.subject for mail in mailoutbox) == sorted(
        f"{listing.name} is live" for listing in Listing.objects.all()
    )


def test_weeks_that_were_missed_are_made_up_for_oldest_first(site: Site, people: People) -> None:
    made = {
        number: make_listing(
            f"week-{number}", owner=people.owner, status="scheduled", plan="paid", at=MONDAY,
            launch_week=WEEK - number * weeks.WEEK,
        )
        for number in (1, 3, 0, 2)
    }  # fmt: skip
    publishing.plan_launches(at=MONDAY)

    order = (
        Job.objects.filter(kind="directory.launch_one")
        .order_by("run_after")
        .values_list("payload", flat=True)
    )
    assert [payload["listing_id"] for payload in order] == [made[number].pk for number in (3, 2, 1, 0)]
    for payload in order:
        publishing.launch_listing(listing_id=payload["listing_id"], at=MONDAY)
    assert list(Launch.objects.order_by("pk").values_list("week", flat=True)) == [WEEK] * 4
