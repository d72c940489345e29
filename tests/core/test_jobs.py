"""Jobs: added once, claimed once, tried again, fenced off, buried."""

import uuid
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from core import jobs
from core.models import Job


@pytest.fixture
def kind(db: None) -> Iterator[dict[str, Any]]:
    """A kind of job whose runs are noted, and whose handler can be swapped."""
    seen: dict[str, Any] = {"runs": [], "dead": [], "do": lambda lease: None}

    @jobs.job("tests.kind", attempts=3, lease_seconds=30, on_dead=lambda **told: seen["dead"].append(told))
    def handler(lease: jobs.Lease, *, word: str) -> None:
        seen["runs"].append(word)
        seen["do"](lease)

    yield seen
    del jobs.KINDS["tests.kind"]


def the_job() -> Job:
    return Job.objects.get(kind="tests.kind")


def test_the_same_key_is_added_once_and_runs_once(kind: dict[str, Any]) -> None:
    jobs.add("tests.kind", key="one", word="first")
    jobs.add("tests.kind", key="one", word="second")

    assert jobs.run_due() == 1
    assert jobs.run_due() == 0
    assert (kind["runs"], the_job().state) == (["first"], "done")


def test_a_job_that_is_not_due_waits(kind: dict[str, Any]) -> None:
    jobs.add("tests.kind", key="one", run_after=timezone.now() + timedelta(hours=1), word="later")

    assert (jobs.run_due(), the_job().state) == (0, "queued")


def test_a_failure_is_put_off_and_after_the_last_attempt_buried_with_its_reason(kind: dict[str, Any]) -> None:
    def fail(lease: jobs.Lease) -> None:
        raise OSError("the disk is full")

    kind["do"] = fail
    jobs.add("tests.kind", key="one", word="w")
    for attempt in (1, 2, 3):
        jobs.run(job_id=the_job().pk)
        assert the_job().attempt == attempt
        Job.objects.update(run_after=timezone.now())

    row = the_job()
    assert (row.state, row.last_error) == ("dead", "OSError: the disk is full")
    assert kind["dead"] == [{"error": "OSError: the disk is full", "word": "w"}]


def test_what_time_cannot_heal_is_buried_at_once(kind: dict[str, Any]) -> None:
    def refuse(lease: jobs.Lease) -> None:
        raise jobs.PermanentError("no such account")

    kind["do"] = refuse
    jobs.add("tests.kind", key="one", word="w")
    jobs.run_due()

    assert (the_job().state, the_job().attempt) == ("dead", 1)


def test_waiting_its_turn_is_no_attempt(kind: dict[str, Any]) -> None:
    def wait(lease: jobs.Lease) -> None:
        raise jobs.NotNowError(seconds=60)

    kind["do"] = wait
    jobs.add("tests.kind", key="one", word="w")
    jobs.run_due()

    assert (the_job().state, the_job().attempt) == ("queued", 0)


def test_a_worker_that_lost_its_lease_can_neither_renew_nor_write_nor_finish(kind: dict[str, Any]) -> None:
    def be_overtaken(lease: jobs.Lease) -> None:
        Job.objects.filter(pk=lease.job_id).update(token=uuid.uuid4())
        with pytest.raises(jobs.LeaseLostError):
            lease.guard()
        lease.renew()

    kind["do"] = be_overtaken
    jobs.add("tests.kind", key="one", word="w")
    jobs.run_due()

    assert the_job().state == "running"


def test_a_dead_workers_job_is_taken_over_once_its_lease_has_ended(kind: dict[str, Any]) -> None:
    jobs.add("tests.kind", key="one", word="w")
    claimed = jobs.claim(job_id=the_job().pk)
    assert claimed is not None
    assert jobs.claim(job_id=the_job().pk) is None

    Job.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    jobs.run_due()

    assert (kind["runs"], the_job().state, the_job().attempt) == (["w"], "done", 2)


def test_the_reaper_buries_a_job_whose_worker_died_each_time(kind: dict[str, Any]) -> None:
    jobs.add("tests.kind", key="one", word="w")
    past = timezone.now() - timedelta(minutes=5)
    Job.objects.update(state="running", attempt=3, lease_until=past, run_after=past, token=uuid.uuid4())

    jobs.reap(at=timezone.now())

    assert (the_job().state, len(kind["dead"])) == ("dead", 1)


def test_a_dead_job_can_be_revived(kind: dict[str, Any]) -> None:
    jobs.add("tests.kind", key="one", word="w")
    Job.objects.update(state="dead", attempt=3)

    assert jobs.revive(job_id=the_job().pk, at=timezone.now()) is True
    jobs.run_due()
    assert the_job().state == "done"


def test_a_periodic_job_is_added_once_for_its_time_slot(kind: dict[str, Any]) -> None:
    jobs.tick("tests.kind", 3600)
    jobs.tick("tests.kind", 3600)

    assert Job.objects.filter(kind="tests.kind").count() == 1
