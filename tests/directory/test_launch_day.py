"""Monday morning: a homepage that cannot be opened costs nobody the week, and what must not go live says why."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.utils import timezone

from core import jobs
from core.models import Job
from directory import weeks
from directory.errors import DuplicateListingError
from directory.launches import badge_check, badge_watch, badges, publishing
from directory.launches.badge_check import AT_ONCE
from directory.models import BadgeCheck, Launch, Listing, Site, SiteSettings
from tests.conftest import Api, People
from tests.factories.listings import go_live, make_listing
from tests.servers.website import Handler, Reply, Website, hang, html, plain, raw, redirect
from tests.waiting import begin_blocked

WEEK = date(2026, 11, 23)
MONDAY = weeks.start(WEEK)
QUARTER, HOUR, DAY = timedelta(minutes=15), timedelta(hours=1), timedelta(days=1)
SLUGS = ("tidewell", "brindle", "cobalt", "dunlin")


@pytest.fixture
def homepages(settings: Any) -> Iterator[Website]:
    """The homepages of four products, each with every badge, told apart by nothing."""
    code = "".join(badges.badge_html(slug=slug, name=slug) for slug in SLUGS)
    with Website({"/robots.txt": plain(""), "/": html(code)}) as website:
        settings.CRAWL_RESOLVE = website.at(*(f"{slug}.example" for slug in SLUGS))
        yield website


@pytest.fixture
def listing(site: Site, people: People, homepages: Website) -> Listing:
    return make_listing("tidewell", owner=people.owner, status="scheduled", at=MONDAY - DAY, launch_week=WEEK)


def publish(at: datetime) -> None:
    call_command("publish_due", at=at)
    jobs.run_due()


def check(at: datetime) -> None:
    call_command("check_badges", at=at)
    jobs.run_due()


def state(listing: Listing) -> tuple[str, date | None]:
    listing.refresh_from_db()
    return listing.status, listing.launch_week


CLOSED = {
    "unavailable": html("Down", status=503),
    "not there": html("Gone", status=404),
    "no HTTP": raw(b"?"),
    "circle": redirect("/"),
}


@pytest.mark.parametrize("closed", CLOSED.values(), ids=CLOSED)
def test_a_homepage_that_cannot_be_opened_keeps_its_week_until_it_can(
    listing: Listing, homepages: Website, mailoutbox: list[Any], closed: Reply
) -> None:
    there, homepages.pages["/"] = homepages.pages["/"], closed

    publish(MONDAY)

    assert state(listing) == ("scheduled", WEEK)
    assert listing.status_reason.startswith("We couldn’t open the homepage. We’ll keep trying.")
    check = BadgeCheck.objects.get()
    assert (check.was_read, check.found, check.next_at) == (False, False, MONDAY + QUARTER)

    homepages.pages["/"] = there
    publish(MONDAY + QUARTER)

    assert state(listing) == ("live", WEEK)
    assert [mail.subject for mail in mailoutbox] == ["Tidewell is live"]


def test_no_connection_and_no_name_are_no_missing_badge_either(
    listing: Listing, settings: Any, mailoutbox: list[Any]
) -> None:
    settings.CRAWL_RESOLVE = {"tidewell.example": ("127.0.0.1", 9)}
    publish(MONDAY)
    settings.CRAWL_RESOLVE = {}
    publish(MONDAY + QUARTER)

    assert state(listing) == ("scheduled", WEEK)
    assert list(BadgeCheck.objects.order_by("at").values_list("result", flat=True)) == [
        "connect_failed",
        "address_not_public",
    ]
    assert mailoutbox == []


def test_it_is_tried_every_quarter_of_an_hour_and_then_every_hour(
    listing: Listing, homepages: Website
) -> None:
    homepages.pages["/"] = html("Down", status=503)
    at, tries = MONDAY, []
    while at < MONDAY + timedelta(hours=3):
        before = BadgeCheck.objects.count()
        publishing.plan_launches(at=at)
        for job in Job.objects.filter(kind="directory.launch_one", state="queued"):
            publishing.launch_listing(listing_id=job.payload["listing_id"], at=at)
            job.delete()
        tries += [int((at - MONDAY).total_seconds() // 60)] * (BadgeCheck.objects.count() - before)
        at += timedelta(minutes=5)

    assert tries == [0, 15, 30, 45, 60, 120]


def test_a_slow_queue_does_not_fill_up_with_the_same_launch(listing: Listing) -> None:
    for minute in range(30):
        publishing.plan_launches(at=MONDAY + timedelta(minutes=minute))
    assert Job.objects.filter(kind="directory.launch_one").count() == 1

    publishing.plan_launches(at=MONDAY + HOUR)
    assert Job.objects.filter(kind="directory.launch_one").count() == 2


@pytest.mark.parametrize("hours", [24, 3])
def test_after_the_grace_that_staff_set_it_moves_on_and_the_mail_says_why(
    site: Site, listing: Listing, homepages: Website, mailoutbox: list[Any], hours: int
) -> None:
    if hours != 24:
        SiteSettings.objects.create(site=site, launch_grace_hours=hours, changed_at=timezone.now())
    homepages.pages["/"] = html("Down", status=503)
    publish(MONDAY)
    publish(MONDAY + timedelta(hours=hours) - timedelta(seconds=1))
    assert (state(listing), mailoutbox) == (("scheduled", WEEK), [])

    for _ in range(2):
        publish(MONDAY + timedelta(hours=hours))

    assert state(listing) == ("awaiting_badge", WEEK + weeks.WEEK)
    assert (listing.missed_weeks, Launch.objects.get().week) == (0, WEEK + weeks.WEEK)
    (mail,) = mailoutbox
    assert mail.subject == "Tidewell: we couldn’t open your homepage, so the launch moved"
    assert "The homepage answered 503." in mail.body
    assert "badge is gone" not in mail.body
    assert "this week doesn’t count as missed" in " ".join(mail.body.split())


def test_a_badge_that_is_gone_is_told_as_that(
    listing: Listing, homepages: Website, mailoutbox: list[Any]
) -> None:
    homepages.pages["/"] = html("<h1>New look</h1>")

    for _ in range(2):
        publish(MONDAY)

    assert state(listing) == ("awaiting_badge", WEEK + weeks.WEEK)
    (mail,) = mailoutbox
    assert mail.subject == "Tidewell: the badge is gone, so the launch moved"
    assert "No link to the listing with the badge in it was found." in mail.body
    assert "30 November 2026" in mail.body


def test_nobody_pays_for_an_outage_of_ours(
    site: Site, people: People, homepages: Website, settings: Any, mailoutbox: list[Any]
) -> None:
    there = settings.CRAWL_RESOLVE
    for slug in SLUGS:
        make_listing(slug, owner=people.owner, status="scheduled", at=MONDAY - DAY, launch_week=WEEK)
    settings.CRAWL_RESOLVE = {}
    for at in (MONDAY, MONDAY + DAY, MONDAY + 2 * DAY):
        publish(at)

    assert set(Listing.objects.values_list("status", "launch_week")) == {("scheduled", WEEK)}
    assert mailoutbox == []

    settings.CRAWL_RESOLVE = there
    publish(MONDAY + 2 * DAY + HOUR)
    assert set(Listing.objects.values_list("status", "launch_week")) == {("live", WEEK)}
    assert len(mailoutbox) == len(SLUGS)


def test_a_week_that_ended_while_the_homepage_was_closed_is_not_missed(
    site: Site, people: People, homepages: Website, mailoutbox: list[Any]
) -> None:
    listing = make_listing(
        "tidewell", owner=people.owner, status="awaiting_badge", at=MONDAY, launch_week=WEEK, missed_weeks=2
    )
    ends = weeks.end(WEEK)
    homepages.pages["/"] = html("Down", status=503)
    for at in (ends - HOUR, ends, ends + DAY - HOUR):
        check(at)
    assert (state(listing), mailoutbox) == (("awaiting_badge", WEEK), [])

    for _ in range(2):
        check(ends + DAY)

    assert state(listing) == ("awaiting_badge", WEEK + 2 * weeks.WEEK)
    assert (listing.missed_weeks, len(mailoutbox)) == (2, 1)
    assert "The homepage answered 503." in mailoutbox[0].body
    moves = list(listing.moves.order_by("pk").values_list("from_status", "to_status", "by"))
    assert moves == [("awaiting_badge", "awaiting_badge", "system")]


def test_who_missed_too_often_and_asks_again_has_every_try_again(
    site: Site, api: Api, people: People, homepages: Website
) -> None:
    listing = make_listing("tidewell", owner=people.owner, status="draft", missed_weeks=3)
    homepages.pages["/"] = html("No badge")
    assert api("all").post(f"/api/v1/me/listings/{listing.pk}/free").json()["status"] == "awaiting_badge"

    listing.refresh_from_db()
    assert listing.missed_weeks == 0


def test_after_four_weeks_behind_a_closed_door_it_is_a_draft_again(
    site: Site, people: People, homepages: Website, mailoutbox: list[Any]
) -> None:
    listing = make_listing(
        "tidewell", owner=people.owner, status="awaiting_badge", at=MONDAY, launch_week=WEEK
    )
    homepages.pages["/"] = html("Down", status=503)
    at = weeks.end(WEEK)
    while state(listing)[0] == "awaiting_badge" and at < MONDAY + 60 * DAY:
        check(at)
        at += DAY

    assert state(listing) == ("draft", None)
    assert MONDAY + timedelta(weeks=5) <= at <= MONDAY + timedelta(weeks=8)
    assert mailoutbox[-1].subject == "Tidewell: we couldn’t open your homepage, so the launch is off"
    assert Launch.objects.count() == 0


def test_an_owner_who_asks_does_not_hold_the_web_server_and_sees_it_done(
    site: Site, people: People, homepages: Website, client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(badge_check, "AT_ONCE", AT_ONCE)
    listing = make_listing(
        "tidewell", owner=people.owner, status="awaiting_badge", launch_week=date(2999, 1, 7), at=MONDAY
    )
    there, homepages.pages["/"] = homepages.pages["/"], hang()
    client.force_login(people.owner)

    page = client.post(f"/account/listings/{listing.pk}/badge", follow=True).content.decode()

    assert "We’re still checking" in page
    assert BadgeCheck.objects.count() == 0
    homepages.pages["/"] = there
    jobs.run_due()
    assert state(listing)[0] == "scheduled"


def test_the_owner_sees_what_was_seen_and_where(
    listing: Listing, people: People, homepages: Website, client: Any
) -> None:
    publishing.launch_listing(listing_id=listing.pk, at=MONDAY - DAY)
    badge_check.record(listing=listing, check=badge_check.Check(result="found", detail=""), at=MONDAY - DAY)
    homepages.pages["/"] = html("Down", status=503)
    publish(MONDAY)
    client.force_login(people.owner)
    page = client.get(f"/account/listings/{listing.pk}").content.decode()
    assert "It goes live as soon as we can open tidewell.example." in page
    assert "Keep it on" in page
    homepages.pages["/"] = html(f'<a href="{badges.link_url("tidewell")}"><b>us</b></a>')
    publish(MONDAY + QUARTER)

    page = client.get(f"/account/listings/{listing.pk}").content.decode()

    assert "23 Nov, 00:00 UTC" in page
    assert "The homepage answered 503." in page
    assert "&lt;b&gt;us&lt;/b&gt;&lt;/a&gt;</code>" in page


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"name": ""}, "The listing can’t launch yet. Left: name."),
        ({"tagline": "", "categories": ()}, "The listing can’t launch yet. Left: tagline and category."),
    ],
)
@pytest.mark.parametrize("plan", ["free", "paid"])
def test_a_listing_without_what_every_listing_needs_does_not_launch(
    people: People, homepages: Website, mailoutbox: list[Any], fields: dict[str, Any], reason: str, plan: str
) -> None:
    listing = make_listing(
        "tidewell", owner=people.owner, status="scheduled", plan=plan, at=MONDAY, launch_week=WEEK, **fields
    )

    for _ in range(2):
        publish(MONDAY)

    assert (state(listing), listing.status_reason) == (("draft", None), reason)
    (mail,) = mailoutbox
    assert (mail.subject.endswith("didn’t launch"), reason in mail.body) == (True, True)
    assert Launch.objects.filter(launched_at__isnull=False).count() == 0
    (move,) = listing.moves.all()
    assert (move.from_status, move.to_status, move.by, move.reason) == (
        "scheduled",
        "draft",
        "system",
        reason,
    )


def test_an_address_is_live_once(
    site: Site, people: People, homepages: Website, listing: Listing, mailoutbox: list[Any]
) -> None:
    second = make_listing(
        "brindle",
        owner=people.stranger,
        status="scheduled",
        at=MONDAY,
        launch_week=WEEK,
        url=listing.url,
        host=listing.host,
    )

    publish(MONDAY)

    assert (state(listing), state(second)) == (("live", WEEK), ("draft", None))
    assert {mail.subject for mail in mailoutbox} == {"Tidewell is live", "Brindle didn’t launch"}
    assert "Tidewell is live at this address already." in second.status_reason


def test_the_badge_seen_while_the_week_runs_does_not_launch_what_is_not_complete(
    site: Site, people: People, homepages: Website
) -> None:
    listing = make_listing(
        "tidewell", owner=people.owner, status="awaiting_badge", at=MONDAY, launch_week=WEEK, tagline=""
    )

    check(MONDAY + DAY)

    assert state(listing) == ("draft", None)


@pytest.mark.django_db(transaction=True)
def test_what_is_suspended_while_its_homepage_is_read_does_not_launch(
    listing: Listing, homepages: Website
) -> None:
    there = homepages.pages["/"]

    def meanwhile(handler: Handler) -> None:
        Listing.objects.update(status="suspended")
        connection.close()
        there(handler)

    homepages.pages["/"] = meanwhile
    publish(MONDAY)

    assert (state(listing), BadgeCheck.objects.count()) == (("suspended", WEEK), 0)


def test_jobs_that_run_twice_launch_once(listing: Listing, mailoutbox: list[Any]) -> None:
    for _ in range(2):
        publishing.launch_listing(listing_id=listing.pk, at=MONDAY)
        badge_watch.check_badge(listing_id=listing.pk, at=MONDAY)
    jobs.run_due()

    assert (listing.moves.count(), Launch.objects.count(), len(mailoutbox)) == (1, 1, 1)
    assert Launch.objects.get().launched_at == datetime(2026, 11, 23, tzinfo=UTC)


@pytest.mark.django_db(transaction=True)
def test_two_of_one_address_that_go_live_at_once_do_it_one_after_the_other() -> None:
    first = make_listing("tidewell", status="draft", at=MONDAY)
    second = make_listing(
        "brindle", status="draft", at=MONDAY, url="http://www.tidewell.example", host=first.host
    )
    refused: list[str] = []

    def launch() -> None:
        try:
            go_live(listing_id=second.pk, at=MONDAY)
        except DuplicateListingError as error:
            refused.append(error.extras["slug"])

    with transaction.atomic():
        go_live(listing_id=first.pk, at=MONDAY)
        other = begin_blocked(launch)
    other.join(30)

    assert refused == ["tidewell"]
    assert (state(first)[0], state(second)[0]) == ("live", "draft")
