"""What the Hall of Fame costs after ten years: 500 weeks of three places, and as many programmes as make it five."""

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

RESULTS = ROOT / "benchmarks" / "results" / "hall-of-fame.md"
LISTINGS, WEEKS, PROGRAMMES, ROUNDS = 5000, 500, 333, 60
READ_MS = 25.0
WINNERS = """
INSERT INTO leaderboards_award (site_id, listing_id, programme_id, week, rank, votes, given_at, revoked_for, credential)
SELECT %(site)s, ids[1 + (number * 7919 + rank * 104729) %% cardinality(ids)], {programme},
    date '2026-11-16' - 7 * (number %% %(weeks)s), rank, 40 - rank, now(), '', 'x'
FROM (SELECT array_agg(listing_id ORDER BY listing_id) AS ids FROM directory_listingstats WHERE is_live) AS live,
    generate_series(0, %(last)s) AS number, generate_series(1, 3) AS rank
"""
PROGRAMME = """
INSERT INTO leaderboards_programme (
    site_id, slug, title, description, entry_from, entry_until, votes_from, votes_until, places
)
SELECT %(site)s, 'contest-' || number, 'Contest ' || number, '', now() - interval '4 days', now() - interval '3 days',
    now() - interval '2 days', now() - interval '1 day', 3
FROM generate_series(0, %(last)s) AS number
"""


def filled() -> int:
    """Awards of ten years, in a database that has none; gives how many there are."""
    from django.db import connection  # noqa: PLC0415  (once Django is set up)

    from directory.models import Site  # noqa: PLC0415

    site = Site.objects.order_by("pk").values_list("pk", flat=True)[0]
    with connection.cursor() as cursor:
        cursor.execute("TRUNCATE leaderboards_award, leaderboards_programme CASCADE")
        cursor.execute(PROGRAMME, {"site": site, "last": PROGRAMMES - 1})
        asked = {"site": site, "weeks": WEEKS}
        cursor.execute(WINNERS.format(programme="NULL"), {**asked, "last": WEEKS - 1})
        of_one = "(SELECT id FROM leaderboards_programme WHERE slug = 'contest-' || number)"
        cursor.execute(WINNERS.format(programme=of_one), {**asked, "last": PROGRAMMES - 1})
        cursor.execute("ANALYZE leaderboards_award")
        cursor.execute("SELECT count(*) FROM leaderboards_award")
        return int(cursor.fetchone()[0])


def measured() -> dict[str, Any]:
    """How long each kind of asking takes, in milliseconds, sorted."""
    from directory.models import Category, Site  # noqa: PLC0415
    from leaderboards.trophies import selectors  # noqa: PLC0415

    site, awards = Site.objects.order_by("pk")[0], filled()
    root = Category.objects.filter(parent=None).order_by("pk").values_list("slug", flat=True)[0]
    reads = {
        "all years": {"year": None, "category": None, "page": 1},
        "all years, page 50": {"year": None, "category": None, "page": 50},
        "one year": {"year": 2024, "category": None, "page": 1},
        "a category": {"year": None, "category": root, "page": 1},
        "one year of a category": {"year": 2024, "category": root, "page": 1},
    }
    times: dict[str, list[float]] = {name: [] for name in reads}
    for _ in range(ROUNDS):
        for name, asked in reads.items():
            begun = time.perf_counter()
            selectors.get_hall_of_fame(site=site, per_page=24, **asked)
            times[name].append((time.perf_counter() - begun) * 1000)
    return {"awards": awards, "times": {name: sorted(rows) for name, rows in times.items()}}


def main() -> int:
    """Measure, keep the page, and say by the exit code whether the bar is met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keep", type=Path, help="a data folder that keeps the listings for the next time")
    parser.add_argument("--told", action="store_true", help="measure the database of DATABASE_URL, as JSON")
    options = parser.parse_args()
    if options.told:
        import django  # noqa: PLC0415

        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
        django.setup()
        print(json.dumps(measured()))
        return 0
    with scale.databases(options.keep) as known:
        environment = scale.loaded(LISTINGS, known=known)
        run = [sys.executable, str(Path(__file__).resolve()), "--told"]
        done = subprocess.run(run, check=True, env=environment, capture_output=True, text=True)
    told = json.loads(done.stdout.splitlines()[-1])
    rows = [(name, found[0], found[len(found) // 2]) for name, found in told["times"].items()]
    text = "\n".join(
        [
            "# The Hall of Fame after ten years",
            "",
            f"`make bench ARGS=hall_of_fame`, which runs `{machine.command_line()}`",
            "",
            machine.described(),
            "",
            f"{told['awards']:,} awards of {WEEKS} weeks and {PROGRAMMES} programmes among {LISTINGS:,} demo listings;",
            "pages of 24 with summaries and every award shown, nothing cached.",
            f"Others use the machine: of {ROUNDS} rounds the fastest counts.",
            "",
            f"| asked | fastest ms (<= {READ_MS:.0f}) | p50 ms | met |",
            "|---|---|---|---|",
            *(
                f"| {name} | {best:.1f} | {usual:.1f} | {'yes' if best <= READ_MS else '**no**'} |"
                for name, best, usual in rows
            ),
            "",
        ]
    )
    print(text)
    RESULTS.write_text(text)
    return 0 if all(best <= READ_MS for _, best, _ in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
