"""What boards, weeks and deep pages cost in the database, and whether votes at once for one listing all count."""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks import machine  # noqa: E402
from benchmarks.parts import scale  # noqa: E402

RESULTS = ROOT / "benchmarks" / "results" / "boards.md"
LISTINGS = 1_000_000
READ_MS, DEEP_MS, VOTE_RATIO = 5.0, 20.0, 0.3


def rows(told: dict[str, Any]) -> list[tuple[str, bool]]:
    """The table, and whether each row's bars are met."""
    found = []
    for read in told["reads"]:
        is_met = read["p95"] <= READ_MS and (read["deep"] or 0) <= DEEP_MS
        deep = "" if read["deep"] is None else f"{read['deep']:.1f}"
        line = f"| {read['name']} | {read['calls']} | {read['statements']} | {read['p50']:.1f} / {read['p95']:.1f}"
        found.append((f"{line} | {deep} | {'yes' if is_met else '**no**'} |", is_met))
    return found


def page(told: dict[str, Any], table: list[tuple[str, bool]]) -> str:
    """What is kept of a run."""
    votes = told["voting"]
    rates = votes["rates"]
    is_fast, is_exact = votes["ratio"] >= VOTE_RATIO, votes["exact"]
    return "\n".join(
        [
            "# Boards, weeks and votes",
            "",
            f"`make bench ARGS=boards`, which runs `{machine.command_line()}`",
            "",
            machine.described(),
            "",
            f"{told['listings']:,} demo listings in {told['weeks']} weeks and {told['votes']:,} votes; the boards",
            "that are kept hold every live listing, every third and every tenth. The times are those of a call's",
            "statements, the page's summaries included; of fifteen rounds over all reads the fastest counts.",
            "Pages of 20 and 100 from all over the first sixty; for the weekly board, pages of every week.",
            "",
            f"| read | calls | statements | p50 / p95 ms (<= {READ_MS:.0f})"
            f" | page 1000 of 100, ms (<= {DEEP_MS:.0f}) | met |",
            "|---|---|---|---|---|---|",
            *(line for line, _ in table),
            "",
            f"Votes for one listing by eight writers at once, {votes['voters']} people, each twice. Of five rounds,",
            "each of which measures all three, the one in the middle:",
            "",
            "| what | votes/s | must | met |",
            "|---|---|---|---|",
            f"| the vote's row alone | {rates['only']:,.0f} | | |",
            f"| row and both counters, in their one statement | {rates['statement']:,.0f}, {votes['ratio']:.2f}x"
            f" | >= {VOTE_RATIO}x | {'yes' if is_fast else '**no**'} |",
            f"| the whole service, with its checks | {rates['service']:,.0f} | | |",
            f"| the counts in the end | {'exact' if is_exact else 'wrong'} | exact"
            f" | {'yes' if is_exact else '**no**'} |",
            "",
        ]
    )


def main() -> int:
    """Measure, keep the page, and say by the exit code whether the bars are met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--listings", type=int, default=LISTINGS)
    parser.add_argument("--keep", type=Path, help="a data folder that keeps the listings for the next time")
    parser.add_argument("--loaded", action="store_true", help="DATABASE_URL's own database has the listings")
    parser.add_argument("--print", action="store_true", help="keep no page")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="boards-") as name, scale.databases(options.keep) as known:
        out = Path(name) / "told.json"
        run = [sys.executable, str(ROOT / "benchmarks" / "parts" / "boards_run.py"), "--out", str(out)]
        environment = known if options.loaded else scale.loaded(options.listings, known=known)
        subprocess.run(run, check=True, env=environment)
        told: dict[str, Any] = json.loads(out.read_text())
    table = rows(told)
    text = page(told, table)
    print(text)
    if not options.print:
        RESULTS.write_text(text)
    votes = told["voting"]
    is_counted = votes["exact"] and votes["ratio"] >= VOTE_RATIO
    return 0 if is_counted and all(is_met for _, is_met in table) else 1


if __name__ == "__main__":
    sys.exit(main())
