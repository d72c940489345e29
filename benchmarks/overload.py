"""Offer `make up` three times what it answers for two minutes, and start it cold into 300 reads a second."""

import argparse
import os
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from threading import Thread

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks import machine  # noqa: E402
from benchmarks.load import CHECKED_JUST_NOW, mixed  # noqa: E402
from benchmarks.parts import clients, scale  # noqa: E402
from benchmarks.parts.open_loop import Asker, Found  # noqa: E402
from benchmarks.read_path import API, one_vote_a_second  # noqa: E402
from config.embedded import paths  # noqa: E402
from tests.journeys.service import Service  # noqa: E402

RESULTS = ROOT / "benchmarks" / "results" / "overload.md"
TIMES, LEAST, ANSWERED_MS = 3, 0.8, 1000.0
STEADY = {300: 20.0, 600: 150.0}  # reads a second, and their p95 in ms
COLD_RATE, COLD_SECONDS, NORMAL_MS, BACK_SECONDS, LONGEST_MS = 300, 60, 150.0, 20, 2000.0
CONNECTIONS = 4000
# Beside what visitors ask, each of these is asked once in a hundred reads.
BESIDE = (("health", "/healthz"), ("cached", f"{API}?page=1"))
HEAD = """| phase | offered | answered | p50 / p95 / longest ms | p95 health / cached | 503: p50 / p95 ms | load |
|---|---|---|---|---|---|---|"""


class Visitors:
    """What is asked, one after another for the whole run: what was asked before would be cached."""

    def __init__(self) -> None:
        self.ask, self.number = mixed(), 0

    def __call__(self) -> tuple[str, str]:
        self.number += 1
        turn = self.number % 100
        return BESIDE[turn] if turn < len(BESIDE) else self.ask()


VISITORS = Visitors()


def capacity(service: Service) -> float:
    """Reads a second of 16 callers who ask again as soon as they are answered: the middle of three."""
    return median(clients.rate(service.port, lambda: VISITORS()[1], clients=16, seconds=5) for _ in range(3))


def asker(service: Service) -> Asker:
    return Asker(service.port, VISITORS, connections=CONNECTIONS)


def answered(found: Found) -> int:
    return found.statuses["200"] + found.statuses["304"]


def late(times: list[float], share: float) -> float:
    """Milliseconds that this share took at the most."""
    return sorted(times)[min(len(times) - 1, int(len(times) * share))] * 1000 if times else 0.0


def row(name: str, found: Found, seconds: float, capable: float) -> str:
    """A row of the table, which is printed at once."""
    rates = [
        f"{number / seconds:.0f} ({number / seconds / capable:.2f})"
        for number in (found.number, answered(found))
    ]
    cells = [
        *rates,
        " / ".join(f"{found.percentile(share):.0f}" for share in (0.5, 0.95, 1.0)),
        " / ".join(f"{found.percentile(0.95, kind=kind):.0f}" for kind, _ in BESIDE),
        f"{len(found.refused)}: {late(found.refused, 0.5):.0f} / {late(found.refused, 0.95):.0f}",
        f"{os.getloadavg()[0]:.0f}",
    ]
    text = f"| {name} | {' | '.join(cells)} |"
    print(text, dict(found.statuses), flush=True)
    return text


