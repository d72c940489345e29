"""Count 5xx and what the web has open in a day of a small site, in fast motion.

    PORT=8000 DATA_DIR=var make bench ARGS=day

Runs the web's application on a loop whose clock is moved, on the servers of `make up` with that DATA_DIR: reads and
rests, probes and figures each minute, and what is periodic, done beside it as a worker does.
"""

import argparse
import asyncio
import os
import sys
import time
from collections import Counter
from datetime import timedelta
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ["RATE_LIMIT_FACTOR"] = "1000"  # a day's reads come in minutes
os.environ["LOG_LEVEL"] = "ERROR"

import django  # noqa: E402

django.setup()

from django.db import connection  # noqa: E402

from benchmarks import machine  # noqa: E402
from config.asgi import Application  # noqa: E402
from core import jobs  # noqa: E402
from core.clock import database_now  # noqa: E402
from core.jobs import reaping  # noqa: E402
from tests.servers.in_loop import Open, ask, pass_time, run_moved  # noqa: E402

RESULTS = ROOT / "benchmarks" / "results" / "day.md"
PROBES = ("/healthz", "/readyz", "/healthz", "/readyz", "/metrics")
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
MINUTES, HOURS, AT_NIGHT = 60, 24, range(1, 6)
MEMORY_SLACK = 30.0


def beat(minute: int) -> int:
    """Begin what is periodic by the moved clock, and do it; how many jobs there were."""
    reaping._add_slots(now=database_now() + timedelta(minutes=minute))  # noqa: SLF001
    return jobs.run_due()


async def hour(application: Application, *, number: int, reads: int, statuses: Counter[int]) -> int:
    """Sixty minutes; at night nobody reads, and by day there are rests."""
    done = 0
    for minute in range(MINUTES):
        probed = [await ask(application, path) for path in PROBES]
        is_busy = number not in AT_NIGHT and minute % 10 < 7
        paths = [READS[turn % len(READS)] for turn in range(reads if is_busy else 0)]
        read = await asyncio.gather(*(ask(application, path) for path in paths))
        statuses.update(answer.status for answer in [*probed, *read])
        done += await application.threads.run(lambda at=number * MINUTES + minute: beat(at))  # type: ignore[misc]
        await pass_time(60)
    return done


async def day(*, reads: int) -> tuple[Counter[int], list[Open], int]:
    """The statuses, what was open after each hour, and how many jobs were done."""
    application, statuses, hours, done = Application(), Counter[int](), list[Open](), 0
    for number in range(HOURS):
        done += await hour(application, number=number, reads=reads, statuses=statuses)
        await pass_time(120)
        await asyncio.sleep(0.5)  # threads close what they had open
        hours.append(await asyncio.to_thread(Open.now))
        print(number, dict(statuses), hours[-1], flush=True)
    return statuses, hours, done


def page(statuses: Counter[int], hours: list[Open], *, jobs_done: int, seconds: float) -> str:
    """The page of results."""
    names = ("threads", "files", "redis", "database", "megabytes")
    rows = [
        f"| {number + 1} | {' | '.join(f'{getattr(hours[number], name):.0f}' for name in names)} |"
        for number in range(HOURS)
    ]
    counted = ", ".join(f"{count} x {status}" for status, count in sorted(statuses.items()))
    return "\n".join(
        [
            "# A day of a small site in fast motion",
            "",
            f"`{machine.command_line()}`",
            "",
            machine.described(),
            "",
            f"{statuses.total()} requests in {seconds / 60:.0f} minutes: {counted}; {jobs_done} jobs. Open after each"
            " hour and two minutes of rest. Redis and PostgreSQL: connections of everybody on these servers.",
            "",
            f"| hour | {' | '.join(names)} |",
            "|---|---|---|---|---|---|",
            *rows,
            "",
        ]
    )


def main() -> int:
    """Play the day; the exit code says whether nothing was 5xx and nothing grew after the first two hours."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reads", type=int, default=16, help="a minute")
    parser.add_argument("--no-results", action="store_true", help=f"leave {RESULTS.name} as it is")
    options = parser.parse_args()
    connection.close()
    began = time.monotonic()
    statuses, hours, done = run_moved(day(reads=options.reads))
    text = page(statuses, hours, jobs_done=done, seconds=time.monotonic() - began)
    print(text)
    if not options.no_results:
        RESULTS.write_text(text)
    first, last = hours[1], hours[-1]
    grown = [name for name in ("threads", "files") if getattr(last, name) > getattr(first, name)]
    if last.megabytes > first.megabytes + MEMORY_SLACK:
        grown.append("megabytes")
    failed = sum(count for status, count in statuses.items() if status >= 500)
    print(f"{failed} x 5xx; grown: {grown or 'nothing'}")
    return 1 if failed or grown else 0


if __name__ == "__main__":
    sys.exit(main())
