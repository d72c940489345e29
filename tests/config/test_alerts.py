"""Each alert fires when its cause is there, and no longer when it is gone.

Judged here by a small reader of the few forms that the rules use; `make test-alerts` has Prometheus' own promtool judge
the same stories, `for:` included.
"""

import json
import operator
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.config.alert_causes import CAUSES, Scrape, World, rules, story_of, world  # noqa: F401  (a fixture)

ROOT = Path(__file__).parents[2]
RULES = rules()
SELECTOR = re.compile(r"\b([a-z]\w*)\b(\{[^}]*\})?(\[5m\])?(?![\w(])")
MATCHER = re.compile(r'(\w+)(=~?)"([^"]*)"')
GROUPING = re.compile(
    r" by \([^)]*\) "
)  # of a max, a min or a sum that is held against 0: any group's is the whole's


class Vector(list[float]):
    """Samples, with PromQL's arithmetic; a comparison leaves those for which it is true."""

    def _with(self, other: Any, how: Callable[[float, float], float]) -> "Vector":
        others = other if isinstance(other, Vector) else [other] * len(self)
        pairs = zip(self, others, strict=True)
        return Vector(
            how(mine, its) if how is not operator.truediv or its else float("nan") for mine, its in pairs
        )

    def __add__(self, other: Any) -> "Vector":  # type: ignore[override]
        return self._with(other, operator.add)

    def __rsub__(self, other: Any) -> "Vector":
        return self._with(other, lambda mine, its: its - mine)

    def __truediv__(self, other: Any) -> "Vector":
        return self._with(other, operator.truediv)

    def __gt__(self, other: Any) -> "Vector":  # type: ignore[override]
        return Vector(value for value in self if value > other)

    def __lt__(self, other: Any) -> "Vector":  # type: ignore[override]
        return Vector(value for value in self if value < other)


def fires(alert: str, *, earlier: Scrape, now: Scrape) -> bool:
    """Whether the expression holds at the second look; counters count what came since the first."""

    def samples(name: str, matchers: str, *, is_range: bool) -> Vector:
        wanted = MATCHER.findall(matchers)
        return Vector(
            value - earlier.values.get((found, labels), 0) if is_range else value
            for (found, labels), value in now.values.items()
            if found == name
            and all(
                re.fullmatch(value if how == "=~" else re.escape(value), dict(labels).get(label, ""))
                for label, how, value in wanted
            )
        )

    def written(found: re.Match[str]) -> str:
        return f"samples({found[1]!r}, {found[2] or ''!r}, is_range={bool(found[3])})"

    known = {
        "samples": samples,
        "rate": lambda values: values,
        "time": lambda: 0.0,  # a scrape tells times as seconds from now
        **{
            name: lambda values, how=how: Vector([how(values)] if values else [])
            for name, how in (("max", max), ("min", min), ("sum", sum))
        },
    }
    text = SELECTOR.sub(written, GROUPING.sub("", RULES[alert]["expr"]))
    return bool(eval(text, {"__builtins__": {}}, known))


def test_every_alert_has_a_cause_and_a_page() -> None:
    assert sorted(CAUSES) == sorted(RULES)
    pages = {rule["annotations"]["runbook_url"] for rule in RULES.values()}
    assert [page for page in pages if not (ROOT / page).is_file()] == []


def test_alerts_and_dashboard_ask_for_what_is_served(world: World) -> None:  # noqa: F811
    with CAUSES["MailsWait"](world), CAUSES["ReplicaAway"](world):
        world.client.get("/")
        served = {name for name, _ in world.scrape().values}
    panels = json.loads((ROOT / "deploy/grafana/dashboard.json").read_text())["panels"]
    asked = [target["expr"] for panel in panels for target in panel["targets"]]
    asked += [rule["expr"] for rule in RULES.values()]
    bare = [re.sub(r"by \([^)]*\)|\{[^}]*\}", "", text) for text in asked]
    names = {found[1] for text in bare for found in SELECTOR.finditer(re.sub(r" +\(", "(", text))}

    assert len(asked) > 40
    assert names <= served


@pytest.mark.parametrize("alert", RULES)
def test_it_fires_with_its_cause_and_clears(world: World, alert: str) -> None:  # noqa: F811
    story = story_of(world, alert)

    assert not fires(alert, earlier=story.before, now=story.before)
    assert fires(alert, earlier=story.before, now=story.during)
    assert not fires(alert, earlier=story.during, now=story.after)
