"""A choice among the candidates of each site, or none of them, fitted in plain Python by Newton's steps."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

RIDGE = 1.0
"""How much evidence a weight needs to leave zero."""
STEPS, ENOUGH, LONGEST = 12, 0.01, 3.0
ALWAYS = "always"


@dataclass(frozen=True)
class Example:
    """One candidate: what is told of it, and how right it is."""

    measures: Mapping[str, float]
    target: float


Sites = Mapping[str, Sequence[Example]]
Row = tuple[list[tuple[int, float]], float]


def fit(sites: Sites, names: Iterable[str], *, start: Mapping[str, float] | None = None) -> dict[str, float]:
    """The weights that make right candidates likeliest beside the others, and none where none is right."""
    order = [ALWAYS, *names]
    place = {name: at for at, name in enumerate(order)}
    rows = [
        [([(0, 1.0), *((place[n], v) for n, v in e.measures.items() if n in place)], e.target) for e in own]
        for own in sites.values()
    ]
    weights = [start.get(name, 0.0) if start else 0.0 for name in order]
    for _ in range(STEPS):
        step = _step(rows, weights)
        most = max(map(abs, step))
        weights = [w + s * min(1.0, LONGEST / most) for w, s in zip(weights, step, strict=True)]
        if most < ENOUGH:
            break
    return dict(zip(order, weights, strict=True))


def _step(rows: list[list[Row]], weights: list[float]) -> list[float]:
    size = len(weights)
    slope = [-RIDGE * w if at else 0.0 for at, w in enumerate(weights)]
    bend = [[(RIDGE if a else ENOUGH) if a == b else 0.0 for b in range(size)] for a in range(size)]
    for site in rows:
        chosen, wanted = _shares(site, weights)
        mean = [0.0] * size
        for (values, _), likely, right in zip(site, chosen, wanted, strict=True):
            for at, value in values:
                slope[at] += (right - likely) * value
                mean[at] += likely * value
                row, part = bend[at], likely * value
                for other, known in values:
                    row[other] += part * known
        told = [at for at in range(size) if mean[at]]
        for at in told:
            row, part = bend[at], mean[at]
            for other in told:
                row[other] -= part * mean[other]
    return solved(bend, slope)


def _shares(site: list[Row], weights: list[float]) -> tuple[list[float], list[float]]:
    """How likely each candidate is chosen, and how likely it should be: as likely, if it is right."""
    odds = [math.exp(max(-30.0, min(30.0, sum(weights[at] * v for at, v in values)))) for values, _ in site]
    all_odds = 1 + sum(odds)
    chosen = [one / all_odds for one in odds]
    wanted = [one * target**2 for one, (_, target) in zip(chosen, site, strict=True)]
    none = (1 - max(target for _, target in site)) / all_odds
    total = sum(wanted) + none
    return chosen, [one / total for one in wanted]


def solved(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Gauss's way: the matrix is symmetric and positive, so no row needs to change its place."""
    size = len(right)
    for at in range(size):
        pivot = matrix[at]
        for below in range(at + 1, size):
            share = matrix[below][at] / pivot[at]
            if share:
                row = matrix[below]
                for column in range(at, size):
                    row[column] -= share * pivot[column]
                right[below] -= share * right[at]
    found = [0.0] * size
    for at in reversed(range(size)):
        known = sum(matrix[at][column] * found[column] for column in range(at + 1, size))
        found[at] = (right[at] - known) / matrix[at][at]
    return found


def told_most(sites: Sites, *, most: int, least: int) -> tuple[list[str], dict[str, float]]:
    """The measures that say most, of those told on enough sites, and their weights: the least telling go first."""
    on: dict[str, set[str]] = {}
    for site, own in sites.items():
        for example in own:
            for name in example.measures:
                on.setdefault(name, set()).add(site)
    names = sorted(name for name, where in on.items() if len(where) >= least)
    weights = fit(sites, names)
    while len(names) > most:
        effect = {name: abs(weights[name]) * _deviation(sites, name) for name in names}
        left = max(most, len(names) * 2 // 3)
        names = sorted(sorted(names, key=lambda name: -effect[name])[:left])
        weights = fit(sites, names, start=weights)
    return names, weights


def _deviation(sites: Sites, name: str) -> float:
    values = [example.measures.get(name, 0.0) for own in sites.values() for example in own]
    mean = sum(values) / len(values)
    return math.sqrt(sum((value - mean) ** 2 for value in values) / len(values))
