"""`make test-proxy`: the HAProxy that deploy/ ships bounds the connections of one network, against real ones.

Not in the suite: it needs the program, which `apt-get install haproxy` brings.
"""

import contextlib
import select
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.embedded.paths import ROOT, free_port
from config.embedded.processes import wait_until

LIMIT, SPEAKS_WITHIN = 256, 5.0
REQUEST = b"GET / HTTP/1.1\r\nHost: launch.example\r\n\r\n"
PROXY_2 = b"\r\n\r\n\x00\r\nQUIT\n"


@pytest.fixture
def callers() -> Iterator[tuple[int, list[bytes]]]:
    """Where Caddy would listen, and the networks' addresses that came there."""
    seen: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0), backlog=LIMIT) as server:

        def accept() -> None:
            with contextlib.suppress(OSError):
                while True:
                    connection, _ = server.accept()
                    seen.append(connection.recv(28))
                    connection.sendall(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
                    connection.close()

        threading.Thread(target=accept, daemon=True).start()
        yield server.getsockname()[1], seen


@pytest.fixture
def door(callers: tuple[int, list[bytes]], tmp_path: Path) -> Iterator[int]:
    """The port for plain HTTP of a HAProxy that runs as it is shipped, at other ports."""
    program = shutil.which("haproxy") or "/usr/sbin/haproxy"
    port, tls, behind = free_port(), free_port(), callers[0]
    text = (ROOT / "deploy" / "haproxy.cfg").read_text()
    text = text.replace("bind :80", f"bind :{port}").replace("bind :443", f"bind :{tls}")
    for name in ("caddy:8080", "caddy:8443"):
        text = text.replace(f"server caddy {name}", f"server caddy 127.0.0.1:{behind}")
    configuration = tmp_path / "haproxy.cfg"
    configuration.write_text(text)
    checked = subprocess.run(
        [program, "-c", "-f", configuration], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stderr
    running = subprocess.Popen(
        [program, "-f", configuration], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        assert wait_until(lambda: listens(port), patience=10)
        yield port
    finally:
        running.terminate()
        running.wait(10)


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def connect(port: int, *, source: str) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=10, source_address=(source, 0))


def still_open(connections: list[socket.socket]) -> int:
    """How many have not been ended by the other side."""
    ended, _, _ = select.select(connections, [], [], 0)
    return len(connections) - len(ended)


def test_a_network_has_so_many_connections_and_others_go_on(
    door: int, callers: tuple[int, list[bytes]]
) -> None:
    began = time.monotonic()
    with contextlib.ExitStack() as stack:
        bare = [
            stack.enter_context(connect(door, source=f"127.0.5.{1 + number % 250}"))
            for number in range(LIMIT + 40)
        ]
        assert wait_until(lambda: still_open(bare) == LIMIT, patience=SPEAKS_WITHIN - 1)

        with connect(door, source="127.0.9.1") as other:
            other.sendall(REQUEST)
            assert other.recv(100).startswith(b"HTTP/1.1 204")
        (header,) = callers[1]
        assert header.startswith(PROXY_2)
        assert socket.inet_aton("127.0.9.1") in header

        assert wait_until(lambda: still_open(bare) == 0, patience=SPEAKS_WITHIN + 5)
        assert time.monotonic() - began >= SPEAKS_WITHIN
    with connect(door, source="127.0.5.1") as again:
        again.sendall(REQUEST)
        assert again.recv(100).startswith(b"HTTP/1.1 204")
    assert len(callers[1]) == 2  # bare connections never came as far as Caddy
