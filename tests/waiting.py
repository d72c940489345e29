"""What tests share that wait: for a lock that another holds, and on a machine that may be withheld from them."""

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from django.db import connection

from core.outages import PLACES, Bulkhead

LONG = 30.0  # seconds for what comes at once wherever the host lets us run
SPELL = 0.01


@dataclass
class Clock:
    """Reads `seconds` once what it measures is over."""

    seconds: float = 0.0


@contextmanager
def undisturbed() -> Iterator[Clock]:
    """Measure how long something takes without the moments in which the host did not let this process run.

    A thread sleeps short spells. When one lasts longer although the process used no processor meanwhile, somebody
    else had it; what holds Python's lock uses it, and counts.
    """
    over, lost, clock = threading.Event(), [0.0], Clock()

    def feel() -> None:
        while not over.is_set():
            before, used = time.monotonic(), time.process_time()
            time.sleep(SPELL)
            late = time.monotonic() - before - SPELL
            lost[0] += max(late - (time.process_time() - used), 0.0)

    thread, began = threading.Thread(target=feel, daemon=True), time.monotonic()
    thread.start()
    try:
        yield clock
    finally:
        ended = time.monotonic()
        over.set()
        thread.join()
        clock.seconds = ended - began - lost[0]


def spent(work: Callable[[], object], *, enough: float = 0.0) -> float:
    """Processor seconds of the quickest of three tries, or of the first below `enough`: other work only ever adds."""
    quickest = math.inf
    for _ in range(3):
        began = time.process_time()
        work()
        quickest = min(quickest, time.process_time() - began)
        if quickest < enough:
            break
    return quickest


def begin_blocked(work: Callable[[], object]) -> threading.Thread:
    """Begin `work` on a connection of its own, and return once it waits for a lock that the caller holds.

    Join the thread after the transaction that holds the lock.
    """
    backend: list[int] = []

    def run() -> None:
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_backend_pid()")
                backend.append(cursor.fetchone()[0])
            work()
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    ends = time.monotonic() + 30
    with connection.cursor() as cursor:
        while time.monotonic() < ends:
            cursor.execute("SELECT cardinality(pg_blocking_pids(%s))", [backend[0] if backend else 0])
            if cursor.fetchone() != (0,):
                return thread
    raise AssertionError("the work did not wait for a lock")


@contextmanager
def taken(service: Bulkhead) -> Iterator[None]:
    """All places of a service are taken, as by requests that it keeps waiting."""
    with ExitStack() as stack:
        for _ in range(PLACES):
            assert service._places.acquire(blocking=False)
            stack.callback(service._places.release)
        yield
