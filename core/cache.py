"""A cache that turns an outage of Redis into misses, and the version stamps that public reads are cached by."""

import logging
import time
from collections.abc import Callable
from typing import Any, TypeVar

from django.core.cache import cache
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from django.db import transaction
from redis import Redis
from redis.exceptions import RedisError

from core.redis_scripts import client_of

logger = logging.getLogger(__name__)
RETRY_AFTER = 5.0
VERSION_SECONDS = 7 * 86400
Result = TypeVar("Result")


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

    def _fail_soft(self, call: Callable[[], Result], *, otherwise: Result) -> Result:
        if time.monotonic() < FailSoftRedisCache._away_until:
            return otherwise
        try:
            return call()
        except (RedisError, OSError):
            FailSoftRedisCache._away_until = time.monotonic() + RETRY_AFTER
            logger.warning("the cache is away: Redis does not answer")
            return otherwise

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        return self._fail_soft(
            lambda: super(FailSoftRedisCache, self).get(key, default, version), otherwise=default
        )

    def get_many(self, keys: Any, version: int | None = None) -> dict[str, Any]:
        return self._fail_soft(lambda: super(FailSoftRedisCache, self).get_many(keys, version), otherwise={})

    def set(self, key: str, value: Any, timeout: Any = 300, version: int | None = None) -> None:
        self._fail_soft(
            lambda: super(FailSoftRedisCache, self).set(key, value, timeout, version), otherwise=None
        )

    def set_many(self, data: dict[str, Any], timeout: Any = 300, version: int | None = None) -> list[str]:
        return self._fail_soft(
            lambda: super(FailSoftRedisCache, self).set_many(data, timeout, version), otherwise=[]
        )

    def add(self, key: str, value: Any, timeout: Any = 300, version: int | None = None) -> bool:
        """Keep a value unless there is one; true while the cache is away, so that nobody waits for it."""
        return self._fail_soft(
            lambda: super(FailSoftRedisCache, self).add(key, value, timeout, version), otherwise=True
        )

    def delete(self, key: str, version: int | None = None) -> bool:
        return self._fail_soft(lambda: super(FailSoftRedisCache, self).delete(key, version), otherwise=False)

    def has_key(self, key: str, version: int | None = None) -> bool:
        return self._fail_soft(lambda: super(FailSoftRedisCache, self).has_key(key, version), otherwise=False)


def changed(name: str) -> None:
    """Say that a body of data changed: a new stamp, as soon as the change is committed.

    Says so of texts and statuses, not of counters. While Redis is away nothing is cached, and answers made before
    that live for `Public.max_age` at the most, so a stamp that cannot be set is not set later either. A stamp is the
    time in microseconds, by which `core.replica` sees how new the change is.
    """
    transaction.on_commit(
        lambda: cache.set(f"stamp:{name}", time.time_ns() // 1000, VERSION_SECONDS), robust=True
    )
