"""A week to come: who waits for what, and one mail on its Monday for whoever asked for the week."""

import re
from datetime import datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client

from accounts.services import create_user
from core import jobs
from core.models import Job, Mail
from directory import weeks
from directory.engagement import coming
from directory.models import LaunchReminder, Listing, MailChoice, Site, WeekReminder
from tests.conftest import People
from tests.factories.listings import AT, go_live, make_listing
from tests.factories.staff import fresh, staff_client

WEEK = weeks.week_of(AT) + weeks.WEEK
MONDAY = weeks.start(WEEK)
MORNING = MONDAY + timedelta(hours=6)
PATH = f"/weeks/{WEEK}"


@pytest.fixture
def booked(site: Site, people: People) -> list[Listing]:
    rows = [
        make_listing(slug, plan="paid", status="scheduled", at=MONDAY) for slug in ("brindle", "tidewell")
    ]
    for person in (people.owner, people.stranger):
        LaunchReminder.objects.create(listing=rows[0], user=person, created_at=AT)
    return rows


def send(at: datetime) -> None:
    coming.plan_weeks(at=at)
    for _ in range(2):
        jobs.run_due(queues=["mail"])


@time_machine.travel(AT, tick=False)
def test_the_page_says_who_waits_for_what_and_what_is_left(booked: list[Listing], client: Client) -> None:
    page = client.get(PATH).content.decode()

    rows = {row.split('"')[0]: row for row in page.split('<li class="row" id="')[1:]}
    bells = {slug: re.findall('class="number">([0-9]*)', row.split("</li>")[0]) for slug, row in rows.items()}
    assert bells == {"brindle": ["2"], "tidewell": []}
    assert "One e-mail that Monday morning with all 2, and nothing else." in page
    box = " ".join(re.sub("<[^>]*>", "", page.split('id="yours-here"')[1]).split())
    assert "Free from 30 November, with our badge on your homepage." in box
    assert "The free queue begins 2 weeks after the running week. At most 200 free launches a week." in box
    assert f"Or on {MONDAY:%-d %B}, without it, for €99.00 plus VAT. 48 places left." in box
    free = client.get(f"/weeks/{WEEK + weeks.WEEK}").content.decode()
    assert "Or without it for €99.00 plus VAT. 50 places left." in free
    assert "2&nbsp;products are booked, 2&nbsp;reminders set." in page
    assert f'href="/accounts/login/?next={PATH}"' in page
    assert 'rel="sponsored"' not in page  # a week that is sold makes no product an advertisement
    spoken = [re.sub("<[^>]*>", "", row.split("</li>")[0]) for row in rows.values()]
    names = [re.findall("Remind me of [A-Z][a-z]+(?: [0-9] waiting)?", words) for words in spoken]
    assert names == [["Remind me of Brindle 2 waiting"], ["Remind me of Tidewell"]]


@time_machine.travel(AT, tick=False)
def test_it_begins_with_the_pictures_of_the_three_that_booked_first(
    booked: list[Listing], client: Client
) -> None:
    picture = {"file": "pictures/a.webp", "width": 1280, "height": 800, "sizes": [640, 1280]}
    Listing.objects.filter(slug="tidewell").update(site_picture=picture)
    assert 'class="booked' not in client.get(PATH).content.decode()
    for day, slug in enumerate(("corvid", "dovecote")):
        make_listing(slug, plan="paid", status="scheduled", at=MONDAY + timedelta(days=day))
    page = client.get(PATH).content.decode()
    tiles = page.split('class="booked rows"')[1].split("</ol>")[0]

    assert re.findall('<li class="row" id="([a-z]+)"', page) == ["brindle", "tidewell", "corvid", "dovecote"]
    assert re.findall('<li class="row" id="([a-z]+)"', tiles) == ["brindle", "tidewell", "corvid"]
    assert re.findall('class="shot( drawn)?', tiles) == [" drawn", "", " drawn"]
    Listing.objects.update(site_picture=None)
    assert 'class="booked' not in client.get(PATH).content.decode()


@time_machine.travel(AT, tick=False)
def test_what_most_wait_for_is_first_and_the_heading_says_so(
    booked: list[Listing], people: People, client: Client
) -> None:
    LaunchReminder.objects.all().delete()
    assert "In the order they were booked." in client.get(PATH).content.decode()
    LaunchReminder.objects.create(listing=booked[1], user=people.owner, created_at=AT)
    for day, slug in enumerate(("corvid", "dovecote")):
        late = make_listing(slug, plan="paid", status="scheduled", at=MONDAY + timedelta(days=day))
    for number in range(3):
        reader = create_user(email=f"reader{number}@people.example")
        LaunchReminder.objects.create(listing=late, user=reader, created_at=AT)

    page = client.get(PATH).content.decode()

    assert re.findall('<li class="row" id="([a-z]+)"', page) == ["dovecote", "tidewell", "brindle", "corvid"]
    assert "Most reminders first." in page


@time_machine.travel(AT, tick=False)
def test_home_names_what_most_wait_for_first(booked: list[Listing], client: Client) -> None:
    LaunchReminder.objects.all().update(listing=booked[1])

    box = client.get("/").content.decode().split('id="coming"')[1].split("</section>")[0]

    assert re.findall('class="mini-row">.*?href="/listings/([a-z]+)"', box, re.DOTALL) == [
        "tidewell",
        "brindle",
    ]


