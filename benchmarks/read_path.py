"""What a list, a profile and a search cost beside a bare Django view that answers the same bytes."""

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median, quantiles
from urllib.parse import urlencode

import httpx2
import psutil

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks import machine  # noqa: E402
from benchmarks.listings.data.demo import demo_listings  # noqa: E402
from benchmarks.parts import clients, scale  # noqa: E402
from benchmarks.parts.typos import edited  # noqa: E402
from config.embedded import paths  # noqa: E402

RESULTS = ROOT / "benchmarks" / "results" / "read-path.md"
API = "/api/v1/listings"
LISTINGS, CLIENTS, THREADS, ASKED = 10_000, 8, 4, 60
MISS, KNOWN, SEARCH = 2.5, 1.5, 6.0
FRESH = "X-Fresh: 1"  # nothing is cached for this request
SORTS = ("votes", "newest", "trending", "most_viewed", "most_followed")
Address = Callable[[], str]


@dataclass
class Server:
    """A web server with one process."""

    port: int
    worker: psutil.Process


@dataclass
class Way:
    """A way to ask, and the most it may cost beside the bare view. `rates` and `costs` fill up in rounds."""

    read: str
    answer: str
    server: Server
    address: Address
    most: float | None = None
    header: str = ""
    rates: list[float] = field(default_factory=list)
    costs: list[float] = field(default_factory=list)

    def renew(self) -> None:
        """Hold the ETag of now, since votes change answers while this runs."""
        if self.answer == "304":
            self.header = f"If-None-Match: {clients.fetched(self.server.port, self.address())[1]}"


