"""Feed generated bodies and pages to everything that reads strangers' texts: no fault, and no more time than size."""

import argparse
import os
import random
import resource
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django  # noqa: E402

django.setup()

from benchmarks import machine  # noqa: E402
from drafts.crawl.markup import TooMuchMarkupError, count_tags  # noqa: E402
from drafts.crawl.report import Budget  # noqa: E402
from tests import hostile  # noqa: E402

RESULTS = ROOT / "benchmarks" / "results" / "fuzz.md"
RATIO, SECONDS, WRITING, MEMORY = 16.0, 15.0, 10.0, 400.0
SMALL, LARGE = 50_000, 400_000
PATIENCE, PART = 120, 250
READERS: dict[str, tuple[Callable[[random.Random], object], Callable[..., None]]] = {
    "parser": (hostile.body, hostile.read_body),
    "badge check": (hostile.page, hostile.find_badge),
    "crawler": (hostile.page, hostile.read_markup),
    "writer": (hostile.page, hostile.write),
    "robots and sitemaps": (hostile.page, hostile.read_lists),
}


Found = tuple[str, int, Counter[str], float]
Grown = tuple[str, str, float, float]


def fuzzed(seed: int, name: str, numbers: range) -> Found:
    """A reader's inputs of these numbers: how many, what was raised that is no refusal, and the longest time."""
    make, read = READERS[name]
    faults, slowest = Counter[str](), 0.0
    for number in numbers:
        given = make(random.Random(f"{seed} {name} {number}"))
        started = time.process_time()
        signal.alarm(PATIENCE)
        try:
            read(given)
        except Exception as error:  # noqa: BLE001  (what is raised is the figure)
            faults[f"{type(error).__name__} at {number}"] += 1
        signal.alarm(0)
        slowest = max(slowest, time.process_time() - started)
    return name, len(numbers), faults, slowest


def _too_long(*_: object) -> None:
    raise TimeoutError


def prepare() -> None:
    """An input that takes minutes is a fault like others."""
    signal.signal(signal.SIGALRM, _too_long)


def timed(read: Callable[[str], None], text: str) -> float:
    """The processor's seconds for one text."""
    started = time.process_time()
    read(text)
    return time.process_time() - started


def grown(name: str) -> list[Grown]:
    """A hostile page in two sizes, for each reader of pages: the seconds for both."""
    make = hostile.GROWING[name]
    return [
        (name, reader, timed(read, make(SMALL)), timed(read, make(LARGE)))
        for reader, (_, read) in list(READERS.items())[1:4]
    ]


def largest(name: str) -> tuple[str, int, float]:
    """The largest page of a kind that a crawl takes twice: its size, and the seconds to read both and to write."""
    make, budget = hostile.GROWING[name], Budget()
    size = budget.page_bytes
    while True:
        text = make(size)
        try:
            count_tags(text, most=budget.site_tags // 2)
        except TooMuchMarkupError:
            size = size * 3 // 4
        else:
            return name, len(text), timed(hostile.write, text)


def all_of(
    runs: int, seed: int, processes: int
) -> tuple[dict[str, Found], list[Grown], list[tuple[str, int, float]]]:
    """Everything, in processes beside each other."""
    each = runs // len(READERS)
    parts = [(name, range(at, min(at + PART, each))) for name in READERS for at in range(0, each, PART)]
    found: dict[str, Found] = {}
    with ProcessPoolExecutor(processes, initializer=prepare) as pool:
        pages = [row for rows in pool.map(grown, hostile.GROWING) for row in rows]
        print(*pages, sep="\n", flush=True)
        sites = list(pool.map(largest, hostile.GROWING))
        print(*sites, sep="\n", flush=True)
        names, numbers = zip(*parts, strict=True)
        for part in pool.map(partial(fuzzed, seed), names, numbers):
            name, inputs, faults, slowest = part
            had = found.get(name, (name, 0, Counter[str](), 0.0))
            found[name] = (name, had[1] + inputs, had[2] + faults, max(had[3], slowest))
            print(found[name], flush=True)
    return found, pages, sites


def main() -> int:
    """Run everything, write the figures, and say by the exit code whether the bars are met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=9)
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--no-results", action="store_true", help=f"leave {RESULTS.name} as it is")
    options = parser.parse_args()
    found, pages, sites = all_of(options.runs, options.seed, options.processes)
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    faults = sum(sum(count.values()) for _, _, count, _ in found.values())
    worst = max(large / max(small, 0.02) for _, _, small, large in pages)
    slowest, longest = max(large for *_, large in pages), max(seconds for *_, seconds in sites)
    page = "\n".join(
        [
            "# Fuzzing what reads strangers' texts",
            "",
            f"`{machine.command_line()}`",
            "",
            machine.described(),
            "",
            "| reader | inputs | faults | slowest, s |",
            "|---|---|---|---|",
            *(f"| {name} | {n} | {sum(c.values())} | {s:.2f} |" for name, n, c, s in found.values()),
            "",
            f"Pages made to be slow, of {SMALL // 1000} and {LARGE // 1000} KB, in seconds of the processor:",
            "",
            "| page | reader | small | large |",
            "|---|---|---|---|",
            *(f"| {name} | {reader} | {small:.2f} | {large:.2f} |" for name, reader, small, large in pages),
            "",
            "A site of two such pages, each as large as a crawl takes them: seconds of the processor to cut, write and",
            "verify.",
            "",
            "| page | KB | seconds |",
            "|---|---|---|",
            *(f"| {name} | {size // 1000} | {seconds:.2f} |" for name, size, seconds in sites),
            "",
            f"Faults: {faults} (bar: 0). Growth for {LARGE / SMALL:.0f} times the size: {worst:.0f} times (bar:"
            f" {RATIO:.0f}). Slowest page: {slowest:.1f} s (bar: {SECONDS:.0f} s). Slowest site: {longest:.1f} s (bar:"
            f" {WRITING:.0f} s). Memory: {memory:.0f} MB (bar: {MEMORY:.0f} MB).",
            "",
        ]
    )
    print(page)
    if not options.no_results:
        RESULTS.write_text(page)
    is_met = worst <= RATIO and slowest <= SECONDS and longest <= WRITING and memory <= MEMORY
    return 0 if is_met and not faults else 1


if __name__ == "__main__":
    sys.exit(main())
