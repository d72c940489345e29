"""One launch from its booking to its award: 400 votes, a tie at the end, each page and mail of it in a browser."""

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.db import close_old_connections
from django.db.models import Count
from django.test import Client
from django.utils import timezone

from accounts import services as accounts
from accounts.models import User
from core import jobs
from core.models import Job
from directory import weeks
from directory.engagement import coming, topic_mail, visits, voting
from directory.launches import badges
from directory.launches.race import write_hours
from directory.models import Listing, Question, Review, Vote
from directory.reviews import deciding
from directory.sites.catalogue import ensure_default_site
from leaderboards.models import Award
from tests.browser.conftest import picture
from tests.browser.test_pages import LAYOUT, violations
from tests.directory.test_followers_mail import digests
from tests.factories.listings import make_category, make_listing
from tests.factories.reviews import TEXT
from tests.factories.staff import make_staff
from tests.leaderboards.test_launch_mails import faults, pass_time
from tests.servers.website import Website, html, plain

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
WIDTHS = (390, 1280)
READER, LONG_AGO = "reader@elsewhere.example", datetime(2020, 1, 1, tzinfo=UTC)
VOTERS, READERS, CLICKS = 200, 24, 7
FIELD = {"saltmarsh": 0, "anchorage": 90, "corvid": 60, "dunlin": 30, "eiderdown": 0}


@pytest.fixture
def brindle(transactional_db: None, settings: Any, ines: User) -> Iterator[Listing]:
    """A product that is ready, with the badge on its homepage."""
    ensure_default_site()
    make_category("payroll", name="Payroll")
    with Website(
        {"/robots.txt": plain(""), "/": html(badges.badge_html(slug="brindle", name="Brindle"))}
    ) as web:
        settings.CRAWL_RESOLVE = web.at("brindle.example")
        yield make_listing("brindle", name="Brindle", owner=ines, status="draft", categories=("payroll",))


class Stage:
    """Somebody who looks at all of it: without scripts for what it says, with them for what axe finds."""

    def __init__(self, visit: Any, maker: User) -> None:
        self.plain, self.scripted = visit(java_script_enabled=False), visit(reduced_motion="reduce")
        self.maker = maker

    def sign_in(self) -> None:
        for window in (self.plain, self.scripted):
            window.sign_in(self.maker)

    def look(self, name: str, path: str) -> str:
        """What a page says; nothing on it is wrong for axe, crushed or wider than the screen."""
        page = self.scripted.page
        assert self.scripted.go(path).status == 200, name
        for width, theme in zip(WIDTHS, ("dark", "light"), strict=True):
            page.emulate_media(color_scheme=theme)
            page.set_viewport_size({"width": width, "height": 900})
            picture(page, f"launch-{name}-{width}")
            assert (violations(page), page.evaluate(LAYOUT)) == ([], []), (name, width)
        self.plain.go(path)
        return str(self.plain.page.locator("main").inner_text())

    def read(self, message: Any) -> None:
        """A mail as its reader sees it, and as text."""
        page = self.scripted.context.new_page()  # without the policy of our pages
        page.set_content(message.alternatives[0][0])
        assert [fault for fault in faults(message) if fault != message.subject] == []
        name = re.sub(r"\W+", "-", message.subject.lower())
        for width, theme in zip(WIDTHS, ("dark", "light"), strict=True):
            page.emulate_media(color_scheme=theme)
            page.set_viewport_size({"width": width, "height": 900})
            picture(page, f"launch-mail-{name}-{width}")
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (name, width)
            found = [
                line for line in violations(page) if line.split(":")[0] not in ("landmark-one-main", "region")
            ]
            assert found == [], name
        page.close()


def test_a_launch_from_booking_to_award_with_four_hundred_votes(
    visit: Any, ines: User, brindle: Listing
) -> None:
    stage, people = Stage(visit, ines), voters()
    rui, noor = (accounts.create_user(email=f"{name}@{name}.example") for name in ("rui", "noor"))
    brindle.co_owners.add(rui)
    week = until_it_is_live(stage, brindle, noor)
    start, end = weeks.start(week), weeks.end(week)
    rivals = {slug: make_listing(slug, at=start, launch_week=week) for slug in FIELD}
    on_monday(stage, brindle, noor, start=start)
    half = start + 3.5 * DAY + HOUR
    cast(
        people,
        {brindle: 120, rivals["saltmarsh"]: 80} | {rivals[slug]: n for slug, n in FIELD.items() if n},
        start=start,
        until=half,
    )
    with at(half):
        seen(brindle, at=half)
        press(noor, "/listings/brindle/questions", text="Does it know the rest rules of Spain?")
        while_it_runs(stage, brindle, week=week, now=half)
        talk(brindle, ines, noor)
    cast(people[120:], {brindle: 80}, start=half, until=end - HOUR)
    cast(people[80:], {rivals["saltmarsh"]: 120}, start=half, until=end - HOUR)
    done = end + 12 * HOUR
    with at(done):
        pass_time(end - DAY, done, mailoutbox=mail.outbox)
        after_it(stage, brindle, week=week)
    every_mail_came_once(stage, (ines, rui), noor, week)
    assert stage.scripted.foreign + stage.plain.foreign == []


