"""Draw a stranger's picture anew in a process that ends, with bounds of its own: its memory is given back with it.

Jobs call `made_apart`. Requests call nothing of this but the back office, for the covers and photos of staff: of these
one at a time is drawn for a web process, and one more waits.
"""

import json
import subprocess
import sys
from threading import BoundedSemaphore

from django.conf import settings

from core.api.errors import ApiError
from directory.images.drawings import PictureRefusedError
from directory.images.pictures import Made, Screen

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
            made = made_apart(body, kind="screen")
            return Screen(content=made.files[".webp"], width=made.width, height=made.height)
        finally:
            _turn.release()
    finally:
        _waiting.release()


def _busy() -> PicturesBusyError:
    return PicturesBusyError(
        "Other pictures are being prepared. Add yours again in a moment.", headers={"Retry-After": "5"}
    )


def made_apart(body: bytes, *, kind: str) -> Made:
    """What `directory.images.pictures` makes of it, in a process of its own. For jobs. Raises PictureRefusedError."""
    try:
        done = subprocess.run(  # noqa: S603
            [sys.executable, "-m", "directory.images.pictures", kind],
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
    files, at = {}, 0
    for end, length in facts["files"].items():
        files[end], at = content[at : at + length], at + length
    return Made(files=files, width=facts["width"], height=facts["height"], sizes=tuple(facts["sizes"]))
