"""Count 5xx and what the web has open in an hour of a small site by the clock: reads, probes and rests.

    PORT=8000 make bench ARGS=quiet_hour

Asks a service of `make up` on this machine.
"""

import argparse
import os
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import httpx2
import psutil

READS = (
    "/",
    "/api/v1/site",
    "/api/v1/listings?per_page=5",
    "/categories",
    "/leaderboards",
    "/search?q=note",
    "/api/v1/products",
    "/robots.txt",
)
PROBES = ("/healthz", "/readyz")
AT_ONCE, SLACK_MEGABYTES = 8, 30.0


def open_things(port: int) -> Counter[str]:
    """Threads, files and megabytes of the processes that listen at the port."""
    found: Counter[str] = Counter()
    for process in psutil.process_iter():
        try:
            connections = process.net_connections(kind="tcp")
            if any(each.status == psutil.CONN_LISTEN and each.laddr.port == port for each in connections):
                size = int(process.memory_info().rss / 2**20)
                found.update(
                    processes=1, threads=process.num_threads(), files=process.num_fds(), megabytes=size
                )
        except psutil.Error:
            continue
    return found


def main() -> int:
    """Ask for an hour, or as long as is said."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=int(os.environ.get("PORT", "8000")))
    parser.add_argument("--minutes", type=int, default=60)
    parser.add_argument("--reads", type=int, default=16, help="a minute")
    parser.add_argument("--rest", type=int, default=10, help="each so many minutes, two without anybody")
    options = parser.parse_args()
    site, statuses = f"http://127.0.0.1:{options.port}", Counter[int]()

    def ask(path: str) -> None:
        try:
            statuses[httpx2.get(site + path, timeout=30, trust_env=False).status_code] += 1
        except httpx2.HTTPError:
            statuses[599] += 1

    def minute(number: int) -> None:
        ends = time.monotonic() + 60
        if number % options.rest < options.rest - 2:
            with ThreadPoolExecutor(AT_ONCE) as pool:
                list(pool.map(ask, [READS[turn % len(READS)] for turn in range(options.reads)]))
            for path in PROBES:
                ask(path)
        time.sleep(max(0.0, ends - time.monotonic()))

    for _ in range(2):
        minute(0)
    before = open_things(options.port)
    for number in range(options.minutes):
        minute(number)
        print(
            f"minute {number + 1}: statuses {dict(statuses)}, open {dict(open_things(options.port))}",
            flush=True,
        )
    after = open_things(options.port)
    failed = sum(count for status, count in statuses.items() if status >= 500)
    room = {"megabytes": SLACK_MEGABYTES, "files": AT_ONCE, "threads": 0, "processes": 0}
    grown = [name for name, slack in room.items() if after[name] > before[name] + slack]
    print(
        f"{failed} x 5xx of {statuses.total()}; open before {dict(before)}, after {dict(after)};"
        f" grown: {grown or 'nothing'}"
    )
    return 1 if failed or grown else 0


if __name__ == "__main__":
    sys.exit(main())
