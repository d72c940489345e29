"""Every setting is declared once, with its sentence, on the page that operators read."""

import re
from pathlib import Path

import pytest

from config import environment

ROOT = Path(__file__).parents[2]
READ = re.compile(r"\b(?:env|environment)\.\w+\(\s*\"([A-Z_]+)\"")


def test_what_is_not_declared_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOMETHING_NEW", "on")

    with pytest.raises(KeyError, match="SOMETHING_NEW is not declared"):
        environment.text("SOMETHING_NEW")


def test_every_name_is_declared_once_and_settings_read_no_other() -> None:
    rows = environment.ROW.findall(environment.PAGE.read_text())
    declared = [name for names, *_ in rows for name in re.findall(r"`([A-Z0-9_]+)`", names)]
    read = {name for path in (ROOT / "config").rglob("*.py") for name in READ.findall(path.read_text())}

    assert len(declared) == len(environment.NAMES) > 90
    assert set(declared) == environment.NAMES
    assert read - environment.NAMES == set()
    assert all(says.strip() and default.strip() for _, says, default in rows)


def test_every_row_of_the_page_is_read_as_one() -> None:
    lines = [line for line in environment.PAGE.read_text().splitlines() if line.startswith("| `")]

    assert len(lines) == len(environment.ROW.findall(environment.PAGE.read_text()))
