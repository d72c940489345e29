"""Costly work that lets everything else on the machine go before."""

import contextlib
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial
from typing import Any, TypeVar

NICENESS = 10  # about a tenth of what others get while they want it, all of it when nobody does
MEANWHILE_SECONDS = 10.0
Result = TypeVar("Result")


def at_once(
    work: Callable[..., Result],
    *args: Any,
    meanwhile: Callable[[], None],  # noqa: ARG001  (as below)
    **named: Any,
) -> Result:
    """Do work as it comes."""
    return work(*args, **named)


def at_low_priority(
    work: Callable[..., Result], *args: Any, meanwhile: Callable[[], None], **named: Any
) -> Result:
    """Do pure work in a thread of its own, whose priority is lowered: on Linux each thread has one (setpriority(2)).

    A process may lower its priority but not raise it again, so that a worker's own would stay low for the next job.
    Since it may take long beside others, `meanwhile` is called every ten seconds.
    """
    pool = ThreadPoolExecutor(max_workers=1, initializer=_give_way)
    try:
        future = pool.submit(partial(work, *args, **named))
        while not wait([future], timeout=MEANWHILE_SECONDS).done:
            meanwhile()
        return future.result()
    finally:
        pool.shutdown(wait=False)  # a time limit need not wait for it


def _give_way() -> None:
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
