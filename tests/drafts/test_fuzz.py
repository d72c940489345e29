"""Generated bodies and pages in everything that reads strangers' texts: refused or read, and never a fault."""

import random
import re
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from celery.exceptions import SoftTimeLimitExceeded

import drafts
from core import jobs
from core.models import Job
from drafts.caching import LONGEST, cached
from drafts.crawl import crawler, segments
from drafts.crawl.report import CrawledPage, CrawlReport
from drafts.crawl.segments import PAGE_WEIGHT, SEGMENT_WEIGHT, SITE_WEIGHT, read_site
from drafts.drafting import first_draft, redrafting
from drafts.models import Draft
from drafts.writing.extractive.writer import ExtractiveWriter
from tests import hostile
from tests.conftest import Api
from tests.servers.website import Website
from tests.waiting import spent

RUNS = 40


@pytest.mark.parametrize(
    ("make", "read"),
    [
        (hostile.body, hostile.read_body),
        (hostile.page, hostile.find_badge),
        (hostile.page, hostile.read_markup),
        (hostile.page, hostile.read_lists),
        (hostile.page, hostile.write),
    ],
    ids=["parser", "badge check", "crawler", "robots and sitemaps", "writer"],
)
def test_generated_input(make: Callable[[random.Random], Any], read: Callable[[Any], None]) -> None:
    for number in range(RUNS):
        read(make(random.Random(number)))


def _site(*texts: str) -> CrawlReport:
    pages = tuple(
        CrawledPage(url=f"{hostile.HOME}{number}", status=200, html=text, fetched_at=hostile.AT)
        for number, text in enumerate(texts)
    )
    return CrawlReport(start_url=hostile.HOME, home_url=hostile.HOME, robots="allowed", pages=pages)


@pytest.mark.parametrize("name", ["paragraphs of prices", "sums", "keys of JSON-LD", "cards"])
def test_what_is_written_from_has_a_weight(name: str) -> None:
    site = read_site(_site(*[hostile.GROWING[name](200_000)] * 6))

    weights = [sum(len(s.text) + SEGMENT_WEIGHT for s in page.texts) for page in site.pages]
    assert max(weights) <= PAGE_WEIGHT + SEGMENT_WEIGHT
    assert sum(weights) <= SITE_WEIGHT + SEGMENT_WEIGHT * len(weights)
    assert all(page.text == "\n".join(s.text for s in page.texts) for page in site.pages)
    assert all(block.last <= len(page.segments) for page in site.pages for block in page.blocks)


def test_what_goes_beyond_the_weight_leaves_a_draft() -> None:
    cards = "<section><h3>Plans for rooms</h3><p>Each room keeps a plan of its own.</p></section>" * 9
    site = _site(
        f"<title>Acme</title><h1>Acme</h1><p>{'words ' * (PAGE_WEIGHT // 6 - SEGMENT_WEIGHT)}</p>{cards}"
    )

    assert ExtractiveWriter().write(read_site(site)).fields["name"].value == "Acme"


def test_what_no_time_is_left_for_stays_blank() -> None:
    site = read_site(
        _site("<title>Acme</title><h1>Acme</h1><p>Acme was founded in 2019 in Ghent, Belgium.</p>")
    )

    written = ExtractiveWriter(seconds=0).write(site)

    assert written.fields["name"].value == "Acme"
    assert (written.fields["founded_year"].value, written.fields["founded_year"].reason) == (
        None,
        "not_on_site",
    )
    assert ExtractiveWriter().write(site).fields["founded_year"].value == "2019"


def grows(read: Callable[[str], None], *, small: str, large: str, least: float) -> bool:
    """Whether eight times the size takes more than four times as much each; the square would be 64 times as much."""
    bound = 8 * 4 * max(spent(partial(read, small)), least)
    return spent(partial(read, large), enough=bound) >= bound


@pytest.mark.parametrize("name", ["links", "long base", "rows of prices", "comments", "keys of JSON-LD"])
@pytest.mark.parametrize("read", [hostile.find_badge, hostile.read_markup], ids=["badge check", "crawler"])
def test_reading_costs_no_more_than_the_size(name: str, read: Callable[[str], None]) -> None:
    make = hostile.GROWING[name]

    assert not grows(read, small=make(20_000), large=make(160_000), least=0.002)


@pytest.mark.parametrize(
    "name",
    [
        *("one selector", "digits of a style", "brackets of a style"),
        *("points", "signs of a question", "commas of a name", "parts of a title", "one word before a year"),
        "thousands",
    ],
)
def test_writing_costs_no_more_than_the_size(name: str) -> None:
    make = hostile.GROWING[name]

    assert not grows(hostile.write, small=make(5_000), large=make(40_000), least=0.01)


