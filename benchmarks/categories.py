"""File labelled sites under the categories, and count how often the first and the three offered are right."""

import argparse
import json
import statistics
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
sys.path.insert(0, str(ROOT / "benchmarks"))

from draft_sites import read_folder  # noqa: E402

from benchmarks import machine  # noqa: E402
from directory.data.categories import category_tree  # noqa: E402
from drafts.crawl.extract_parts import SiteText  # noqa: E402
from drafts.crawl.segments import read_site  # noqa: E402
from drafts.writing.extractive.writer import ExtractiveWriter  # noqa: E402
from drafts.writing.port import CategoryHint  # noqa: E402
from tests.drafts.labelled import SITES, report_of  # noqa: E402

RESULTS = ROOT / "benchmarks" / "results" / "categories.md"
HOMES = ROOT / "benchmarks" / "parts" / "homes.json"
"""What labels miss in the tree, and the slugs it has got for it since."""
SEEN = (
    "The words were written by people who had read the own sites, dev, real and seen: a new one does worse. "
    "The figure that counts is that of `parts/unseen_sites.json`, with which only the threshold was chosen."
)
BARS = {"first of given": 0.85, "first of all": 0.60, "one of three": 0.80}
TREE = category_tree()
HINTS = tuple(CategoryHint(slug=c.slug, name=c.name, terms=c.terms, parent=c.parent) for c in TREE)
SLUGS = {c.name: c.slug for c in TREE}


@dataclass
class Count:
    """What was given to the sites that fit a category. Tolerated answers are neither right nor wrong."""

    sites: int = 0
    given: int = 0
    right: int = 0
    tolerated: int = 0
    among: int = 0
    unfit: int = 0
    unfit_given: int = 0
    seconds: list[float] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def rates(self) -> dict[str, float]:
        """The three figures that have a bar."""
        return {
            "first of given": self.right / max(1, self.given - self.tolerated),
            "first of all": self.right / max(1, self.sites),
            "one of three": self.among / max(1, self.sites),
        }


def ours() -> Iterator[tuple[str, SiteText, set[str], set[str]]]:
    """The project's own labelled sites."""
    for name, accepted in json.loads((SITES / "categories.json").read_text()).items():
        yield name, read_site(report_of(name)), set(accepted), set()


def corpus(
    folder: Path, *, homes: dict[str, list[str]]
) -> Iterator[tuple[str, SiteText, set[str], set[str]]]:
    """A corpus with labels. `homes` names the categories that the tree has got for what its labels miss there."""
    for site in sorted(path.parent for path in folder.glob("*/gold.json")):
        gold = json.loads((site / "gold.json").read_text(encoding="utf-8"))
        if gold["fields"].get("categories", "skip") == "skip":
            continue
        accepted = {*(gold["fields"]["categories"] or ()), *homes.get(gold.get("category_missing") or "", ())}
        tolerated = set(gold.get("opt", {}).get("categories") or ())
        yield site.name, read_site(read_folder(site / "pages")), accepted, tolerated


def measure(sites: Iterator[tuple[str, SiteText, set[str], set[str]]]) -> Count:
    """File each site."""
    count = Count()
    for name, site, accepted, tolerated in sites:
        began = time.process_time()
        written = ExtractiveWriter(HINTS).write(site, fields={"name", "categories"})
        count.seconds.append(time.process_time() - began)
        drafted = written.fields["categories"]
        ideas = [SLUGS[idea[0]] for idea in drafted.offered[:3]]
        first = SLUGS[drafted.value[0]] if drafted.value else None
        if not accepted:
            count.unfit += 1
            count.unfit_given += first is not None
            continue
        count.sites += 1
        count.given += first is not None
        count.right += first in accepted
        count.tolerated += first is not None and first not in accepted and first in tolerated
        count.among += bool(set(ideas) & accepted)
        if first not in accepted:
            count.notes.append(f"{name}: {first} of {ideas}, expected {sorted(accepted)}")
    return count


def main() -> int:
    """Measure, print, write down, fail below a bar."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", action="append", type=Path, default=[], help="a folder of labelled sites")
    parser.add_argument("--write", action="store_true", help=f"write {RESULTS.relative_to(ROOT)}")
    options = parser.parse_args()
    homes = json.loads(HOMES.read_text(encoding="utf-8"))
    counts = {"own sites": measure(ours())}
    counts |= {folder.name: measure(corpus(folder, homes=homes)) for folder in options.corpus}
    lines = [
        "| sites | fit one | given one | " + " | ".join(BARS) + " | ms for the median site |",
        "|---" * 7 + "|",
    ]
    for name, count in counts.items():
        rates = " | ".join(f"{rate:.2f}" for rate in count.rates().values())
        took = statistics.median(count.seconds) * 1000
        lines.append(f"| {name} | {count.sites} | {count.given} | {rates} | {took:.0f} |")
        print("\n".join(count.notes))
    bars = ", ".join(f"{name} {bar:.2f}" for name, bar in BARS.items())
    text = (
        f'# Categories\n\n`make bench ARGS="categories --corpus … --write"`. Bars: {bars}.\n{SEEN}\n\n'
        + "\n".join(lines)
        + "\n\n"
    )
    print(text)
    if options.write:
        RESULTS.write_text(text + machine.described() + "\n")
    return int(any(count.rates()[name] < bar for count in counts.values() for name, bar in BARS.items()))


if __name__ == "__main__":
    sys.exit(main())
