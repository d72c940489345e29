"""What a million page views leave behind in counters, and what home costs the server at 100,000 listings."""

import argparse
import json
import os
import sys
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import Any
from wsgiref.util import setup_testing_defaults

import django
import psutil

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks import machine  # noqa: E402
from benchmarks.parts import scale  # noqa: E402

RESULTS = ROOT / "benchmarks" / "results" / "stage.md"
LISTINGS, VIEWS, VISITORS, HOSTS, ROUNDS = 100_000, 1_000_000, 300_000, 400, 100
SHARE = 0.3  # of page views that are a listing's, as `load.py` mixes them
DAYS = (1.0, 7.0)
MEGABYTES, HOME_MS = 40.0, 30.0
FOLDED_AT_ONCE = 100  # views; the clock folds every thirty seconds
TABLES = ("directory_visitcount", "directory_visitsource")
SIZE = f"SELECT {' + '.join(f'pg_total_relation_size({name!r})' for name in TABLES)}"


def views() -> Iterator[dict[str, Any]]:
    """Who opens which listing, and where from; of both the nth best known is chosen 1/n as often as the best."""
    from directory.models import Listing  # noqa: PLC0415  (once Django is set up)

    rng = Random("stage")
    ids = list(Listing.objects.live().order_by("-launched_at", "pk").values_list("pk", flat=True))
    popular = list(accumulate(1 / place for place in range(1, len(ids) + 1)))
    hosts = list(accumulate(1 / place for place in range(1, HOSTS + 1)))
    while True:
        (listing_id,) = rng.choices(ids, cum_weights=popular)
        (host,) = rng.choices(range(HOSTS), cum_weights=hosts)
        referrer = f"https://site{host}.example/" if host else ""
        yield {"listing_id": listing_id, "visitor": f"net:{rng.randrange(VISITORS)}", "referrer": referrer}


def counted(days: float) -> dict[str, Any]:
    """A million views over so many days, by the code that counts; what Redis and the tables hold of them."""
    from django.db import connection  # noqa: PLC0415  (once Django is set up)
    from django.utils import timezone  # noqa: PLC0415

    from directory import weeks  # noqa: PLC0415
    from directory.engagement import tally, visits  # noqa: PLC0415
    from directory.models import VisitCount, VisitSource  # noqa: PLC0415

    store = tally.redis()
    with connection.cursor() as cursor:
        cursor.execute(f"TRUNCATE {', '.join(TABLES)}")
        for key in (*store.scan_iter("visits*"), *store.scan_iter("tally*")):
            store.delete(key)
        cursor.execute(SIZE)
        before = cursor.fetchone()[0]
    start, most, called, number = weeks.start(weeks.week_of(timezone.now())), 0, 0.0, int(VIEWS * SHARE)
    step, seen = timedelta(days=days) / number, views()
    for place in range(number):
        values = next(seen)
        begun = time.process_time()
        visits.count_view(**values, at=start + place * step)
        called += time.process_time() - begun
        if place % FOLDED_AT_ONCE == FOLDED_AT_ONCE - 1:
            most = max(most, _held(store, since=start + place * step - timedelta(hours=1)))
            visits.fold_visits()
    visits.fold_visits()
    with connection.cursor() as cursor:
        cursor.execute(f"ANALYZE {', '.join(TABLES)}")
        cursor.execute(SIZE)
        size = cursor.fetchone()[0] - before
    return {
        "days": days,
        "redis": most,
        "tables": size,
        "hours": VisitCount.objects.count(),
        "sources": VisitSource.objects.count(),
        "visits": sum(VisitCount.objects.values_list("visits", flat=True)),
        "call_us": called / number * 1e6,
    }


def _held(store: Any, *, since: datetime) -> int:
    """What Redis holds; filters and salts of days that it would have forgotten by then are forgotten."""
    size = 0
    for key in (*store.scan_iter("visits*"), *store.scan_iter("tally*")):
        day = key.decode().rpartition(":")[2]
        if day.startswith("20") and day < since.date().isoformat():
            store.delete(key)
        size += store.memory_usage(key) or 0
    return size


