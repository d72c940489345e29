"""One way to choose: candidates are measured, weighed, and taken from a field's threshold on, the best first."""

import math
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Generic, TypeVar

WEIGHTS = Path(__file__).with_name("data") / "weights.toml"
"""Written by `python -m benchmarks learn`; see docs/decisions/0057."""
Measures = Mapping[str, float]
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Candidate(Generic[Value]):
    """One possible value of a field, with what can be told of it in any language."""

    value: Value
    measures: Measures


@dataclass(frozen=True, slots=True)
class Judge:
    """What speaks for and against a candidate of one field, and how much must speak for it."""

    weights: Measures
    threshold: float
    bounds: Measures = field(default_factory=dict)

    def score(self, measures: Measures) -> float:
        """How much speaks for a candidate. A measure that was never weighed says nothing; their order neither."""
        return math.fsum(
            (self.weights["always"], *(self.weights.get(k, 0.0) * v for k, v in measures.items()))
        )

    def bound(self, name: str) -> float:
        """How likely a value of some kind has to be; those without a bound of their own share one."""
        return self.bounds.get(name, self.threshold)

    def ordered(self, candidates: Iterable[Candidate[Value]]) -> list[tuple[float, Value]]:
        """All candidates, the best first; equal ones as they stand on the site."""
        return sorted(
            ((self.score(each.measures), each.value) for each in candidates), key=lambda each: -each[0]
        )

    def ranked(self, candidates: Iterable[Candidate[Value]]) -> list[tuple[float, Value]]:
        """The candidates that reach the threshold, the best first."""
        return [entry for entry in self.ordered(candidates) if entry[0] >= self.threshold]


def likelihood(score: float) -> float:
    """How likely a candidate of this score is right: scores are learned as logarithms of odds."""
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, score))))


Judges = Mapping[str, Judge]


@cache
def shipped() -> Judges:
    fields = tomllib.loads(WEIGHTS.read_text(encoding="utf-8"))
    return {
        name: Judge(entry["weights"], entry["threshold"], entry.get("bounds", {}))
        for name, entry in fields.items()
    }
