"""How often values are right that the rules choose, by what is told of each: examples for the weights of sureness."""

import importlib.util
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Any

from benchmarks.parts.choice_model import ALWAYS, Example, solved
from drafts.crawl.extract_parts import SiteText
from drafts.writing.choosing import Judge, Judges, likelihood
from drafts.writing.extractive.writer import ExtractiveWriter
from drafts.writing.port import CategoryHint


@dataclass(frozen=True)
class Weighed:
    """One value of one field of one site."""

    field: str
    is_chosen: bool
    example: Example


def scorer_of(path: Path) -> ModuleType:
    """The corpus's own scorer, which says what is right."""
    spec = importlib.util.spec_from_file_location("score", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def weighed(
    site: SiteText,
    gold: dict[str, Any],
    *,
    judges: Judges,
    hints: tuple[CategoryHint, ...],
    score: ModuleType,
) -> Iterator[Weighed]:
    """Every value that the verifier lets pass of the fields that labels judge."""
    writer = ExtractiveWriter(hints, judges=judges)
    slugs = {hint.name: hint.slug for hint in hints}
    for name, draft, candidates in writer.weighed(site):
        for at, candidate in enumerate(candidates):
            right = _rightness(score, name, candidate.value.value, gold, slugs)
            if right is not None:
                is_chosen = at == 0 and draft.value is not None
                yield Weighed(name, is_chosen, Example(candidate.measures, right))


def _rightness(
    score: ModuleType, name: str, value: Any, gold: dict[str, Any], slugs: dict[str, str]
) -> float | None:
    """Whether a value is right by the labels; nothing where they do not say."""
    label = gold["fields"].get(name, "skip")
    given = list(value) if isinstance(value, tuple) else value
    if label == "skip" or (
        name == "country" and label is None and given == gold.get("opt", {}).get("country")
    ):
        return None
    if name == "categories":
        tolerated = gold.get("opt", {}).get("categories") or ()
        accepted = (*(label or ()), *tolerated)
        return float(slugs.get(given[0]) in accepted)
    if label is None or score.bad_word(gold, given):
        return 0.0
    return float(score.simple_ok(name, given, label))


# -- learning ---------------------------------------------------------------------------------------------------

Known = Mapping[str, Sequence[Weighed]]
FOLDS, STEPS, ENOUGH, RIDGE, SITES_AT_LEAST = 10, 12, 0.01, 1.0, 8
SEEN = 0.3
"""How much a value tells of a site that rules were written with in view, beside one of a site that they never saw."""
OTHERS = 0.02
"""How much a value tells that the rules did not choose, beside one that they did: there are many, and most are easy."""
PRECISION, CATEGORY_PRECISION = 0.98, 0.9
"""Of what is set, on unseen sites left out."""
LEAST = 0.88
"""How likely a value has to be whatever folds say: rules were mended with the unseen sites in view."""
LEAST_READ = {
    "contact_email": 0.978,
    "demo_video_url": 0.97,
    "description": 0.88,
    "features": 0.93,
    "pricing_model": 0.955,
    "pricing_summary": 0.984,
    "short_description": 0.96,
    "tagline": 0.97,
}
"""Read on fresh sites, nothing of which any rule had in view: below, about half were wrong or nothing to print."""
POSSIBLE = 0.05
READ_SCALE = 0.75
READ = {
    "always": -0.59,
    "is categories": -0.09,
    "is city": -0.55,
    "is contact_email": -0.12,
    "is country": 0.07,
    "is demo_video_url": -0.99,
    "is description": 0.77,
    "is features": 0.46,
    "is founded_year": -0.24,
    "is logo_url": 0.45,
    "is name": 0.63,
    "is pricing_model": -0.18,
    "is pricing_summary": -0.99,
    "is short_description": 0.4,
    "is tagline": 0.39,
}
"""What is left of the odds where nobody tuned anything, by 1,027 values read on 127 such sites: docs/decisions/0249."""
RIGHT_AT_LEAST = 40
"""A field of which so many right values are known sets none that is less likely than all of them."""


@dataclass
class Sure:
    """The judge, those of each fold that had not seen a site, and what they are worth there."""

    judge: Judge
    without: dict[str, Judge]
    lines: list[str]


def learned(sites: Known, unseen: str) -> Sure:
    """The weights by all sites, bounds by those of the unseen corpus, and what they are worth on sites left out."""
    names = _names(sites)
    weights = _fit(sites, names, unseen, start={})
    likely: list[tuple[str, Weighed, float]] = []
    without: dict[str, Judge] = {}
    order = sorted(sites, key=lambda name: sha256(name.encode()).hexdigest())
    for fold in range(FOLDS):
        out = set(order[fold::FOLDS])
        rest = {s: rows for s, rows in sites.items() if s not in out}
        judge = Judge(_fit(rest, names, unseen, start=weights), 0.0)
        without |= dict.fromkeys(out, judge)
        likely += [
            (site, row, likelihood(judge.score(row.example.measures)))
            for site in sorted(out)
            for row in sites[site]
        ]
    fresh = [entry for entry in likely if entry[0].startswith(f"{unseen}/")] or likely
    bound = max(LEAST, _bound(_chosen(fresh, filed=False), PRECISION))
    category = max(LEAST, _bound(_chosen(likely, filed=True), CATEGORY_PRECISION))
    fields = sorted({row.field for _, row, _ in likely})
    lowest = {name: low for name in fields if (low := _lowest(likely, name)) > bound}
    read = {name: max(least, lowest.get(name, bound)) for name, least in LEAST_READ.items()}
    bounds = {**dict.fromkeys(fields, bound), **lowest, **read, "categories": category}
    judge = as_read(Judge({name: round(weight, 2) for name, weight in weights.items()}, bound, bounds))
    corpora = ["", *sorted({site.partition("/")[0] for site in sites})]
    lines = []
    for corpus in corpora:
        own = [entry for entry in likely if entry[0].startswith(corpus)]
        lines.append(_told(f"facts {corpus}", _chosen(own, filed=False), bound))
        lines.append(_told(f"categories {corpus}", _chosen(own, filed=True), category))
    folds = {site: as_read(Judge(fold.weights, bound, bounds)) for site, fold in without.items()}
    return Sure(judge, folds, lines)


def as_read(judge: Judge) -> Judge:
    """The same choice, with likelihoods as they were on sites that nobody tuned anything for."""
    weights = {name: READ_SCALE * judge.weights.get(name, 0.0) for name in {*judge.weights, *READ}}
    told = {name: round(weight + READ.get(name, 0.0), 4) for name, weight in weights.items()}
    bounds = {name: _as_read(name, least) for name, least in judge.bounds.items() if name != "possible"}
    return Judge(told, _as_read("", judge.threshold), {**bounds, "possible": POSSIBLE})


def _as_read(name: str, least: float) -> float:
    odds = READ_SCALE * math.log(least / (1 - least)) + READ["always"] + READ.get(f"is {name}", 0.0)
    return round(likelihood(odds), 5)


def _chosen(likely: list[tuple[str, Weighed, float]], *, filed: bool) -> list[tuple[float, float]]:
    """How likely and how right the values are that the rules chose, of categories or of all else."""
    return [
        (odds, row.example.target)
        for _, row, odds in likely
        if row.is_chosen and (row.field == "categories") == filed
    ]


def _told(name: str, rows: list[tuple[float, float]], bound: float) -> str:
    kept = [right for odds, right in rows if odds >= bound]
    right = sum(right for _, right in rows) / len(rows)
    share, precision = len(kept) / len(rows), sum(kept) / max(1, len(kept))
    return f"| {name} | {len(rows)} | {right:.3f} | {bound} | {share:.3f} | {precision:.3f} |"


def _bound(rows: list[tuple[float, float]], precision: float) -> float:
    """The lowest likelihood above which so many are right."""
    for step in range(50, 100):
        kept = [right for odds, right in rows if odds >= step / 100]
        if kept and sum(kept) / len(kept) >= precision:
            return step / 100
    return 0.99


def _lowest(likely: list[tuple[str, Weighed, float]], field: str) -> float:
    """How likely every right value of a field is at least."""
    chosen = (each for each in likely if each[1].field == field and each[1].is_chosen)
    right = [odds for _, row, odds in chosen if row.example.target >= 0.5]
    return math.floor(100 * min(right)) / 100 if len(right) >= RIGHT_AT_LEAST else 0.0


def _names(sites: Known) -> list[str]:
    on: dict[str, set[str]] = defaultdict(set)
    for site, rows in sites.items():
        for row in rows:
            for name in row.example.measures:
                on[name].add(site)
    return sorted(name for name, where in on.items() if len(where) >= SITES_AT_LEAST)


def _fit(sites: Known, names: Sequence[str], unseen: str, *, start: Mapping[str, float]) -> dict[str, float]:
    """Logistic weights, by Newton's steps."""
    order = [ALWAYS, *names]
    place = {name: at for at, name in enumerate(order)}
    rows = [
        (
            [(0, 1.0), *((place[n], v) for n, v in row.example.measures.items() if n in place)],
            row.example.target,
            (1.0 if row.is_chosen else OTHERS) * (1.0 if site.startswith(f"{unseen}/") else SEEN),
        )
        for site, own in sites.items()
        for row in own
    ]
    weights = [start.get(name, 0.0) for name in order]
    for _ in range(STEPS):
        slope = [-RIDGE * weight if at else 0.0 for at, weight in enumerate(weights)]
        bend = [
            [(RIDGE if a else ENOUGH) if a == b else 0.0 for b in range(len(order))]
            for a in range(len(order))
        ]
        for values, target, told in rows:
            odds = likelihood(sum(weights[at] * value for at, value in values))
            for at, value in values:
                slope[at] += told * (target - odds) * value
                row, part = bend[at], told * odds * (1 - odds) * value
                for other, known in values:
                    row[other] += part * known
        step = solved(bend, slope)
        weights = [weight + change for weight, change in zip(weights, step, strict=True)]
        if max(map(abs, step)) < ENOUGH:
            break
    return dict(zip(order, weights, strict=True))
