"""Disturb the running service while it drafts, and count what was lost, doubled or late."""

import argparse
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue

import httpx2
import psutil
import psycopg

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks import machine  # noqa: E402
from benchmarks.parts import calendar_drills as calendar  # noqa: E402
from benchmarks.parts import drafting_drills as drafting  # noqa: E402
from benchmarks.parts import event_drills  # noqa: E402
from benchmarks.parts import once_drills as once  # noqa: E402
from benchmarks.parts import outage_drills as outages  # noqa: E402
from benchmarks.parts import server_drills as own  # noqa: E402
from benchmarks.parts.drill import ANSWER_SECONDS, Drill, Outcome, disturbed  # noqa: E402

RESULTS = ROOT / "benchmarks" / "results" / "drills.md"
ELSEWHERE = """Played elsewhere, by the numbers of this list: 12 (a model's garbage) `draft_with_model.py`; 13 (hostile
sites) `hostile.py` and `fairness.py`; 17, 20 and 27 (notifications twice and forged, the last place, late and wrong
money) `tests/orders`; 21 (the former release on the new schema) `make test-upgrade`; 22 over several machines
`fleet.py`; 23 (backup and restore) `manage.py restore_drill`."""
LANES = 4
ALONE = ("web", "redis", "monday")  # their bars are seconds of work: nothing else runs meanwhile
FAULTS = (AssertionError, LookupError, OSError, RuntimeError, httpx2.HTTPError, psutil.Error, psycopg.Error)
Run = Callable[[Drill], Outcome]


def known_drills(*, count: int, kills: int) -> dict[str, Run]:
    """Every drill by its name. A new one is a function of the running service, and a line here."""
    few = min(count, 10)
    return {
        "kills": partial(drafting.kill_workers, count=count, kills=kills),
        "one-kill": partial(drafting.kill_worker_once, count=few),
        "flush": partial(drafting.flush_redis, count=count),
        "clock": partial(drafting.stop_clock, count=few),
        "web": drafting.kill_web,
        "redis": drafting.kill_redis,
        "unknown-used-up": partial(outages.unknown_kind, rows=1, attempt=5),
        "unknown-waiting": partial(outages.unknown_kind, rows=250, attempt=0),
        "hints": partial(outages.hints_pile_up, count=count),
        "redis-full": partial(outages.redis_full, count=few),
        "redis-stalled": partial(outages.redis_stalled, count=few),
        "database-stalled": partial(outages.database_stalled, count=few),
        "database-away": partial(outages.database_away, count=few),
        "database-read-only": partial(outages.database_read_only, count=few),
        "clock-ahead": partial(outages.clock_was_ahead, count=few),
        "homepages-down": partial(calendar.homepages_down, count=8),
        "weeks-of-outage": calendar.weeks_of_outage,
        "monday": partial(calendar.monday, count=200, kills=2),
        "disk-full": partial(own.disk_full, count=3),
        "rolling-restart": own.rolling_restart,
        "slow-clients": partial(own.slow_clients, count=few),
        "web-process": own.kill_web_process,
        "redis-away": partial(outages.redis_away, count=few),
        "same-key": once.same_key,
        "keyed-retries": once.keyed_retries,
        "double-submit": once.double_submit,
        "mail-away": partial(once.mail_away, seconds=30),
        "limited": once.limited,
        "model-broken": partial(once.model_broken, number=few),
        "power-loss": partial(once.power_loss, number=few),
        "stop": partial(drafting.stop_all, count=count),
        "events": event_drills.events_arrive,
    }


def row(outcomes: list[Outcome]) -> str:
    """A row of the table: the figures are those of the last run."""
    last, passed = outcomes[-1], sum(one.is_passed for one in outcomes)
    verdict = f"{passed} of {len(outcomes)}"
    if passed < len(outcomes):
        verdict = f"**{verdict}**"
    return f"| {last.number} | {last.fault} | {last.bar} | {last.measured} | {verdict} |"


