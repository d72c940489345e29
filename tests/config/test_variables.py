"""Every setting is declared once, with its sentence, and the page of settings says what is declared."""

import re
from pathlib import Path

import pytest

from config import environment
from config.variables import GROUPS, NAMES
from docs import settings

ROOT = Path(__file__).parents[2]
READ = re.compile(r"\b(?:env|environment)\.\w+\(\s*\"([A-Z_]+)\"")


def test_what_is_not_declared_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOMETHING_NEW", "on")

    with pytest.raises(KeyError, match="SOMETHING_NEW is not declared"):
        environment.text("SOMETHING_NEW")


def test_every_name_is_declared_once_and_settings_read_no_other() -> None:
    declared = [name for group in GROUPS.values() for entry in group for name in entry.names]
    read = {name for path in (ROOT / "config").rglob("*.py") for name in READ.findall(path.read_text())}

    assert len(declared) == len(NAMES)
    assert read - NAMES == set()
    assert all(entry.says and entry.default for group in GROUPS.values() for entry in group)


def test_the_page_is_what_is_declared() -> None:
    assert settings.PAGE.read_text() == settings.page()
