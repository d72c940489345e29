"""One launch from its booking to its award: 400 votes, a tie at the end, each page and mail of it in a browser."""

import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta
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
from directory import weeks
from directory.engagement import visits, voting
from directory.launches import badges
from directory.launches.hours import write_hours
from directory.models import Listing, Vote
from directory.sites.catalogue import ensure_default_site
from leaderboards.models import Award
from tests.browser.conftest import SCREENS
from tests.browser.test_pages import LAYOUT, violations
from tests.factories.listings import make_category, make_listing
from tests.factories.reviews import make_question
from tests.leaderboards.test_launch_mails import faults, pass_time
from tests.servers.website import Website, html, plain

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
WIDTHS = (390, 1280)
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
        SCREENS.mkdir(parents=True, exist_ok=True)

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
            page.screenshot(path=SCREENS / f"launch-{name}-{width}.jpg", type="jpeg", full_page=True)
            assert (violations(page), page.evaluate(LAYOUT)) == ([], []), (name, width)
        self.plain.go(path)
        return str(self.plain.page.locator("main").inner_text())

    def read(self, message: Any) -> None:
        """A mail as its reader sees it."""
        page = self.scripted.context.new_page()  # without the policy of our pages
        page.set_content(message.alternatives[0][0])
        name = re.sub(r"\W+", "-", message.subject.lower())
        for width, theme in zip(WIDTHS, ("dark", "light"), strict=True):
            page.emulate_media(color_scheme=theme)
            page.set_viewport_size({"width": width, "height": 900})
            page.screenshot(path=SCREENS / f"launch-mail-{name}-{width}.jpg", type="jpeg", full_page=True)
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
    monday = weeks.week_of(timezone.now()) + 2 * weeks.WEEK
    with at(weeks.start(monday) - 10 * DAY):
        week = booked(stage, brindle)
    start, end = weeks.start(week), weeks.end(week)
    for before in (7 * DAY, DAY):
        with at(start - before):
            pass_time(start - before, mailoutbox=mail.outbox)
            assert "Goes live Monday" in before_it(stage, brindle, name=f"before-{before.days}")
    rivals = {slug: make_listing(slug, at=start, launch_week=week) for slug in FIELD}
    with at(start + 5 * timedelta(minutes=1)):
        pass_time(start + 5 * timedelta(minutes=1), mailoutbox=mail.outbox)
        stage.sign_in()
        assert "No votes yet" in stage.look("room-monday", f"/account/listings/{brindle.pk}/launch")
    half = start + 3.5 * DAY + HOUR
    cast(
        people,
        {brindle: 120, rivals["saltmarsh"]: 80} | {rivals[slug]: n for slug, n in FIELD.items() if n},
        start=start,
        until=half,
    )
    with at(half):
        seen(brindle, at=half)
        while_it_runs(stage, brindle, people, week=week, now=half)
    cast(people[120:], {brindle: 80}, start=half, until=end - HOUR)
    cast(people[80:], {rivals["saltmarsh"]: 120}, start=half, until=end - HOUR)
    done = end + 12 * HOUR
    with at(done):
        pass_time(end - DAY, done, mailoutbox=mail.outbox)
        after_it(stage, brindle, week=week)
    every_mail_came_once(stage, ines, week)
    assert stage.scripted.foreign + stage.plain.foreign == []


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


def while_it_runs(stage: Stage, brindle: Listing, people: list[User], *, week: date, now: datetime) -> None:
    """Half time: each figure is a recount of rows."""
    make_question(brindle, people[0], created_at=now)
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
    assert f"{counted['brindle'] - counted['anchorage']} ahead" in race
    assert "No votes yet" in race
    listing = " ".join(stage.look("live-listing", "/listings/brindle").split())
    assert "In the race 1st of 6 this week" in listing
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


def every_mail_came_once(stage: Stage, maker: User, week: date) -> None:
    own = [message for message in mail.outbox if message.to == [maker.email]]
    day = f"{week:%-d %B}"
    assert sorted(str(message.subject) for message in own) == sorted(
        [
            f"Brindle launches Monday {day}",
            f"Brindle: badge found, launch on {day}",
            "Brindle goes live tonight",
            "Brindle is live",
            "Half time: Brindle is 1st",
            "Brindle finished second of 6",
        ]
    )
    for message in own:
        assert faults(message) == []
        stage.read(message)
