"""Feed generated bodies and pages to everything that reads strangers' texts: no fault, and no more time than size."""

import argparse
import os
import random
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django  # noqa: E402

django.setup()

from benchmarks import machine  # noqa: E402
from tests import hostile  # noqa: E402

RESULTS = ROOT / "benchmarks" / "results" / "fuzz.md"
RATIO, SECONDS, MEMORY = 16.0, 15.0, 400.0
SMALL, LARGE = 50_000, 400_000
READERS: dict[str, tuple[Callable[[random.Random], object], Callable[..., None]]] = {
    "parser": (hostile.body, hostile.read_body),
    "badge check": (hostile.page, hostile.find_badge),
    "crawler": (hostile.page, hostile.read_markup),
    "writer": (hostile.page, hostile.write),
    "robots and sitemaps": (hostile.page, hostile.read_lists),
}


def fuzzed(runs: int, seed: int) -> dict[str, tuple[int, Counter[str], float]]:
    """For each reader: how many inputs, what was raised that is no refusal, and the longest time."""
    found = {}
    for name, (make, read) in READERS.items():
        faults, slowest = Counter[str](), 0.0
        for number in range(runs // len(READERS)):
            given = make(random.Random(f"{seed} {name} {number}"))
            started = time.process_time()
            try:
                read(given)
            except Exception as error:  # noqa: BLE001  (what is raised is the figure)
                faults[f"{type(error).__name__} at {number}"] += 1
            slowest = max(slowest, time.process_time() - started)
        found[name] = (runs // len(READERS), faults, slowest)
        print(name, found[name], flush=True)
    return found


def timed(read: Callable[[str], None], text: str) -> float:
    """The processor's seconds for one text."""
    started = time.process_time()
    read(text)
    return time.process_time() - started


def grown() -> list[tuple[str, str, float, float]]:
    """Each hostile page in two sizes, for each reader of pages: the seconds for both."""
    rows = []
    for name, make in hostile.GROWING.items():
        for reader, (_, read) in list(READERS.items())[1:4]:
            rows.append((name, reader, timed(read, make(SMALL)), timed(read, make(LARGE))))
            print(rows[-1], flush=True)
    return rows


def main() -> int:
    """Run everything, write the figures, and say by the exit code whether the bars are met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=9)
    parser.add_argument("--no-results", action="store_true", help=f"leave {RESULTS.name} as it is")
    options = parser.parse_args()
    rows = grown()
    found = fuzzed(options.runs, options.seed)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    faults = sum(sum(count.values()) for _, count, _ in found.values())
    size = LARGE / SMALL
    worst = max(large / max(small, 0.02) for _, _, small, large in rows)
    slowest = max(large for *_, large in rows)
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
            *(f"| {name} | {n} | {sum(c.values())} | {s:.2f} |" for name, (n, c, s) in found.items()),
            "",
            f"Pages made to be slow, of {SMALL // 1000} and {LARGE // 1000} KB, in seconds of the processor:",
            "",
            "| page | reader | small | large |",
            "|---|---|---|---|",
            *(f"| {name} | {reader} | {small:.2f} | {large:.2f} |" for name, reader, small, large in rows),
            "",
            f"Faults: {faults} (bar: 0). Growth for {size:.0f} times the size: {worst:.0f} times (bar: {RATIO:.0f})."
            f" Slowest: {slowest:.1f} s (bar: {SECONDS:.0f} s). Memory: {memory:.0f} MB (bar: {MEMORY:.0f} MB).",
            "",
        ]
    )
    print(page)
    if not options.no_results:
        RESULTS.write_text(page)
    return 0 if not faults and worst <= RATIO and slowest <= SECONDS and memory <= MEMORY else 1


if __name__ == "__main__":
    sys.exit(main())
