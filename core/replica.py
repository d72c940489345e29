"""What everybody may read, read from a replica of the database for as long as it follows the primary closely.

What one person asks for is read from the primary, so whoever changed something sees the change. Whatever goes wrong on
the replica, a row that is not there yet included, is asked of the primary instead.
"""

import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Lock

from django.conf import settings
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.db import DEFAULT_DB_ALIAS, Error, connections
from django.http import Http404, HttpResponse

from core.api.errors import ApiError
from core.outages import Outage

ALIAS = "replica"
CHECK_SECONDS, AWAY_SECONDS, SAMPLES = 1.0, 5.0, 120
WRITTEN = "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint"
REPLAYED = "SELECT pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::bigint"
NEVER = float("inf")
NOT_TAKEN = (Error, ApiError, Http404, PermissionDenied, SuspiciousOperation)
REPLICA = Outage(
    "the read replica", consequence="Public reads go to the primary until it is back.", quiet=10.0
)


class NoStandbyError(Error):
    """DATABASE_REPLICA_URL names a server that follows nobody."""


class Follower:
    """How far the replica is behind, as this process sees it: it looks at both once a second, while somebody reads.

    A replica's own clock says nothing when it is cut off, so what it has replayed is held against what the primary had
    written a moment ago. While the primary is away nothing is written, and the replica falls no further behind.
    """

    def __init__(self) -> None:
        self.lag = NEVER
        self.is_alone = False
        self._next_check = 0.0
        self._written: deque[tuple[float, int]] = deque(maxlen=SAMPLES)
        self._lock = Lock()

    def is_close(self) -> bool:
        if time.monotonic() >= self._next_check and self._lock.acquire(blocking=False):
            try:
                self._check()
            finally:
                self._lock.release()
        return self.lag <= settings.DATABASE_REPLICA_LAG

    def failed(self, error: BaseException) -> None:
        """Leave it alone for a while."""
        self.lag, self._next_check = NEVER, time.monotonic() + AWAY_SECONDS
        REPLICA.began(error)

    def _check(self) -> None:
        is_alone = True
        with suppress(Error):
            self._written.append((time.monotonic(), _position(DEFAULT_DB_ALIAS, WRITTEN)))
            is_alone = False
        self.is_alone = is_alone
        try:
            replayed = _position(ALIAS, REPLAYED)
        except Error as error:
            self.failed(error)
            return
        self.lag = self._behind(replayed)
        self._next_check = time.monotonic() + (AWAY_SECONDS if self.is_alone else CHECK_SECONDS)
        REPLICA.ended()

    def _behind(self, replayed: int) -> float:
        if not self._written:
            return 0.0
        newest, _ = self._written[-1]
        return min((newest - at for at, written in self._written if written <= replayed), default=NEVER)


FOLLOWER = Follower()


def _position(alias: str, statement: str) -> int:
    with connections[alias].cursor() as cursor:
        cursor.execute(statement)
        (number,) = cursor.fetchone()
    if number is None:
        raise NoStandbyError("It follows no primary.")
    return int(number)


def is_there() -> bool:
    return ALIAS in settings.DATABASES


def is_read() -> bool:
    return connections[DEFAULT_DB_ALIAS].alias == ALIAS


def has_seen(version: bytes | None) -> bool:
    """Whether a change that these stamps speak of is old enough to have arrived there.

    An answer made from older data would be cached as if it were the newest.
    """
    stamps = [int(stamp) for stamp in (version or b"").split(b",") if stamp.isdigit()]
    return time.time() - max(stamps, default=0) / 1_000_000 > settings.DATABASE_REPLICA_LAG


def answered(make: Callable[[], HttpResponse], *, is_last_resort: bool = False) -> HttpResponse | None:
    """What is made while all statements of this thread go to the replica; None if the primary is to be asked.

    As a last resort it is asked only while the primary is away, since nobody else could answer.
    """
    if not is_there() or not FOLLOWER.is_close() or (is_last_resort and not FOLLOWER.is_alone):
        return None
    try:
        with _reading():
            response = make()
    except NOT_TAKEN as error:
        if isinstance(error, Error):
            FOLLOWER.failed(error)
        return None
    return response if response.status_code < 400 else None


@contextmanager
def _reading() -> Iterator[None]:
    primary = connections[DEFAULT_DB_ALIAS]
    connections[DEFAULT_DB_ALIAS] = connections[ALIAS]
    try:
        yield
    finally:
        connections[DEFAULT_DB_ALIAS] = primary
