"""Hints: Celery messages that tell a worker to look at a job. The row is what counts; a lost hint costs seconds.

A hint ends with its row's `hint_until`, and a queue holds a bounded number of them, so what they take in Redis is
bounded too. When Redis does not take one, the next few seconds' hints are not even tried: no write waits for it twice.
"""

import os
import time
import uuid
from collections.abc import Collection
from datetime import datetime, timedelta
from functools import lru_cache

from celery import current_app
from django.conf import settings
from kombu.exceptions import KombuError
from kombu.pools import ProducerPool
from redis.exceptions import RedisError

from core.job_limits import GRACE_SECONDS, SOFT_LIMIT_SECONDS
from core.logs import HINTS_NOT_TAKEN
from core.outages import Outage

LASTS = timedelta(seconds=30)
AT_MOST = 500  # a queue, about a kilobyte each, as many that let others go before, and as many that go first
FIRST, NEXT, LAST = 0, 3, 9  # Celery's priorities on Redis
REST_SECONDS = 5.0
AWAY = (KombuError, RedisError, OSError)
REDIS = Outage(
    "Redis",
    consequence="Nothing is lost: workers find due jobs in the database every few seconds, and do them one by one.",
)
_rests_until = [0.0]


def are_taken() -> bool:
    return not REDIS.is_on


def send(
    *,
    job_id: uuid.UUID,
    queue: str,
    limit_seconds: float = SOFT_LIMIT_SECONDS,
    at: datetime | None = None,
    priority: int = NEXT,
) -> bool:
    """Tell a worker to look at a job, now or at a moment not far away. False when Redis does not take it.

    A process that is busy with it for longer is asked to end it, and ended a while later.
    """
    if time.monotonic() < _rests_until[0]:
        return False
    try:
        with _publishers(os.getpid()).acquire(block=True, timeout=settings.REDIS_TIMEOUT) as producer:
            waiting = producer.channel._q_for_pri(queue, priority)  # noqa: SLF001 has no public name
            if producer.channel.client.llen(waiting) < AT_MOST:
                current_app.send_task(
                    "core.run_job",
                    args=[str(job_id)],
                    queue=queue,
                    eta=at,
                    soft_time_limit=limit_seconds,
                    time_limit=limit_seconds + GRACE_SECONDS,
                    expires=(at + LASTS) if at else LASTS.total_seconds(),
                    ignore_result=True,
                    priority=priority,
                    producer=producer,
                )
    except AWAY as error:
        _rest(error)
        return False
    _go_on()
    return True


def room(queues: Collection[str]) -> dict[str, int]:
    """How many more hints each queue takes: none while Redis is away."""
    try:
        with _publishers(os.getpid()).acquire(block=True, timeout=settings.REDIS_TIMEOUT) as producer:
            client = producer.channel.client
            client.set("hints", "taken", ex=60)  # a full Redis reads on
            # kombu has no public name for the list of a priority
            names = {queue: producer.channel._q_for_pri(queue, NEXT) for queue in queues}  # noqa: SLF001
            left = {queue: max(0, AT_MOST - client.llen(name)) for queue, name in names.items()}
    except AWAY as error:
        _rest(error)
        return {}
    _go_on()
    return left


def _rest(error: Exception) -> None:
    _rests_until[0] = time.monotonic() + REST_SECONDS
    HINTS_NOT_TAKEN.inc()
    REDIS.began(error)


def _go_on() -> None:
    _rests_until[0] = 0.0
    REDIS.ended()


@lru_cache(maxsize=1)
def _publishers(_process: int) -> ProducerPool:
    """Connections of this process that give up early: a write waits for them, unlike a worker for its next hint."""
    patience = settings.REDIS_TIMEOUT
    connection = current_app.connection_for_write(
        transport_options={"socket_timeout": patience, "socket_connect_timeout": patience}
    )
    return ProducerPool(connections=connection.Pool(limit=16), limit=16)
