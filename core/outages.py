"""Servers that are away: one line when one goes, with what follows from it, and one when it is back, in each process.

A service that hangs holds two request threads of a process at most, and none while it is known to be away. Requests
share a handful of threads. What a request asks of somebody else's server is asked inside `place()` of that service's
bulkhead, and all services together leave three of the eight threads. A job may wait longer and try again. Where many
jobs ask one server (`in_jobs`), they take such places in their worker, which has as many threads: whoever finds none,
or the server away, is put back and loses no attempt.
"""

import logging
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import BoundedSemaphore, Lock
from typing import ClassVar
from weakref import WeakSet

import httpx2
from django.db import Error, InterfaceError, InternalError, OperationalError

logger = logging.getLogger(__name__)
PLACES, PLACES_IN_ALL, SECONDS, AWAY_SECONDS = 2, 5, 5.0, 15.0
JOB_SECONDS = 2.0  # so long a job waits that found no place
_in_request: ContextVar[bool] = ContextVar("in_request", default=False)
_ends: ContextVar[tuple[tuple["Bulkhead", float], ...]] = ContextVar("bulkhead_ends", default=())
CONTENTION = {"55P03", "40P01"}  # PostgreSQL's codes for a lock not had in time, and for a deadlock
READ_ONLY = "25006"  # PostgreSQL's code for a change while it takes none, as a standby does


def is_outage(error: BaseException | None) -> bool:
    """Whether a fault is the database's, not ours: away, overloaded, or taking no changes."""
    if isinstance(error, OperationalError | InterfaceError):
        return True
    return isinstance(error, InternalError) and getattr(error.__cause__, "sqlstate", None) == READ_ONLY


def is_contention(error: BaseException | None) -> bool:
    """Whether a statement gave way to somebody else's, for a lock or in a deadlock: nobody's fault, and soon over."""
    cause = error.__cause__ if isinstance(error, OperationalError) else None
    return getattr(cause, "sqlstate", None) in CONTENTION


@contextmanager
def if_writable() -> Iterator[None]:
    """Write down what a read leaves behind, in no transaction; go on without where the database takes no changes."""
    try:
        yield
    except Error as error:
        if not is_outage(error):
            raise


class Outage:
    """Whether a server is away, as this process has seen it, and what that means for whoever reads the log.

    `quiet` seconds lie between two pairs of lines, for what comes and goes, as a pooler before a database that is away.
    """

    all: ClassVar[WeakSet["Outage"]] = WeakSet()

    def __init__(self, server: str, *, consequence: str, quiet: float = 0.0) -> None:
        self.server = server
        self.consequence = consequence
        self.quiet = quiet
        self._lock = Lock()
        self.forget()
        self.all.add(self)

    def forget(self) -> None:
        """Nothing is known yet, as in a process that has just begun."""
        self._began_at: float | None = None
        self._logged_at = float("-inf")
        self._faults = 0

    @property
    def is_on(self) -> bool:
        return self._began_at is not None

    def began(self, error: BaseException) -> None:
        """The server did not answer, or not as it should."""
        with self._lock:
            self._faults += 1
            if self._began_at is not None:
                return
            self._began_at = time.monotonic()
            if self._began_at - self._logged_at < self.quiet:
                return
            self._logged_at = self._began_at
        reason = " ".join(f"{type(error).__name__}: {error}".split())[:300]
        logger.error("%s is away", self.server, extra={"consequence": self.consequence, "reason": reason})

    def ended(self) -> None:
        with self._lock:
            if self._began_at is None:
                return
            seconds, faults = round(time.monotonic() - self._began_at, 1), self._faults
            was_logged = self._logged_at == self._began_at
            self._began_at, self._faults = None, 0
        if was_logged:
            logger.warning("%s is back", self.server, extra={"seconds": seconds, "faults": faults})


database = Outage(
    "the database", consequence="What needs it is refused with 503 until it is back.", quiet=10.0
)


class ServiceAwayError(Exception):
    """The service was not asked: its places are taken, or it has just not answered."""


