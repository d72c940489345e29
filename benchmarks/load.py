"""Ask for 300 mixed public reads a second for ten minutes, then again while 500 websites are drafted."""

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlencode

import psutil
import psycopg

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks import machine  # noqa: E402
from benchmarks.listings.data.demo import demo_listings  # noqa: E402
from benchmarks.parts import scale  # noqa: E402
from benchmarks.parts.open_loop import Ask, Asker, Found  # noqa: E402
from benchmarks.parts.programs import Programs, programs, wait_ready  # noqa: E402
from benchmarks.parts.typos import edited  # noqa: E402
from benchmarks.read_path import API, SORTS  # noqa: E402
from config.embedded import paths  # noqa: E402
from tests.journeys.service import UNFINISHED, Client  # noqa: E402
from tests.journeys.sites import fill_slowly  # noqa: E402
from tests.servers.website import Website  # noqa: E402

RESULTS = ROOT / "benchmarks" / "results" / "load.md"
P95, TIMES = 150.0, 2.0
KNOWN = 5_000
# Seven in ten are lists and searches, three are profiles.
SHARES = (("list", 45), ("search", 25), ("profile", 30))
ANSWER_SECONDS = 0.05
WITHHELD, RECOVERY = 0.2, 60
# A demo gives thousands of listings a free launch in these weeks, whose homepages nobody serves. A calendar has dozens.
CHECKED_JUST_NOW = """
INSERT INTO directory_badgecheck (listing_id, at, found, result, detail, snippet, next_at, was_read)
SELECT DISTINCT listing_id, now(), true, 'found', '', '', now() + interval '1 day', true FROM directory_launch
WHERE kind = 'free' AND week > now() - interval '60 days'
"""


def mixed(*, listings: int = KNOWN) -> Ask:
    """A kind and an address at a time, as visitors ask: the nth best known is asked for 1/n as often as the best.

    Only the first so many `listings` of the demo are asked for; what is not loaded is no address.

    Popularity on the web follows Zipf's law (Breslau and others, Web Caching and Zipf-like Distributions, 1999).
    """
    rng = Random("load")
    known = [one for one in demo_listings(count=listings) if one.status == "live" and "main" in one.sites]
    popular = list(accumulate(1 / place for place in range(1, len(known) + 1)))
    kinds, shares = zip(*SHARES, strict=True)

    def listed() -> str:
        (one,) = rng.choices(known, cum_weights=popular)
        given = {"category": one.categories[0], "country": one.country, "pricing_model": one.pricing_model}
        chosen: dict[str, Any] = {
            name: value for name, value in given.items() if value and rng.random() < 0.25
        }
        if rng.random() < 0.3:
            chosen["sort"] = rng.choice(SORTS)
        return f"{API}?{urlencode({**chosen, 'page': min(400, int(1 / (1 - rng.random())))})}"

    def searched() -> str:
        (one,) = rng.choices(known, cum_weights=popular)
        text = rng.choice((one.name, edited(one.name.lower(), rng), one.name[:6], one.tagline[:40]))
        return f"{API}?{urlencode({'q': text})}"

    def opened() -> str:
        (one,) = rng.choices(known, cum_weights=popular)
        return f"{API}/{one.slug}"

    ways = {"list": listed, "search": searched, "profile": opened}

    def ask() -> tuple[str, str]:
        (kind,) = rng.choices(kinds, shares)
        return kind, ways[kind]()

    return ask


@dataclass
class Phase:
    """So many seconds of reads, and what the machine did meanwhile."""

    name: str
    found: Found
    processor: dict[str, float]
    memory: float
    withheld: list[float]  # by the host, in each second, as a share of one processor

    @property
    def errors(self) -> int:
        return len(self.found.failures)

    def undisturbed(self) -> tuple[int, float]:
        """How many seconds had the machine to themselves, as the ten before them, and their p95 in milliseconds."""
        whole = [
            second
            for second in range(RECOVERY, len(self.withheld))
            if max(self.withheld[second - RECOVERY : second + 1]) < WITHHELD
        ]
        times = sorted(took for second in whole for took in self.found.by_second[second])
        return len(whole), times[int(len(times) * 0.95)] * 1000 if times else float("nan")

    def row(self) -> str:
        """A row of the table."""
        cells = " | ".join(f"{self.found.percentile(share):.0f}" for share in (0.5, 0.95, 0.99, 1.0))
        kinds = ", ".join(f"{kind} {self.found.percentile(0.95, kind=kind):.0f}" for kind, _ in SHARES)
        used = ", ".join(f"{name} {share:.0%}" for name, share in self.processor.items())
        seconds, undisturbed = self.undisturbed()
        return (
            f"| {self.name} | {self.found.number:,} | {cells} | {undisturbed:.0f} ({seconds} s)"
            f" | {kinds} | {self.errors} | {used} | {self.memory:,.0f} |"
        )


