"""Redis as requests use it, which is never waited for while it is away.

Scripts that do in one trip what takes several commands, a cache that turns an outage into misses, and the version
stamps that public reads are cached by.
"""

import hashlib
import logging
import os
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from django.conf import settings
from django.core.cache import cache
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from django.db import transaction
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as LostConnectionError
from redis.exceptions import NoScriptError, RedisError
from redis.retry import Retry

logger = logging.getLogger(__name__)
RETRY_AFTER = 5.0
VERSION_SECONDS = 7 * 86400
Argument = bytes | str | int
Result = TypeVar("Result")


class Script:
    """A Lua script and the digest by which Redis knows it once it has run."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.digest = hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()


class Scripts:
    """Runs scripts, with a breaker that keeps everybody from waiting while Redis is away."""

    def __init__(self, client: Callable[[], Redis]) -> None:
        self._client = client
        self._away_until = 0.0

    def run(self, script: Script, *, keys: Sequence[Argument], values: Sequence[Argument] = ()) -> Any:
        """What the script returns; None while Redis is away."""
        if time.monotonic() < self._away_until:
            return None
        try:
            return self._run(script, keys, values)
        except (RedisError, OSError):
            self._away_until = time.monotonic() + RETRY_AFTER
            logger.warning("limits count by process and nothing is cached: Redis does not answer")
            return None

    def _run(self, script: Script, keys: Sequence[Argument], values: Sequence[Argument]) -> Any:
        connection = self._client().connection
        try:
            return _answer(connection, "EVALSHA", script.digest, len(keys), *keys, *values)
        except NoScriptError:
            return _answer(connection, "EVAL", script.text, len(keys), *keys, *values)


def _answer(connection: Any, *command: Argument) -> Any:
    """What Redis says; asked once more where the connection was lost. The client's own way to it is half of a trip."""
    try:
        connection.send_command(*command)
        return connection.read_response()
    except LostConnectionError:
        connection.send_command(*command)
        return connection.read_response()


class Clients(threading.local):
    """The clients of this thread, by process and address; they go with the thread, and a fork makes its own."""

    def __init__(self) -> None:
        self.connected: dict[tuple[int, str], Redis] = {}


CLIENTS = Clients()


def client_of(url: str) -> Redis:
    """The client of this thread, which stays connected: a pool for all threads is a third of a trip's cost.

    Raises RedisError where Redis is away. A lost connection is made anew once; what is late is not asked again.
    """
    key = os.getpid(), url
    if (client := CLIENTS.connected.get(key)) is None:
        patience = settings.REDIS_TIMEOUT
        retry = Retry(NoBackoff(), 1, supported_errors=(LostConnectionError,))
        times = {"socket_timeout": patience, "socket_connect_timeout": patience}
        client = Redis.from_url(url, single_connection_client=True, retry=retry, **times)
        CLIENTS.connected[key] = client
    return client


class SharedClient(RedisCacheClient):
    """Uses the process's client of Redis: Django's own is a pool for each thread, and a client for each call."""

    def __init__(self, servers: list[str], **options: Any) -> None:
        super().__init__(servers, **options)
        self._url = servers[0]

    def get_client(self, key: Any = None, *, write: bool = False) -> Redis:
        """The client, which any thread may use."""
        return client_of(self._url)


class FailSoftRedisCache(RedisCache):
    """Django's Redis cache with a breaker: while Redis is away, reads miss and writes do nothing."""

    _away_until = 0.0

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = SharedClient

    def _fail_soft(self, call: Callable[..., Result], *args: Any, otherwise: Result) -> Result:
        if time.monotonic() < FailSoftRedisCache._away_until:
            return otherwise
        try:
            return call(*args)
        except (RedisError, OSError):
            FailSoftRedisCache._away_until = time.monotonic() + RETRY_AFTER
            logger.warning("the cache is away: Redis does not answer")
            return otherwise

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        return self._fail_soft(super().get, key, default, version, otherwise=default)

    def get_many(self, keys: Any, version: int | None = None) -> dict[str, Any]:
        return self._fail_soft(super().get_many, keys, version, otherwise={})

    def set(self, key: str, value: Any, timeout: Any = 300, version: int | None = None) -> None:
        self._fail_soft(super().set, key, value, timeout, version, otherwise=None)

    def set_many(self, data: dict[str, Any], timeout: Any = 300, version: int | None = None) -> list[str]:
        return self._fail_soft(super().set_many, data, timeout, version, otherwise=[])

    def add(self, key: str, value: Any, timeout: Any = 300, version: int | None = None) -> bool:
        """Keep a value unless there is one; true while the cache is away, so that nobody waits for it."""
        return self._fail_soft(super().add, key, value, timeout, version, otherwise=True)

    def delete(self, key: str, version: int | None = None) -> bool:
        return self._fail_soft(super().delete, key, version, otherwise=False)

    def has_key(self, key: str, version: int | None = None) -> bool:
        return self._fail_soft(super().has_key, key, version, otherwise=False)


def changed(name: str) -> None:
    """Say that a body of data changed: a new stamp, as soon as the change is committed.

    Says so of texts and statuses, not of counters. While Redis is away nothing is cached, and answers made before
    that live for `Public.max_age` at the most, so a stamp that cannot be set is not set later either. A stamp is the
    time in microseconds, by which `core.replica` sees how new the change is.
    """
    transaction.on_commit(
        lambda: cache.set(f"stamp:{name}", time.time_ns() // 1000, VERSION_SECONDS), robust=True
    )
