"""What every measurement says about the machine it ran on, and how memory is counted."""

import os
import platform
import shlex
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from threading import Event, Thread

import psutil

MEGABYTE = 1024 * 1024
SECRET = "--api-key"


@dataclass(frozen=True)
class Footprint:
    """The memory of several processes, in MB: resident sizes added up, and with shared pages counted once."""

    resident: float
    proportional: float


def footprint(processes: Iterable[psutil.Process]) -> Footprint:
    """How much they use now."""
    found = list(processes)
    shared = 0.0
    for process in found:
        with suppress(psutil.Error):
            shared += process.memory_full_info().pss / MEGABYTE
    return Footprint(sum(resident(process) for process in found), shared)


def resident(process: psutil.Process) -> float:
    """One process's resident size in MB; 0 when it has ended."""
    try:
        return process.memory_info().rss / MEGABYTE
    except psutil.Error:
        return 0.0


def processor_seconds(processes: Iterable[psutil.Process]) -> float:
    """Processor time that they and their ended children have used so far."""
    total = 0.0
    for process in processes:
        with suppress(psutil.Error):
            used = process.cpu_times()
            total += used.user + used.system + used.children_user + used.children_system
    return total


@contextmanager
def withheld_by_second() -> Iterator[list[float]]:
    """What the host of this machine kept for others in each second meanwhile, as a share of one processor.

    Linux counts it as "steal"; elsewhere the list holds zeros.
    """
    found: list[float] = []
    ended = Event()

    def watch() -> None:
        before = getattr(psutil.cpu_times(), "steal", 0.0)
        while not ended.wait(1):
            now = getattr(psutil.cpu_times(), "steal", 0.0)
            found.append(now - before)
            before = now

    watcher = Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield found
    finally:
        ended.set()
        watcher.join()


def described() -> str:
    """Processor, cores, memory, system and Python, and how busy the machine was before."""
    busy = os.getloadavg()[0]
    memory = psutil.virtual_memory().total / MEGABYTE / 1024
    return (
        f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC on {processor()}, {os.cpu_count()} cores,"
        f" {memory:.0f} GB, {platform.system()} {platform.release()},"
        f" Python {platform.python_version()}; load average {busy:.1f} at the end, other work included."
    )


def processor() -> str:
    """The processor's name."""
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.machine()


def command_line() -> str:
    """How this was started, to be typed from the project's folder; without secrets."""
    words = sys.argv[1:]
    if SECRET in words:
        words[words.index(SECRET) + 1] = "…"
    return shlex.join(["python", f"benchmarks/{Path(sys.argv[0]).name}", *words])
