"""Submit hostile homepages together with good ones, and time how much longer the good ones take than alone."""

import argparse
import os
import statistics
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django  # noqa: E402

django.setup()

from benchmarks import machine  # noqa: E402
from config.embedded import paths, servers  # noqa: E402
from drafts.crawl.markup import TooMuchMarkupError, count_tags  # noqa: E402
from tests.hostile import GROWING  # noqa: E402
from tests.journeys.service import Client, Service, wait_for  # noqa: E402
from tests.journeys.sites import fill_slowly  # noqa: E402
from tests.servers.website import Website, html  # noqa: E402

RESULTS = ROOT / "benchmarks" / "results" / "fairness.md"
GOOD, ANSWER_SECONDS, PATIENCE, BAR = 50, 0.05, 600.0, 2.0
PAGE_BYTES, TAGS = 1_900_000, 49_000  # two such pages are as much as is read of one site
HOSTILE = (
    *("lists", "breaks", "long base", "rows of prices"),
    *("paragraphs of prices", "people", "cards", "questions"),
)
DRAFTS = """
    SELECT id::text, status, extract(epoch FROM updated_at - created_at)::float, error->>'code'
    FROM drafts_draft WHERE id::text = ANY(%s)
"""
Times = list[float]


def hostile_page(kind: str) -> str:
    """A page of one kind, as large as the crawler's bounds on bytes and tags let it be read."""
    size = PAGE_BYTES
    while is_over_tags(text := GROWING[kind](size)):
        size = int(size * 0.9)
    return text


def is_over_tags(text: str) -> bool:
    """Whether the crawler would leave a page out."""
    try:
        count_tags(text, most=TAGS)
    except TooMuchMarkupError:
        return True
    return False


@contextmanager
def served(rounds: int) -> Iterator[str]:
    """The good site and the hostile ones, each under many names; gives where they are found."""
    with ExitStack() as stack:
        good = stack.enter_context(Website())
        fill_slowly(good, seconds=ANSWER_SECONDS)
        found = good.at(*(f"good{number}.test" for number in range(2 * rounds * GOOD + 4)))
        for kind in HOSTILE:
            page = hostile_page(kind)
            first = page.replace("<h1>", '<a href="/pricing">Pricing</a><h1>', 1)
            site = Website({"/": first, "/pricing": html(page)})
            found |= stack.enter_context(site).at(*(host_of(kind, turn) for turn in range(rounds)))
        yield ",".join(f"{host}={address}:{port}" for host, (address, port) in found.items())


def host_of(kind: str, turn: int) -> str:
    """The name under which a hostile site is found in one round."""
    return f"{kind.replace(' ', '-')}{turn}.test"


def ended(service: Service, drafts: list[str]) -> list[tuple[str, str, float, str | None]]:
    """Wait for drafts: id, status, seconds from submission to end, and why it failed."""

    def rows() -> list[tuple[str, str, float, str | None]]:
        found = service.query(DRAFTS, [drafts])
        return found if all(row[1] in {"ready", "failed"} for row in found) else []

    return wait_for(rows, patience=PATIENCE, every=0.5)


def good_times(service: Service, drafts: list[str]) -> Times:
    """Seconds of each, sorted; all must have become ready."""
    rows = ended(service, drafts)
    if bad := [row for row in rows if row[1] != "ready"]:
        raise SystemExit(f"Good sites were not drafted: {bad}")
    return sorted(row[2] for row in rows)


def p95(times: Times) -> float:
    """A percentile."""
    return times[int(len(times) * 0.95)]


def measured(service: Service, rounds: int) -> Iterator[tuple[Times, Times, str]]:
    """Per round: the good sites' seconds alone and beside hostile ones, and what became of those."""
    maker, other = service.client("maker@people.example"), service.client("other@people.example")
    names = iter(range(2 * rounds * GOOD + 4))

    def submit(client: Client, count: int) -> list[str]:
        return [client.submit(f"http://good{next(names)}.test/") for _ in range(count)]

    good_times(service, submit(maker, 4))  # the workers' processes have started
    for turn in range(rounds):
        alone = good_times(service, submit(maker, GOOD))
        hostile = {other.submit(f"http://{host_of(kind, turn)}/"): kind for kind in HOSTILE}
        beside = good_times(service, submit(maker, GOOD))
        rows = ended(service, list(hostile))
        print(turn, alone, beside, rows, flush=True)
        became = Counter(why or status for _, status, _, why in rows)
        slowest = max(rows, key=lambda row: row[2])
        fates = ", ".join(f"{number} {fate}" for fate, number in became.items())
        yield alone, beside, f"{fates}; last after {slowest[2]:.0f} s ({hostile[slowest[0]]})"


def page(found: list[tuple[Times, Times, str]]) -> str:
    """The page of results."""
    rows = []
    for number, (alone, beside, fates) in enumerate(found, 1):
        figures = (shape(times) for times in (alone, beside) for shape in (statistics.median, p95, max))
        rows.append(f"| {number} | " + " | ".join(f"{figure:.1f}" for figure in figures) + f" | {fates} |")
    return f"""# Good sites beside hostile ones

`{machine.command_line()}`

{machine.described()}

{GOOD} good sites of three pages, submitted at once by one person; each answers in {ANSWER_SECONDS * 1000:.0f} ms. First
alone, then right after another person has submitted {len(HOSTILE)} homepages as costly as the crawler's bounds allow
({", ".join(HOSTILE)}). Seconds from the submission of a good site to its draft.

| round | alone p50 | p95 | last | beside p50 | p95 | last | the hostile ones |
|---|---|---|---|---|---|---|---|
{chr(10).join(rows)}

Beside / alone, median of the rounds: {ratio(found, statistics.median):.2f} at p50, {ratio(found, p95):.2f} at p95.
The bar, at most {BAR:g}, is {"met" if is_met(found) else "**not met**"}.
"""


def ratio(found: list[tuple[Times, Times, str]], shape: Callable[[Times], float]) -> float:
    """How many times as long the good sites took beside hostile ones."""
    return statistics.median(shape(beside) / shape(alone) for alone, beside, _ in found)


def is_met(found: list[tuple[Times, Times, str]]) -> bool:
    """Whether the bar is met at the median and at p95."""
    return ratio(found, statistics.median) <= BAR and ratio(found, p95) <= BAR


def main() -> int:
    """Measure, write the page, and say by the exit code whether the bar is met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--port", type=int, default=0)
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="launch-directory-fairness-"))
    folder.chmod(0o711)
    with served(options.rounds) as resolve:
        environment = {"CRAWL_RESOLVE": resolve, "RATE_LIMIT_FACTOR": "1000"}
        service = Service(folder, options.port or paths.free_port(), environment)
        try:
            service.start()
            found = list(measured(service, options.rounds))
        finally:
            service.stop()
            servers.forget(folder)
    RESULTS.write_text(page(found))
    print(RESULTS.read_text())
    return 0 if is_met(found) else 1


if __name__ == "__main__":
    sys.exit(main())
