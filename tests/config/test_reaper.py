"""The reaper of a worker outlives the database's restarts, and says an outage once."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import close_old_connections, connection, connections

from config.reaper import Reaper
from core import jobs
from core.jobs import queue
from core.models import Job


@pytest.fixture
def kind(transactional_db: None) -> Iterator[None]:
    """A kind of job."""

    @jobs.job("tests.reaped", queue="tests-reaped")
    def handler(lease: jobs.Lease) -> None:
        pass

    yield
    del jobs.KINDS["tests.reaped"]


@pytest.fixture
def thread() -> Iterator[ThreadPoolExecutor]:
    """A thread with a connection of its own."""
    with ThreadPoolExecutor(max_workers=1) as pool:
        yield pool
        pool.submit(connections.close_all).result()


def own_backend() -> int:
    """The process that serves this thread's connection."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


def cut(thread: ThreadPoolExecutor) -> None:
    """What a restart of the database does to the thread's connection."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [thread.submit(own_backend).result()])


def test_a_lost_hint_is_found_after_the_database_was_away(kind: None, thread: ThreadPoolExecutor) -> None:
    reaper = Reaper(None)
    reaper.queues = ("tests-reaped",)
    jobs.add("tests.reaped", key="one")
    for _ in range(2):
        cut(thread)
        thread.submit(reaper.reap_once).result()
        Job.objects.update(hint_until=None)
        thread.submit(reaper.reap_once).result()

        assert Job.objects.get().hint_until is not None


def test_a_worker_that_begins_hints_again_at_what_a_dead_one_may_have_taken_along(kind: None) -> None:
    jobs.add("tests.reaped", key="one")
    sent = Job.objects.get().hint_until
    reaper = Reaper(None)
    reaper.queues = ("tests-reaped",)
    reaper.reap_once()
    again = Job.objects.get().hint_until
    reaper.reap_once()

    assert sent is not None
    assert again is not None
    assert again > sent
    assert Job.objects.get().hint_until == again


def test_a_hint_that_comes_while_the_database_is_away_is_one_line(
    kind: None, thread: ThreadPoolExecutor, caplog: pytest.LogCaptureFixture
) -> None:
    jobs.add("tests.reaped", key="one")
    job_id = str(Job.objects.get().pk)
    cut(thread)
    for _ in range(3):
        thread.submit(queue.run_job, job_id).result()
    thread.submit(close_old_connections).result()
    thread.submit(queue.run_job, job_id).result()

    assert [record.getMessage() for record in caplog.records if record.name == "core.outages"] == [
        "the database is away",
        "the database is back",
    ]
    assert Job.objects.get().state == "done"