def until_it_is_live(stage: Stage, brindle: Listing, noor: User) -> date:
    """Booked, asked for, a week and a day before it; gives the week."""
    monday = weeks.week_of(timezone.now()) + 2 * weeks.WEEK
    with at(weeks.start(monday) - 10 * DAY):
        week = booked(stage, brindle)
        waits_for_it(noor, week)
    for before in (7 * DAY, DAY):
        with at(weeks.start(week) - before):
            pass_time(weeks.start(week) - before, mailoutbox=mail.outbox)
            assert "Goes live Monday" in before_it(stage, brindle, name=f"before-{before.days}")
    return week


def on_monday(stage: Stage, brindle: Listing, noor: User, *, start: datetime) -> None:
    minutes = start + timedelta(minutes=5)
    with at(minutes):
        pass_time(minutes, mailoutbox=mail.outbox)
        stage.sign_in()
        press(noor, "/listings/brindle/follow", do="follow")
        post_update(stage.maker, brindle)
        assert "No votes yet" in stage.look("room-monday", f"/account/listings/{brindle.pk}/launch")
    for moment in (start + 6.5 * HOUR, start + 31 * HOUR):
        with at(moment):
            news_of_the_morning(moment)


def at(moment: datetime) -> Any:
    close_old_connections()
    return time_machine.travel(moment, tick=True)


def voters() -> list[User]:
    """People of long standing who have nothing in common."""
    long_ago = timezone.now() - 400 * DAY
    people = [accounts.create_user(email=f"somebody@voter-{number}.example") for number in range(VOTERS)]
    User.objects.filter(pk__in=[person.pk for person in people]).update(date_joined=long_ago)
    return people


def cast(people: list[User], numbers: dict[Listing, int], *, start: datetime, until: datetime) -> None:
    """So many votes for each, evenly over the time, each from a network of its own."""
    for listing, number in numbers.items():
        for place, person in enumerate(people[:number]):
            moment = start + HOUR + (until - start - 2 * HOUR) * place / number
            address = f"10.{person.pk % 250}.{person.pk // 250 % 250}.1"
            assert voting.cast_vote(user=person, listing_id=listing.pk, at=moment, address=address)


def seen(listing: Listing, *, at: datetime) -> None:
    """Visits of as many people, of whom some go on to the website."""
    for number in range(READERS):
        address, client = f"203.0.113.{number}", Client()
        client.get(
            f"/listings/{listing.slug}", REMOTE_ADDR=address, headers={"Referer": "https://news.example/a"}
        )
        if number < CLICKS:
            client.get(f"/listings/{listing.slug}/visit", REMOTE_ADDR=address)
    visits.fold_visits()
    write_hours(at=at)


def booked(stage: Stage, brindle: Listing) -> date:
    """Its maker presses one button; gives the week."""
    stage.sign_in()
    stage.plain.go(f"/account/listings/{brindle.pk}")
    stage.plain.page.get_by_role("button", name="Launch free").click()
    stage.plain.page.get_by_text("Goes live Monday").first.wait_for()
    jobs.run_due()
    brindle.refresh_from_db()
    assert brindle.launch_week is not None
    return brindle.launch_week


def before_it(stage: Stage, brindle: Listing, *, name: str) -> str:
    stage.sign_in()
    stage.look(f"{name}-listing", f"/listings/{brindle.slug}")
    stage.look(f"{name}-week", f"/weeks/{brindle.launch_week}")
    return stage.look(f"{name}-room", f"/account/listings/{brindle.pk}/launch")


def recounted(week: date) -> dict[str, int]:
    rows = Vote.objects.counted().filter(week=week).values("listing__slug").annotate(number=Count("pk"))
    return {row["listing__slug"]: row["number"] for row in rows}


def press(user: User, path: str, **form: str) -> None:
    """What a person sends on a page."""
    client = Client()
    client.force_login(user)
    assert client.post(path, form).status_code == 302, path
    jobs.run_due()


def waits_for_it(noor: User, week: date) -> None:
    """Everything that anybody may ask for before a launch."""
    for path in ("/listings/brindle/remind", f"/weeks/{week}/remind"):
        press(noor, path, do="remind")
    press(noor, "/categories/payroll/follow", do="follow")
    assert Client().post("/winners", {"email": READER}).status_code == 200
    jobs.run_due()
    (path,) = re.findall(r"/winners/confirm/\S+", mail.outbox[-1].body)
    assert Client().post(path).status_code == 200


def post_update(maker: User, brindle: Listing) -> None:
    press(
        maker, f"/account/listings/{brindle.pk}/updates", title="We are out", body="Tell us what is missing."
    )


def news_of_the_morning(now: datetime) -> None:
    """What the clock does for those who asked and follow, twice."""
    Job.objects.filter(kind="directory.tell_followers").update(run_after=LONG_AGO)  # staff had their time
    for _ in range(2):
        topic_mail.plan(at=now)
        coming.plan_weeks(at=now)
        jobs.run_due()
        digests(now)
        jobs.run_due()


