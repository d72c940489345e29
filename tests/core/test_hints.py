"""Hints at jobs: one at a time for each job, a bounded number for each queue, and no write that waits for them."""

import socket
from collections.abc import Iterator
from typing import Any

import pytest
from celery import current_app
from django.conf import settings
from redis import Redis

from core import jobs
from core.jobs import hints
from core.models import Job
from tests.waiting import undisturbed

QUEUE = "tests-hints"


@pytest.fixture
def redis() -> Iterator[Redis]:
    """The Redis that carries hints."""
    with Redis.from_url(settings.REDIS_URL) as client:
        client.delete(QUEUE)
        yield client
        client.delete(QUEUE)


@pytest.fixture
def kind(transactional_db: None) -> Iterator[None]:
    """A kind in a queue that no worker reads."""

    @jobs.job("tests.hinted", queue=QUEUE)
    def handler(lease: jobs.Lease) -> None:
        pass

    yield
    del jobs.KINDS["tests.hinted"]


@pytest.fixture
def broker(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Names another broker until the test ends."""

    def name(url: str) -> None:
        monkeypatch.setattr(current_app.conf, "broker_write_url", url)
        hints._publishers.cache_clear()

    monkeypatch.setattr(settings, "REDIS_TIMEOUT", 0.25)
    yield name
    hints._publishers.cache_clear()
    hints._go_on()


@pytest.fixture
def stalled() -> Iterator[str]:
    """A Redis that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as server:
        yield f"redis://127.0.0.1:{server.getsockname()[1]}/0"


def test_reapers_send_one_hint_for_a_job_while_the_last_one_holds(kind: None, redis: Redis) -> None:
    jobs.add("tests.hinted", key="one")
    again = [jobs.reap(queues=[QUEUE]) for _ in range(3)]

    assert (again, redis.llen(QUEUE)) == ([0, 0, 0], 1)


def test_a_lost_hint_is_sent_again_when_its_time_is_over(kind: None, redis: Redis) -> None:
    jobs.add("tests.hinted", key="one")
    redis.delete(QUEUE)
    Job.objects.update(hint_until="2026-01-01T00:00:00Z")

    assert (jobs.reap(queues=[QUEUE]), redis.llen(QUEUE)) == (1, 1)


def test_hints_for_a_queue_are_bounded_and_end_by_themselves(
    kind: None, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hints, "AT_MOST", 3)
    for number in range(5):
        jobs.add("tests.hinted", key=str(number))
    Job.objects.update(hint_until=None)
    jobs.reap(queues=[QUEUE])

    assert redis.llen(QUEUE) == 3
    assert all(b'"expires": "20' in hint for hint in redis.lrange(QUEUE, 0, -1))


def test_a_stalled_redis_delays_one_write_a_little_and_the_next_not_at_all(
    kind: None, broker: Any, stalled: str, caplog: pytest.LogCaptureFixture
) -> None:
    broker(stalled)
    waits = []
    for number in range(5):
        with undisturbed() as clock:
            jobs.add("tests.hinted", key=str(number))
        waits.append(clock.seconds)

    assert waits[0] < 1.5
    assert max(waits[1:]) < 0.25
    assert list(Job.objects.values_list("state", "hint_until").distinct()) == [("queued", None)]
    assert [record.getMessage() for record in caplog.records] == ["Redis is away"]


def test_what_redis_does_not_take_is_found_in_the_database_and_redis_is_tried_again(
    kind: None, broker: Any, stalled: str, redis: Redis, caplog: pytest.LogCaptureFixture
) -> None:
    broker(stalled)
    jobs.add("tests.hinted", key="one")
    assert (hints.are_taken(), jobs.due().count()) == (False, 1)

    broker(current_app.conf.broker_url)
    assert (jobs.reap(queues=[QUEUE]), hints.are_taken(), redis.llen(QUEUE)) == (1, True, 1)
    assert [record.getMessage() for record in caplog.records] == ["Redis is away", "Redis is back"]
