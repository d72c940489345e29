"""Learn from labelled sites how the writer weighs candidates, leaving one site out for every figure."""

import argparse
import dataclasses
import json
import math
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks import machine  # noqa: E402
from benchmarks.draft_sites import draft_out, read_folder  # noqa: E402
from benchmarks.parts import sure  # noqa: E402
from benchmarks.parts.choice_model import ALWAYS, Example, fit, told_most  # noqa: E402
from directory.data.categories import category_tree  # noqa: E402
from drafts.crawl.extract_parts import SiteText  # noqa: E402
from drafts.crawl.segments import read_site  # noqa: E402
from drafts.writing.choosing import WEIGHTS, Candidate, Judge, Judges, shipped  # noqa: E402
from drafts.writing.extractive.categories import category_candidates  # noqa: E402
from drafts.writing.extractive.features import group_candidates  # noqa: E402
from drafts.writing.extractive.names import draft_name  # noqa: E402
from drafts.writing.extractive.texts import (  # noqa: E402
    description_candidates,
    paragraph_candidates,
    tagline_candidates,
)
from drafts.writing.extractive.writer import ExtractiveWriter  # noqa: E402
from drafts.writing.identity import identify  # noqa: E402
from drafts.writing.port import CategoryHint  # noqa: E402
from drafts.writing.reading import Reading  # noqa: E402
from drafts.writing.sureness import SURE  # noqa: E402
from drafts.writing.text import squashed, tokens  # noqa: E402
from tests.drafts.labelled import SITES, gold_of, report_of, site_names  # noqa: E402

CHOICES = ROOT / "benchmarks" / "parts" / "choices.json"
RESULTS = ROOT / "benchmarks" / "results" / "choosing.md"
SURE_RESULTS = ROOT / "benchmarks" / "results" / "sureness.md"
SCORER = ROOT.parent / "shared" / "corpus" / "score.py"
HINTS = tuple(CategoryHint(slug=c.slug, name=c.name, terms=c.terms, parent=c.parent) for c in category_tree())
MOST, SITES_AT_LEAST = 24, 6
RIGHT, UNSURE = 0.5, 0.3
"""How right a candidate is that nobody called good or bad, among those that somebody did."""


@dataclass(frozen=True)
class Labelled:
    """One site, what its labels accept, and which candidates somebody called good or bad."""

    name: str
    folder: Path
    site: SiteText
    gold: dict[str, Any]
    chosen: dict[str, dict[str, list[str]]]
    full: dict[str, Any] = dataclasses.field(default_factory=dict)


def labelled(folders: list[Path]) -> Iterator[Labelled]:
    """The project's own sites, and those of other folders."""
    choices = json.loads(CHOICES.read_text())
    own = json.loads((SITES / "categories.json").read_text())
    for name in site_names():
        gold = gold_of(name)["fields"] | {"categories": own[name]}
        yield Labelled(name, SITES / name, read_site(report_of(name)), gold, {}, gold_of(name))
    found = [path for root in folders for path in root.iterdir() if (path / "pages").is_dir()]
    for folder in sorted(found, key=lambda path: path.name):
        gold = folder / "gold.json"
        full = json.loads(gold.read_text()) if gold.exists() else {}
        fields = dict(full.get("fields", {}))
        chosen = dict(choices.get(folder.name, {}))
        accepted = [*(fields.get("categories") or ()), *chosen.pop("categories", {"good": ()})["good"]]
        fields["categories"] = accepted or "skip"
        if fields or chosen:
            yield Labelled(
                folder.name, folder, read_site(read_folder(folder / "pages")), fields, chosen, full
            )


# -- how right a candidate is -----------------------------------------------------------------------------------


def alike(value: str, label: str, need: float = 0.6) -> bool:
    """Whether a value says what a label says: one holds the other, or they share most words."""
    if squashed(label) in squashed(value) or (
        len(squashed(value)) > 3 and squashed(value) in squashed(label)
    ):
        return True
    said, wanted = tokens(value), tokens(label)
    shared = len(said & wanted)
    return (
        bool(said and wanted)
        and shared / min(len(said), len(wanted)) >= need
        and shared >= min(2, len(wanted))
    )


def _says(text: str, fact: str) -> bool:
    return any(squashed(part) in squashed(text) for part in fact.split("|"))


def _of_line(gold: list[str], value: Any) -> float:
    return float(any(alike(value[1], label) for label in gold))


def _of_facts(gold: list[str], value: Any) -> float:
    return min(1.0, sum(_says(value[1], fact) for fact in gold) / len(gold) / 0.8)


def _of_group(gold: list[str], value: Any) -> float:
    hits = [
        any(alike(text, part, 0.5) for label in gold for part in label.split("|")) for _, text in value.items
    ]
    share = sum(hits) / len(hits)
    return 1.0 if share >= 0.5 else share


def _of_category(gold: list[str], value: Any) -> float:
    return float(value.hint.slug in gold)


