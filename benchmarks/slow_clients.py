"""Look whether callers that send slowly, or keep connections open, keep others waiting.

One client holds 200 bodies that never end and 500 idle connections; meanwhile another one reads a list of listings, on
a new connection each time. The bar: its p95 is at most twice that of the quiet service, measured in turn.
"""

import argparse
import contextlib
import http.client
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks import machine
from tests.journeys.service import Service
from tests.servers.web import free_port

RESULT = Path(__file__).parent / "results" / "slow-clients.md"
BODIES, IDLE, READS, ROUNDS = 200, 500, 400, 3
BAR = 2.0
BODY = b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"
ASKED = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


def read_times(port: int) -> list[float]:
    """Milliseconds of each of a reader's requests, sorted; fails with the first that is not answered well."""
    times = []
    for _ in range(READS):
        began = time.monotonic()
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30)) as connection:
            connection.request("GET", "/api/v1/listings")
            answer = connection.getresponse()
            answer.read()
        if answer.status != http.HTTPStatus.OK:
            raise SystemExit(f"A reader was answered {answer.status}.")
        times.append((time.monotonic() - began) * 1000)
    return sorted(times)


@contextlib.contextmanager
def holding(port: int) -> Iterator[None]:
    """All of those connections, for a while."""
    with contextlib.ExitStack() as stack:
        for begun in [BODY] * BODIES + [ASKED] * IDLE:
            held = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=30))
            held.sendall(begun)
        yield


def p(times: list[float], share: float) -> float:
    """A percentile."""
    return times[int(len(times) * share)]


def main() -> int:
    """Measure, write the page, and say by the exit code whether the bar is met."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    rows, ratios = [], []
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o711)
        service = Service(folder=Path(folder), port=free_port(), environment={"RATE_LIMIT_FACTOR": "1000"})
        service.start()
        try:
            read_times(service.port)
            for number in range(1, ROUNDS + 1):
                quiet = read_times(service.port)
                with holding(service.port):
                    held = read_times(service.port)
                ratios.append(p(held, 0.95) / p(quiet, 0.95))
                figures = [p(times, share) for times in (quiet, held) for share in (0.5, 0.95, 0.999)]
                rows.append(f"| {number} | " + " | ".join(f"{figure:.1f}" for figure in figures) + " |")
        finally:
            service.stop()
    is_met = statistics.median(ratios) <= BAR
    RESULT.write_text(
        f"""# Slow and idle callers

`{machine.command_line()}`

{machine.described()}

{BODIES} bodies that never end and {IDLE} idle connections held by one client.
{READS} requests of another, each on a new connection, in ms:

| round | quiet p50 | p95 | most | held p50 | p95 | most |
|---|---|---|---|---|---|---|
{chr(10).join(rows)}

Held ÷ quiet at p95, median of the rounds: {statistics.median(ratios):.2f}.
The bar, at most {BAR:g}, is {"met" if is_met else "NOT met"}.
"""
    )
    print(RESULT.read_text())
    return 0 if is_met else 1


if __name__ == "__main__":
    sys.exit(main())
