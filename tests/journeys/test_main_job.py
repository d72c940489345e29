"""The main job over HTTP against the running service, undisturbed and disturbed.

One file, so that one test process runs it and the service is started once.
"""

import contextlib
import os
from datetime import date
from pathlib import Path

import psutil
import pytest

from directory import weeks
from tests.journeys.conftest import SLOW_SITES
from tests.journeys.service import Client, Service, wait_for
from tests.journeys.sites import fill
from tests.servers.website import Website

pytestmark = pytest.mark.journey
PATIENCE = BEGUN = RESUMED = 180
WRITTEN = """
    SELECT job.state, draft.status, draft.revision
    FROM drafts_draft AS draft JOIN core_job AS job ON job.key = draft.id::text
    WHERE job.kind = 'drafts.write_from_website' AND draft.id::text = ANY(%s)
"""


def test_a_website_is_drafted_saved_launched_and_found(
    service: Service, client: Client, tidewell: Website
) -> None:
    identifier = client.submit("https://tidewell.test/")
    draft = client.ended([identifier], patience=PATIENCE)[identifier]
    values = {name: field["value"] for name, field in draft["fields"].items()}
    assert (draft["status"], draft["ready_to_submit"], draft["crawl"]["robots"]) == ("ready", True, "partly")
    assert (values["name"], values["founded_year"], values["city"]) == ("Tidewell", "2021", "Ghent")
    assert {quote["url"] for quote in draft["fields"]["founded_year"]["evidence"]} == {
        "https://tidewell.test/about"
    }

    saved = client.call("POST", f"/drafts/{identifier}/submit")
    assert (saved["slug"], saved["status"], saved["created"]) == ("tidewell", "draft", True)

    own = f"/me/listings/{saved['listing_id']}"
    queued = client.call("POST", f"{own}/free")
    week = date.fromisoformat(queued["launch_week"])
    assert (queued["status"], queued["queue"]["badge"]["found"]) == ("awaiting_badge", False)

    fill(tidewell, badge=queued["queue"]["badge"]["html"])
    service.command(
        "check_badges"
    )  # unless the service looks by itself meanwhile, as it does every ten minutes
    wait_for(lambda: client.call("GET", own)["status"] == "scheduled", patience=PATIENCE)
    assert client.call("GET", "/listings?q=tidewell")["total"] == 0

    assert service.command("publish_due", "--at", weeks.start(week).isoformat()) == "1 listings were due."
    found = client.call("GET", "/listings?q=tidewel")
    shown = client.call("GET", "/listings/tidewell")
    assert [item["slug"] for item in found["items"]] == ["tidewell"]
    assert (client.call("GET", own)["status"], shown["launch_week"]) == ("live", week.isoformat())
    assert [path for path in tidewell.paths if path.startswith("/secret")] == []


def test_reading_websites_gives_way_to_pages_on_the_same_machine(service: Service) -> None:
    def crawlers() -> set[int]:
        with contextlib.suppress(psutil.NoSuchProcess):  # one that had nothing to do ends
            return {process.nice() for process in service.group("crawler@")}
        return set()

    wait_for(lambda: crawlers() == {10}, patience=PATIENCE)  # it says so when it has started

    assert {process.nice() for process in service.group("config.serve")[1:]} == {os.nice(0)}
    crawler, *_ = service.group("crawler@")
    if (autogroup := Path(f"/proc/{crawler.pid}/autogroup")).exists():  # Linux weighs sessions
        assert autogroup.read_text().endswith("nice 10\n")


def test_a_site_that_refuses_robots_ends_with_a_reason_and_can_be_tried_again(
    client: Client, closed: Website
) -> None:
    identifier = client.submit("https://closed.test/")
    failed = client.ended([identifier], patience=PATIENCE)[identifier]
    assert (failed["status"], failed["error"]["code"]) == ("failed", "robots_blocked")
    assert "robots.txt" in failed["error"]["detail"]
    assert closed.paths == ["/robots.txt"]

    fill(closed)
    again = client.submit("https://closed.test/")
    assert client.ended([again], patience=PATIENCE)[again]["status"] == "ready"


def submit_some(client: Client, hosts: tuple[str, ...]) -> list[str]:
    """Submit sites and wait until one of them is being read."""
    submitted = [client.submit(f"https://{host}/") for host in hosts]
    wait_for(
        lambda: any(client.draft(draft)["progress"]["pages_read"] > 0 for draft in submitted), patience=BEGUN
    )
    return submitted


def written(service: Service, drafts: list[str]) -> list[tuple[str, str, int]]:
    """State, status and revision of each, once no job is under way: a job ends a moment after its draft."""

    def all_done() -> list[tuple[str, str, int]]:
        rows = service.query(WRITTEN, [drafts])
        return rows if {state for state, *_ in rows} == {"done"} else []

    return wait_for(all_done, patience=RESUMED)


def test_a_killed_worker_and_an_emptied_redis_lose_and_double_nothing(
    service: Service, client: Client
) -> None:
    submitted = submit_some(client, SLOW_SITES[:8])
    interrupted = [client.draft(draft)["status"] for draft in submitted].count("ready")

    assert service.kill_group("crawler@") >= 2
    service.flush_redis()
    ended = client.ended(submitted, patience=RESUMED)

    assert interrupted < len(submitted)
    assert {draft["status"] for draft in ended.values()} == {"ready"}
    assert {draft["fields"]["name"]["value"] for draft in ended.values()} == {"Tidewell"}
    assert written(service, submitted) == [("done", "ready", 1)] * len(submitted)


def test_what_was_under_way_when_the_service_was_stopped_is_done_after_its_next_start(
    service: Service, client: Client
) -> None:
    submitted = submit_some(client, SLOW_SITES[8:16])

    code, left = service.stop()
    service.start()
    ended = client.ended(submitted, patience=RESUMED)

    assert (code, left) == (0, [])
    assert {draft["status"] for draft in ended.values()} == {"ready"}
    assert written(service, submitted) == [("done", "ready", 1)] * len(submitted)
