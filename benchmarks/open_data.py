"""How long the nightly files at /data take of 100,000 listings at low priority, and what readers notice meanwhile."""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks import machine  # noqa: E402
from benchmarks.parts import scale  # noqa: E402

RESULTS = ROOT / "benchmarks" / "results" / "open-data.md"
LISTINGS, SECONDS, READ_WITHIN, ALONE = 100_000, 120, 1.10, 20.0
NICE = 15


def written() -> dict[str, Any]:
    """Write every file, as the job does, and say what came of it."""
    from django.db.models import Sum  # noqa: PLC0415  (once Django is set up)

    from core.clock import database_now  # noqa: PLC0415
    from leaderboards.models import OpenDataFile  # noqa: PLC0415
    from leaderboards.open_data import tables  # noqa: PLC0415

    begun, cpu = time.monotonic(), time.process_time()
    at = database_now()
    files = tables.write_all(at=at)
    made = OpenDataFile.objects.filter(made_at=at)
    of_table = made.filter(format="ndjson").values("table").order_by("table")
    rows = dict(of_table.annotate(Sum("rows")).values_list("table", "rows__sum"))
    return {
        "files": files,
        "seconds": time.monotonic() - begun,
        "cpu": time.process_time() - cpu,
        "rows": rows,
        "bytes": sum(made.values_list("size", flat=True)),
    }


def reads(*, until: Any) -> list[float]:
    """How long a listing's statement takes, one after another, in milliseconds, until it is over."""
    from directory.models import ListingCard  # noqa: PLC0415  (as above)
    from directory.search.cards import summaries  # noqa: PLC0415

    ids = list(ListingCard.objects.order_by("pk").values_list("pk", flat=True)[:5000])
    times: list[float] = []
    while not until(times):
        place = (len(times) * 7919) % (len(ids) - 24)
        begun = time.perf_counter()
        summaries(listing_ids=ids[place : place + 24])
        times.append((time.perf_counter() - begun) * 1000)
        time.sleep(0.02)
    return sorted(times)


def measured() -> dict[str, Any]:
    """Read alone, then while another process writes."""
    began = time.monotonic()
    alone = reads(until=lambda _: time.monotonic() - began > ALONE)
    command = ["nice", "-n", str(NICE), sys.executable, str(Path(__file__).resolve()), "--write"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        beside = reads(until=lambda _: writer.poll() is not None)
        told = json.loads((writer.stdout.read() if writer.stdout else "").splitlines()[-1])
    return {"written": told, "alone": alone[len(alone) // 2], "beside": beside[len(beside) // 2]}


def main() -> int:
    """Measure, keep the page, and say by the exit code whether the bars are met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keep", type=Path, help="a data folder that keeps the listings for the next time")
    parser.add_argument("--told", action="store_true", help="measure the database of DATABASE_URL, as JSON")
    parser.add_argument(
        "--write", action="store_true", help="write the files of the database of DATABASE_URL"
    )
    options = parser.parse_args()
    if options.told or options.write:
        import django  # noqa: PLC0415

        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
        django.setup()
        print(json.dumps(written() if options.write else measured()))
        return 0
    with scale.databases(options.keep) as known:
        environment = scale.loaded(LISTINGS, known=known)
        run = [sys.executable, str(Path(__file__).resolve()), "--told"]
        done = subprocess.run(run, check=True, env=environment, stdout=subprocess.PIPE, text=True)
    told = json.loads(done.stdout.splitlines()[-1])
    files, ratio = told["written"], told["beside"] / told["alone"]
    is_quick, is_quiet = files["seconds"] <= SECONDS, ratio <= READ_WITHIN
    rows = ", ".join(f"{number:,} {name}" for name, number in files["rows"].items())
    text = "\n".join(
        [
            "# The files of open data",
            "",
            f"`make bench ARGS=open_data`, which runs `{machine.command_line()}`",
            "",
            machine.described(),
            "",
            f"{rows}; {files['files']} files of {files['bytes'] / 1e6:.0f} MB, NDJSON and CSV, written at nice {NICE}.",
            "A reader beside them asks for the summaries of 24 listings, fifty times a second at most.",
            "",
            "| what | found | must | met |",
            "|---|---|---|---|",
            f"| all files, seconds (of the processor {files['cpu']:.0f}) | {files['seconds']:.0f} | <= {SECONDS}"
            f" | {'yes' if is_quick else '**no**'} |",
            f"| a read beside it, p50 ms (alone {told['alone']:.2f}) | {told['beside']:.2f}, {ratio:.2f}x"
            f" | <= {READ_WITHIN:.2f}x | {'yes' if is_quiet else '**no**'} |",
            "",
        ]
    )
    print(text)
    RESULTS.write_text(text)
    return 0 if is_quick and is_quiet else 1


if __name__ == "__main__":
    sys.exit(main())