@contextmanager
def service(
    known: Mapping[str, str], folder: Path, sites: int
) -> Iterator[tuple[Programs, int, Iterator[str]]]:
    """Web, worker and crawler as `make up` runs them, on these servers; gives the port and sites to submit."""
    port = paths.free_port()
    hosts = [f"load{number}-{port}.test" for number in range(sites)]  # a kept database has had others
    with Website() as website:
        fill_slowly(website, seconds=ANSWER_SECONDS)
        resolve = ",".join(f"{host}={address}:{at}" for host, (address, at) in website.at(*hosts).items())
        (folder / "resolve").write_text(resolve)
        environment = {
            **known,
            "PORT": str(port),
            "CRAWL_RESOLVE_FILE": str(folder / "resolve"),
            "RATE_LIMIT_FACTOR": "100000",
        }
        with programs(environment, folder) as every:
            every.start("web")
            wait_ready(port)
            every.start("worker")
            every.start("crawler")
            yield every, port, iter(hosts)


def asked(name: str, port: int, every: Programs, *, rate: float, seconds: float) -> Phase:
    """Ask for so long."""
    groups = {kind: every.family(kind) for kind in ("web", "worker", "crawler")}
    cluster = str(paths.places(Path(every.environment["DATA_DIR"])).cluster)
    groups["database"] = [one for one in psutil.process_iter() if works_in(one, cluster)]
    before = {kind: machine.processor_seconds(group) for kind, group in groups.items()}
    with machine.withheld_by_second() as withheld:
        found = Asker(port, mixed()).run(rate=rate, seconds=seconds)
    used = {
        kind: (machine.processor_seconds(group) - before[kind]) / seconds for kind, group in groups.items()
    }
    used["withheld by the host"] = sum(withheld) / max(1, len(withheld))
    memory = machine.footprint([one for kind in ("web", "worker", "crawler") for one in every.family(kind)])
    return Phase(name, found, used, memory.proportional, withheld)


def works_in(process: psutil.Process, folder: str) -> bool:
    """Whether it is one of the processes of a cluster."""
    try:
        return process.name() == "postgres" and process.cwd() == folder
    except psutil.Error:
        return False


def page(phases: list[Phase], *, rate: float, listings: int, drafts: int, words: str) -> str:
    """The page of results."""
    rows = "\n".join(phase.row() for phase in phases)
    return f"""# Load

`{machine.command_line()}`

{machine.described()}

{listings:,} demo listings; the web server with {os.environ.get("WEB_WORKERS", "2")} processes,
a worker and a crawler, PostgreSQL and Redis, and who asks, all on this machine. {rate:g} reads a second of the API are
due at fixed moments, whatever comes back: lists with pages, sorts and filters, searches and profiles
({", ".join(f"{share} in 100 {kind}" for kind, share in SHARES)}), the nth best known of {KNOWN:,} products 1/n as often
as the best, page n 1/n² as often as the first. Times begin when a read was due.
{drafts} websites are submitted before the second row. Undisturbed are the seconds in which the host withheld less than
{WITHHELD:.0%} of one processor, as in the {RECOVERY} before them.

| reads | asked | p50 ms | p95 | p99 | longest | p95 undisturbed | p95 by kind | errors | processor | memory MB |
|---|---|---|---|---|---|---|---|---|---|---|
{rows}

{words}
"""


def given() -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rate", type=float, default=300)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--drafting-seconds", type=float, default=60)
    parser.add_argument("--drafts", type=int, default=500)
    parser.add_argument("--listings", type=int, default=100_000)
    parser.add_argument("--keep", type=Path, help="a data folder that keeps the listings for the next time")
    parser.add_argument("--print", action="store_true", help="keep no page")
    return parser.parse_args()


def main() -> int:
    """Measure, write the page, and say by the exit code whether the bars are met."""
    options = given()
    with tempfile.TemporaryDirectory(prefix="load-") as name, scale.databases(options.keep) as servers:
        folder = Path(name)
        known = scale.loaded(options.listings, known=servers)
        with psycopg.connect(known["DATABASE_URL"]) as connection:
            connection.execute(CHECKED_JUST_NOW)
        with service(known, folder, options.drafts) as (every, port, hosts):
            asked("warm", port, every, rate=options.rate / 3, seconds=10)
            phases = [asked("alone", port, every, rate=options.rate, seconds=options.seconds)]
            print(phases[0].row(), flush=True)
            maker = Client(site=f"http://127.0.0.1:{port}", key=made_key(known))
            drafts = [maker.submit(f"https://{host}/") for host in hosts]
            phases.append(
                asked(
                    "while drafts are written",
                    port,
                    every,
                    rate=options.rate,
                    seconds=options.drafting_seconds,
                )
            )
            left = sum(maker.draft(draft)["status"] in UNFINISHED for draft in drafts)
    alone, beside = (phase.found.percentile(0.95) for phase in phases)
    errors = sum(phase.errors for phase in phases)
    is_met = alone <= P95 and beside <= TIMES * alone and not errors
    words = (
        f"The bars: p95 at most {P95:g} ms ({alone:.0f}), no error ({errors}), beside drafts at most {TIMES:g} times"
        f" as long ({beside / alone:.1f}): {'met' if is_met else '**not met**'}."
        f" Drafts still to be read at the end: {left}."
    )
    text = page(phases, rate=options.rate, listings=options.listings, drafts=options.drafts, words=words)
    print(text)
    if not options.print:
        RESULTS.write_text(text)
    return 0 if is_met else 1


def made_key(known: Mapping[str, str]) -> str:
    """A maker's key."""
    command = [sys.executable, "manage.py", "create_api_key", "load@people.example"]
    return scale.printed(*command, environment=dict(known)).split()[-1]


if __name__ == "__main__":
    sys.exit(main())
