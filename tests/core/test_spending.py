"""Costly work has a limit of its own, which refused calls leave alone."""

from typing import Any

import pytest

from core.models import Job
from directory.models import Site
from drafts.models import Draft
from tests.conftest import Api

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