def page(found: Sequence[list[Outcome]], *, lanes: int, minutes: float) -> str:
    """The page of results."""
    return "\n".join(
        [
            "# Disturbing the service while it drafts",
            "",
            f"`{machine.command_line()}`",
            "",
            machine.described(),
            "",
            f"Every site answers each request after {ANSWER_SECONDS} s, so that faults fall into crawls. PostgreSQL is"
            " killed and comes back before each drill.",
            f"{', '.join(f'`{name}`' for name in ALONE)} ran alone, the others in {lanes} lanes side by side, each with"
            f" a service of its own; {minutes:.0f} minutes in all.",
            "",
            "| drill | fault | bar | measured | passed |",
            "|---|---|---|---|---|",
            *map(row, found),
            "",
            ELSEWHERE,
            "",
        ]
    )


class Lane:
    """A service, and the drills that it goes through; after a fault it gets another service."""

    def __init__(self, *, times: int, submissions: int) -> None:
        self.sites = times * (5 * submissions + 600)
        self.stack = ExitStack()
        self.drill: Drill | None = None

    def run(self, name: str, run: Run) -> Outcome:
        """One drill. What it raises is its outcome, too."""
        began = time.monotonic()
        try:
            self.drill = self.drill or self.stack.enter_context(disturbed(sites=self.sites))
            self.drill.restart_database()
            outcome = run(self.drill)
        except FAULTS as fault:
            said = f"{type(fault).__name__}: {fault}"[-300:]
            outcome = Outcome("", name, "it comes to its end", said, is_passed=False)
            self.end()
        print(f"{name} ({time.monotonic() - began:.0f} s)", outcome, flush=True)
        return outcome

    def let_go(self) -> None:
        """What the last drill kept beside the service is not needed any more."""
        if self.drill:
            self.drill.let_go()

    def end(self) -> None:
        """Stop the service."""
        self.drill = None
        self.stack.close()


def run_all(
    drills: dict[str, Run], *, times: int, lanes: int, make: Callable[[], Lane]
) -> dict[str, list[Outcome]]:
    """The outcomes of each drill: first of those that want to be alone, in rounds, then of the others side by side."""
    found, waiting = defaultdict[str, list[Outcome]](list), SimpleQueue[str]()
    alone = [name for name in ALONE if name in drills]
    for name in drills:
        if name not in alone:
            waiting.put(name)

    def go_through(lane: Lane) -> None:
        while not waiting.empty():
            with suppress(Empty):
                name = waiting.get_nowait()
                found[name] = [lane.run(name, drills[name]) for _ in range(times)]
                lane.let_go()

    with ExitStack() as stack, ThreadPoolExecutor(lanes) as threads:
        every = [make() for _ in range(lanes)]
        for lane in every:
            stack.callback(lane.end)
        for _ in range(times):
            for name in alone:
                found[name].append(every[0].run(name, drills[name]))
        list(threads.map(go_through, every))
    return found


def main() -> int:
    """Run the drills, write their table, and say by the exit code whether all passed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--submissions", type=int, default=50)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--times", type=int, default=1, help="how often each drill is run")
    parser.add_argument("--only", default="", help=", ".join(known_drills(count=0, kills=0)) + "; by commas")
    parser.add_argument(
        "--lanes", type=int, default=LANES, help="how many services are disturbed side by side"
    )
    parser.add_argument("--no-results", action="store_true", help=f"leave {RESULTS.name} as it is")
    options = parser.parse_args()
    known = known_drills(count=options.submissions, kills=options.kills)
    chosen = {name: known[name] for name in options.only.split(",") if name} or known
    if "events" in chosen:
        event_drills.bring_node()
    make = partial(Lane, times=options.times, submissions=options.submissions)
    began = time.monotonic()
    found = run_all(chosen, times=options.times, lanes=min(options.lanes, len(chosen)), make=make)
    minutes = (time.monotonic() - began) / 60
    text = page([found[name] for name in chosen], lanes=options.lanes, minutes=minutes)
    print(text)
    if not options.no_results:
        RESULTS.parent.mkdir(exist_ok=True)
        RESULTS.write_text(text)
    return 0 if all(one.is_passed for outcomes in found.values() for one in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
