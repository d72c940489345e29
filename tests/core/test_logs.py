"""No log line holds what opens something."""

import json
import logging
import re
from typing import Any

import pytest
from django.core.signing import Signer, dumps
from django.test import Client
from django.test.client import RequestFactory

from config.log_settings import FORMATS
from core.logs import NoRoutine, console_formatter, formatter

TOKEN = Signer(sep=".", salt="x").sign("abcdefghijklmnopqrstuvwxyzabcdef")
SECRETS = [
    f"/invites/{TOKEN}",
    f"/accounts/confirm-email/{dumps(7, salt='account')}/",
    "/accounts/password/reset/key/3-d2k9mf-0123456789abcdef0123456789abcdef/",
    f"/unsubscribe/{TOKEN}?list=weekly",
    f"/unsubscribe?token={TOKEN}",
]
PLAIN = [
    "/listings/a-product-with-quite-a-long-name/updates",
    "/api/v1/drafts/0b0e1f9a-6a4e-4c59-9a7e-1f2d3c4b5a69/invites",
    "/leaderboards/billboard?week=2026-11-16",
    'File "/srv/accounts/migrations/0003_client_registration.py", line 3',
]


def secret(path: str) -> str:
    return max(path.replace("=", "/").replace("?", "/").split("/"), key=len)


def lines(caplog: pytest.LogCaptureFixture) -> str:
    return "\n".join(formatter().format(record) for record in caplog.records)


@pytest.mark.django_db
@pytest.mark.parametrize("path", SECRETS, ids=range(len(SECRETS)))
def test_a_refused_form_behind_a_mailed_link_is_logged_without_the_link(
    caplog: pytest.LogCaptureFixture, path: str
) -> None:
    Client(enforce_csrf_checks=True).post(path)
    request: Any = RequestFactory().get(path)
    logging.getLogger("django.request").error("Internal Server Error: %s", path, extra={"request": request})

    told = lines(caplog)

    assert secret(path) not in told
    assert "[secret]" in told
    assert json.loads(told.splitlines()[-1])["request"].startswith("<WSGIRequest")


@pytest.mark.django_db
@pytest.mark.parametrize("token", ["short", "only-small-letters-without-any-digit-in-it", "a.py-b"])
def test_what_a_route_calls_a_token_is_never_logged(caplog: pytest.LogCaptureFixture, token: str) -> None:
    Client(enforce_csrf_checks=True).post(f"/invites/{token}")

    (told,) = [json.loads(line) for line in lines(caplog).splitlines() if "CSRF" in line]
    assert told["event"] == "Forbidden (CSRF cookie not set.): /invites/[secret]"
    assert token not in lines(caplog)


@pytest.mark.parametrize("path", PLAIN)
def test_what_opens_nothing_stays_readable(caplog: pytest.LogCaptureFixture, path: str) -> None:
    logging.getLogger("django.request").error("Internal Server Error: %s", path)

    assert json.loads(lines(caplog))["event"] == f"Internal Server Error: {path}"


def shown(**said: Any) -> str:
    """A line as a terminal without colours shows it, without its time."""
    record = logging.LogRecord(
        "core.jobs.queue", logging.INFO, "", 1, said.pop("event", "request"), None, None
    )
    vars(record).update(said)
    return console_formatter().format(record).partition(" ")[2]


def test_a_person_reads_one_plain_line_of_a_request_or_a_job(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    request = {"method": "GET", "path": "/submit", "status": 302, "seconds": 0.0131, "request_id": "e81b"}
    job = {"kind": "core.send_mail", "key": "code-7", "outcome": "done", "seconds": 0.05, "attempt": 1}

    assert shown(**request, operation=None) == "[info     ] GET /submit 302 in 13 ms"
    assert (
        shown(event="job done", **job, job_id="2efb") == "[info     ] core.send_mail done in 50 ms key=code-7"
    )
    assert "attempt=2" in shown(event="job done", **{**job, "attempt": 2})
    assert "[secret]" in shown(**{**request, "path": f"/unsubscribe/{TOKEN}"})


def test_levels_have_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    lines = {
        level: console_formatter().format(logging.LogRecord("x", level, "", 1, "Redis is away", None, None))
        for level in (logging.INFO, logging.WARNING, logging.ERROR)
    }
    colours = {level: re.findall(r"\x1b\[3\dm", line) for level, line in lines.items()}

    assert len({tuple(found) for found in colours.values()}) == 3


@pytest.mark.parametrize(
    ("key", "outcome", "is_written"),
    [("every-30s:59", "done", False), ("every-30s:59", "failed", True), ("code-7", "done", True)],
)
def test_what_the_clock_did_as_ever_is_no_news(key: str, outcome: str, is_written: Any) -> None:
    record = logging.LogRecord("core.jobs.queue", logging.INFO, "", 1, "job", None, None)
    vars(record).update(key=key, outcome=outcome)

    assert NoRoutine().filter(record) is is_written


@pytest.mark.django_db
@pytest.mark.parametrize("form", FORMATS)
def test_a_request_is_logged_in_the_form_that_is_set(
    caplog: pytest.LogCaptureFixture, settings: Any, client: Client, form: str
) -> None:
    settings.LOG_FORMAT = form
    logger = logging.getLogger("requests")
    logger.addHandler(caplog.handler)
    try:
        client.get("/crawler")
    finally:
        logger.removeHandler(caplog.handler)
    record: Any = next(entry for entry in caplog.records if entry.name == "requests")

    said = json.loads(record.message) if form == "JSON" else vars(record)
    assert (said["method"], said["path"], said["status"]) == ("GET", "/crawler", 200)


def test_celery_does_not_tell_an_outage_of_redis_each_second(caplog: pytest.LogCaptureFixture) -> None:
    logging.getLogger("celery.bootsteps").error("Error on %s %s: %r", "restarting", "Control", OSError())
    consumer = logging.getLogger("celery.worker.consumer.consumer")
    consumer.critical("Frequent restarts detected: %r", OSError())
    consumer.critical("Too many open files. Aborting...")

    assert [record.getMessage() for record in caplog.records] == ["Too many open files. Aborting..."]
