"""One crawl at a time for a domain, whatever database session the two come by."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db.models.functions import Now

from core import jobs
from core.models import Job
from directory.models import Site
from drafts.drafting.first_draft import LARGE, LARGE_GIVES_WAY, single_crawl
from drafts.models import Draft
from tests.conftest import Caller, People
from tests.drafts.conftest import HOME
from tests.servers.website import Website, html, plain

API = "/api/v1/drafts"
HOSTS = ("large.test", "tidewell.test")


def test_a_second_crawl_of_a_domain_waits_until_the_first_is_over() -> None:
    with single_crawl("acme.example", owner="draft 1"):
        with pytest.raises(jobs.NotNowError), single_crawl("acme.example", owner="draft 2"):
            pass
        with single_crawl("other.example", owner="draft 2"):
            pass
    with single_crawl("acme.example", owner="draft 2"):
        pass


def test_a_crawl_whose_worker_was_killed_is_taken_up_again_by_its_own_draft_alone() -> None:
    killed = single_crawl("acme.example", owner="draft 1")
    killed.__enter__()

    with pytest.raises(jobs.NotNowError), single_crawl("acme.example", owner="draft 2"):
        pass
    with single_crawl("acme.example", owner="draft 1"):
        pass


def test_a_second_large_site_of_a_person_waits_with_its_pages_until_the_first_is_written(
    api: Callable[..., Caller], site: Site, settings: Any, tidewell: Website
) -> None:
    text = html(HOME % "" + "<!-- bolts -->" * (LARGE // 14))
    with Website({"/": text, "/robots.txt": plain("")}) as large:
        settings.CRAWL_RESOLVE = settings.CRAWL_RESOLVE | large.at("large.test")
        mine = {host: api("all").post(API, {"url": f"https://{host}/"}).json()["id"] for host in HOSTS}
        owner = Draft.objects.get(pk=mine["large.test"]).owner_id
        with single_crawl(f"large:{owner}", owner="another draft"):
            jobs.run_due()
            waiting = {host: api("all").get(f"{API}/{mine[host]}").json()["status"] for host in HOSTS}
        visits = large.paths
        Job.objects.update(run_after=Now())
        jobs.run_due()

        assert waiting == {"large.test": "drafting", "tidewell.test": "ready"}
        assert api("all").get(f"{API}/{mine['large.test']}").json()["status"] == "ready"
        assert large.paths == visits


def test_a_large_site_lets_drafts_of_other_people_go_before_for_a_while(
    api: Callable[..., Caller], people: People, site: Site, settings: Any, tidewell: Website
) -> None:
    text = html(HOME % "" + "<!-- bolts -->" * (LARGE // 14))
    with Website({"/": text, "/robots.txt": plain("")}) as large:
        settings.CRAWL_RESOLVE = settings.CRAWL_RESOLVE | large.at("large.test", "older.test")
        mine = {
            host: api("all").post(API, {"url": f"https://{host}/"}).json()["id"]
            for host in ("large.test", "older.test")
        }
        Draft.objects.filter(pk=mine["older.test"]).update(created_at=Now() - LARGE_GIVES_WAY)
        other = api("all", user=people.stranger)
        theirs = other.post(API, {"url": "https://tidewell.test/"}).json()["id"]
        with single_crawl("tidewell.test", owner="another draft"):
            jobs.run_due()
            waiting = {host: api("all").get(f"{API}/{mine[host]}").json()["status"] for host in mine}
        Job.objects.update(run_after=Now())
        jobs.run_due()  # theirs is read, whoever comes first
        Job.objects.update(run_after=Now())
        jobs.run_due()

        assert waiting == {"large.test": "drafting", "older.test": "ready"}
        assert other.get(f"{API}/{theirs}").json()["status"] == "ready"
        assert api("all").get(f"{API}/{mine['large.test']}").json()["status"] == "ready"
