"""Files on their way from one place to another: read once, in pieces, counted and hashed."""

import hashlib
import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Any

PIECE = 2**20


@dataclass(frozen=True, kw_only=True)
class Sum:
    """How long a file is, and its SHA-256."""

    size: int
    sha256: str


class Stream(io.RawIOBase):
    """A source as Django's storages save it. It is never held whole, so it may be larger than memory."""

    def __init__(self, source: IO[bytes] | Any) -> None:
        self._source = source
        self._hash = hashlib.sha256()
        self._size = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        """The next piece. What was read is gone: there is no way back, and no end that is known before."""
        piece: bytes = self._source.read(size)
        self._hash.update(piece)
        self._size += len(piece)
        return piece

    def chunks(self, chunk_size: int | None = None) -> Iterator[bytes]:
        while piece := self.read(chunk_size or PIECE):
            yield piece

    @property
    def sum(self) -> Sum:
        return Sum(size=self._size, sha256=self._hash.hexdigest())


def sum_of(source: IO[bytes] | Any) -> Sum:
    stream = Stream(source)
    for _ in stream.chunks():
        pass
    return stream.sum
