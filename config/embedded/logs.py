"""The files into which the servers write their own lines."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

LARGEST = 5_000_000
SHOWN = 15


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """Open a log to be added to, after setting a large one aside; one older log is kept."""
    if path.exists() and path.stat().st_size > LARGEST:
        path.replace(path.with_suffix(".old.log"))
    path.touch(mode=0o600)
    with path.open("ab") as output:
        yield output


def tail(path: Path) -> str:
    return "\n".join(path.read_text(errors="replace").splitlines()[-SHOWN:])
