"""From the booking to the award: each mail about a launch comes once, and none to who stopped them."""

import re
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from io import BytesIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from PIL import Image

from accounts.services import create_user
from core import jobs
from core.models import Job
from directory import weeks
from directory.launches import badges, free_choice, launch_mail, paid, reminding
from directory.launches.badge_check import Check
from directory.mail_kinds import OF_LAUNCHES
from directory.models import Launch, Listing, MailChoice, Site, VisitCount
from leaderboards import closing
from leaderboards.models import WeekClose
from tests.conftest import People
from tests.factories.listings import make_listing
from tests.factories.reviews import make_question
from tests.servers.website import Website, html, plain

WEEK = date(2026, 11, 16)
MONDAY, BOOKING = weeks.start(WEEK), datetime(2026, 11, 6, 12, tzinfo=UTC)
HALF, DAY = timedelta(hours=12), timedelta(days=1)
SEEN = Check(result="found", detail="The badge is there.")
RAW = re.compile(r"\d{4}-\d\d-\d\d|\bNone\b|\{[{%]|awaiting_badge|scheduled\b|[ (]\.|,,| ,")
ADDRESS = re.compile(r"https?://\S+|<pre>.*?</pre>|<style>.*?</style>|<[^>]*>", re.S)


@pytest.fixture
def homepage(settings: Any) -> Iterator[Website]:
    code = badges.badge_html(slug="tidewell", name="Tidewell")
    with Website({"/robots.txt": plain(""), "/": html(code)}) as website:
        settings.CRAWL_RESOLVE = website.at("tidewell.example")
        yield website


def booked(slug: str, owner: Any) -> Listing:
    """A launch that is paid for, in that week."""
    listing = make_listing(slug, owner=owner, status="draft")
    paid.launch_paid(listing_id=listing.pk, week=WEEK, by="test", at=BOOKING)
    return Listing.objects.get(pk=listing.pk)


def pass_time(*moments: datetime, mailoutbox: list[Any]) -> list[tuple[str, str, str]]:
    """Do all that is due at these moments, twice; gives when which mail came to whom."""
    came = []
    for at in moments:
        seen = len(mailoutbox)
        for _ in range(2):
            reminding.plan_reminders(at=at)
            launch_mail.plan_half_time(at=at)
            call_command("publish_due", at=at)
            closing.close_due_weeks(at=at)
            jobs.run_due()
            jobs.run_due()
        came += [(f"{at:%a %-d, %H}", mail.to[0], mail.subject) for mail in mailoutbox[seen:]]
    return came


def test_from_booking_to_award_each_mail_comes_once_and_stops_with_one_click(
    site: Site, people: People, homepage: Website, vote: Callable[..., Any], mailoutbox: list[Any]
) -> None:
    listing = make_listing("tidewell", owner=people.owner, status="draft")
    free_choice.choose_free_listing(owner_id=people.owner.pk, listing_id=listing.pk, check=SEEN, at=BOOKING)
    rival, quiet = booked("brindle", people.stranger), booked("corvid", create_user(email="c@people.example"))
    OF_LAUNCHES.choose(user_id=quiet.owner.pk, is_on=False, at=BOOKING)  # type: ignore[union-attr]
    call = {"mailoutbox": mailoutbox}

    before = pass_time(BOOKING, *(MONDAY - days * DAY for days in (8, 7, 6, 2, 1, 0.5, 0)), **call)
    link = mailoutbox[-1].extra_headers["List-Unsubscribe"].strip("<>")
    stopped = mailoutbox[-1].to[0]
    for row, number in ((listing, 1203), (rival, 1290), (quiet, 0)):
        Launch.objects.filter(listing=row).update(votes=number)
    vote(listing, 3, at=MONDAY + DAY)
    vote(rival, 4, at=MONDAY + DAY)
    VisitCount.objects.create(listing=listing, at=MONDAY + DAY, visits=1942, clicks=611)
    make_question(listing, people.staff, created_at=MONDAY + DAY)
    during = pass_time(*(MONDAY + days * DAY for days in (1, 3, 3.5, 4, 5.5)), **call)
    half = next(mail for mail in mailoutbox if mail.subject == "Half time: Tidewell is 2nd")

    owner, other = people.owner.email, people.stranger.email
    assert sorted(before) == sorted(
        [
            ("Fri 6, 12", owner, "Tidewell launches Monday 16 November"),
            ("Fri 6, 12", other, "Brindle launches Monday 16 November"),
            ("Fri 6, 12", "c@people.example", "Corvid launches Monday 16 November"),
            ("Mon 9, 00", owner, "Tidewell: badge found, launch on 16 November"),
            ("Mon 9, 00", other, "Brindle launches on 16 November"),
            ("Sun 15, 00", owner, "Tidewell goes live tonight"),
            ("Sun 15, 00", other, "Brindle goes live tonight"),
            ("Mon 16, 00", owner, "Tidewell is live"),
            ("Mon 16, 00", other, "Brindle is live"),
        ]
    )
    assert sorted(during) == [
        ("Thu 19, 12", owner, "Half time: Tidewell is 2nd"),
        ("Thu 19, 12", other, "Half time: Brindle is 1st"),
    ]
    assert "2nd of 3, with 1,203 votes, 1,942 visits and 611 clicks." in half.body
    assert "Brindle is 87 votes ahead." in half.body
    assert "1 question waits for your answer." in half.body

    assert Client(enforce_csrf_checks=True).post("/" + link.split("/", 3)[3]).status_code == 200
    assert MailChoice.objects.get(user__email=stopped).of_launches is False
    after = pass_time(*(MONDAY + days * DAY for days in (6, 7.5, 8)), **call)
    left = {owner: "Tidewell finished second of 3", other: "Brindle finished first of 3"}
    assert after == [("Mon 23, 12", to, subject) for to, subject in left.items() if to != stopped]
    assert pass_time(MONDAY + 10 * DAY, **call) == []
    assert [fault for mail in mailoutbox for fault in faults(mail)] == []


