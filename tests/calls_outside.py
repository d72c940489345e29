"""Sees each connection that a request opens, and whether it stands in a place of a bulkhead.

So every test that lets a request ask somebody else's server is a test of that server's bulkhead.
"""

import sys
from typing import Any

from django.conf import settings

from core import bulkhead

unguarded: list[str] = []
EVENTS = frozenset({"socket.connect", "socket.sendto"})


def note(event: str, details: tuple[Any, ...]) -> None:
    """An audit hook: called for whatever Python does, so it leaves early."""
    if event in EVENTS and bulkhead.in_request() and not bulkhead.is_inside():
        address = str(details[1])
        if not _is_ours(details[1]):
            unguarded.append(f"{event} {address}")


def _is_ours(address: Any) -> bool:
    """Whether it is Redis, the cache or the queue, which stand beside us and have bounds of their own."""
    return isinstance(address, str | bytes) or str(address[1]) in str(settings.REDIS_URL)


sys.addaudithook(note)