def home() -> dict[str, float]:
    """Milliseconds of processor that home costs through the whole service: its own, and its database connection's.

    `alone` is what it costs where no worker draws what stands below and beside the race.
    """
    from django.core.cache import cache, caches  # noqa: PLC0415  (once Django is set up)
    from django.db import connection  # noqa: PLC0415
    from django.utils import timezone  # noqa: PLC0415

    from benchmarks.parts.read_path_app import application  # noqa: PLC0415
    from config.home import draw_beside  # noqa: PLC0415

    def asked() -> int:
        environ: dict[str, Any] = {"HTTP_HOST": "127.0.0.1:8000", "HTTP_X_FRESH": "1"}
        setup_testing_defaults(environ)
        return sum(map(len, application(environ, lambda *_: None)))

    size = [asked() for _ in range(3)][-1]
    connection.ensure_connection()
    backend = psutil.Process(connection.connection.info.backend_pid)
    cost: dict[str, float] = {"bytes": size}
    draw_beside(at=timezone.now())
    for name in ("", "_alone"):
        if name:
            cache.delete("home:1")
        web, database = time.process_time(), sum(backend.cpu_times()[:2])
        for _ in range(ROUNDS):
            if name:
                caches["process"].clear()
            asked()
        cost[f"web{name}"] = (time.process_time() - web) / ROUNDS * 1000
        cost[f"database{name}"] = (sum(backend.cpu_times()[:2]) - database) / ROUNDS * 1000
    return cost


def main() -> int:
    """Measure, keep the page, and say by the exit code whether the bars are met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keep", type=Path, help="a data folder that keeps the listings for the next time")
    parser.add_argument(
        "--days", type=float, help="count in the database of DATABASE_URL, as JSON; 0: ask home"
    )
    options = parser.parse_args()
    if options.days is not None:
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
        django.setup()
        print(json.dumps(counted(options.days) if options.days else home()))
        return 0
    with scale.databases(options.keep) as known:
        environment = scale.loaded(LISTINGS, known=known)
        more = {"RATE_LIMIT_FACTOR": "1000000", "LOG_LEVEL": "WARNING"}
        run = [sys.executable, str(Path(__file__).resolve()), "--days"]
        cost, *runs = (
            json.loads(scale.printed(*run, str(days), environment=environment | more).splitlines()[-1])
            for days in (0, *DAYS)
        )
    text = page(cost, runs)
    print(text)
    RESULTS.write_text(text)
    is_met = cost["web"] + cost["database"] <= HOME_MS and all(megabytes(run) <= MEGABYTES for run in runs)
    return 0 if is_met else 1


def megabytes(run: dict[str, Any]) -> float:
    return (run["redis"] + run["tables"]) / machine.MEGABYTE


def page(cost: dict[str, float], runs: list[dict[str, Any]]) -> str:
    total = cost["web"] + cost["database"]
    lines = [
        "# The stage: counters and home",
        "",
        f"`make bench ARGS=stage`, which runs `{machine.command_line()}`",
        "",
        machine.described(),
        "",
        f"{LISTINGS:,} demo listings. {VIEWS:,} page views, of which {SHARE:.0%} are a listing's and so are counted,",
        f"each by `visits.count_view`, and folded {FOLDED_AT_ONCE} at a time: {VISITORS:,} visitors",
        f"from {HOSTS} websites. Of listings and websites the nth best known is chosen 1/n as often as the best.",
        "Tables with indexes, as they are after it; Redis at its fullest, with the filters and salts of two days.",
        "",
        "| within days | visits | hours | websites | tables MB | Redis MB | all (<= 40) | met | µs a view |",
        "|---|---|---|---|---|---|---|---|---|",
        *map(row, runs),
        "",
        f"Were all {VIEWS:,} a listing's, up to {1 / SHARE:.1f} times as many rows: above the bar in a directory of",
        "that size, since most rows are of a listing with one visit in its hour.",
        "",
        f"Home, {ROUNDS} times: {cost['web']:.1f} ms of the web process's processor and",
        f"{cost['database']:.1f} ms of its database connection's, {total:.1f} ms together (<= {HOME_MS:.0f}:",
        f"{said(total, most=HOME_MS)}); {cost['bytes'] / 1000:.0f} KB of HTML before compression. The race is",
        "asked for each time; what stands below and beside it a job draws every thirty seconds. Where none does",
        f"so, one page a minute and process costs {cost['web_alone']:.1f} and {cost['database_alone']:.1f} ms.",
        "",
    ]
    return "\n".join(lines)


def said(value: float, *, most: float) -> str:
    return "yes" if value <= most else "**no**"


def row(run: dict[str, Any]) -> str:
    sizes = (run["tables"] / machine.MEGABYTE, run["redis"] / machine.MEGABYTE, megabytes(run))
    counts = (run["visits"], run["hours"], run["sources"])
    cells = [f"{run['days']:g}", *(f"{number:,}" for number in counts), *(f"{size:.1f}" for size in sizes)]
    return f"| {' | '.join(cells)} | {said(megabytes(run), most=MEGABYTES)} | {run['call_us']:.0f} |"


if __name__ == "__main__":
    sys.exit(main())