def _categories(reading: Reading) -> list[Candidate[Any]]:
    return category_candidates(reading.site, HINTS, names=reading.own.names)


def key_of(value: Any) -> str:
    """A candidate without its words, so that labels name it and do not copy it."""
    text = "".join(text for _, text in value.items) if hasattr(value, "items") else value.text
    return sha256(squashed(text).encode()).hexdigest()[:10]


@dataclass(frozen=True)
class Field:
    """How the candidates of one field are gathered, labelled and counted."""

    candidates: Callable[[Reading], Iterable[Candidate[Any]]]
    label: Callable[[list[str], Any], float] | None
    wrong_costs: float = 2.0
    """Beside a right value: where a blank is worse than a poor one, less."""
    threshold: float | None = None
    """Set by hand, where what is gained is flat around it."""


FIELDS = {
    "tagline": Field(tagline_candidates, _of_line, wrong_costs=0.5),
    "short_description": Field(description_candidates, _of_facts, wrong_costs=0.5),
    "features": Field(group_candidates, _of_group),
    "categories": Field(_categories, _of_category, wrong_costs=1.5, threshold=0.8),
    "description": Field(paragraph_candidates, None, wrong_costs=1.0),
}


def examples_of(field: str, one: Labelled, reading: Reading) -> list[Example]:
    """The candidates of one site that labels judge."""
    how, gold, chosen = FIELDS[field], one.gold.get(field, "skip"), one.chosen.get(field)
    found: list[tuple[Candidate[Any], float]] = []
    for candidate in how.candidates(reading):
        if chosen:
            key = key_of(candidate.value)
            right = 1.0 if key in chosen["good"] else 0.0 if key in chosen["bad"] else UNSURE
            found.append((candidate, right))
        elif how.label and isinstance(gold, list):
            found.append((candidate, how.label(gold, candidate.value)))
        elif how.label and gold is None:
            found.append((candidate, 0.0))
    return [Example(c.measures, right) for c, right in found]


# -- learning ---------------------------------------------------------------------------------------------------


@dataclass
class Learned:
    """The judge of one field, those that had not seen a site, and how often these were right."""

    judge: Judge
    without: dict[str, Judge]
    first_right: float
    precision: float
    recall: float


def learn(sites: dict[str, list[Example]], *, how: Field) -> Learned:
    """Weigh what tells most, then find the threshold on sites that the weights had not seen."""
    names, weights = told_most(sites, most=MOST, least=SITES_AT_LEAST)
    without, told = {}, {}
    for site, own in sites.items():
        left = {other: examples for other, examples in sites.items() if other != site}
        judge = without[site] = Judge(fit(left, names, start=weights), 0.0)
        told[site] = max(((judge.score(e.measures), e.target) for e in own), key=lambda one: one[0])
    threshold = how.threshold or _threshold(list(told.values()), how.wrong_costs)
    taken = [right for score, right in told.values() if score >= threshold]
    fits = [site for site, own in sites.items() if any(e.target >= RIGHT for e in own)]
    hits = sum(right >= RIGHT for right in taken)
    return Learned(
        Judge({n: round(w, 2) for n, w in weights.items()}, threshold),
        {s: Judge(j.weights, threshold) for s, j in without.items()},
        sum(told[site][1] >= RIGHT for site in fits) / len(fits),
        hits / max(1, len(taken)),
        hits / len(fits),
    )


def _threshold(told: list[tuple[float, float]], wrong_costs: float) -> float:
    """Where most is gained, when a right value counts one."""
    steps = sorted({math.floor(score * 10) / 10 for score, _ in told})

    def gain(step: float) -> float:
        return sum(1.0 if right >= RIGHT else -wrong_costs for score, right in told if score >= step)

    return max(steps, key=lambda step: (gain(step), -step))


def learn_sureness(sites: list[Labelled], *, scorer: Path, unseen: str) -> sure.Sure:
    """How likely each value is right, on every site that has labels of its facts."""
    score = sure.scorer_of(scorer)
    told = {
        _place(one): list(
            sure.weighed(
                one.site, {**one.full, "fields": one.gold}, judges=shipped(), hints=HINTS, score=score
            )
        )
        for one in sites
        if "name" in one.gold
    }
    return sure.learned(told, unseen)


def written(judges: Judges) -> str:
    """The data file."""
    lines = ["# Written by `python -m benchmarks learn --write`. How it came about: docs/decisions/0057.\n"]
    for field, judge in judges.items():
        lines.append(f"[{field}]\nthreshold = {judge.threshold}\n")
        if judge.bounds:
            lines += [f"[{field}.bounds]", *(f"{name} = {bound}" for name, bound in judge.bounds.items()), ""]
        lines.append(f"[{field}.weights]")
        ordered = sorted(judge.weights.items(), key=lambda each: (each[0] != ALWAYS, -each[1]))
        lines += [f"{_key(name)} = {weight}" for name, weight in ordered]
        lines.append("")
    return "\n".join(lines)