@contextmanager
def serving(application: str, environment: dict[str, str], *, ready: str) -> Iterator[Server]:
    """Gunicorn with as many threads as half the clients."""
    port = paths.free_port()
    command = [sys.executable, "-m", "gunicorn", f"benchmarks.parts.{application}:application"]
    command += ["--worker-class", "gthread", "--threads", str(THREADS), "--workers", "1"]
    command += ["--bind", f"127.0.0.1:{port}", "--log-level", "error", "--keep-alive", "60"]
    more = {"RATE_LIMIT_FACTOR": "1000000", "LOG_LEVEL": "WARNING", "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(command, cwd=ROOT, env={**environment, **more})
    try:
        wait_for(f"http://127.0.0.1:{port}{ready}")
        yield Server(port=port, worker=psutil.Process(process.pid).children()[0])
    finally:
        process.terminate()
        process.wait()


def wait_for(url: str) -> None:
    """Until it answers. Raises TimeoutError."""
    ends = time.monotonic() + 60
    while time.monotonic() < ends:
        try:
            httpx2.get(url, timeout=20).raise_for_status()
        except httpx2.HTTPError:
            time.sleep(0.2)
        else:
            return
    raise TimeoutError("The web server does not start.")


@contextmanager
def one_vote_a_second(environment: dict[str, str]) -> Iterator[None]:
    """Somebody votes all the while."""
    process = subprocess.Popen(
        [sys.executable, "benchmarks/parts/one_vote_a_second.py"], cwd=ROOT, env=environment
    )
    try:
        yield
    finally:
        process.terminate()
        process.wait()


def questions() -> dict[str, tuple[list[tuple[str, Address]], float]]:
    """For each read the addresses to ask for, and what a miss may cost. Cached answers are those of the first kind."""
    rng = Random("read path")
    known = [one for one in demo_listings(count=600) if one.status == "live" and "main" in one.sites]

    def filtered() -> str:
        one = rng.choice(known)
        given = {
            "category": rng.choice(one.categories),
            "country": one.country,
            "pricing_model": one.pricing_model,
        }
        chosen = {name: value for name, value in given.items() if value and rng.random() < 0.6}
        return f"{API}?{urlencode({**chosen, 'page': rng.randint(1, 2)})}"

    def searched() -> str:
        one = rng.choice(known)
        text = rng.choice((one.name, edited(one.name.lower(), rng), one.name[:6], one.tagline[:40]))
        return f"{API}?{urlencode({'q': text})}"

    def paged() -> str:
        return f"{API}?{urlencode({'sort': rng.choice(SORTS), 'page': rng.randint(1, 400)})}"

    lists: list[tuple[str, Address]] = [
        ("miss", lambda: f"{API}?per_page=20"),
        ("miss, pages and sorts vary", paged),
        ("miss, filters vary", filtered),
    ]
    return {
        "list": (lists, MISS),
        "profile": ([("miss", lambda: f"{API}/{rng.choice(known).slug}")], MISS),
        "search": ([("miss", searched)], SEARCH),
    }


def ways(service: Server, bare: Server, folder: Path) -> list[Way]:
    """For each read: the bare views, the misses, a cached answer, and one the caller has."""
    found = []
    for read, (misses, most) in questions().items():
        fixed = misses[0][1]()
        (folder / read).write_bytes(clients.fetched(service.port, fixed)[0])
        found += [
            Way(read, f"bare view, {how}", bare, lambda how=how, read=read: f"/{how}/{read}")
            for how in ("json", "bytes")
        ]
        found += [Way(read, answer, service, address, most, FRESH) for answer, address in misses]
        found += [
            Way(read, answer, service, lambda fixed=fixed: fixed, KNOWN) for answer in ("cached", "304")
        ]
    return found


def first_askings(service: Server) -> Iterator[str]:
    """A table of how long one caller waits: the first time anybody asks, and the fastest of three times later."""
    client = clients.Client(service.port)
    for read, (misses, _) in questions().items():
        for answer, address in misses:
            addresses = list(dict.fromkeys(address() for _ in range(ASKED)))
            first = [clients.seconds_for(client, one, header=FRESH) for one in addresses]
            best = [
                min(clients.seconds_for(client, one, header=FRESH) for _ in range(3)) for one in addresses
            ]
            if len(addresses) > 1:
                cells = " | ".join(
                    f"{median(times) * 1000:.1f} / {quantiles(times, n=20)[-1] * 1000:.1f}"
                    for times in (first, best)
                )
                yield f"| {read} | {answer} | {len(addresses)} | {cells} |"


def measure(every: list[Way], *, rounds: int, seconds: float) -> None:
    """Each way for a moment in each round, so that what disturbs one disturbs all."""
    for number in range(rounds + 1):
        for way in every:
            way.renew()
            used = machine.processor_seconds([way.server.worker])
            rate = clients.rate(
                way.server.port, way.address, clients=CLIENTS, seconds=seconds, header=way.header
            )
            if number:  # the first round warms up
                way.rates.append(rate)
                spent = machine.processor_seconds([way.server.worker]) - used
                way.costs.append(spent * 1000 / (rate * seconds))


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


def page(lines: list[str], firsts: list[str], *, rounds: int, seconds: float) -> str:
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
            f"on kept connections on the same machine. {rounds} rounds; in each, every way is asked for {seconds} s,",
            "while somebody votes once a second. The bare views are a Django project of their own without",
            "middleware, and answer the same bytes: from Python data by JsonResponse, which the ratios are taken from,",
            "and as ready bytes. For a miss nothing is cached; searches are names, misspelt names, beginnings of",
            "names and taglines. Requests are not logged. The column “web process” is processor time of the web",
            "server alone, without PostgreSQL and Redis.",
            "",
            "| read | answer | requests/s | times the bare view's cost | web process | must | met |",
            "|---|---|---|---|---|---|---|",
            *lines,
            "",
            "How long one caller waits for answers that are not cached, in ms, p50 / p95, before the rest was asked:",
            "",
            "| read | answer | addresses | first time | fastest of three later |",
            "|---|---|---|---|---|",
            *firsts,
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
        environment = {**scale.loaded(LISTINGS, known=known), "BARE_FOLDER": name}
        (Path(name) / "ready").write_text("{}")
        with (
            serving("read_path_app", environment, ready="/healthz") as service,
            serving("read_path_bare", environment, ready="/json/ready") as bare,
            one_vote_a_second(environment),
        ):
            firsts = list(first_askings(service))
            every = ways(service, bare, Path(name))
            measure(every, rounds=options.rounds, seconds=options.seconds)
    table = list(rows(every))
    text = page([line for line, _ in table], firsts, rounds=options.rounds, seconds=options.seconds)
    print(text)
    if not options.print:
        RESULTS.write_text(text)
    return 0 if all(is_met for _, is_met in table) else 1


if __name__ == "__main__":
    sys.exit(main())
