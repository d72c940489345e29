"""Scripts that run inside Redis: what takes several commands is asked and answered in one trip."""

import hashlib
import logging
import os
import threading
import time
from collections.abc import Iterable, Sequence
from typing import Any

from redis.exceptions import ConnectionError as LostError
from redis.exceptions import NoScriptError, RedisError

logger = logging.getLogger(__name__)
RETRY_AFTER = 5.0
Word = bytes | str | int


class Script:
    """A Lua script and the digest by which Redis knows it once it has run."""

    def __init__(self, text: str) -> None:
        self.text = text.encode()
        self.digest = hashlib.sha1(self.text, usedforsecurity=False).hexdigest()


class Scripts:
    """Runs scripts on a connection that each thread keeps; redis-py's client takes five times as long to do so.

    A breaker keeps everybody from waiting while Redis is away.
    """

    def __init__(self, client: Any) -> None:
        self._pool = client.connection_pool
        self._own = threading.local()
        self._away_until = 0.0

    def run(self, script: Script, *, keys: Sequence[Word], values: Sequence[Word] = ()) -> Any:
        """What the script returns; None while Redis is away."""
        if time.monotonic() < self._away_until:
            return None
        told = (len(keys), *keys, *values)
        try:
            try:
                return self._asked_on_kept((b"EVALSHA", script.digest, *told))
            except NoScriptError:
                return self._asked_on_kept((b"EVAL", script.text, *told))
        except (RedisError, OSError):
            self._away_until = time.monotonic() + RETRY_AFTER
            logger.warning("limits count by process and nothing is kept: Redis does not answer")
            return None

    def _asked_on_kept(self, words: Iterable[Word]) -> Any:
        own, command = self._own, packed(words)
        if getattr(own, "process", None) == os.getpid():
            try:
                return _asked(own.connection, command)
            except LostError:  # the server may have ended it since, for instance by starting anew
                return _asked(own.connection, command)
        own.connection, own.process = self._pool.make_connection(), os.getpid()
        return _asked(own.connection, command)


def _asked(connection: Any, command: bytes) -> Any:
    connection.send_packed_command([command])
    return connection.read_response()


def packed(words: Iterable[Word]) -> bytes:
    """A command as Redis reads it."""
    pieces = [word if isinstance(word, bytes) else str(word).encode() for word in words]
    framed = [b"$%d\r\n%b\r\n" % (len(piece), piece) for piece in pieces]
    return b"*%d\r\n%b" % (len(framed), b"".join(framed))
