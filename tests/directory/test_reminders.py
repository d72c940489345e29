"""Mails before a launch, and what becomes of a badge that was seen: before the launch, and after it."""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

import pytest
from django.core.management import call_command

from core import jobs
from core.models import Job
from directory import weeks
from directory.errors import ListingCannotMoveError
from directory.launches import badge_watch, badges, queueing, reminding
from directory.models import BadgeCheck, Launch, Listing, Site
from tests.conftest import People
from tests.factories.listings import make_listing
from tests.servers.website import Website, html, plain

WEEK = date(2026, 11, 30)
MONDAY = weeks.start(WEEK)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
BADGE = badges.badge_html(slug="tidewell", name="Tidewell")


@pytest.fixture
def homepage(settings: Any) -> Iterator[Website]:
    with Website({"/robots.txt": plain(""), "/": html(BADGE)}) as website:
        settings.CRAWL_RESOLVE = website.at("tidewell.example")
        yield website


def booked(people: People, status: str = "scheduled", **fields: Any) -> Listing:
    return make_listing(
        "tidewell", owner=people.owner, status=status, at=MONDAY - 20 * DAY, launch_week=WEEK, **fields
    )


def subjects_of_two_weeks(mailoutbox: list[Any]) -> list[tuple[int, str]]:
    """Every mail before the launch, with how many hours before it came."""
    found = []
    for hours in range(24 * 9, -24 * 3, -6):
        for _ in range(2):
            reminding.plan_reminders(at=MONDAY - timedelta(hours=hours))
            jobs.run_due()
        found += [(hours, mail.subject) for mail in mailoutbox[len(found) :]]
    return found


def test_the_owner_is_reminded_a_week_and_a_day_before(
    site: Site, people: People, mailoutbox: list[Any]
) -> None:
    booked(people)

    assert subjects_of_two_weeks(mailoutbox) == [
        (7 * 24, "Tidewell: badge found, launch on 30 November"),
        (24, "Tidewell goes live tonight"),
    ]
    assert "Keep it there: we check again on Monday 30 November 2026, 00:00 UTC, and" in mailoutbox[0].body


def test_without_the_badge_each_mail_says_so_and_one_more_comes_on_the_day(
    site: Site, people: People, mailoutbox: list[Any]
) -> None:
    booked(people, "awaiting_badge")

    assert subjects_of_two_weeks(mailoutbox) == [
        (7 * 24, "Tidewell: put the badge up by Sunday 6 December"),
        (24, "Tidewell: put the badge up by Sunday 6 December"),
        (0, "Tidewell: put the badge up by Sunday 6 December"),
    ]
    assert all(BADGE in mail.body for mail in mailoutbox)


def test_a_week_is_changed_until_just_before_it_begins(site: Site, people: People) -> None:
    listing, before = booked(people), MONDAY - timedelta(microseconds=1)
    later = queueing.open_weeks(site=site, at=before)[1]
    change: dict[str, Any] = {"owner_id": people.owner.pk, "listing_id": listing.pk, "week": later}

    with pytest.raises(ListingCannotMoveError, match="can’t be changed any more"):
        queueing.change_week(**change, at=MONDAY)
    assert queueing.change_week(**change, at=before).launch_week == later


def test_a_paid_launch_is_reminded_of_without_a_word_of_badges(
    site: Site, people: People, mailoutbox: list[Any]
) -> None:
    booked(people, plan="paid")

    assert len(subjects_of_two_weeks(mailoutbox)) == 2
    assert "badge" not in mailoutbox[0].body


def test_an_outage_does_not_bring_two_at_once_nor_a_mail_about_a_week_that_moved(
    site: Site, people: People, mailoutbox: list[Any]
) -> None:
    listing = booked(people)
    reminding.plan_reminders(at=MONDAY - DAY)
    Listing.objects.filter(pk=listing.pk).update(launch_week=WEEK + weeks.WEEK)
    jobs.run_due()
    assert mailoutbox == []

    Listing.objects.filter(pk=listing.pk).update(launch_week=WEEK)
    Job.objects.all().delete()
    reminding.plan_reminders(at=MONDAY - DAY)
    jobs.run_due()
    assert len(mailoutbox) == 1


