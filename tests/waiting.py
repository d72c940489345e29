"""What tests with two database connections share."""

import threading
import time
from collections.abc import Callable

from django.db import connection


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
