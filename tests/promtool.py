"""`make test-alerts`: Prometheus' promtool judges each alert's story, its `for:` included."""

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.config.alert_causes import RULES, Scrape, Story, World, rules, story_of, world  # noqa: F401  (a fixture)

PROMTOOL = shutil.which("promtool")
WELL, CAUSED = 30, 90  # minutes; longer than any `for:`
END = 2 * WELL + CAUSED


def series(story: Story) -> list[dict[str, str]]:
    """A sample a minute: well, then with the cause, then well again. Counters grow while the cause is there."""
    scrapes: tuple[Scrape, ...] = (story.before, story.during, story.after)
    counted = frozenset().union(*(scrape.counters for scrape in scrapes))
    found = []
    for key in dict.fromkeys(key for scrape in scrapes for key in scrape.values):
        name, labels = key
        given = [scrape.values.get(key) for scrape in scrapes]
        if name in counted:
            first, second = given[0] or 0.0, given[1] or 0.0
            step = second - first
            phases = [first] * WELL + [first + step * turn for turn in range(CAUSED)]
            values = phases + [phases[-1]] * WELL
        else:
            values = [
                value
                for value, length in zip(given, (WELL, CAUSED, WELL), strict=True)
                for _ in range(length)
            ]
        if name.endswith("_timestamp_seconds"):
            values = [None if value is None else value + 60 * minute for minute, value in enumerate(values)]
        written = ",".join(f'{label}="{value}"' for label, value in (*labels, ("instance", "one")))
        found.append(
            {
                "series": f"{name}{{{written}}}",
                "values": " ".join("_" if value is None else repr(float(value)) for value in values),
            }
        )
    return found


def expected_of(alert: str, story: Story) -> dict[str, Any]:
    """What promtool is to find: silence, the alert, silence."""
    is_firing = f'clamp_max(count(ALERTS{{alertname="{alert}", alertstate="firing"}}), 1)'
    moments = {WELL - 1: [], WELL + CAUSED - 1: [{"labels": "{}", "value": 1}], END - 1: []}
    return {
        "interval": "1m",
        "input_series": series(story),
        "promql_expr_test": [
            {"expr": is_firing, "eval_time": f"{minute}m", "exp_samples": samples}
            for minute, samples in moments.items()
        ],
    }


@pytest.mark.parametrize("alert", rules())
def test_promtool_agrees(world: World, alert: str, tmp_path: Path) -> None:  # noqa: F811
    assert PROMTOOL, "promtool is needed: `apt-get install prometheus` brings it"
    file = tmp_path / f"{alert}.yml"
    story = story_of(world, alert)
    file.write_text(
        yaml.safe_dump(
            {"rule_files": [str(RULES)], "evaluation_interval": "1m", "tests": [expected_of(alert, story)]}
        )
    )

    judged = subprocess.run([PROMTOOL, "test", "rules", file], capture_output=True, text=True, check=False)

    assert judged.returncode == 0, judged.stdout + judged.stderr
