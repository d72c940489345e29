"""A competitor's site is read politely and compared fact by fact, with quotes."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from core import jobs
from core.models import Job
from tests.conftest import Caller
from tests.servers.website import Website, html, plain

Api = Callable[..., Caller]
RIVAL = """<title>Gullwing – Bookkeeping by post</title>
<meta property="og:site_name" content="Gullwing">
<header><a href="/pricing">Pricing</a></header><h1>Bookkeeping by post</h1>
<p>Gullwing is bookkeeping software for bakeries.</p><p>Gullwing was founded in 2014 in Porto, Portugal.</p>"""


@pytest.fixture
def rival(settings: Any, tidewell: Website) -> Iterator[Website]:
    with Website() as website:
        website.pages |= {
            "/": html(RIVAL),
            "/pricing": html("<h1>Pricing</h1><h2>Bakery</h2><p>€30 per month.</p>"),
            "/robots.txt": plain("User-agent: *\nDisallow: /secret/"),
        }
        settings.CRAWL_RESOLVE = {**settings.CRAWL_RESOLVE, **website.at("gullwing.test", "other.test")}
        yield website


def ask(api: Api, draft: dict[str, Any], url: str) -> Any:
    return api("all").patch(f"/api/v1/drafts/{draft['id']}", {"competitor_url": url}).json()["competitor"]


def shown(api: Api, draft: dict[str, Any]) -> Any:
    return api("all").get(f"/api/v1/drafts/{draft['id']}").json()["competitor"]


def test_facts_stand_side_by_side_and_theirs_are_quoted(
    api: Api, ready: dict[str, Any], rival: Website
) -> None:
    assert ask(api, ready, "https://gullwing.test/")["status"] == "reading"
    asked = api("all").get(f"/api/v1/drafts/{ready['id']}").json()
    assert (asked["poll_after_seconds"], asked["next_actions"][0]["operation"]) == (2, "get_draft")
    jobs.run_due()

    found = shown(api, ready)
    rows = {row["attribute"]: row for row in found["comparison"]}
    assert found["status"] == "ready"
    assert (rows["name"]["ours"], rows["name"]["theirs"]) == ("Tidewell", "Gullwing")
    assert (rows["founded_year"]["ours"], rows["founded_year"]["theirs"]) == ("2021", "2014")
    assert (rows["country"]["ours"], rows["country"]["theirs"]) == ("BE", "PT")
    for row in rows.values():
        assert bool(row["evidence"]) == (row["theirs"] is not None), row
        assert all(quote["url"].startswith("https://gullwing.test/") for quote in row["evidence"])
    assert "/secret/" not in str(rival.paths)
    assert rival.paths[0] == "/robots.txt"


def test_a_competitor_that_closes_itself_fails_with_its_reason(
    api: Api, ready: dict[str, Any], rival: Website
) -> None:
    rival.pages["/robots.txt"] = plain("User-agent: *\nDisallow: /")

    ask(api, ready, "https://gullwing.test/")
    jobs.run_due()

    found = shown(api, ready)
    assert (found["status"], found["comparison"]) == ("failed", [])
    assert found["reason"].startswith("robots.txt on gullwing.test asks us not to read")
    assert api("all").get(f"/api/v1/drafts/{ready['id']}").json()["status"] == "ready"


def test_an_answer_for_a_competitor_that_was_changed_meanwhile_is_dropped(
    api: Api, ready: dict[str, Any], rival: Website
) -> None:
    ask(api, ready, "https://other.test/")
    ask(api, ready, "")
    jobs.run_due()

    assert shown(api, ready) == {"url": None, "status": "none", "comparison": []}
    assert rival.requests == []


def test_a_fault_of_ours_ends_it_as_well(
    api: Api, ready: dict[str, Any], rival: Website, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(api, ready, "https://gullwing.test/")
    job = Job.objects.get(kind="drafts.read_competitor")
    Job.objects.filter(pk=job.pk).update(attempt=2)
    monkeypatch.setattr("drafts.crawl.segments.read_site", lambda report: 1 / 0)

    jobs.run(job_id=job.pk)

    assert shown(api, ready)["status"] == "failed"
    assert "on our side" in shown(api, ready)["reason"]


def test_a_competitor_counts_as_a_site_that_is_read(
    api: Api, ready: dict[str, Any], rival: Website, settings: Any
) -> None:
    settings.RATE_LIMIT_FACTOR = 2 / 120  # two an hour
    path = f"/api/v1/drafts/{ready['id']}"
    hosts = ("gullwing.test", "other.test", "gullwing.test")

    answers = [api("all").patch(path, {"competitor_url": f"https://{host}/"}) for host in hosts]

    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert (answers[2].json()["policy"], answers[2].json()["limit"]) == ("crawl", 2)
    assert shown(api, ready)["url"] == "https://other.test/"
    assert Job.objects.filter(kind="drafts.read_competitor").count() == 2
