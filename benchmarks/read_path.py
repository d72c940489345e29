"""What a list, a profile and a search cost beside a bare Django view that answers the same bytes."""

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random
from statistics import median
from urllib.parse import quote

import httpx2
import psutil

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks import machine  # noqa: E402
from benchmarks.parts import clients, scale  # noqa: E402
from benchmarks.parts.typos import edited  # noqa: E402
from config.demo.data.demo import demo_listings  # noqa: E402
from config.embedded import paths  # noqa: E402

RESULTS = ROOT / "benchmarks" / "results" / "read-path.md"
API = "/api/v1/listings"
LISTINGS, CLIENTS, THREADS = 10_000, 8, 4
MISS, KNOWN, SEARCH = 2.5, 1.5, 6.0


@dataclass
class Way:
    """A way to ask, and the most it may cost beside the bare view. `rates` and `costs` fill up in rounds."""

    read: str
    answer: str
    address: Callable[[], str]
    most: float | None = None
    etag: str = ""
    rates: list[float] = field(default_factory=list)
    costs: list[float] = field(default_factory=list)


@contextmanager
def serving(environment: dict[str, str], folder: Path) -> Iterator[tuple[int, psutil.Process]]:
    """Gunicorn with threads, as many as clients are answered at once; its port and its one worker."""
    port = paths.free_port()
    command = [sys.executable, "-m", "gunicorn", "benchmarks.parts.read_path_app:application"]
    command += ["--worker-class", "gthread", "--threads", str(THREADS), "--workers", "1"]
    command += ["--bind", f"127.0.0.1:{port}", "--log-level", "error", "--keep-alive", "60"]
    told = {
        **environment,
        "BARE_FOLDER": str(folder),
        "RATE_LIMIT_FACTOR": "1000000",
        "PYTHONPATH": str(ROOT),
    }
    process = subprocess.Popen(command, cwd=ROOT, env=told)
    try:
        wait_for(port)
        yield port, psutil.Process(process.pid).children()[0]
    finally:
        process.terminate()
        process.wait()


def wait_for(port: int) -> None:
    """Until it answers. Raises TimeoutError."""
    ends = time.monotonic() + 60
    while time.monotonic() < ends:
        try:
            httpx2.get(f"http://127.0.0.1:{port}{API}?per_page=1", timeout=20).raise_for_status()
        except httpx2.HTTPError:
            time.sleep(0.2)
        else:
            return
    raise TimeoutError("The web server does not start.")


def ways(port: int, folder: Path) -> list[Way]:
    """For each read: the bare views, a miss, a kept answer, and one the caller has."""
    fresh, rng = count(), Random("read path")
    known = [one for one in demo_listings(count=600) if one.status == "live" and "main" in one.sites]

    def searched() -> str:
        one = rng.choice(known)
        text = rng.choice((one.name, edited(one.name.lower(), rng), one.name[:6], one.tagline[:40]))
        return f"{API}?q={quote(text)}"

    reads: dict[str, tuple[Callable[[], str], float]] = {
        "list": (lambda: f"{API}?per_page=20", MISS),
        "profile": (lambda: f"{API}/{rng.choice(known).slug}?", MISS),
        "search": (searched, SEARCH),
    }
    found = []
    for read, (address, most) in reads.items():
        fixed = address()
        body, etag = clients.fetched(port, fixed)
        (folder / read).write_bytes(body)
        for how in ("json", "bytes"):
            same = f"/bare/{how}/{read}"
            if clients.fetched(port, same)[0] != body:
                raise ValueError(f"{same} does not answer the same bytes.")
            found.append(Way(read, f"bare view, {how}", lambda same=same: same))
        within = f"/within/json/{read}"
        found.append(
            Way(read, "bare view, json, behind the service's middleware", lambda within=within: within)
        )
        found += [
            Way(read, "miss", lambda address=address: f"{address()}&n={next(fresh)}", most),
            Way(read, "kept", lambda fixed=fixed: fixed, KNOWN),
            Way(read, "304", lambda fixed=fixed: fixed, KNOWN, etag),
        ]
    return found


def measure(every: list[Way], *, port: int, worker: psutil.Process, rounds: int, seconds: float) -> None:
    """Each way for a moment in each round, so that what disturbs one disturbs all."""
    for way in every:
        clients.rate(port, way.address, clients=CLIENTS, seconds=seconds, etag=way.etag)
    for _ in range(rounds):
        for way in every:
            used = machine.processor_seconds([worker])
            rate = clients.rate(port, way.address, clients=CLIENTS, seconds=seconds, etag=way.etag)
            way.rates.append(rate)
            way.costs.append((machine.processor_seconds([worker]) - used) * 1000 / (rate * seconds))


def rows(every: list[Way]) -> Iterator[tuple[str, bool]]:
    """The table, and whether each bar is met. A ratio is the middle of the ratios within a round."""
    bare = {way.read: way for way in every if way.answer == "bare view, json"}
    for way in every:
        floor = bare[way.read]
        times = median(best / rate for best, rate in zip(floor.rates, way.rates, strict=True))
        cost = median(own / least for least, own in zip(floor.costs, way.costs, strict=True))
        is_met = way.most is None or times <= way.most
        bar = "| |" if way.most is None else f"| <= {way.most}x | {'yes' if is_met else '**no**'} |"
        yield (
            f"| {way.read} | {way.answer} | {median(way.rates):,.0f} | {times:.2f}x"
            f" | {median(way.costs):.2f} ms, {cost:.2f}x {bar}",
            is_met,
        )


def page(lines: list[str], *, rounds: int, seconds: float) -> str:
    """What is kept of a run."""
    return "\n".join(
        [
            "# Read path",
            "",
            f"`make bench ARGS=read_path`, which runs `{machine.command_line()}`",
            "",
            machine.described(),
            "",
            f"{LISTINGS:,} demo listings; gunicorn with one process and {THREADS} threads (gthread), {CLIENTS} clients",
            f"on kept connections on the same machine. {rounds} rounds; in each, every way is asked for {seconds} s.",
            "The bare views run in the same process without any middleware and answer the same bytes: from Python",
            "data by JsonResponse, which the ratios are taken from, and as ready bytes. A miss has an address that",
            "nobody asked for before; searches are names, misspelt names, beginnings of names and taglines. The",
            "column “web process” is processor time of the web server alone, without PostgreSQL and Redis.",
            "",
            "| read | answer | requests/s | times the bare view's cost | web process | must | met |",
            "|---|---|---|---|---|---|---|",
            *lines,
            "",
        ]
    )


def main() -> int:
    """Measure, keep the page, and say by the exit code whether the bars are met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--seconds", type=float, default=1.0, help="how long each way is asked in a round")
    parser.add_argument("--keep", type=Path, help="a data folder that keeps the listings for the next time")
    parser.add_argument("--print", action="store_true", help="keep no page")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="read-path-") as name, scale.databases(options.keep) as known:
        folder = Path(name)
        with serving(scale.loaded(LISTINGS, known=known), folder) as (port, worker):
            every = ways(port, folder)
            measure(every, port=port, worker=worker, rounds=options.rounds, seconds=options.seconds)
    table = list(rows(every))
    text = page([line for line, _ in table], rounds=options.rounds, seconds=options.seconds)
    print(text)
    if not options.print:
        RESULTS.write_text(text)
    return 0 if all(is_met for _, is_met in table) else 1


if __name__ == "__main__":
    sys.exit(main())
