"""What the operator reads: lines under the name of the program that wrote them, and the servers' own logs."""

import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

_printing = threading.Lock()
_calm = threading.Event()
COLOURS = re.compile(r"\x1b\[[0-9;]*m")
AS_EVER = re.compile(r"\S* ?\[(?:debug|info) *\]")
AT_WORK = {"worker", "crawler"}
LARGEST, LISTED = 5_000_000, 15  # bytes of a server's own log, and lines of it that say why it ended


def banner(text: str) -> None:
    """Print what an operator is to read. In a terminal it stays the last thing until something happens.

    What the workers begin with by themselves is left out until the first request; what goes wrong never is.
    """
    with _printing:
        sys.stdout.write(text + "\n")
        sys.stdout.flush()
    if sys.stdout.isatty():
        _calm.set()


def repeat(name: str, line: str) -> None:
    """Print a child's line, unless nothing has happened yet and this is only work that went as ever."""
    if name == "web":
        _calm.clear()
    if not (_calm.is_set() and name in AT_WORK and AS_EVER.match(COLOURS.sub("", line))):
        say(name, line)


def say(name: str, line: str) -> None:
    """Print a line under a name; if nobody reads us any more, go on without."""
    with _printing:
        try:
            sys.stdout.write(f"{name:<11} | {line}\n")
            sys.stdout.flush()
        except (OSError, ValueError):
            return


def repeat_lines(name: str, process: subprocess.Popen[bytes]) -> None:
    """Print what a child writes, as it comes, until it closes its end."""
    if process.stdout is None:
        return
    lines = process.stdout

    def follow() -> None:
        for line in lines:
            repeat(name, line.decode(errors="replace").rstrip())

    threading.Thread(target=follow, name=f"lines of {name}", daemon=True).start()


@contextmanager
def log_opened(path: Path) -> Iterator[BinaryIO]:
    """Open a log to be added to, after setting a large one aside; one older log is kept."""
    if path.exists() and path.stat().st_size > LARGEST:
        path.replace(path.with_suffix(".old.log"))
    path.touch(mode=0o600)
    with path.open("ab") as output:
        yield output


def log_tail(path: Path) -> str:
    return "\n".join(path.read_text(errors="replace").splitlines()[-LISTED:])
