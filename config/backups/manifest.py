"""What a backup is made of. It is written last: a folder without one is no backup."""

import hashlib
import io
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import IO, Any, Self

from django.core.files.base import ContentFile
from django.core.files.storage import Storage
from django.core.files.storage.handler import StorageHandler

from config import environment as env

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


class BackupError(Exception):
    """It cannot go on; the message says why and what to do."""


FORMAT = 1
NAME = "%Y%m%dT%H%M%SZ"
MANIFEST, DUMP, SECRET_KEY = "manifest.json", "database.dump", "secret_key"
MEDIA = "media"  # beside the backups, each file once under its SHA-256, whichever backups name it


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """One backup: what made it, and the sums of its files."""

    name: str
    version: str
    postgresql: int
    pg_dump: int
    migrations: list[str]
    files: dict[str, Sum]
    media: dict[str, Sum]
    format: int = field(default=FORMAT)

    @classmethod
    def read(cls, place: Storage, name: str) -> Self:
        try:
            with place.open(f"{name}/{MANIFEST}") as file:
                existing: dict[str, Any] = json.loads(file.read())
            if existing["format"] != FORMAT:
                raise BackupError(f"{name} has format {existing['format']}; this release reads {FORMAT}.")
            sums = {
                part: {path: Sum(**entry) for path, entry in existing[part].items()}
                for part in ("files", "media")
            }
            return cls(**(existing | sums))
        except FileNotFoundError as error:
            raise BackupError(f"There is no complete backup {name!r} in this place.") from error
        except (ValueError, KeyError, TypeError) as error:
            raise BackupError(f"The manifest of {name} is damaged: {error}.") from error

    def write(self, place: Storage) -> None:
        place.save(f"{self.name}/{MANIFEST}", ContentFile(json.dumps(asdict(self)).encode()))


def opened(address: str) -> Storage:
    return StorageHandler().create_storage(env.place(address, name="The place"))


def names(place: Storage) -> list[str]:
    try:
        folders, _ = place.listdir("")
    except FileNotFoundError:
        return []
    return sorted(folder for folder in folders if _is_name(folder))


def complete(place: Storage) -> list[str]:
    return [name for name in names(place) if place.exists(f"{name}/{MANIFEST}")]


def _is_name(folder: str) -> bool:
    try:
        datetime.strptime(folder, NAME)  # noqa: DTZ007  (only its form)
    except ValueError:
        return False
    return True
