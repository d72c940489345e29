"""The free way to a launch: a queued week, the badge on the homepage, Monday morning."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from core import jobs
from core.fetch import OTHER_SITES
from core.models import Job
from directory import weeks
from directory.launches import badge_check, badges
from directory.launches.badge_check import AT_ONCE
from directory.models import Launch, Listing, Site, SiteSettings
from tests.conftest import Caller, People
from tests.factories.listings import make_listing
from tests.servers.website import Reply, Website, drip, hang, html, plain
from tests.waiting import taken, undisturbed


@pytest.fixture
def homepage(settings: Any) -> Any:
    with Website({"/robots.txt": plain(""), "/": html("<h1>Tidewell</h1>")}) as website:
        settings.CRAWL_RESOLVE = website.at("tidewell.example")
        yield website


@pytest.fixture
def saved(people: People, site: Site, homepage: Website) -> Listing:
    return make_listing("tidewell", owner=people.owner, status="draft")


def free(caller: Caller, listing: Listing) -> Any:
    return caller.post(f"/api/v1/me/listings/{listing.pk}/free")


def paste_badge(homepage: Website, slug: str = "tidewell") -> None:
    homepage.pages["/"] = html(f"<h1>Tidewell</h1>{badges.badge_html(slug=slug, name='Tidewell')}")


def status_of(listing: Listing) -> str:
    listing.refresh_from_db()
    return listing.status


def test_queues_for_the_first_week_of_the_free_queue_and_says_what_to_paste(
    api: Callable[..., Caller], saved: Listing
) -> None:
    answer = free(api("all"), saved)

    body = answer.json()
    week = weeks.week_of(datetime.now(UTC)) + 2 * weeks.WEEK
    assert (answer.status_code, body["status"], body["launch_week"]) == (
        200,
        "awaiting_badge",
        week.isoformat(),
    )
    assert (body["queue"]["position"], body["queue"]["week"]) == (1, week.isoformat())
    badge = body["queue"]["badge"]
    assert (badge["required"], badge["found"], badge["last_result"]) == (True, False, "not_found")
    assert badge["link_url"] in badge["html"]
    assert Launch.objects.get(listing=saved).week == week


def test_with_the_badge_there_already_it_is_scheduled(
    api: Callable[..., Caller], saved: Listing, homepage: Website
) -> None:
    paste_badge(homepage)

    body = free(api("all"), saved).json()

    assert (body["status"], body["queue"]["badge"]["found"]) == ("scheduled", True)


def test_the_badge_is_looked_for_on_the_homepage_not_on_the_page_that_was_given(
    api: Callable[..., Caller], saved: Listing, homepage: Website
) -> None:
    Listing.objects.update(url="https://tidewell.example/prices?utm_source=mail")
    homepage.pages["/prices"] = html("<h1>Prices</h1>")
    paste_badge(homepage)

    body = free(api("all"), saved).json()

    badge = body["queue"]["badge"]
    assert (body["status"], badge["found"]) == ("scheduled", True)
    assert badge["homepage"] == "https://tidewell.example/"
    assert homepage.paths == ["/"]


def test_a_second_call_keeps_the_week_and_a_full_week_is_passed_over(
    api: Callable[..., Caller], saved: Listing, people: People, site: Site
) -> None:
    SiteSettings.objects.create(
        site=site, free_queue_weeks=1, free_slots_per_week=1, changed_at=datetime.now(UTC)
    )
    other = make_listing("brindle", owner=people.owner, status="draft", url="https://brindle.example/")
    caller = api("all")

    first = free(caller, saved).json()["launch_week"]
    again = free(caller, saved)
    second = free(caller, other).json()["launch_week"]

    assert (again.status_code, again.json()["launch_week"]) == (200, first)
    assert datetime.fromisoformat(second) - datetime.fromisoformat(first) == timedelta(days=7)


@pytest.mark.parametrize("status", ["live", "archived", "rejected", "suspended"])
def test_refuses_a_listing_that_is_not_merely_saved(
    api: Callable[..., Caller], people: People, site: Site, status: str
) -> None:
    listing = make_listing("tidewell", owner=people.owner, status=status)

    answer = free(api("all"), listing)

    assert (answer.status_code, answer.json()["code"], answer.json()["current"]) == (
        400,
        "invalid_state",
        status,
    )
    assert status_of(listing) == status


def test_refuses_a_listing_whose_launch_was_paid_for(
    api: Callable[..., Caller], people: People, site: Site
) -> None:
    listing = make_listing("tidewell", owner=people.owner, status="scheduled", plan="paid")

    refused = free(api("all"), listing)

    assert (refused.status_code, refused.json()["code"]) == (400, "invalid_state")
    assert (refused.json()["current"], "live" in refused.json()["allowed"]) == ("scheduled", True)
    assert status_of(listing) == "scheduled"


def test_somebody_elses_listing_is_not_there(
    api: Callable[..., Caller], saved: Listing, people: People
) -> None:
    answer = free(api("all", user=people.stranger), saved)

    assert (answer.status_code, answer.json()["code"], status_of(saved)) == (404, "not_found", "draft")


@pytest.mark.parametrize("broken", ["http://[", "https://[your-site]", "http://a\u2100b/", "http://x:99999/"])
def test_a_broken_address_on_the_homepage_is_passed_over(
    api: Callable[..., Caller], saved: Listing, homepage: Website, broken: str
) -> None:
    code = badges.badge_html(slug="tidewell", name="Tidewell")
    homepage.pages["/"] = html(f'<a href="{broken}">a</a><img src="{broken}"><base href="{broken}">{code}')

    answer = free(api("all"), saved)

    assert (answer.status_code, answer.json()["status"]) == (200, "scheduled")


@pytest.mark.parametrize(
    "slow",
    [hang(), drip(), html("<p>" + "x" * 600_000), html("<b>" * 30_000)],
    ids=["hangs", "drips", "large", "tags"],
)
def test_what_would_take_long_is_left_to_a_job_that_begins_at_once(
    api: Callable[..., Caller],
    saved: Listing,
    homepage: Website,
    monkeypatch: pytest.MonkeyPatch,
    slow: Reply,
) -> None:
    monkeypatch.setattr(badge_check, "AT_ONCE", AT_ONCE)
    homepage.pages["/"] = slow
    caller = api("all")

    with undisturbed() as clock:
        body = free(caller, saved).json()

    assert clock.seconds < badge_check.IN_A_JOB.seconds
    assert (body["status"], body["queue"]["badge"]["last_checked_at"]) == ("awaiting_badge", None)
    assert Job.objects.get(kind="directory.check_badge").run_after <= datetime.now(UTC)
    paste_badge(homepage)
    jobs.run_due()
    assert status_of(saved) == "scheduled"


def test_many_slow_homepages_do_not_hold_the_web_server(
    api: Callable[..., Caller], saved: Listing, homepage: Website
) -> None:
    paste_badge(homepage)
    caller = api("all")
    with taken(OTHER_SITES):
        body = free(caller, saved).json()

    assert (body["status"], homepage.requests) == ("awaiting_badge", [])
    jobs.run_due()
    assert status_of(saved) == "scheduled"


def test_a_listing_that_cannot_launch_is_refused_without_opening_its_homepage(
    api: Callable[..., Caller], saved: Listing, homepage: Website
) -> None:
    Listing.objects.filter(pk=saved.pk).update(tagline="")

    answer = free(api("all"), saved)

    body = answer.json()
    assert (answer.status_code, body["code"], body["missing"]) == (400, "invalid_state", ["tagline"])
    assert (status_of(saved), homepage.requests, Launch.objects.count()) == ("draft", [], 0)


@pytest.mark.parametrize("holder", ["stranger", None])
def test_a_product_that_is_live_already_is_to_be_claimed(
    api: Callable[..., Caller], saved: Listing, homepage: Website, people: People, holder: str | None
) -> None:
    make_listing(
        "known", owner=people.stranger if holder else None, url="http://www.tidewell.example", host=saved.host
    )

    answer = free(api("all"), saved)

    body = answer.json()
    assert (answer.status_code, body["code"], body["slug"]) == (400, "duplicate_listing", "known")
    assert [action["operation"] for action in body["next_actions"]] == ["claim_listing"]
    assert (status_of(saved), homepage.requests, saved.moves.count()) == ("draft", [], 0)


def test_the_next_action_says_what_a_person_must_do(api: Callable[..., Caller], saved: Listing) -> None:
    body = free(api("all"), saved).json()

    action = body["next_actions"][0]
    assert action["operation"] == "choose_free_listing"
    assert body["queue"]["badge"]["html"] in action["why"]
    assert saved.url in action["why"]


def test_a_second_call_is_refused_once_another_is_live_at_the_address(
    api: Callable[..., Caller], people: People, saved: Listing
) -> None:
    me = api("all")
    assert free(me, saved).status_code == 200
    make_listing("known", owner=people.stranger, url=saved.url, host=saved.host, domain=saved.domain)

    body = free(me, saved).json()
    assert (body["code"], body["slug"], status_of(saved)) == ("duplicate_listing", "known", "awaiting_badge")


def test_chosen_again_it_looks_at_the_homepage_at_once_and_keeps_the_week(
    api: Callable[..., Caller], people: People, saved: Listing, homepage: Website
) -> None:
    me = api("all")
    queued = free(me, saved).json()
    again = free(me, saved).json()
    assert (again["status"], again["launch_week"]) == ("awaiting_badge", queued["launch_week"])
    assert saved.badge_checks.count() == 2

    paste_badge(homepage)
    seen = free(me, saved).json()
    assert (seen["status"], seen["launch_week"]) == ("scheduled", queued["launch_week"])
    assert seen["queue"]["badge"]["last_result"] == "found"

    asked = len(homepage.requests)
    assert free(me, saved).json()["status"] == "scheduled"
    assert len(homepage.requests) == asked  # there is nothing left to look for


def test_a_homepage_too_slow_to_look_at_at_once_is_left_to_a_job_when_chosen_again(
    api: Callable[..., Caller], saved: Listing, homepage: Website, monkeypatch: pytest.MonkeyPatch
) -> None:
    me = api("all")
    free(me, saved)
    Job.objects.all().delete()
    homepage.pages["/"] = hang()
    monkeypatch.setattr(badge_check, "AT_ONCE", AT_ONCE)

    assert free(me, saved).json()["status"] == "awaiting_badge"
    assert Job.objects.filter(kind="directory.check_badge").count() == 1


def test_what_was_seen_is_kept_with_its_place_in_the_page(
    api: Callable[..., Caller], saved: Listing, homepage: Website
) -> None:
    homepage.pages["/"] = html(f'<p>See <a href="{badges.link_url("tidewell")}">our listing</a>.')
    free(api("all"), saved)
    paste_badge(homepage)
    call_command("check_badges")

    seen = [(check.result, check.snippet) for check in saved.badge_checks.order_by("pk")]
    assert seen == [
        ("link_only", f'<a href="{badges.link_url("tidewell")}">our listing</a>'),
        ("found", badges.badge_html(slug="tidewell", name="Tidewell")),
    ]


def test_a_listing_that_fails_does_not_stop_the_others(
    api: Callable[..., Caller], saved: Listing, homepage: Website, people: People, monkeypatch: Any
) -> None:
    caller = api("all")
    free(caller, saved)
    other = make_listing(
        "brindle", owner=people.owner, status="awaiting_badge", at=datetime(2020, 1, 1, tzinfo=UTC)
    )
    paste_badge(homepage)
    check_homepage = badge_check.check_homepage

    def fail(*, homepage: str, **rest: Any) -> Any:
        if "brindle" in homepage:
            raise RuntimeError("a fault of ours")
        return check_homepage(homepage=homepage, **rest)

    monkeypatch.setattr(badge_check, "check_homepage", fail)

    with pytest.raises(CommandError, match=f"1 failed.\n{other.pk}: RuntimeError: a fault of ours"):
        call_command("check_badges")

    assert (status_of(saved), status_of(other)) == ("scheduled", "awaiting_badge")


def test_the_badge_moves_it_on_and_monday_publishes_it(
    api: Callable[..., Caller], saved: Listing, homepage: Website, mailoutbox: list[Any]
) -> None:
    week = free(api("all"), saved).json()["launch_week"]
    paste_badge(homepage)
    call_command("check_badges")
    assert status_of(saved) == "scheduled"

    call_command(
        "publish_due",
        at=weeks.start(saved.launch_week or weeks.week_of(datetime.now(UTC))) - timedelta(seconds=1),
    )
    assert status_of(saved) == "scheduled"
    call_command("publish_due", at=weeks.start(saved.launch_week))
    jobs.run_due()

    assert (status_of(saved), saved.launched_at) == ("live", datetime.fromisoformat(f"{week}T00:00:00+00:00"))
    assert [(move.from_status, move.to_status) for move in saved.moves.order_by("pk")] == [
        ("draft", "awaiting_badge"),
        ("awaiting_badge", "scheduled"),
        ("scheduled", "live"),
    ]
    assert [sent.subject for sent in mailoutbox] == [
        f"Tidewell launches Monday {saved.launch_week:%-d %B}",
        "Tidewell is live",
    ]


def test_a_badge_that_is_gone_on_monday_sends_it_back_to_the_next_open_week(
    api: Callable[..., Caller], saved: Listing, homepage: Website, mailoutbox: list[Any]
) -> None:
    paste_badge(homepage)
    free(api("all"), saved)
    saved.refresh_from_db()
    week = saved.launch_week
    assert week is not None
    homepage.pages["/"] = html("<h1>New look</h1>")

    call_command("publish_due", at=weeks.start(week))
    jobs.run_due()

    assert (status_of(saved), saved.launch_week) == ("awaiting_badge", week + weeks.WEEK)
    assert [sent.subject.partition(" ")[2] for sent in mailoutbox] == [
        f"launches Monday {week:%-d %B}",
        "the badge is gone, so the launch moved",
    ]


def test_a_week_that_ends_without_the_badge_is_moved_twice_and_then_given_up(
    api: Callable[..., Caller], saved: Listing, mailoutbox: list[Any]
) -> None:
    free(api("all"), saved)
    seen = []
    for _ in range(3):
        saved.refresh_from_db()
        assert saved.launch_week is not None
        call_command("check_badges", at=weeks.end(saved.launch_week))
        seen.append(status_of(saved))
    jobs.run_due()

    assert seen == ["awaiting_badge", "awaiting_badge", "draft"]
    assert (saved.launch_week, Launch.objects.filter(listing=saved).count(), len(mailoutbox)) == (None, 0, 4)


def test_a_badge_seen_while_the_week_runs_publishes_at_once(
    api: Callable[..., Caller], saved: Listing, homepage: Website
) -> None:
    free(api("all"), saved)
    saved.refresh_from_db()
    assert saved.launch_week is not None
    paste_badge(homepage)

    call_command("check_badges", at=weeks.start(saved.launch_week) + timedelta(days=3))

    assert status_of(saved) == "live"