def faults(mail: Any) -> list[str]:
    """What no reader should see: a raw value, or a mail without its way out."""
    page = mail.alternatives[0][0]
    raw = [found[0] for text in (mail.body, page) for found in RAW.finditer(ADDRESS.sub("", text))]
    link = mail.extra_headers.get("List-Unsubscribe", "").strip("<>")
    return raw + [mail.subject for text in (mail.body, page) if not link or link not in text]


@pytest.fixture
def three(site: Site, vote: Callable[..., Any]) -> list[Listing]:
    """Three launches of three people, by their votes."""
    made = []
    for number, slug in enumerate(("anchor", "brindle", "corvid", "dunlin")):
        owner = create_user(email=f"{slug}@people.example")
        listing = make_listing(slug, owner=owner, at=MONDAY + number * HALF / 12, votes=3 - number)
        vote(listing, 3 - number, at=MONDAY + DAY)
        made.append(listing)
    return made


def half_time(lease: jobs.Lease) -> None:
    launch_mail.tell_half_time(site_id=Site.objects.get().pk, week=WEEK, lease=lease)


def result(lease: jobs.Lease) -> None:
    closing.tell_results(close_id=WeekClose.objects.get().pk, lease=lease)


@pytest.mark.parametrize(
    ("tell", "kind", "subjects"),
    [
        (
            half_time,
            "directory.tell_half_time",
            {
                "Half time: Anchor is 1st",
                "Half time: Brindle is 2nd",
                "Half time: Corvid is 3rd",
                "Half time: no votes for Dunlin yet",
            },
        ),
        (
            result,
            "leaderboards.tell_results",
            {
                "Anchor finished first of 4",
                "Brindle finished second of 4",
                "Corvid finished third of 4",
                "The week of Dunlin is over",
            },
        ),
    ],
)
def test_workers_that_die_on_the_way_double_and_lose_nothing(
    three: list[Listing],
    mailoutbox: list[Any],
    monkeypatch: pytest.MonkeyPatch,
    tell: Callable[[jobs.Lease], None],
    kind: str,
    subjects: set[str],
) -> None:
    for area in (launch_mail, closing):
        monkeypatch.setattr(area, "WRITTEN_AT_ONCE", 2)
    launch_mail.plan_half_time(at=MONDAY + 4 * DAY)
    closing.close_due_weeks(at=MONDAY + 8 * DAY)
    claimed = jobs.claim(job_id=Job.objects.get(kind=kind).pk)
    assert claimed is not None
    renewals = iter([True])

    def die() -> None:
        if not next(renewals, False):
            raise jobs.LeaseLostError

    monkeypatch.setattr(claimed[1], "renew", die)
    with pytest.raises(jobs.LeaseLostError):
        tell(claimed[1])
    assert Job.objects.filter(kind="core.send_mail").count() == 2
    monkeypatch.undo()
    for _ in range(2):
        tell(claimed[1])
    Job.objects.exclude(kind="core.send_mail").delete()
    jobs.run_due()

    assert sorted(mail.subject for mail in mailoutbox) == sorted(subjects)
    assert [fault for mail in mailoutbox for fault in faults(mail)] == []


def test_a_week_that_is_closed_long_after_is_nobody_s_news(
    three: list[Listing], mailoutbox: list[Any]
) -> None:
    closing.close_due_weeks(at=MONDAY + 30 * DAY)
    jobs.run_due()

    assert mailoutbox == []


def test_everybody_who_owns_it_is_told_once_and_sees_the_votes_as_a_picture(
    three: list[Listing], people: People, mailoutbox: list[Any], client: Client
) -> None:
    anchor = three[0]
    anchor.co_owners.add(people.stranger, people.staff, anchor.owner)  # type: ignore[arg-type]
    OF_LAUNCHES.choose(user_id=people.staff.pk, is_on=False, at=BOOKING)
    pass_time(MONDAY + 3.5 * DAY, MONDAY + 8 * DAY, mailoutbox=mailoutbox)

    told = [(mail.to[0], mail.subject) for mail in mailoutbox if "Anchor" in mail.subject]
    both = [anchor.owner.email, people.stranger.email]  # type: ignore[union-attr]
    subjects = ["Half time: Anchor is 1st", "Anchor finished first of 4"]
    assert sorted(told) == sorted((to, subject) for to in both for subject in subjects)
    html = next(mail for mail in mailoutbox if mail.subject == "Half time: Anchor is 1st").alternatives[0][0]
    (path,) = re.findall(r'src="http://127.0.0.1:8000(/share/curves/[^"]+\.png)"', html)
    picture = client.get(path)
    with Image.open(BytesIO(picture.content)) as drawn:
        assert (drawn.format, drawn.size) == ("PNG", (1088, 400))
    assert picture["Cache-Control"] == "private, max-age=86400"
    assert client.get(path.replace("-", "-1", 1)).status_code == 404
    without = next(mail for mail in mailoutbox if "Dunlin" in mail.subject).alternatives[0][0]
    assert "/share/curves/" not in without