def test_no_whole_page_stays_in_memory() -> None:
    @cached(8)
    def length(text: str) -> int:
        read.append(text)
        return len(text)

    read: list[str] = []
    long, short = "x" * (LONGEST + 1), "x" * LONGEST

    assert [length(text) for text in (long, long, short, short)] == [
        LONGEST + 1,
        LONGEST + 1,
        LONGEST,
        LONGEST,
    ]
    assert read == [long, long, short]


@pytest.mark.parametrize("folder", ["crawl", "writing"])
def test_what_strangers_send_is_kept_by_its_length(folder: str) -> None:
    """`_rules` gets a bounded style, `vocabulary` our own categories."""
    found = {
        (file.name, name)
        for file in Path(drafts.__file__).with_name(folder).rglob("*.py")
        for name in re.findall(r"@lru_cache\(.*\)\ndef (\w+)", file.read_text(encoding="utf-8"))
    }

    assert found <= {("extract_hidden.py", "_rules"), ("likeness.py", "vocabulary")}


def test_a_draft_that_takes_too_long_fails_at_once(
    api: Api, site: Any, tidewell: Website, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(segments, "read_site", too_long)
    draft = api("all").post("/api/v1/drafts", {"url": "https://tidewell.test/"}).json()

    jobs.run_due()

    found = api("all").get(f"/api/v1/drafts/{draft['id']}").json()
    assert (found["status"], found["error"]["code"]) == ("failed", "timeout")
    assert found["error"]["detail"] == first_draft.TOO_LONG
    assert Job.objects.get(kind="drafts.write_from_website").state == Job.State.DONE
    assert Draft.objects.count() == 1


def too_long(*_: Any, **__: Any) -> None:
    raise SoftTimeLimitExceeded


def test_a_redraft_that_takes_too_long_leaves_the_old_values_and_says_so(
    api: Api, ready: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(segments, "read_site", too_long)
    path = f"/api/v1/drafts/{ready['id']}"
    api("all").patch(path, {"regenerate": ["tagline", "city"]})

    jobs.run_due()

    found = api("all").get(path).json()
    assert {name: found["fields"][name]["value"] for name in ("tagline", "city")} == {
        name: ready["fields"][name]["value"] for name in ("tagline", "city")
    }
    assert (found["status"], found["poll_after_seconds"]) == ("ready", None)
    assert found["writer"]["note"] == redrafting.TOO_LONG_NOTE
    job = Job.objects.get(kind="drafts.redraft")
    assert (job.state, job.attempt) == (Job.State.DONE, 1)


def test_a_competitor_that_takes_too_long_fails_at_once(
    api: Api, ready: dict[str, Any], tidewell: Website, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.CRAWL_RESOLVE = {**settings.CRAWL_RESOLVE, **tidewell.at("gullwing.test")}
    monkeypatch.setattr(crawler, "crawl", too_long)
    path = f"/api/v1/drafts/{ready['id']}"
    api("all").patch(path, {"competitor_url": "https://gullwing.test/"})

    jobs.run_due()

    found = api("all").get(path).json()["competitor"]
    assert (found["status"], found["reason"], found["comparison"]) == ("failed", first_draft.TOO_LONG, [])
    job = Job.objects.get(kind="drafts.read_competitor")
    assert (job.state, job.attempt) == (Job.State.DONE, 1)


@pytest.mark.parametrize("name", ["sentences of prices", "one row of prices", "people", "cards"])
def test_the_rules_end_when_their_time_is_over(name: str) -> None:
    site = read_site(_site(*[hostile.GROWING[name](200_000)] * 3))
    started = time.thread_time()

    ExtractiveWriter(seconds=0.5).write(site)

    assert (
        time.thread_time() - started < 0.5 + 3.0
    )  # the first rules, the verifier, and one look between checks


def test_what_stands_behind_the_weight_of_a_site_is_not_read() -> None:
    site = read_site(_site(*[hostile.GROWING["sums"](200_000)] * 6))

    assert [page.index for page in site.pages] == [1, 2, 3]


def test_a_table_without_rows_inside_a_row() -> None:
    inner = "<table><td>Plan</td><td>$9 per month</td></table>"

    hostile.write(f"<title>Acme</title><h1>Pricing</h1><table><tr><td>{inner}</td></tr></table>")
    hostile.write(
        "<h1>Pricing</h1><table><tr><td><table><caption>Acme is $9 per month</caption></table></td></tr></table>"
    )
