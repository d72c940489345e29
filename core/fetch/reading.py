"""Reads a body without trusting its length, its packing or its pace."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress

import httpcore2
import httpx2

from core.fetch.connecting import seconds_left

MAX_RATIO = 100
# Below this size a ratio says nothing: short repetitive pages pack very well.
RATIO_FROM = 256 * 1024
WIRE_SLACK = 64 * 1024
SMALL_BODY = 16 * 1024
ENCODINGS = frozenset({"", "identity", "gzip", "deflate"})

_CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w.:-]{1,40})", re.IGNORECASE)


class WireFullError(Exception):
    """More bytes came over the wire than the body may have."""


class Wire(httpx2.SyncByteStream):
    """The undecoded body, counted: packed data that decodes to nothing must end too."""

    def __init__(self, answer: httpcore2.Response) -> None:
        self._answer = answer
        self.received = 0
        self.limit = SMALL_BODY

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._answer.iter_stream():
            self.received += len(chunk)
            if self.received > self.limit:
                raise WireFullError
            yield chunk

    def close(self) -> None:
        """Gives the connection back, or ends it when bytes are left on it."""
        self._answer.close()


def media_type(answer: httpx2.Response) -> tuple[str, str]:
    """The stated content type and charset in lower case; each empty when not stated."""
    stated = answer.headers.get("content-type", "")
    charset = _CHARSET.search(stated)
    return stated.partition(";")[0].strip().lower(), charset[1].lower() if charset else ""


def is_accepted(content_type: str, accept: Sequence[str]) -> bool:
    """Whether an answer of this type may be read; one that states no type may."""
    family = content_type.partition("/")[0] + "/*"
    return not content_type or any(pattern in {"*/*", family, content_type} for pattern in accept)


def is_readable(answer: httpx2.Response) -> bool:
    """Whether the body is packed in a way we asked for."""
    return answer.headers.get("content-encoding", "").strip().lower() in ENCODINGS


def read_body(answer: httpx2.Response, wire: Wire, *, max_bytes: int) -> tuple[bytes, bool]:
    """The decoded body and whether it is whole: reading stops at the caps on size, wire and ratio."""
    wire.limit = max_bytes + WIRE_SLACK
    body = bytearray()
    try:
        for chunk in answer.iter_bytes():
            seconds_left()
            body += chunk
            is_bomb = len(body) > RATIO_FROM and len(body) > MAX_RATIO * wire.received
            if len(body) > max_bytes or is_bomb:
                return bytes(body[:max_bytes]), False
    except WireFullError:
        return bytes(body), False
    return bytes(body), True


def drain(answer: httpx2.Response) -> None:
    """Reads a small body that nobody needs, so that the connection can be used again."""
    stated = answer.headers.get("content-length", "")
    if stated.isascii() and stated.isdigit() and int(stated[:6]) <= SMALL_BODY:
        with suppress(WireFullError):
            for _ in answer.iter_raw():
                pass
