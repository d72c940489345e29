"""What the operator reads: lines under the name of their program, the servers’ own logs, what to do when all runs."""

import json
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from config.embedded.address import Address

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


FIRST_STEPS = "first-steps.json"
ACCOUNT = "/api/v1/me"
ALREADY_PRINTED = "(password shown at the first start; for another: manage.py changepassword {email})"


def text(folder: Path, *, address: Address) -> str:
    site, existing = address.site_url, _first_steps(folder)
    key = existing["api_key"]
    password = existing.get("password") or ALREADY_PRINTED.format(email=existing["email"])
    return f"""
Ready: {site}

  Admin     {site}/admin/   {existing["email"]}   {password}
  API key   {key}
  Docs      {site}/docs
  Try       make demo, or draft a listing from a website:
            curl -X POST {site}/api/v1/drafts -H 'Authorization: Bearer {key}' \\
              -H 'Content-Type: application/json' -d '{{"url": "https://example.com"}}'

Everything is kept in {folder}. Ctrl-C stops all.
"""


def key_works(folder: Path, *, address: Address) -> bool:
    key = _first_steps(folder).get("api_key")
    return key is not None and address.answers(ACCOUNT, headers={"Authorization": f"Bearer {key}"})


def forget_password(folder: Path) -> None:
    """Keep the first password nowhere once it has been shown."""
    existing = _first_steps(folder)
    if existing.pop("password", None):
        keep(folder, contents=existing)


def keep(folder: Path, *, contents: dict[str, str]) -> None:
    """Write the file anew, for its owner's eyes alone."""
    fresh = (folder / FIRST_STEPS).with_suffix(".new")
    fresh.unlink(missing_ok=True)
    fresh.touch(mode=0o600)
    fresh.write_text(json.dumps(contents, indent=2))
    fresh.replace(folder / FIRST_STEPS)


def _first_steps(folder: Path) -> dict[str, str]:
    try:
        existing: dict[str, str] = json.loads((folder / FIRST_STEPS).read_text())
    except FileNotFoundError:
        return {}
    return existing
