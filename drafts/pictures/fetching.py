"""Fetching a picture that a website names: in its turn, as robots.txt allows, drawn anew in a process of its own."""

import time

from django.conf import settings

from core.domains import domain_of
from core.fetch import Fetcher, FetchError
from directory.images.drawings import PictureRefusedError
from directory.images.pictures import MAX_BYTES, SCREEN_BYTES, Made
from directory.images.process import made_apart
from drafts.crawl.robots import ClosedError, Gate
from drafts.requests import turns

SECONDS = 15.0
ACCEPTED = ("image/*", "application/octet-stream", "text/xml", "application/xml")
CLOSED = "robots.txt asked us not to fetch this picture."
UNREAD = "robots.txt could not be read, so we did not fetch this picture."


def fetched(url: str, *, kind: str, owner_id: int, holder: str) -> tuple[Made | None, str]:
    """What is made of the picture at this address, or why nothing is. Raises NotNowError before its turn.

    A slow server of pictures holds no more of the crawler than a slow site: one process for each site, half of the
    processes for a person, and half for the pictures of all.
    """
    its_turn = turns.turn(owner_id=owner_id, domain=domain_of(url), holder=holder)
    try:
        with turns.of_pictures(holder=holder), its_turn:
            body = _body(url, max_bytes=MAX_BYTES if kind == "logo" else SCREEN_BYTES)
        return made_apart(body, kind=kind), ""
    except PictureRefusedError as error:
        return None, str(error)


def _body(url: str, *, max_bytes: int) -> bytes:
    ends_at = time.monotonic() + SECONDS
    try:
        with Fetcher() as fetcher:
            gate = Gate(
                fetcher=fetcher,
                token=settings.CRAWLER_TOKEN,
                seconds=SECONDS / 2,
                ends_at=ends_at,
                robots_files={},
            )
            try:
                gate.check(url)
                answer = fetcher.get(
                    url, accept=ACCEPTED, max_bytes=max_bytes, timeout=SECONDS, may_follow=gate.check
                )
            except ClosedError as error:
                is_read = gate.of(str(error)).file.state == "rules"
                raise PictureRefusedError(CLOSED if is_read else UNREAD) from error
    except FetchError as error:
        raise PictureRefusedError(error.detail) from error
    if answer.status != 200:
        raise PictureRefusedError(f"There is no picture at this address ({answer.status}).")
    return answer.body
