"""Draw a stranger's picture anew outside of the web's process: in one that ends, with bounds of its own.

What decoding takes in memory is given back with the process. One picture at a time is drawn for a web process, and one
more waits: the other request threads are for everybody else.
"""

import json
import subprocess
import sys
from threading import BoundedSemaphore

from django.conf import settings

from core.errors import ApiError
from directory.drawings import PictureRefusedError
from directory.pictures import Screen

SECONDS = 15.0
WAIT_SECONDS, WAITING = 10.0, 2
_waiting, _turn = BoundedSemaphore(WAITING), BoundedSemaphore(1)


class PicturesBusyError(ApiError, status=503, code="unavailable", title="Not available right now"):
    """Others' pictures are being drawn."""


def drawn_apart(body: bytes) -> Screen:
    """`screen_of` in a process of its own. Raises PictureRefusedError, PicturesBusyError."""
    if not _waiting.acquire(blocking=False):
        raise _busy()
    try:
        if not _turn.acquire(timeout=WAIT_SECONDS):
            raise _busy()
        try:
            return _drawn(body)
        finally:
            _turn.release()
    finally:
        _waiting.release()


def _busy() -> PicturesBusyError:
    return PicturesBusyError(
        "Other pictures are being prepared. Add yours again in a moment.", headers={"Retry-After": "5"}
    )


def _drawn(body: bytes) -> Screen:
    try:
        done = subprocess.run(
            [sys.executable, "-m", "directory.pictures"],
            input=body,
            capture_output=True,
            check=False,
            cwd=settings.BASE_DIR,
            env={},  # no secret of ours is near a stranger's picture
            timeout=SECONDS,
        )
    except subprocess.TimeoutExpired as error:
        raise PictureRefusedError("The picture takes too long to read.") from error
    if done.returncode:
        raise PictureRefusedError("The picture is broken.")
    head, _, content = done.stdout.partition(b"\n")
    facts = json.loads(head)
    if "refused" in facts:
        raise PictureRefusedError(facts["refused"])
    return Screen(content=content, **facts)