@contextmanager
def on(processors: set[int]) -> Iterator[None]:
    """Run on these processors alone, and start on them whatever is started in here."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, processors)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


@contextmanager
def started(folder: Path, listings: int, *, processors: set[int]) -> Iterator[Service]:
    """`make up` on a folder with so many listings, and on these processors."""
    service = Service(folder, paths.free_port(), {"RATE_LIMIT_FACTOR": "100000", "LOG_LEVEL": "INFO"})
    with on(processors):
        service.start()
    try:
        ((count,),) = service.query("SELECT coalesce(sum(live + upcoming), 0) FROM directory_sitecount")
        if count < listings:
            scale.run("-m", "benchmarks.listings", "--listings", str(listings), environment=service.environ())
            service.query(f"{CHECKED_JUST_NOW} RETURNING 1")
        clients.rate(service.port, lambda: VISITORS()[1], clients=16, seconds=10)
        yield service
    finally:
        service.stop()


def overloaded(service: Service, seconds: float) -> tuple[str, list[str]]:
    """Its row, and what is not met. The capacity is the mean of before and after."""
    before = capacity(service)
    found = asker(service).run(rate=TIMES * before, seconds=seconds)
    capable = (before + capacity(service)) / 2
    checks = {
        "share of the capacity": answered(found) / seconds / capable >= LEAST,
        "p95 under overload": found.percentile(0.95) <= ANSWERED_MS,
        "each is answered or refused with Retry-After": answered(found) + len(found.refused) == found.number,
    }
    return row("overload", found, seconds, capable), failed(checks)


def steady(service: Service, rate: int, seconds: float) -> tuple[str, list[str]]:
    """The same for so many reads a second, with a vote a second."""
    capable = capacity(service)
    with one_vote_a_second(service.environ()):
        found = asker(service).run(rate=rate, seconds=seconds)
    checks = {
        f"p95 at {rate}": found.percentile(0.95) <= STEADY[rate],
        f"no failure at {rate}": not found.failures,
    }
    return row(f"{rate} a second", found, seconds, capable), failed(checks)


def cold(service: Service) -> tuple[str, list[str]]:
    """The same for reads from the moment on in which the service is started, with none of its data in memory."""
    capable = capacity(service)
    service.stop()
    forget_files(paths.places(service.folder).home)
    visitor, ready = asker(service), list[float]()

    def start() -> None:
        while not visitor.began:
            time.sleep(0.01)
        service.start()
        ready.append(time.perf_counter() - visitor.began)

    thread = Thread(target=start)
    thread.start()
    found = visitor.run(rate=COLD_RATE, seconds=COLD_SECONDS)
    thread.join()
    back = back_to_normal(found)
    checks = {
        "back to normal": back <= BACK_SECONDS,
        "longest when cold": found.percentile(1.0) <= LONGEST_MS,
    }
    return row(f"cold: ready {ready[0]:.1f} s, normal {back} s", found, COLD_SECONDS, capable), failed(checks)


def failed(checks: dict[str, bool]) -> list[str]:
    return [name for name, is_met in checks.items() if not is_met]


def forget_files(folder: Path) -> None:
    """Have the system drop what it holds in memory of the folder's files, which nobody has open."""
    os.sync()
    for path in folder.rglob("*"):
        if path.is_file():
            with path.open("rb") as file:
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def back_to_normal(found: Found) -> int:
    """The first second from which on, for five, nothing fails and the p95 is normal."""
    broken = {int(at) for at, _ in found.failures}

    def is_normal(second: int) -> bool:
        times = found.by_second[second]
        return bool(times) and second not in broken and late(times, 0.95) <= NORMAL_MS

    starts = range(COLD_SECONDS - 4)
    return next((start for start in starts if all(map(is_normal, range(start, start + 5)))), COLD_SECONDS)


def page(rows: list[str], missed: list[str], *, listings: int) -> str:
    """The page of results."""
    table, words = "\n".join([HEAD, *rows]), ", ".join(missed) or "nothing"
    return f"""# Overload and cold start

`{machine.command_line()}`

{machine.described()}

`make up` with {listings:,} demo listings. Reads are those of [load.md](load.md), due at fixed moments whatever comes
back; times begin when a read was due. The capacity, of which shares are told, is what 16 callers get who ask again as
soon as they are answered. For the overload the service runs on all processors but one, and whoever asks on that one.
Cold: the whole service is started into {COLD_RATE} reads a second, with none of its files in the system's memory; until
it listens connections are refused. Normal: for five seconds nothing fails and the p95 is at most {NORMAL_MS:.0f} ms.

{table}

The bars: {LEAST} of the capacity answered under {TIMES} times as much, its p95 {ANSWERED_MS:.0f} ms, the rest refused
with Retry-After; p95 {" and ".join(f"{most:.0f} ms at {rate}" for rate, most in STEADY.items())} without a failure;
cold back within {BACK_SECONDS} s, nothing after {LONGEST_MS:.0f} ms. Not met: {words}.
"""


def main() -> int:
    """Measure, write the page, and say by the exit code whether the bars are met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--listings", type=int, default=100_000)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--keep", type=Path, help="a data folder that keeps the listings for the next time")
    parser.add_argument("--print", action="store_true", help="keep no page")
    options = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(CONNECTIONS + 200, hard), hard))
    every = os.sched_getaffinity(0)
    apart = {max(every)}
    with tempfile.TemporaryDirectory(prefix="overload-") as name:
        folder = options.keep or Path(name)
        with started(folder, options.listings, processors=every - apart) as service, on(apart):
            phases = [overloaded(service, options.seconds)]
        with started(folder, options.listings, processors=every) as service:
            phases += [steady(service, rate, options.seconds) for rate in STEADY]
            phases.append(cold(service))
    rows, missed = [row for row, _ in phases], [name for _, names in phases for name in names]
    text = page(rows, missed, listings=options.listings)
    print(text)
    if not options.print:
        RESULTS.write_text(text)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