@time_machine.travel(AT, tick=False)
def test_the_three_weeks_after_are_led_to_with_what_is_booked_in_them(
    booked: list[Listing], client: Client
) -> None:
    assert "The weeks after" not in client.get(PATH).content.decode()
    for number in (1, 3, 4):
        make_listing(f"later-{number}", plan="paid", status="scheduled", at=MONDAY + number * weeks.WEEK)
    for letter in "abcd":
        make_listing(f"third-{letter}", plan="paid", status="scheduled", at=MONDAY + 3 * weeks.WEEK)

    box = client.get(PATH).content.decode().split('id="later"')[1].split("</section>")[0]

    assert re.findall('href="/weeks/([0-9-]+)"', box) == [str(WEEK + n * weeks.WEEK) for n in (1, 3)]
    assert "and 2 more" in box


@time_machine.travel(AT, tick=False)
def test_one_press_brings_one_mail_with_all_of_it_and_one_click_ends_them(
    booked: list[Listing], people: People, client: Client, mailoutbox: list[Any], site: Site
) -> None:
    assert client.post(f"{PATH}/remind")["Location"] == f"/accounts/login/?next={PATH}"
    client.force_login(people.stranger)
    for _ in range(2):
        assert client.post(f"{PATH}/remind", {"do": "remind"})["Location"] == PATH
    assert "We’ll mail you" in client.get(PATH).content.decode()
    assert (
        "Mail me on Monday"
        in client.post(f"{PATH}/remind", {"do": "forget"}, headers={"X-Part": "1"}).content.decode()
    )
    client.post(f"{PATH}/remind", {"do": "remind"})
    coming.remind_of_week(user_id=people.owner.pk, site=site, week=WEEK, at=AT)
    MailChoice.objects.filter(user=people.owner).update(of_coming=False)
    MailChoice.objects.get_or_create(user=people.owner, defaults={"of_coming": False, "changed_at": AT})
    for path in (
        f"/weeks/{weeks.week_of(AT)}/remind",
        "/weeks/this/remind",
        "/weeks/2026-11-24/remind",
        "/weeks/2029-10-08/remind",
    ):
        assert client.post(path, {"do": "remind"}).status_code == 404
    LaunchReminder.objects.all().delete()
    for row in booked:
        go_live(listing_id=row.pk, at=MONDAY)
    jobs.run_due()
    mailoutbox.clear()

    for at in (MORNING - timedelta(minutes=1), MORNING, MORNING + timedelta(hours=1)):
        send(at)

    (mail,) = [mail for mail in mailoutbox if people.owner.email not in mail.to]
    assert (mail.to, mail.subject) == ([people.stranger.email], "The race is open: 2 products")
    for slug in ("brindle", "tidewell"):
        assert f"http://127.0.0.1:8000/listings/{slug}" in mail.body
    assert not WeekReminder.objects.exists()
    link = mail.extra_headers["List-Unsubscribe"].strip("<>")
    assert Client(enforce_csrf_checks=True).post("/" + link.split("/", 3)[3]).status_code == 200
    assert MailChoice.objects.get(user=people.stranger).of_coming is False


def test_workers_that_die_on_the_way_double_and_lose_nothing(
    booked: list[Listing], site: Site, mailoutbox: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("directory.limits.MAILED_AT_ONCE", 2)
    readers = [create_user(email=f"reader{number}@people.example") for number in range(5)]
    for reader in readers:
        coming.remind_of_week(user_id=reader.pk, site=site, week=WEEK, at=AT)
    Listing.objects.update(status="live", launched_at=MONDAY)
    for row in booked:
        row.launches.update(launched_at=MONDAY)
    assert coming.plan_weeks(at=MORNING) == 1
    claimed = jobs.claim(job_id=Job.objects.get(kind="directory.tell_week").pk)
    assert claimed is not None
    others = iter([True])

    def die() -> None:
        if not next(others, False):
            raise jobs.LeaseLostError

    monkeypatch.setattr(claimed[1], "guard", die)
    with pytest.raises(jobs.LeaseLostError):
        coming.tell_week(site_id=site.pk, week=WEEK, lease=claimed[1])
    assert (WeekReminder.objects.count(), Mail.objects.count()) == (3, 2)
    monkeypatch.undo()
    for _ in range(2):
        coming.tell_week(site_id=site.pk, week=WEEK, lease=claimed[1])
    jobs.run_due()

    assert sorted(mail.to[0] for mail in mailoutbox) == [reader.email for reader in readers]


def test_nobody_is_mailed_where_nothing_launched(site: Site, people: People, mailoutbox: list[Any]) -> None:
    coming.remind_of_week(user_id=people.stranger.pk, site=site, week=WEEK, at=AT)
    send(MORNING)

    assert (mailoutbox, WeekReminder.objects.count()) == ([], 0)


def test_staff_find_a_persons_reminders_and_forget_one(site: Site, people: People) -> None:
    rows = [
        WeekReminder.objects.create(site=site, week=WEEK, user=person, created_at=AT)
        for person in (people.owner, people.stranger)
    ]
    place = "/admin/directory/weekreminder/"
    moderator, boss = staff_client("moderator"), fresh(staff_client("administrator"))
    page = moderator.get(place, {"q": people.owner.email}).content.decode()
    assert (people.owner.email in page, people.stranger.email in page) == (True, False)
    for client, left in ((moderator, 2), (boss, 1)):
        client.post(place, {"action": "forget", "_selected_action": [rows[0].pk]})
        assert WeekReminder.objects.count() == left
