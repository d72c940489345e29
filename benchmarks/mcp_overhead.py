"""Compare the same call over REST and over MCP, one after the other, and tell what MCP adds."""

import argparse
import http.client
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks import machine  # noqa: E402
from config.embedded import paths  # noqa: E402
from tests.factories.mcp import LATEST_HANDSHAKE, MODERN, headers_for, message  # noqa: E402
from tests.journeys.service import Service  # noqa: E402

RESULTS = ROOT / "benchmarks" / "results" / "mcp-overhead.md"
BAR_MS = 0.5
CALLS = (
    ("get_site_info", "/api/v1/site", {}),
    ("search_listings", "/api/v1/listings?q=invoice", {"q": "invoice"}),
    ("get_account", "/api/v1/me", {}),
)


@dataclass
class Connection:
    """One kept connection, so that only the call itself is timed."""

    site: str
    key: str

    def __post_init__(self) -> None:
        parts = urlsplit(self.site)
        self.http = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=30)

    def send(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> bytes:
        """The answer's body; anything but 200 ends the measurement."""
        self.http.request(method, path, body, {"Authorization": f"Bearer {self.key}", **headers})
        answer = self.http.getresponse()
        found = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{method} {path}: {answer.status} {found[:300]!r}")
        return found

    def rest(self, path: str) -> Callable[[], bytes]:
        """A REST call."""
        return lambda: self.send("GET", path, None, {"Accept": "application/json"})

    def mcp(self, method: str, params: dict[str, object], version: str) -> Callable[[], bytes]:
        """An MCP request."""
        body = message(method, params, version=version)
        headers = {**headers_for(body, version=version), "Content-Type": "application/json"}
        raw = json.dumps(body).encode()
        return lambda: self.send("POST", "/mcp", raw, headers)


def timed(call: Callable[[], bytes]) -> float:
    """Milliseconds of one call."""
    began = time.perf_counter()
    call()
    return (time.perf_counter() - began) * 1000


def compared(ways: dict[str, Callable[[], bytes]], rounds: int) -> dict[str, list[float]]:
    """Each way once a round, in turns, so that a busy moment hits all of them alike."""
    for call in ways.values():
        for _ in range(20):
            call()
    found: dict[str, list[float]] = {name: [] for name in ways}
    names = list(ways)
    for number in range(rounds):
        for name in names[number % len(names) :] + names[: number % len(names)]:
            found[name].append(timed(ways[name]))
    return found


def p95(times: list[float]) -> float:
    """The 95th percentile."""
    return statistics.quantiles(times, n=20)[-1]


def measure(site: str, key: str, rounds: int) -> tuple[list[str], bool]:
    """The table's rows, and whether every call is within the bar."""
    connection = Connection(site, key)
    rows, is_met = [], True
    for tool, path, arguments in CALLS:
        params = {"name": tool, "arguments": arguments}
        times = compared(
            {
                "rest": connection.rest(path),
                MODERN: connection.mcp("tools/call", params, MODERN),
                LATEST_HANDSHAKE: connection.mcp("tools/call", params, LATEST_HANDSHAKE),
            },
            rounds,
        )
        middle = {name: statistics.median(found) for name, found in times.items()}
        for version in (MODERN, LATEST_HANDSHAKE):
            added = statistics.median(
                [ours - theirs for ours, theirs in zip(times[version], times["rest"], strict=True)]
            )
            is_met = is_met and added <= BAR_MS
            rows.append(
                f"| `{tool}` | {version} | {middle['rest']:.2f} / {p95(times['rest']):.2f}"
                f" | {middle[version]:.2f} / {p95(times[version]):.2f} | {added:+.2f} | {BAR_MS} |"
                f" {'yes' if added <= BAR_MS else '**no**'} |"
            )
    listed = compared({"list": connection.mcp("tools/list", {}, MODERN)}, rounds)["list"]
    rows.append(f"| `tools/list` | {MODERN} | | {statistics.median(listed):.2f} / {p95(listed):.2f} | | | |")
    return rows, is_met


def page(rows: list[str], rounds: int) -> str:
    """What is kept of a run."""
    head = "| call | version | REST ms p50 / p95 | MCP ms p50 / p95 | added, median | bar | met |"
    return "\n".join(
        [
            "# What MCP adds to a REST call",
            "",
            f"`{machine.command_line()}`",
            "",
            machine.described(),
            "",
            f"{rounds} rounds on one kept connection; in each round the three ways take turns. “Added” is the median",
            f"of the differences within a round. Service and client ran at niceness {os.nice(0)}.",
            "",
            head,
            "|" + "---|" * 7,
            *rows,
            "",
        ]
    )


@contextmanager
def running(given: str | None, key: str | None) -> Iterator[tuple[str, str]]:
    """The service that is named, or one of our own in a folder that goes afterwards."""
    if given and key:
        yield given.rstrip("/"), key
        return
    with tempfile.TemporaryDirectory(prefix="mcp-overhead-") as folder:
        service = Service(
            folder=Path(folder), port=paths.free_port(), environment={"RATE_LIMIT_FACTOR": "10000"}
        )
        service.start()
        try:
            yield service.site, service.command("create_api_key", "bench@people.example")
        finally:
            service.stop()


def main() -> int:
    """Measure, keep the page, and say by the exit code whether the bar is met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=400)
    parser.add_argument("--base-url", help="a service that runs already, with a high RATE_LIMIT_FACTOR")
    parser.add_argument("--api-key")
    parser.add_argument("--print", action="store_true", help="keep no page")
    options = parser.parse_args()
    with running(options.base_url, options.api_key) as (site, key):
        rows, is_met = measure(site, key, options.rounds)
    text = page(rows, options.rounds)
    print(text)
    if not options.print:
        RESULTS.write_text(text)
    return 0 if is_met else 1


if __name__ == "__main__":
    sys.exit(main())
