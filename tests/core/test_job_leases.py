"""A lease lives as long as its work, and no longer than its work may take."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest
from celery.exceptions import SoftTimeLimitExceeded

from core import jobs
from core.jobs import kinds, renewing
from core.models import Job

PATIENCE = 30.0
SHORT = 0.3


@pytest.fixture
def kind(transactional_db: None) -> Iterator[dict[str, Any]]:
    """A kind of job with a short lease, of each sort of queue, whose handler can be swapped."""
    seen: dict[str, Any] = {"runs": 0, "dead": [], "do": lambda lease: None}

    def handler(lease: jobs.Lease) -> None:
        seen["runs"] += 1
        seen["do"](lease)

    for queue in ("crawl", "default"):
        jobs.job(
            f"tests.{queue}",
            queue=queue,
            attempts=3,
            lease_seconds=SHORT,
            on_dead=lambda **facts: seen["dead"].append(facts["error"]),
        )(handler)
    yield seen
    for queue in ("crawl", "default"):
        del jobs.KINDS[f"tests.{queue}"]


def renewed_past(moment: datetime) -> Job:
    """The job, once its lease ends later than a moment. Its thread renews it meanwhile."""
    ends = threading.Event()
    for _ in range(int(PATIENCE / 0.05)):
        row = Job.objects.get()
        if row.lease_until is None or row.lease_until > moment:
            return row
        ends.wait(0.05)
    raise AssertionError("The lease was not renewed.")


def test_a_lease_is_renewed_while_its_work_says_nothing(kind: dict[str, Any]) -> None:
    taken: list[object] = []

    def work(lease: jobs.Lease) -> None:
        first = Job.objects.get().lease_until
        for _ in range(3):
            first = renewed_past(first).lease_until
            taken.append(jobs.claim(job_id=lease.job_id))

    kind["do"] = work
    jobs.add("tests.crawl", key="one")

    assert jobs.run_due() == 1
    assert (kind["runs"], taken, Job.objects.get().state) == (1, [None] * 3, "done")


def test_what_is_stuck_past_its_limit_loses_its_lease_and_is_buried(
    kind: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kinds, "SOFT_LIMIT_SECONDS", SHORT)
    monkeypatch.setattr(renewing, "GRACE_SECONDS", SHORT)
    threads: list[threading.Thread] = []

    def hang(lease: jobs.Lease) -> None:
        threads.extend(thread for thread in threading.enumerate() if thread.name == "lease")
        for thread in threads:
            thread.join(PATIENCE)
        assert Job.objects.get().attempt == 3
        raise jobs.LeaseLostError  # as a process that is ended writes nothing

    kind["do"] = hang
    jobs.add("tests.crawl", key="one")
    jobs.run_due()
    assert Job.objects.get().state == "running"

    Job.objects.update(lease_until="2026-01-01T00:00:00Z")
    jobs.reap(queues=[])

    row = Job.objects.get()
    assert (row.state, row.last_error, kind["runs"]) == ("dead", renewing.TOO_LONG, 1)
    assert kind["dead"] == [renewing.TOO_LONG]


def test_a_lease_that_another_holds_is_not_renewed(kind: dict[str, Any]) -> None:
    def work(lease: jobs.Lease) -> None:
        thread = next(thread for thread in threading.enumerate() if thread.name == "lease")
        Job.objects.update(token="0" * 32, lease_until="2026-01-01T00:00:00Z")
        thread.join(PATIENCE)
        assert not thread.is_alive()

    kind["do"] = work
    jobs.add("tests.crawl", key="one")
    jobs.run_due()

    row = Job.objects.get()
    assert (row.state, row.lease_until.year, row.lease_until.month) == ("running", 2026, 1)


@pytest.mark.parametrize(("queue", "state", "dead"), [("crawl", "dead", 1), ("default", "queued", 0)])
def test_a_strangers_work_that_met_its_limit_is_not_tried_again_as_it_was(
    kind: dict[str, Any], queue: str, state: str, dead: int
) -> None:
    def work(lease: jobs.Lease) -> None:
        raise SoftTimeLimitExceeded

    kind["do"] = work
    jobs.add(f"tests.{queue}", key="one")

    jobs.run_due()

    row = Job.objects.get()
    assert (row.state, row.attempt, len(kind["dead"])) == (state, 1, dead)
    assert row.last_error == (renewing.TOO_LONG if dead else "SoftTimeLimitExceeded: SoftTimeLimitExceeded()")


def test_a_worker_comes_up_before_django_is_ready() -> None:
    environment = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    command = [sys.executable, "-c", "import config.work"]

    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)

    assert (done.returncode, done.stderr) == (0, "")
