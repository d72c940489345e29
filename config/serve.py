"""The web server: `python -m config.serve`, at HOST and PORT, with WEB_WORKERS processes.

With `--instead-of PID` it starts beside the server with that number, on the same port. As soon as its own processes
listen, the former ones let go of their connections, an answer each, and get SIGTERM: a restart that refuses nobody.
"""

import argparse
import contextlib
import errno
import importlib
import os
import resource
import signal
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import psutil
from django.core.exceptions import ImproperlyConfigured
from granian.constants import HTTPModes, Interfaces, Loops
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server import Server

from config.embedded.address import Address, requested
from config.embedded.paths import CannotRunError
from config.leaving import LEAVE

WORKERS = 2
CONNECTIONS = (
    4096  # each process holds at most so many; an idle or slow one costs some kilobytes and no thread
)
IDLE_SECONDS = 20  # for a request's head, and between two requests of a connection
LARGEST_HEAD = 64 * 1024  # bytes of a request before its body; what is more is refused before it is read
DATABASE_PATIENCE = "5"
FOLDER = "PROMETHEUS_MULTIPROC_DIR"  # named before anything imports prometheus_client, which looks at it then
GLANCE = 0.2
LEAVE_SECONDS = 3  # whoever asks again meanwhile comes to us: nothing tells when the last of them has
STOP_SECONDS = 20  # within the supervisor's patience


def main() -> int:
    """Serve until a signal comes; give the exit code."""
    parser = argparse.ArgumentParser(prog="python -m config.serve", description=__doc__)
    parser.add_argument(
        "--instead-of", type=int, metavar="PID", help="end this server when the new one listens"
    )
    options = parser.parse_args()
    os.environ.setdefault("DATABASE_PATIENCE", DATABASE_PATIENCE)
    try:
        address, workers = requested(), _workers()
        importlib.import_module("config.settings")  # what is wrong in there is said once, in a sentence
    except (CannotRunError, ImproperlyConfigured) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    _allow_connections()
    if not options.instead_of and _is_taken(address.host, address.port):
        sys.stderr.write(
            f"Somebody listens at {address.host}:{address.port} already. Stop that one, choose another PORT,"
            " or take its place with --instead-of and its process id.\n"
        )
        return 1
    if options.instead_of:
        threading.Thread(
            target=_end_when_ready, args=(options.instead_of, address.port, workers), daemon=True
        ).start()
    with _counting_together():
        _server(address, workers).serve()
    return 0


def _server(address: Address, workers: int) -> Any:
    return Server(
        "config.asgi:application",
        address=address.host,
        port=address.port,
        interface=Interfaces.ASGINL,
        http=HTTPModes.http1,
        websockets=False,
        workers=workers,
        respawn_failed_workers=True,
        workers_kill_timeout=STOP_SECONDS,
        backlog=CONNECTIONS,
        backpressure=CONNECTIONS,
        http1_settings=HTTP1Settings(header_read_timeout=IDLE_SECONDS * 1000, max_buffer_size=LARGEST_HEAD),
        log_level=LogLevels.error,
        loop=Loops.uvloop,
    )


@contextlib.contextmanager
def _counting_together() -> Iterator[None]:
    """A folder in which the processes count. In memory where there is such a place: a full disk must not end them."""
    memory = Path("/dev/shm")  # noqa: S108  (a folder of our own in it, for our eyes alone)
    place = memory if os.access(memory, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="launch-directory-", dir=place) as folder:
        os.environ[FOLDER] = folder
        yield


def _workers() -> int:
    text = os.environ.get("WEB_WORKERS", "").strip() or str(WORKERS)
    if not text.isdigit() or not 0 < int(text) <= 64:
        raise CannotRunError(f"WEB_WORKERS is {text!r}; use a number from 1 to 64.")
    return int(text)


def _is_taken(host: str, port: int) -> bool:
    """Whether a server has the port; ours would join it in silence, since its processes share one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            return error.errno == errno.EADDRINUSE
    return False


def _end_when_ready(former: int, port: int, workers: int) -> None:
    """A process of ours opens the port when it has loaded everything, so whoever listens can answer."""
    while len(listening(psutil.Process().pid, port=port)) < workers:
        time.sleep(GLANCE)
    for process in listening(former, port=port):
        with contextlib.suppress(psutil.Error):
            process.send_signal(LEAVE)
    time.sleep(LEAVE_SECONDS)
    with contextlib.suppress(ProcessLookupError):
        os.kill(former, signal.SIGTERM)


def listening(server: int, *, port: int) -> list[psutil.Process]:
    """The processes of a server that listen at the port; none if there is no such server."""
    with contextlib.suppress(psutil.NoSuchProcess):
        return list(filter(partial(_listens, port=port), psutil.Process(server).children(recursive=True)))
    return []


def _listens(process: psutil.Process, *, port: int) -> bool:
    with contextlib.suppress(psutil.Error):
        return any(
            result.status == psutil.CONN_LISTEN and result.laddr.port == port
            for result in process.net_connections(kind="tcp")
        )
    return False


def _allow_connections() -> None:
    """Raise the soft limit of open files, which is often 1024."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


if __name__ == "__main__":
    sys.exit(main())
