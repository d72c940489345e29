"""A bound on the processor's time that a piece of work takes, kept by the kernel's clock and not by the work.

The kernel's profiling timer counts what this process uses, wherever it is, and its signal is looked at between any two
steps of Python and inside a regular expression that runs on and on: no loop needs to ask for the time, and none can
forget to. Signals belong to the main thread, in which the crawler's processes do their jobs (setitimer(2), signal(3)).
"""

import math
import signal
import sys
import time
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

Result = TypeVar("Result")
FIRST_SECONDS, AGAIN_SECONDS = 0.001, 0.05


class OutOfTimeError(Exception):
    """The work is more than it may cost."""


class _Bound:
    """The moment of this process's own clock at which the innermost work is over."""

    ends_at = math.inf


_bound = _Bound()


def within(seconds: float, work: Callable[[], Result]) -> Result:
    """What the work gives. Raises OutOfTimeError as soon as it has taken this much of the processor.

    It may stand inside another; the shorter one counts. The signal comes again until the work has ended, so that
    nothing that swallows an exception goes on for long: a finalizer that it meets, for one, whose exceptions Python
    reports and ignores.
    """
    outer, report = _bound.ends_at, sys.unraisablehook
    signal.signal(signal.SIGPROF, _over)
    sys.unraisablehook = partial(_but_out_of_time, report)
    try:
        _bound.ends_at = min(outer, time.process_time() + seconds)
        _set_timer()
        return work()
    finally:
        _bound.ends_at = outer  # no call before this: a late signal finds nothing that is over
        _set_timer()
        sys.unraisablehook = report


class Allowance:
    """What several pieces of work may take together, none of them more than its part."""

    def __init__(self, *, seconds: float, each: float) -> None:
        self.left = seconds
        self.each = each

    def spend(self, work: Callable[[], Result], *, otherwise: Result) -> Result:
        """What the work gives, or the other value when it was abandoned or nothing was left for it."""
        if self.left <= 0:
            return otherwise
        began = time.process_time()
        try:
            return within(min(self.each, self.left), work)
        except OutOfTimeError:
            return otherwise
        finally:
            self.left -= time.process_time() - began


def _set_timer() -> None:
    if _bound.ends_at == math.inf:
        signal.setitimer(signal.ITIMER_PROF, 0)
    else:
        left = max(_bound.ends_at - time.process_time(), FIRST_SECONDS)
        signal.setitimer(signal.ITIMER_PROF, left, AGAIN_SECONDS)


def _over(_number: int, frame: FrameType | None) -> None:
    if time.process_time() >= _bound.ends_at and not _waits_for_database(frame):
        raise OutOfTimeError


def _waits_for_database(frame: FrameType | None) -> bool:
    """Whether a statement is under way, which has a bound of its own: without its answer no other could be asked."""
    return frame is not None and str(frame.f_globals.get("__name__")).startswith("psycopg")


def _but_out_of_time(report: "Callable[[UnraisableHookArgs], object]", met: "UnraisableHookArgs") -> None:
    """Report what a finalizer raised, but for our own exception: it comes again, and meets the work."""
    if not isinstance(met.exc_value, OutOfTimeError):
        report(met)
