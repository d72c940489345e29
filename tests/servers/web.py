"""The web server itself, as a process of its own, on the tests' database."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import httpx2
import pytest
from django.conf import settings

from config.embedded.paths import ROOT

READY, STOP, GLANCE = 90.0, 40.0, 0.1


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def database_url() -> str:
    """The address of the database that the tests use."""
    named = urlsplit(os.environ["DATABASE_URL"])
    return urlunsplit(named._replace(path=f"/{settings.DATABASES['default']['NAME']}"))


@contextmanager
def web_server(
    *arguments: str, port: int = 0, log: Path | None = None, **environment: str
) -> Iterator[tuple[int, Any]]:
    """The port and the process of a web server that answers."""
    port = port or free_port()
    named = {
        "HOST": "127.0.0.1",
        "PORT": str(port),
        "SITE_URL": "",
        "DATABASE_URL": database_url(),
        "WEB_WORKERS": "1",
    }
    output = log.open("ab") if log else subprocess.DEVNULL
    process = subprocess.Popen(
        [sys.executable, "-m", "config.serve", *arguments],
        cwd=ROOT,
        env=os.environ | named | environment,
        stdout=output,
        stderr=output,
    )
    try:
        wait_answering(port, process)
        yield port, process
    finally:
        process.terminate()
        process.wait(STOP)


def wait_answering(port: int, process: "subprocess.Popen[bytes]") -> None:
    """Ask again and again until it answers."""
    ends = time.monotonic() + READY
    while process.poll() is None:
        try:
            httpx2.get(f"http://127.0.0.1:{port}/healthz", timeout=5, verify=False)
        except httpx2.HTTPError:
            if time.monotonic() > ends:
                raise
            time.sleep(GLANCE)
        else:
            return
    pytest.fail(f"The web server ended with {process.returncode}.")


@pytest.fixture(scope="module")
def web_port(django_db_setup: None, django_db_blocker: Any) -> Iterator[int]:
    """The port of a web server with one process that waits three seconds for bodies."""
    with web_server(BODY_SECONDS="3") as (port, _):
        yield port