def talk(brindle: Listing, maker: User, noor: User) -> None:
    """An answer, a review that staff publish, and a reply to it."""
    here = f"/account/listings/{brindle.pk}"
    press(maker, f"{here}/questions/{Question.objects.get().pk}", text="Yes, since October.")
    User.objects.filter(pk=noor.pk).update(date_joined=timezone.now() - 400 * DAY)
    noor.refresh_from_db()
    press(noor, "/listings/brindle/reviews/write", name="Noor", stars="4", how="uses", text=TEXT, unpaid="on")
    review = Review.objects.get()
    deciding.publish_review(review_id=review.pk, staff=make_staff(), at=timezone.now())
    jobs.run_due()
    press(maker, f"{here}/reviews/{review.pk}", text="Thank you, Noor.")


def while_it_runs(stage: Stage, brindle: Listing, *, week: date, now: datetime) -> None:
    """Half time: each figure is a recount of rows."""
    pass_time(now, mailoutbox=mail.outbox)
    stage.sign_in()
    counted = recounted(week)
    room = stage.look("live-room", f"/account/listings/{brindle.pk}/launch")
    figures = " ".join(room.split())
    assert "1st" in figures
    assert f"Votes {counted['brindle']}" in figures
    assert f"Visits to your page {READERS}" in figures
    assert f"Visits to your website {CLICKS}" in figures
    assert "1 question waits for your answer." in figures
    race = " ".join(stage.look("live-week", "/weeks/this").split())
    assert f"{sum(counted.values())} votes by {people_of(week)} people" in race
    assert "ahead of" not in race  # thirty votes are no fight
    assert "No votes yet" in race
    listing = " ".join(stage.look("live-listing", "/listings/brindle").split())
    assert "In the race 1st of 6 this week" in listing
    assert f"{counted['brindle'] - counted['anchorage']} votes ahead of Anchorage" in listing
    assert "Brindle is 1st." in stage.look("live-home", "/")
    assert "Brindle is 1st of 6" in stage.look("live-account", "/account")


def people_of(week: date) -> int:
    return Vote.objects.counted().filter(week=week).values("user").distinct().count()


def after_it(stage: Stage, brindle: Listing, *, week: date) -> None:
    """Two with 200 votes each: the one that launched first won."""
    stage.sign_in()
    counted = recounted(week)
    assert (counted["brindle"], counted["saltmarsh"], sum(counted.values())) == (200, 200, 580)
    ended = " ".join(stage.look("ended-week", f"/weeks/{week}").split())
    assert "Saltmarsh won the week" in ended
    assert f"6 launches, 580 votes by {people_of(week)} people" in ended
    assert "Saltmarsh over Brindle, level on votes: the earlier launch ranks first." in ended
    room = " ".join(stage.look("after-room", f"/account/listings/{brindle.pk}/launch").split())
    assert "Second of 6" in room
    assert (
        "200 people voted for Brindle. You finished level with Saltmarsh and 110 votes ahead of Anchorage."
        in room
    )
    award = Award.objects.get(listing=brindle)
    assert (award.rank, award.votes) == (2, 200)
    stage.look("award", f"/awards/{award.pk}")
    stage.look("after-listing", "/listings/brindle")
    stage.look("after-home", "/")
    assert not Award.objects.filter(listing__slug="eiderdown").exists()


def every_mail_came_once(stage: Stage, makers: tuple[User, User], noor: User, week: date) -> None:
    """What came to the makers, to who waits and follows, and to who only reads winners; each is looked at."""
    day = f"{week:%-d %B}"
    of_makers = [
        f"Brindle launches Monday {day}",
        f"Brindle: badge found, launch on {day}",
        "Brindle goes live tonight",
        "Brindle is live",
        "Half time: Brindle is 1st",
        "A question about Brindle",
        "A review of Brindle: 4 of 5",
        "Brindle finished second of 6",
    ]
    of_noor = [
        "Brindle launched today",
        "The race is open: 6 products",
        "Brindle has launched",
        "Brindle: We are out",
        "Brindle answered your question",
        "Your review of Brindle is public",
        "Brindle replied to your review",
    ]
    expected = {maker.email: of_makers for maker in makers} | {noor.email: of_noor}
    for address, subjects in expected.items():
        came = [str(message.subject) for message in mail.outbox if message.to == [address]]
        assert sorted(came) == sorted(subjects), address
    winners = [message for message in mail.outbox if message.to == [READER]][1:]
    assert [message.subject for message in winners] == [f"Saltmarsh won the week of {day}"]
    own = [message for message in mail.outbox if message.to in ([makers[0].email], [noor.email])]
    with_no_way_out = [message.subject for message in own if message.subject in faults(message)]
    assert with_no_way_out == ["Your review of Brindle is public"]  # what staff decide is always told
    for message in [*own, *winners]:
        stage.read(message)
