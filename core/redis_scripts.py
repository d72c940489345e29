"""Scripts that run inside Redis: what takes several commands is done and answered in one trip."""

import hashlib
import logging
import time
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from django.conf import settings
from redis import BlockingConnectionPool, Redis
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as LostConnectionError
from redis.exceptions import NoScriptError, RedisError
from redis.retry import Retry

logger = logging.getLogger(__name__)
RETRY_AFTER = 5.0
Argument = bytes | str | int


class Script:
    """A Lua script and the digest by which Redis knows it once it has run."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.digest = hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()


class Scripts:
    """Runs scripts, with a breaker that keeps everybody from waiting while Redis is away."""

    def __init__(self, client: Redis) -> None:
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
        try:
            return self._client.evalsha(script.digest, len(keys), *keys, *values)
        except NoScriptError:
            return self._client.eval(script.text, len(keys), *keys, *values)


CONNECTIONS = (
    16  # of a process, whose threads are fewer; whoever finds none waits no longer than for an answer
)


@lru_cache(maxsize=2)
def client_of(url: str) -> Redis:
    """The client that all threads of this process share. A process that was forked gets connections of its own.

    A lost connection is made anew once, since the server may have started anew; an answer that is late is not asked
    for again.
    """
    patience = settings.REDIS_TIMEOUT
    pool = BlockingConnectionPool.from_url(
        url,
        max_connections=CONNECTIONS,
        timeout=patience,
        socket_timeout=patience,
        socket_connect_timeout=patience,
        retry=Retry(NoBackoff(), 1, supported_errors=(LostConnectionError,)),
    )
    return Redis(connection_pool=pool)
