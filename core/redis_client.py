"""The process's client of Redis: a bounded pool, from which each command takes a connection and gives it back."""

from functools import lru_cache

from django.conf import settings
from redis import BlockingConnectionPool, Redis
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as LostConnectionError
from redis.retry import Retry

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
