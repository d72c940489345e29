"""The database is away, hangs, or takes no changes: everything says so soon, and what needs it not goes on."""

import json
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx2
import pytest
from celery import current_app
from django.core.cache import cache
from django.db import InterfaceError, connection
from django.test import Client
from django.utils import timezone
from oauth2_provider.models import AccessToken

from config import reaper
from core import jobs
from core.jobs import queue
from core.models import Job
from directory.models import Site, Vote
from directory.sites import lookup
from drafts.models import Draft
from orders.payments import Kind, sandbox
from tests.conftest import Api, People, signed_in
from tests.factories.listings import make_listing
from tests.factories.oauth import DROPPED, Agent, me
from tests.servers.relay import Relay, relay
from tests.servers.web import web_server
from tests.waiting import LONG, undisturbed

PATIENCE = 1.0
SOON = 6.0
SEARCH = "/api/v1/listings?q=anything"
NEWCOMER = {"email": "new@people.example", "password1": "correct horse battery"}
CALL = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "search_listings", "arguments": {"q": "other"}},
}


@pytest.fixture(scope="module")
def database() -> Iterator[Relay]:
    """The way to it."""
    with relay() as running:
        yield running


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the web server says."""
    return tmp_path_factory.mktemp("web") / "log"


@pytest.fixture(scope="module")
def web(django_db_setup: None, database: Relay, log: Path) -> Iterator[httpx2.Client]:
    """The web server behind it."""
    environment = {"DATABASE_URL": database.url, "DATABASE_PATIENCE": str(PATIENCE)}
    with (
        web_server(log=log, **environment) as (port, _),
        httpx2.Client(base_url=f"http://127.0.0.1:{port}", timeout=30) as client,
    ):
        yield client


def answers(web: httpx2.Client) -> dict[str, tuple[int, str | None]]:
    """Status and Retry-After at each kind of address, a tool's from its result; fails if one takes long."""
    found = {}
    for path in ("/", "/categories", SEARCH, "/metrics", "/readyz", "/healthz"):
        with undisturbed() as clock:
            answer = web.get(path)
        assert clock.seconds < SOON, path
        found[path] = answer.status_code, answer.headers.get("Retry-After")
    answer = web.post("/mcp", json=CALL, headers={"Accept": "application/json, text/event-stream"})
    found["/mcp"] = answer.json()["result"]["structuredContent"].get("status"), "5"
    return found


def events(log: Path) -> list[str]:
    """The names of the lines that are no requests; fails for a line that is not JSON, such as a traceback's."""
    lines = [
        json.loads(line) for line in log.read_text().splitlines() if "Warning" not in line and line[:1] != " "
    ]
    return [line["event"] for line in lines if line["event"] != "request"]


def test_hanging_and_going_away(
    transactional_db: None, site: Site, web: httpx2.Client, database: Relay, log: Path
) -> None:
    assert web.get("/").status_code == 200

    database.flowing.clear()
    hanging = answers(web)
    assert web.post("/mcp", content=b"{", headers={"Content-Type": "application/json"}).status_code == 400
    assert events(log) == ["the database is away"]
    database.flowing.set()
    time_over = time.monotonic() + LONG
    while web.get("/").status_code != 200:
        assert time.monotonic() < time_over
    assert events(log) == ["the database is away", "the database is back"]
    database.go_away()
    away = answers(web)

    refusing = dict.fromkeys(("/", "/categories", SEARCH, "/mcp"), (503, "5"))
    expected = refusing | {"/readyz": (503, None), "/healthz": (200, None), "/metrics": (200, None)}
    assert (hanging, away) == (expected, expected)
    assert "\ndatabase_up 0.0\n" in web.get("/metrics").text


@pytest.fixture
def read_only(transactional_db: None) -> Iterator[Any]:
    """Call it, and the database takes no more changes."""

    def begin() -> None:
        with connection.cursor() as cursor:
            cursor.execute("SET default_transaction_read_only = on")

    yield begin
    connection.close()