class NotNowError(Exception):
    """The job must wait its turn; it is put back without counting as an attempt."""

    def __init__(self, *, seconds: float) -> None:
        super().__init__(f"again in {seconds} s")
        self.seconds = seconds


@contextmanager
def request() -> Iterator[None]:
    """Everything inside is part of a request, whose thread others wait for."""
    token = _in_request.set(True)
    try:
        yield
    finally:
        _in_request.reset(token)


def in_request() -> bool:
    """Whether somebody else's request waits for the thread that this runs in."""
    return _in_request.get()


def is_inside() -> bool:
    return bool(_ends.get())


class Bulkhead:
    """The places of one service in this process, and whether it is away.

    `seconds` is what a request has for all its calls together. After a time-out nobody else waits for the service for
    `away_seconds`; with 0 that is forgotten at once, as where each call has another server. For a place `wait` seconds
    are waited, where calls are short and many. Jobs need places where it says `in_jobs`; to them NotNowError is raised.
    """

    all: ClassVar[list["Bulkhead"]] = []
    _places_in_all = BoundedSemaphore(PLACES_IN_ALL)

    def __init__(
        self,
        service: str,
        *,
        seconds: float = SECONDS,
        away_seconds: float = AWAY_SECONDS,
        wait: float = 0.0,
        in_jobs: bool = False,
    ) -> None:
        self.service, self.seconds, self.away_seconds, self.wait = service, seconds, away_seconds, wait
        self.in_jobs = in_jobs
        self._outage = Outage(
            service, consequence="Requests are answered without it at once; jobs that need it wait."
        )
        self._places = BoundedSemaphore(PLACES)
        self._away_until = 0.0
        self.all.append(self)

    @contextmanager
    def place(self) -> Iterator[None]:
        """One of the places, for all that is inside; the same request needs no second one.

        Raises ServiceAwayError at once where none is free or the service is away, in a job NotNowError.
        """
        if not (in_request() or self.in_jobs) or self._ends_at() is not None:
            yield
            return
        self._take()
        began = time.monotonic()
        token = _ends.set((*_ends.get(), (self, began + self.seconds)))
        try:
            yield
            self._outage.ended()
        except Exception as error:
            self._note(error, took=time.monotonic() - began)
            raise
        finally:
            _ends.reset(token)
            self._places.release()
            self._places_in_all.release()

    def seconds_left(self, *, in_job: float) -> float:
        """How long one call may take: what is left of a request's time, or as long as a job may wait."""
        ends_at = self._ends_at() if in_request() else None
        return in_job if ends_at is None else max(ends_at - time.monotonic(), 0.01)

    @property
    def is_away(self) -> bool:
        """Whether it did not answer when it was last asked."""
        return self._outage.is_on

    def forget(self) -> None:
        """The service is not away any more, as far as this process knows."""
        self._away_until = 0.0

    def _take(self) -> None:
        away_for = self._away_until - time.monotonic()
        if away_for > 0:
            raise self._refused("has just not answered.", seconds=away_for)
        if self._places.acquire(timeout=0.0 if self._outage.is_on else self.wait):
            if self._places_in_all.acquire(blocking=False):
                return
            self._places.release()
        wait = self.away_seconds if self._outage.is_on else JOB_SECONDS
        raise self._refused("keeps others waiting.", seconds=wait)

    def _refused(self, why: str, *, seconds: float) -> Exception:
        if in_request():
            return ServiceAwayError(f"{self.service} {why}")
        return NotNowError(seconds=seconds * random.uniform(1, 2))  # noqa: S311  (not all at one moment)

    def _ends_at(self) -> float | None:
        return next((ends_at for bulkhead, ends_at in _ends.get() if bulkhead is self), None)

    def _note(self, error: Exception, *, took: float) -> None:
        if self.away_seconds and (took >= self.seconds or _is_timeout(error)):
            self._away_until = time.monotonic() + self.away_seconds
            self._outage.began(error)


def _is_timeout(error: BaseException | None) -> bool:
    """Whether somebody was waited for in vain, whatever library says so."""
    while error is not None:
        if isinstance(error, TimeoutError | httpx2.TimeoutException):
            return True
        error = error.__cause__ or error.__context__
    return False
