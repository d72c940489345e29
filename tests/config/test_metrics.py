"""What an operator can read about the queue and the calendar, also when things stand still."""

import re
from datetime import timedelta
from typing import Any

import httpx2
import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from config import metrics
from core import jobs, mail
from core.models import Job, Mail
from directory.models import Site
from tests.factories.listings import make_listing
from tests.servers.web import web_server

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing cached from another test, and nothing for long."""
    monkeypatch.setattr(metrics, "_cached", [])


def read(client: Client) -> dict[str, float]:
    """Each sample by its name and labels."""
    answer = client.get("/metrics")
    assert answer.status_code == 200
    return samples(answer.content.decode())


def samples(text: str) -> dict[str, float]:
    """Each sample of what was said."""
    rows = re.findall(r"^(\S+) (\S+)$", text, flags=re.MULTILINE)
    return {name: float(value) for name, value in rows}


def test_jobs_are_counted_and_orphans_are_overdue(client: Client) -> None:
    now = timezone.now()
    mail.queue(to="a@people.example", subject="S", text="T", html="", key="one")
    for key, state, attempt in (("old", "dead", 5), ("lost", "running", 1)):
        Job.objects.create(
            kind="core.send_mail",
            key=key,
            queue="mail",
            state=state,
            attempt=attempt,
            created_at=now,
            run_after=now - timedelta(hours=1),
            lease_until=now - timedelta(seconds=100) if state == "running" else None,
        )

    said = read(client)

    assert said['jobs{kind="core.send_mail",state="queued"}'] == 1
    assert (said["jobs_dead"], said["mails_waiting"], said["jobs_leases_lapsed"]) == (1, 1, 1)
    assert 100 <= said["jobs_oldest_due_seconds"] < 200


def test_mail_that_is_refused_is_told_unless_other_mail_goes_out(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metrics, "CACHE_SECONDS", 0.0)
    now = timezone.now()
    row = {"kind": "core.send_mail", "queue": "mail", "run_after": now + timedelta(minutes=9), "attempt": 4}
    since = now - timedelta(minutes=15)
    refused = Job.objects.create(
        key="one", created_at=since, last_error="SMTPAuthenticationError: (535)", **row
    )
    reasons = {"": 15, "SMTPRecipientsRefused: {'a@b.example': (451, b'greylisted')}": 0}

    by_reason = {}
    for reason in reasons:
        Job.objects.update(last_error=reason or refused.last_error)
        by_reason[reason] = read(client)["mails_refused_seconds"] // 60
    Job.objects.update(last_error=refused.last_error)
    Job.objects.create(key="two", created_at=now, finished_at=now, state="done", **row)

    assert by_reason == reasons
    assert read(client)["mails_refused_seconds"] == 0


@pytest.mark.parametrize(
    ("reason", "minutes"), [("SMTPAuthenticationError: (535)", 20), ("", 20), ("452 Mailbox full", 0)]
)
def test_codes_that_ended_while_no_mail_went_out_are_told_as_refused(
    client: Client, reason: str, minutes: int
) -> None:
    queued = timezone.now() - timedelta(minutes=20)
    Mail.objects.create(
        key="code", state="failed", answer=f"{mail.TOO_LATE}{reason}", queued_at=queued, ends_at=queued
    )

    assert read(client)["mails_refused_seconds"] // 60 == minutes


@pytest.mark.parametrize(("sent", "minutes"), [(-1, 20), (1, 0)])
def test_codes_that_ended_before_a_mail_went_out_are_no_longer_told(
    client: Client, sent: int, minutes: int
) -> None:
    """Ten minutes ago the server took a mail again, and nobody has asked for another since: that is over."""
    queued, ended = (timezone.now() - timedelta(minutes=ago) for ago in (20, 10))
    code = Mail(key="code", state="failed", answer=f"{mail.TOO_LATE}OSError", queued_at=queued, ends_at=ended)
    code.settled_at = ended + timedelta(minutes=2)  # its job only looked then
    code.save()
    went_out = ended + timedelta(minutes=sent)
    Mail.objects.create(key="other", state="sent", queued_at=queued, settled_at=went_out)

    assert read(client)["mails_refused_seconds"] // 60 == minutes


def test_the_calendar_and_its_keepers_are_watched(client: Client, site: Site) -> None:
    long_ago = timezone.now() - timedelta(days=21)
    make_listing("late", status="scheduled", at=long_ago)
    make_listing("open", at=long_ago)
    jobs.add_periodic()
    jobs.reap(queues=[])

    said = read(client)

    assert (said["launches_due"], said["weeks_not_closed"]) == (1, 1)
    assert abs(said["beat_last_seen_timestamp_seconds"] - timezone.now().timestamp()) < 60
    assert abs(said["reaper_last_seen_timestamp_seconds"] - timezone.now().timestamp()) < 60
    assert said['build_info{version="0.1.0"}'] == 1


def test_asking_again_at_once_costs_the_database_nothing(client: Client) -> None:
    read(client)
    with CaptureQueriesContext(connection) as queries:
        read(client)

    assert len(queries) == 0


@pytest.mark.django_db(transaction=True)
def test_without_the_database_it_says_so(client: Client) -> None:
    with pytest.raises(OperationalError), connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")
    said = read(client)
    connection.close()

    assert (said["database_up"], said["redis_up"], "jobs_dead" in said) == (0, 1, False)


def test_whoever_meets_a_slow_measurement_waits_a_moment(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metrics, "WAIT_SECONDS", 0.01)
    with metrics._being_made:  # as by a thread that waits for a database that hangs
        nothing_yet = read(client)
    told = read(client)
    monkeypatch.setattr(metrics, "CACHE_SECONDS", 0.0)
    with metrics._being_made:
        stale = read(client)

    assert (nothing_yet["database_up"], told["database_up"], stale["database_up"]) == (0, 1, 1)
    assert stale["beat_last_seen_timestamp_seconds"] == told["beat_last_seen_timestamp_seconds"]


def test_requests_of_all_processes_are_added_up(transactional_db: None, site: Site) -> None:
    with web_server(WEB_WORKERS="2") as (port, _):

        def ask(path: str) -> httpx2.Response:  # on a connection of its own, so that both processes are met
            return httpx2.get(f"http://127.0.0.1:{port}{path}", timeout=60, verify=False)

        assert {ask("/api/v1/categories").status_code for _ in range(20)} == {200}
        assert ask("/nowhere").status_code == 404
        text = [ask("/metrics").text for _ in range(4)][-1]  # both have told what they measured themselves
        said, families = samples(text), re.findall(r"^# TYPE (\S+)", text, flags=re.MULTILINE)

    assert said['http_requests_total{operation="list_categories",status="200"}'] == 20
    assert said['http_request_duration_seconds_bucket{le="+Inf",operation="list_categories"}'] == 20
    assert said['http_requests_total{operation="page",status="404"}'] == 1
    assert (len(families), "pid=" in text) == (len(set(families)), False)


def test_with_a_token_only_its_holder_reads(client: Client, settings: Any) -> None:
    settings.METRICS_TOKEN = "a long word"

    assert client.get("/metrics").status_code == 401
    assert client.get("/metrics", headers={"Authorization": "Bearer a long ward"}).status_code == 401
    assert client.get("/metrics", headers={"Authorization": "Bearer a long word"}).status_code == 200


def test_without_a_token_nobody_beyond_this_machine_reads(client: Client, settings: Any) -> None:
    settings.METRICS_TOKEN = ""
    assert client.get("/metrics").status_code == 200
    settings.ON_LOOPBACK = False

    answer = client.get("/metrics", headers={"Authorization": "Bearer "})

    assert (answer.status_code, answer["Content-Type"]) == (401, "text/plain")
    assert answer.content.startswith(b"METRICS_TOKEN is wanted here")
