"""Costly work has a limit of its own, which refused calls leave alone, whichever door they come through."""

from typing import Any

import pytest
from django.test import Client

from core.api import throttling
from core.models import Job
from directory.models import Site
from drafts.models import Draft
from tests.conftest import Api, People
from tests.factories.listings import make_listing

PATH = "/api/v1/drafts"


@pytest.fixture
def one_crawl(settings: Any) -> None:
    settings.RATE_LIMIT_FACTOR = 1 / 60  # 120 crawls an hour become 2, 300 changes a minute 5


def test_refused_bodies_spend_no_crawl(api: Api, site: Site, one_crawl: None) -> None:
    caller = api("listings:write")
    refused = [caller.post(PATH, {"url": url}) for url in ("", "ftp://example.com", "http://127.0.0.1/", "x")]
    taken = caller.post(PATH, {"url": "https://example.com"})

    assert {answer.status_code for answer in refused} == {400}
    assert {answer["RateLimit-Policy"] for answer in refused} == {'"write";q=5;w=60'}
    assert (taken.status_code, taken["RateLimit-Policy"]) == (201, '"crawl";q=2;w=3600')
    assert taken["RateLimit"].startswith('"crawl";r=1;')


def test_a_replayed_answer_spends_no_crawl(api: Api, site: Site, one_crawl: None) -> None:
    caller = api("listings:write")
    first, again = (
        caller.post(PATH, {"url": "https://example.com"}, Idempotency_Key="once") for _ in range(2)
    )
    other = caller.post(PATH, {"url": "https://example.org"})

    assert (first.status_code, again.content) == (201, first.content)
    assert (again["RateLimit-Policy"], other["RateLimit"][:13]) == ('"write";q=5;w=60', '"crawl";r=0;t')


def test_one_crawl_too_many_is_429_and_leaves_nothing(api: Api, site: Site, one_crawl: None) -> None:
    caller = api("listings:write")
    for ending in ("com", "org"):
        caller.post(PATH, {"url": f"https://example.{ending}"})
    answer = caller.post(PATH, {"url": "https://example.net"})
    body = answer.json()

    assert (answer.status_code, body["policy"], body["limit"], body["remaining"]) == (429, "crawl", 2, 0)
    assert answer["Retry-After"] == str(body["retry_after"])
    assert (Draft.objects.count(), Job.objects.count()) == (2, 2)


@pytest.fixture
def page(client: Client, people: People, site: Site) -> Client:
    client.force_login(people.owner)
    return client


def left(people: People) -> int:
    return throttling.count("crawl", caller=f"user:{people.owner.pk}", cost=0).remaining


@pytest.mark.parametrize("url", ["", "http://10.0.0.1/", "http://localhost/", "ftp://example.com/"])
def test_an_address_that_the_page_refuses_spends_no_crawl(page: Client, people: People, url: str) -> None:
    assert page.post("/submit", {"url": url}).status_code == 400
    assert (left(people), Draft.objects.count()) == (120, 0)


def test_a_site_that_is_drafted_already_spends_no_crawl(page: Client, people: People) -> None:
    for _ in range(2):
        assert page.post("/submit", {"url": "example.com"}).status_code == 302
    assert (left(people), Draft.objects.count()) == (119, 1)


def test_pages_and_programs_spend_from_the_same_limit(page: Client, api: Api, one_crawl: None) -> None:
    page.post("/submit", {"url": "example.com"})
    api("listings:write").post(PATH, {"url": "https://example.org"})
    refused = page.post("/submit", {"url": "example.net"})

    assert (refused.status_code, Draft.objects.count(), Job.objects.count()) == (429, 2, 2)
    assert int(refused["Retry-After"]) > 0
    assert "Too many tries" in refused.content.decode()


def test_trying_a_failed_draft_again_spends_a_crawl_and_a_refusal_none(page: Client, people: People) -> None:
    page.post("/submit", {"url": "example.com"})
    draft = Draft.objects.get()
    page.post(f"/drafts/{draft.pk}/again")
    assert left(people) == 119  # it has not failed

    Draft.objects.update(status="failed")
    Job.objects.all().delete()
    page.post(f"/drafts/{draft.pk}/again")
    assert (left(people), Draft.objects.get().status) == (118, "crawling")


def test_asking_for_a_badge_check_spends_a_crawl_only_for_ones_own_that_may_need_it(
    page: Client, people: People
) -> None:
    live = make_listing("live", owner=people.owner)
    waiting = make_listing("waiting", owner=people.owner, status="awaiting_badge", url="http://127.0.0.1:9/")
    foreign = make_listing("foreign", owner=people.stranger, status="awaiting_badge")

    statuses = [page.post(f"/account/listings/{one.pk}/badge").status_code for one in (live, foreign)]
    assert (statuses, left(people)) == ([302, 404], 120)
    assert page.post(f"/account/listings/{waiting.pk}/badge").status_code == 302
    assert left(people) == 119


def test_entering_a_programme_counts_as_a_write(api: Api, people: People, one_crawl: None) -> None:
    listing = make_listing(owner=people.owner)

    answer = api("listings:write").post(f"/api/v1/me/listings/{listing.pk}/programmes/none")

    assert (answer.status_code, answer["RateLimit-Policy"]) == (404, '"write";q=5;w=60')
