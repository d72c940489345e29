"""Hints at jobs: one at a time for each job, a bounded number for each queue, and no write that waits for them."""

import socket
import uuid
from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import pytest
from celery import current_app
from django.conf import settings
from django.utils import timezone
from kombu import Consumer, Producer, Queue
from redis import Redis

from core import jobs
from core.jobs import hints
from core.models import Job
from tests.servers.relay import relay
from tests.waiting import LONG, undisturbed

QUEUE = "tests-hints"
WAITING = f"{QUEUE}\x06\x163"  # where Celery puts what is neither first nor last of a queue


@pytest.fixture
def redis() -> Iterator[Redis]:
    """The Redis that carries hints."""
    with Redis.from_url(settings.REDIS_URL) as client:
        client.delete(QUEUE, *client.keys(f"{QUEUE}*"))
        yield client
        client.delete(QUEUE, *client.keys(f"{QUEUE}*"))


@pytest.fixture
def kind(transactional_db: None) -> Iterator[None]:
    """A kind in a queue that no worker reads."""

    @jobs.job("tests.hinted", queue=QUEUE)
    def handler(lease: jobs.Lease) -> None:
        pass

    yield
    del jobs.KINDS["tests.hinted"]


@pytest.fixture
def background(kind: None) -> Iterator[None]:
    """A kind in the same queue that nobody waits for."""

    @jobs.job("tests.watching", queue=QUEUE, is_background=True)
    def handler(lease: jobs.Lease) -> None:
        pass

    yield
    del jobs.KINDS["tests.watching"]


def fetched(number: int) -> list[str]:
    """The kinds of the jobs that a worker is told of, one after the other."""
    with current_app.connection_for_read() as connection, connection.SimpleQueue(QUEUE) as queue:
        messages = [queue.get(timeout=LONG) for _ in range(number)]
        for message in messages:
            message.ack()
    kinds = dict(Job.objects.values_list("pk", "kind"))
    return [kinds[uuid.UUID(message.payload[0][0])] for message in messages]


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

    assert (again, redis.llen(WAITING)) == ([0, 0, 0], 1)


def test_a_lost_hint_is_sent_again_when_its_time_is_over(kind: None, redis: Redis) -> None:
    jobs.add("tests.hinted", key="one")
    redis.delete(WAITING)
    Job.objects.update(hint_until="2026-01-01T00:00:00Z")

    assert (jobs.reap(queues=[QUEUE]), redis.llen(WAITING)) == (1, 1)


def test_hints_for_a_queue_are_bounded_and_end_by_themselves(
    kind: None, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hints, "AT_MOST", 3)
    for number in range(5):
        jobs.add("tests.hinted", key=str(number))
    Job.objects.update(hint_until=None)
    jobs.reap(queues=[QUEUE])

    assert redis.llen(WAITING) == 3
    assert all(b'"expires": "20' in hint for hint in redis.lrange(WAITING, 0, -1))


def test_what_somebody_waits_for_goes_before_what_is_watched_in_the_background(
    background: None, redis: Redis
) -> None:
    jobs.add("tests.watching", key="one")
    jobs.add("tests.hinted", key="one")
    told = fetched(2)
    Job.objects.update(hint_until=None)
    jobs.reap(queues=[QUEUE])
    told_again = fetched(2)
    jobs.run_due(queues=[QUEUE], at_most=1)

    assert told == told_again == ["tests.hinted", "tests.watching"]
    assert Job.objects.get(kind="tests.hinted").state == "done"
    assert Job.objects.get(kind="tests.watching").state == "queued"


def test_what_goes_first_does_so_whatever_waits(background: None, redis: Redis) -> None:
    jobs.does("tests.launching", lambda: None, queue=QUEUE, goes_first=True)
    try:
        for kind in ("tests.watching", "tests.hinted", "tests.launching"):
            jobs.add(kind, key="one")
        told = fetched(3)
        Job.objects.update(hint_until=None)
        jobs.reap(queues=[QUEUE])
        told_again = fetched(3)
        jobs.run_due(queues=[QUEUE], at_most=1)
    finally:
        del jobs.KINDS["tests.launching"]

    assert told == told_again == ["tests.launching", "tests.hinted", "tests.watching"]
    assert Job.objects.get(state="done").kind == "tests.launching"


def test_what_is_watched_in_the_background_waits_for_minutes_at_most(background: None, redis: Redis) -> None:
    jobs.add("tests.watching", key="one")
    fetched(1)
    Job.objects.update(run_after=timezone.now() - timedelta(minutes=6), hint_until=None)
    jobs.reap(queues=[QUEUE])
    jobs.add("tests.hinted", key="one")

    assert fetched(2) == ["tests.watching", "tests.hinted"]
    jobs.run_due(queues=[QUEUE], at_most=1)
    assert Job.objects.get(kind="tests.watching").state == "done"


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
    assert (jobs.reap(queues=[QUEUE]), hints.are_taken(), redis.llen(WAITING)) == (1, True, 1)
    assert [record.getMessage() for record in caplog.records] == ["Redis is away", "Redis is back"]


def test_a_worker_that_has_a_job_outlives_its_redis(redis: Redis) -> None:
    """As Celery's consumer lets go of a connection that broke while it waited for more."""
    server = urlsplit(settings.REDIS_URL)
    with relay(partial(socket.create_connection, (server.hostname, server.port))) as between:
        broker = settings.REDIS_URL.replace(f":{server.port}", f":{between.port}")
        connection = current_app.connection_for_read(url=broker)
        messages: list[Any] = []
        for name in (QUEUE, f"{QUEUE}-control"):
            channel = connection.default_channel if name == QUEUE else connection.channel()
            Consumer(channel, [Queue(name)], on_message=messages.append).consume()
        Producer(connection.channel()).publish({}, routing_key=QUEUE)
        while not messages:
            connection.drain_events(timeout=LONG)
        with pytest.raises(TimeoutError):
            connection.drain_events(timeout=0.01)
        between.go_away()
        connection.collect()
        connection.close()

    assert len(messages) == 1


def test_a_channel_is_closed_a_second_time_without_a_word(redis: Redis) -> None:
    """As a worker's mailbox does when its worker ends: each stop of a worker was a traceback."""
    with current_app.connection_for_read() as connection:
        channel = connection.channel()
        channel.close()
        channel.close()

    assert channel.closed