def test_reads_with_a_credential_go_on_while_nothing_can_be_changed(
    read_only: Any, api: Api, site: Site, people: People
) -> None:
    caller, token = api("all"), Agent(people.owner).tokens(resource=DROPPED)["access_token"]
    AccessToken.objects.update(updated=timezone.now() - timedelta(hours=1))
    read_only()

    assert me(token).status_code == 200
    assert caller.get("/api/v1/me").status_code == 200
    assert caller.get("/api/v1/drafts").status_code == 200
    refused = caller.post("/api/v1/drafts", {"url": "https://tidewell.com"})
    assert (refused.status_code, refused["Retry-After"], refused.json()["code"]) == (503, "5", "unavailable")
    connection.close()
    assert Draft.objects.count() == 0


def test_pages_are_read_and_nothing_is_lost_while_nothing_can_be_changed(
    read_only: Any, site: Site, people: People
) -> None:
    listing = make_listing("tidewell", owner=people.owner)
    jobs.add("orders.open_weeks", key="waits")
    job, browser = Job.objects.get(), signed_in(people.stranger)
    browser.raise_request_exception = False
    event, signature = sandbox.message(
        event_id="test_1",
        kind=Kind.PAID,
        about={"ref": str(uuid.uuid4()), "amount_cents": 100, "currency": "EUR"},
        at=timezone.now(),
    )
    read_only()

    assert [browser.get(path).status_code for path in ("/", "/listings/tidewell", "/account")] == [200] * 3
    refused = [
        browser.post("/listings/tidewell/vote"),
        browser.post(
            "/webhooks/sandbox", event, content_type="application/json", headers={sandbox.HEADER: signature}
        ),
        Client(raise_request_exception=False).post("/accounts/signup/", NEWCOMER),
    ]
    assert [(answer.status_code, answer.get("Retry-After")) for answer in refused] == [(503, "5")] * 3
    jobs.run_job(str(job.pk))
    connection.close()
    job.refresh_from_db()
    assert (job.state, job.attempt, Vote.objects.count(), listing.vote_rows.count()) == ("queued", 0, 0, 0)


@contextmanager
def without_connection() -> Iterator[None]:
    """A driver that finds its connection in a state in which it can ask nothing."""

    def refuse(*_: Any) -> None:
        raise InterfaceError("connection already closed")

    with connection.execute_wrapper(refuse):
        yield


def test_a_driver_without_its_connection_is_told_as_an_outage(
    site: Site, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("config.metrics._cached", [])
    assert client.get("/readyz").status_code == 200
    with without_connection():
        ready, metrics = client.get("/readyz"), client.get("/metrics")

    checks = ready.json()["checks"]
    assert (ready.status_code, checks["database"], checks["migrations"]) == (503, "failed", "ok")
    assert b"\ndatabase_up 0.0\n" in metrics.content


def test_the_page_of_what_runs_stands_however_long_the_database_is_away(
    site: Site, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = client.get("/status")
    monkeypatch.setattr(lookup, "CACHED_SECONDS", 1e-6)
    cache.delete("status")
    with without_connection():
        page = client.get("/status")

    assert (before.status_code, page.status_code) == (200, 200)
    assert "The database does not answer." in page.content.decode()


def test_what_looks_after_jobs_goes_on(transactional_db: None, caplog: pytest.LogCaptureFixture) -> None:
    for outage in (queue.DATABASE, reaper.DATABASE):  # of the tests before, in this process
        outage.ended()
    caplog.clear()
    with without_connection():
        reaper.Reaper(None).reap_once()
        reaper.Clock(current_app, lazy=True).tick()
        jobs.run_job(str(uuid.uuid4()))

    lines = [record.reason for record in caplog.records if record.name == "core.outages"]
    assert lines == ["InterfaceError: connection already closed"] * 3