def _key(name: str) -> str:
    return name if re.fullmatch(r"[\w-]+", name, re.ASCII) else json.dumps(name, ensure_ascii=False)


def main() -> None:
    """Learn every field, say how well it goes on sites left out, and write the weights down."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", action="append", type=Path, default=[], help="a folder of labelled sites")
    parser.add_argument(
        "--field",
        action="append",
        choices=[*FIELDS, SURE],
        help="learn this one; the others stay as they are",
    )
    parser.add_argument(
        "--scorer", type=Path, default=SCORER, help="says which values are right, for sureness"
    )
    parser.add_argument(
        "--unseen", default="second", help="the folder of sites that no rule was written for, for sureness"
    )
    parser.add_argument("--write", action="store_true", help=f"write {WEIGHTS.relative_to(ROOT)}")
    parser.add_argument(
        "--keep", type=Path, help="a folder for drafts of each corpus by weights that had not seen the site"
    )
    options = parser.parse_args()
    sites = list(labelled(options.corpus))
    if options.field == [SURE]:
        _sureness(sites, options)
        return
    readings = [Reading(s.site, identify(s.site, name_of(s.site)), judges={}) for s in sites]
    learned: dict[str, Learned] = {}
    lines = ["| field | sites | candidates | first right | given right | of all right |", "|---" * 6 + "|"]
    for field in options.field or FIELDS:
        told = {s.name: examples_of(field, s, r) for s, r in zip(sites, readings, strict=True)}
        told = {site: examples for site, examples in told.items() if examples}
        one = learned[field] = learn(told, how=FIELDS[field])
        rates = f"{one.first_right:.3f} | {one.precision:.3f} | {one.recall:.3f}"
        lines.append(f"| {field} | {len(told)} | {sum(map(len, told.values()))} | {rates} |")
        print(lines[-1], flush=True)
    if options.write:
        kept = {} if len(learned) == len(FIELDS) else shipped()
        WEIGHTS.write_text(
            written({**kept, **{f: one.judge for f, one in learned.items()}}), encoding="utf-8"
        )
        if not kept:
            RESULTS.write_text(_page(lines), encoding="utf-8")
    if options.keep:
        unseen = {
            _place(s): {field: got.without.get(s.name, got.judge) for field, got in learned.items()}
            for s in sites
        }
        _draft_unseen(sites, unseen, options.keep)


def _sureness(sites: list[Labelled], options: argparse.Namespace) -> None:
    """Learn when a value is sure, and write it down beside the weights there are."""
    result = learn_sureness(sites, scorer=options.scorer, unseen=options.unseen)
    head = ["| values | chosen | right | bound | set | right of set |", "|---" * 6 + "|"]
    table = "\n".join(head + result.lines)
    print(table, flush=True)
    if options.write:
        WEIGHTS.write_text(written({**shipped(), SURE: result.judge}), encoding="utf-8")
        command = "`python -m benchmarks learn --field sureness --corpus … --write`, ten folds of sites."
        told = (
            f"# When a value is sure\n\n{command} Of the corpora only `{options.unseen}` is of sites that no rule was "
            "written with in view: it alone sets the bound, and its sites count three times as much."
        )
        SURE_RESULTS.write_text(f"{told}\n\n{table}\n\n{machine.described()}\n", encoding="utf-8")
    if options.keep:
        _draft_unseen(sites, {one: {SURE: judge} for one, judge in result.without.items()}, options.keep)


def _page(lines: list[str]) -> str:
    head = "# Choosing by learned weights\n\n`python -m benchmarks learn --corpus … --write`\n"
    told = (
        "Each site is judged by weights that were learned without it. First right: the best is right, of the sites "
        "with a right candidate. Given right: of those above the threshold. Of all right: of the sites with one."
    )
    return f"{head}\n{told}\n\n" + "\n".join(lines) + f"\n\n{machine.described()}\n"


def _draft_unseen(sites: list[Labelled], unseen: dict[str, dict[str, Judge]], folder: Path) -> None:
    """Whole drafts by weights that had not seen the site, for the scorer."""
    folder.mkdir(parents=True, exist_ok=True)
    drafts: dict[str, dict[str, Any]] = {}
    for one in sites:
        writer = ExtractiveWriter(HINTS, judges={**shipped(), **unseen.get(_place(one), {})})
        drafts.setdefault(one.folder.parent.name, {})[one.name] = draft_out(writer.write(one.site))
    for corpus, found in drafts.items():
        (folder / f"{corpus}.json").write_text(
            json.dumps(found, ensure_ascii=False, indent=1), encoding="utf-8"
        )


def _place(one: Labelled) -> str:
    return f"{one.folder.parent.name}/{one.name}"


def name_of(site: SiteText) -> str | None:
    """What the writer calls the product."""
    value = draft_name(site).value if site.pages else None
    return value if isinstance(value, str) else None


if __name__ == "__main__":
    main()
