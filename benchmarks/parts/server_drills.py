"""Drills with servers of their own, and with callers who hold on to what they have."""

import contextlib
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx2
import psutil

from benchmarks.parts.drill import PATIENCE, Drill, Outcome, Probe, second_service
from benchmarks.parts.open_loop import Asker, Found
from benchmarks.slow_clients import BODIES, IDLE, holding
from config.embedded import paths
from tests.journeys.service import wait_for

RESTARTS = 3
ASKED_A_SECOND = 100
THREADS = 8  # of a web process (config.asgi)
DISK = "300m"
FULL_SECONDS = 45


def slow_clients(drill: Drill, *, count: int) -> Outcome:
    """Hold bodies that never end and idle connections while drafts are submitted and written."""
    with Probe(drill.service.site).running() as probe:
        with holding(drill.service.port):
            drafts = drill.submit(count)
            drill.wait(drafts)
        time.sleep(2)
    words, is_whole = drill.verdict(drafts)
    return Outcome(
        "slow",
        f"{BODIES} bodies that never end and {IDLE} idle connections during {count} submissions",
        "all ready, no failed request",
        f"{words}; {probe}",
        is_whole and probe.bad() == 0,
    )


def rolling_restart(drill: Drill) -> Outcome:
    """Start a web server in place of another on the same port, again and again."""
    port = paths.free_port()
    command = [sys.executable, "-m", "config.serve"]
    environment = drill.service.environ() | {"PORT": str(port)}
    site = f"http://127.0.0.1:{port}"

    def start(*more: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen([*command, *more], cwd=paths.ROOT, env=environment)

    def answers() -> bool:
        with contextlib.suppress(httpx2.HTTPError):
            return httpx2.get(f"{site}/readyz", timeout=5, trust_env=False).status_code == 200
        return False

    web = start()
    try:
        wait_for(answers, patience=PATIENCE)
        with Probe(site, every=0.1, headers={"Connection": "close"}).running() as probe:
            for _ in range(RESTARTS):
                former, web = web, start("--instead-of", str(web.pid))
                former.wait(PATIENCE)
    finally:
        web.terminate()
        web.wait(PATIENCE)
    return Outcome(
        "22, D9",
        f"{RESTARTS} times `config.serve --instead-of PID` on the same port under reads",
        "no failed request",
        f"{probe}",
        probe.bad() == 0,
    )


def kill_web_process(drill: Drill) -> Outcome:
    """Kill one of the processes that answer, while somebody asks each time on a new connection."""
    asker = Asker(drill.service.port, lambda: ("list", "/api/v1/listings"), header="Connection: close")
    found = list[Found]()
    asking = threading.Thread(target=lambda: found.append(asker.run(rate=ASKED_A_SECOND, seconds=8)))
    asking.start()
    time.sleep(2)
    before = answering(drill)
    before[0].kill()
    wait_for(lambda: len(answering(drill)) == len(before), patience=PATIENCE)
    asking.join()
    moments = [at for at, _ in found[0].failures]
    lasted = max(moments) - min(moments) if moments else 0.0
    return Outcome(
        "1",
        f"kill -9 of one of {len(before)} web processes under {ASKED_A_SECOND} reads a second",
        f"at most {THREADS} failed requests, within 5 s; another takes its place",
        f"{len(moments)} of {found[0].number} failed, within {lasted:.1f} s",
        len(before) > 1 and len(moments) <= THREADS and lasted <= 5,
    )


def answering(drill: Drill) -> list[psutil.Process]:
    """The web server's processes that listen at the service's port."""
    found = []
    for process in drill.service.group("config.serve"):
        with contextlib.suppress(psutil.Error):
            ports = {one.laddr.port for one in process.net_connections() if one.status == psutil.CONN_LISTEN}
            found += [process] if drill.service.port in ports else []
    return found


def disk_full(drill: Drill, *, count: int) -> Outcome:
    """Fill the disk of a service with drafts on the way, and make room again."""
    folder, second = drill.keep("disk", lambda: on_small_disk(drill))
    drafts = second.submit(count)
    filler = folder / "filler"
    fill(filler, seconds=FULL_SECONDS)
    survived = second.service.process is not None and second.service.process.poll() is None
    filler.unlink()
    began = time.monotonic()
    wait_for(lambda: second.service.is_ready() and second.has_recovered(), patience=PATIENCE)
    wait_for(lambda: second.service.group("crawler@"), patience=PATIENCE)
    seconds = time.monotonic() - began
    drafts += second.submit(count)
    second.wait(drafts)
    words, is_whole = second.verdict(drafts)
    return Outcome(
        "15, D2",
        f"no byte left on the disk for {FULL_SECONDS} s, {count} drafts before and {count} after",
        "the supervisor lives, everything comes back by itself, all ready",
        f"{'lived' if survived else 'died'}, ready {seconds:.0f} s after there was room; {words}",
        survived and is_whole,
    )


@contextlib.contextmanager
def on_small_disk(drill: Drill) -> Iterator[tuple[Path, Drill]]:
    """A service on such a disk, and the folder it is in."""
    with small_disk() as folder, second_service(drill, folder=folder) as second:
        yield folder, second


@contextlib.contextmanager
def small_disk() -> Iterator[Path]:
    """A folder on a small disk of its own in memory; that takes root."""
    disk = Path(tempfile.mkdtemp(prefix="launch-directory-disk-"))
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK},mode=711", "tmpfs", str(disk)], check=True)
    try:
        yield disk
    finally:
        subprocess.run(["umount", "--lazy", str(disk)], check=True)
        disk.rmdir()


def fill(path: Path, *, seconds: float) -> None:
    """Take every byte that is free, and each one that becomes free, for so long."""
    ends = time.monotonic() + seconds
    with path.open("ab", buffering=0) as file:
        while time.monotonic() < ends:
            for size in (2**20, 2**12, 1):
                with contextlib.suppress(OSError):
                    while True:
                        file.write(bytes(size))
            time.sleep(0.2)
