"""Scripts that run inside Redis: what takes several commands is asked and answered in one trip."""

import hashlib
import logging
import os
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any

from redis.exceptions import ConnectionError as LostError
from redis.exceptions import NoScriptError, RedisError, ResponseError

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
        told = (len(keys), *keys, *values)
        return self._softly(lambda: self._asked(script, told))

    def tell(self, script: Script, *, keys: Sequence[Word], values: Sequence[Word] = ()) -> None:
        """Have the script run for what it does; nobody waits for that, and nothing happens while Redis is away."""
        self._softly(lambda: self._told((b"EVAL", script.text, len(keys), *keys, *values)))

    def _softly(self, call: Callable[[], Any]) -> Any:
        if time.monotonic() < self._away_until:
            return None
        is_kept = bool(self._own.__dict__)
        try:
            try:
                return call()
            except LostError:
                if not is_kept:
                    raise
                self._own.__dict__.clear()  # the server may have ended it since, for instance by starting anew
                return call()
        except (RedisError, OSError):
            self._own.__dict__.clear()
            self._away_until = time.monotonic() + RETRY_AFTER
            logger.warning("limits count by process and nothing is kept: Redis does not answer")
            return None

    def _asked(self, script: Script, told: Sequence[Word]) -> Any:
        try:
            return self._answer(self._told((b"EVALSHA", script.digest, *told)))
        except NoScriptError:
            return self._answer(self._told((b"EVAL", script.text, *told)))

    def _told(self, words: Iterable[Word]) -> Any:
        own = self._own.__dict__
        if own.get("process") != os.getpid():
            own.update(connection=self._pool.make_connection(), process=os.getpid(), unread=0)
        own["connection"].send_packed_command([packed(words)])
        own["unread"] += 1
        return own

    def _answer(self, own: dict[str, Any]) -> Any:
        """The last answer; those before it are to what was only told."""
        while own["unread"] > 1:
            own["unread"] -= 1
            with suppress(ResponseError):
                own["connection"].read_response()
        own["unread"] = 0
        return own["connection"].read_response()


def packed(words: Iterable[Word]) -> bytes:
    """A command as Redis reads it."""
    pieces = [word if isinstance(word, bytes) else str(word).encode() for word in words]
    framed = [b"$%d\r\n%b\r\n" % (len(piece), piece) for piece in pieces]
    return b"*%d\r\n%b" % (len(framed), b"".join(framed))
