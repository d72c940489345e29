"""Sees each connection that a request opens, and whether it stands in a place of a bulkhead.

So every test that lets a request ask somebody else's server is a test of that server's bulkhead.
"""

import sys
from typing import Any

from core import outages

unguarded: list[str] = []
EVENTS = frozenset({"socket.connect", "socket.sendto"})


def note(event: str, details: tuple[Any, ...]) -> None:
    """An audit hook: called for whatever Python does, so it leaves early."""
    if event in EVENTS and outages.in_request() and not outages.is_inside() and not _is_by_redis():
        unguarded.append(f"{event} {details[1]}")


def _is_by_redis() -> bool:
    """Whether Redis is asked, which stands beside us and has bounds of its own."""
    frame = sys._getframe()
    while frame is not None:
        if str(frame.f_globals.get("__name__")).startswith("redis."):
            return True
        frame = frame.f_back  # type: ignore[assignment]
    return False


sys.addaudithook(note)
