"""What a quote and a checkout cost beside a bare Django view, and whether 100,000 random carts add up."""

import argparse
import http.client
import json
import random
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import psutil

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks import machine  # noqa: E402
from benchmarks.parts import scale  # noqa: E402
from benchmarks.read_path import serving  # noqa: E402
from tests.orders.random_carts import check_cart  # noqa: E402

RESULTS = ROOT / "benchmarks" / "results" / "orders.md"
BARS = {"quote_order": 15.0, "create_checkout": 40.0}


@dataclass
class Way:
    """A call, who works for it, and its milliseconds of processor in each round."""

    name: str
    port: int
    path: str
    body: bytes
    key: str
    workers: list[psutil.Process]
    costs: list[float] = field(default_factory=list)

    def ask(self, connection: http.client.HTTPConnection) -> bytes:
        """One answer. Raises RuntimeError for a refusal."""
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        connection.request("POST", self.path, self.body, headers)
        answer = connection.getresponse()
        found = answer.read()
        if answer.status >= 300:
            raise RuntimeError(f"{self.path}: {answer.status} {found[:300]!r}")
        return found

    def spend(self, calls: int) -> None:
        """Ask so often, and keep what one call cost."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        self.ask(connection)
        before = machine.processor_seconds(self.workers)
        for _ in range(calls):
            self.ask(connection)
        self.costs.append((machine.processor_seconds(self.workers) - before) * 1000 / calls)
        connection.close()


def carts(number: int) -> float:
    """Seconds that so many random carts took; the first that does not add up raises AssertionError."""
    chance, began = random.Random("carts"), time.perf_counter()
    for _ in range(number):
        check_cart(chance)
    return time.perf_counter() - began


def measure(environment: dict[str, str], folder: Path, *, rounds: int, calls: int) -> list[Way]:
    """The calls and the bare views that answer the same bytes, in turns."""
    scale.run("manage.py", "migrate", "--verbosity", "0", environment=environment)
    told = subprocess.run(
        [sys.executable, "benchmarks/parts/orders_data.py"],
        check=True,
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
    )
    key, listing, week = told.stdout.split()
    item = {"product": "launch", "listing_id": int(listing), "week": week}
    cart: dict[str, Any] = {"items": [item], "billing_country": "DE", "promo_code": "LAUNCH20"}
    body = json.dumps(cart).encode()
    (folder / "ready").write_text("{}")
    with (
        serving("read_path_app", environment, ready="/healthz") as service,
        serving("read_path_bare", environment, ready="/json/ready") as bare,
    ):
        databases = [
            process
            for process in psutil.Process().children(recursive=True)
            if process.name() != Path(sys.executable).name and process not in (service.worker, bare.worker)
        ]
        every = []
        for name, path in (("quote_order", "quote"), ("create_checkout", "checkout")):
            own = Way(name, service.port, f"/api/v1/orders/{path}", body, key, [service.worker, *databases])
            (folder / name).write_bytes(own.ask(http.client.HTTPConnection("127.0.0.1", service.port)))
            every += [own, Way(f"bare {name}", bare.port, f"/json/{name}", body, key, [bare.worker])]
        for _ in range(rounds + 1):  # the first round warms up
            for way in every:
                way.workers = [one for one in way.workers if one.is_running()]
                way.spend(calls if way.port == service.port else 4 * calls)
    return every


def page(every: list[Way], *, took: float, number: int, rounds: int, calls: int) -> tuple[str, bool]:
    """What is kept of a run, and whether the bars are met."""
    costs = {way.name: way.costs[1:] for way in every}
    rows, are_met = [], True
    for name, bar in BARS.items():
        times = median(own / least for own, least in zip(costs[name], costs[f"bare {name}"], strict=True))
        are_met = are_met and times <= bar
        rows.append(
            f"| {name} | {median(costs[name]):.2f} | {median(costs[f'bare {name}']):.2f} | {times:.1f}x"
            f" | <= {bar:.0f}x | {'yes' if times <= bar else '**no**'} |"
        )
    text = "\n".join(
        [
            "# Orders",
            "",
            f"`make bench ARGS=orders`, which runs `{machine.command_line()}`",
            "",
            machine.described(),
            "",
            f"{number:,} random carts of 1 to 20 lines: sums exact, no negative line, discounts only where they belong;"
            f" {took:.0f} s.",
            "",
            "Processor time of one call in ms: the web process with PostgreSQL and Redis, beside the web process of a",
            "Django view without middleware that answers the same bytes by JsonResponse. The cart: a launch in a",
            "week, with country and promo code. Gunicorn with one process, one client on a kept connection;",
            f"{rounds} rounds of {calls} calls of each in turns, of which the middle ratio counts.",
            "",
            "| call | ms | bare view, ms | ratio | must | met |",
            "|---|---|---|---|---|---|",
            *rows,
            "",
        ]
    )
    return text, are_met


def main() -> int:
    """Measure, keep the page, and say by the exit code whether the bars are met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--carts", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--calls", type=int, default=150)
    parser.add_argument("--print", action="store_true", help="keep no page")
    options = parser.parse_args()
    took = carts(options.carts)
    with tempfile.TemporaryDirectory(prefix="orders-bare-") as bare, scale.databases(None) as known:
        environment = {**known, "BARE_FOLDER": bare}
        every = measure(environment, Path(bare), rounds=options.rounds, calls=options.calls)
    text, are_met = page(every, took=took, number=options.carts, rounds=options.rounds, calls=options.calls)
    print(text)
    if not options.print:
        RESULTS.write_text(text)
    return 0 if are_met else 1


if __name__ == "__main__":
    sys.exit(main())