def test_who_has_just_booked_has_read_it_already(site: Site, people: People, mailoutbox: list[Any]) -> None:
    booked(people)
    Launch.objects.update(booked_at=MONDAY - 5 * DAY)

    assert [hours for hours, _ in subjects_of_two_weeks(mailoutbox)] == [24]


def test_a_badge_that_is_gone_before_the_launch_is_told_once_and_moves_nothing(
    site: Site, people: People, homepage: Website, mailoutbox: list[Any], client: Any
) -> None:
    listing = booked(people)
    homepage.pages["/"] = html("<h1>New look</h1>")
    for hours in range(24 * 9, 0, -1):
        badge_watch.plan_badge_checks(at=MONDAY - timedelta(hours=hours))
        for job in Job.objects.filter(kind="directory.watch_badge", state="queued"):
            badge_watch.check_badge(listing_id=job.payload["listing_id"], at=MONDAY - timedelta(hours=hours))
            job.delete()
    jobs.run_due()

    listing.refresh_from_db()
    assert (listing.status, listing.launch_week, BadgeCheck.objects.count()) == ("scheduled", WEEK, 7)
    assert [mail.subject for mail in mailoutbox] == ["Tidewell: the badge is gone from your homepage"]
    assert "If it’s missing then, we move your launch to the next free week." in " ".join(
        mailoutbox[0].body.split()
    )
    client.force_login(people.owner)
    assert (
        "We don’t see the badge on tidewell.example."
        in client.get(f"/account/listings/{listing.pk}").content.decode()
    )

    homepage.pages["/"] = html(BADGE)
    call_command("publish_due", at=MONDAY)
    listing.refresh_from_db()
    assert listing.status == "live"


def test_a_badge_that_is_lost_after_the_launch_is_warned_of_twice_and_then_for_staff(
    site: Site, people: People, homepage: Website, mailoutbox: list[Any], client: Any
) -> None:
    listing = make_listing("tidewell", owner=people.owner, at=MONDAY + HOUR)
    make_listing("brindle", owner=people.owner, plan="paid", at=MONDAY + HOUR)
    homepage.pages["/"] = html("<h1>New look</h1>")
    for days in range(60):
        call_command("check_badges", at=MONDAY + days * DAY)
    jobs.run_due()

    assert [mail.subject for mail in mailoutbox] == ["Tidewell: the badge is gone from your homepage"] * 2
    assert "we check again in a week" in " ".join(mailoutbox[0].body.split())
    listing.refresh_from_db()
    assert listing.status == "live"
    assert BadgeCheck.objects.count() == 7
    client.force_login(people.staff)
    page = client.get("/admin/directory/listing/?badge=lost").content.decode()
    assert ("Tidewell" in page, "Brindle" in page) == (True, False)
    homepage.pages["/"] = html(BADGE)
    badge_watch.check_badge(listing_id=listing.pk, at=MONDAY + 61 * DAY)
    assert "Tidewell" not in client.get("/admin/directory/listing/?badge=lost").content.decode()


def test_a_badge_that_came_back_and_is_lost_again_is_warned_of_again(
    site: Site, people: People, homepage: Website, mailoutbox: list[Any]
) -> None:
    make_listing("tidewell", owner=people.owner, at=MONDAY + HOUR)
    make_listing("brindle", owner=people.owner, at=MONDAY + HOUR, badge_waived=True)
    for number, page in enumerate(["<h1>New look</h1>", BADGE, "<h1>Newer look</h1>"], start=1):
        homepage.pages["/"] = html(page)
        call_command("check_badges", at=MONDAY + (7 * number + 1) * DAY)
    jobs.run_due()

    assert [mail.subject for mail in mailoutbox] == ["Tidewell: the badge is gone from your homepage"] * 2


def test_a_badge_seen_after_its_week_moves_the_launch_and_the_mail_says_so(
    site: Site, people: People, homepage: Website, mailoutbox: list[Any]
) -> None:
    listing = booked(people, "awaiting_badge")

    for _ in range(2):
        badge_watch.check_badge(listing_id=listing.pk, at=weeks.end(WEEK) + HOUR)
    jobs.run_due()

    listing.refresh_from_db()
    assert (listing.status, listing.launch_week) == ("scheduled", WEEK + 2 * weeks.WEEK)
    (mail,) = mailoutbox
    assert mail.subject == "Tidewell: badge found, launch moved to the week of 14 December"
    assert "14 December 2026" in mail.body
