"""Every variable that is read stands with its sentence on the page that operators read, and no other."""

import re
from pathlib import Path

import pytest

from config import environment

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "settings.md").read_text()
ROW = re.compile(
    r"^\| (`[^|]+`) \| (.+) \| (.+) \|$", re.MULTILINE
)  # names, what they are for, what holds without
READ = re.compile(r"\b(?:env|environment)\.\w+\(\s*\"([A-Z_0-9]+)\"")


def test_each_variable_has_one_row_and_each_row_is_read() -> None:
    rows = ROW.findall(PAGE)
    names = [name for cell, *_ in rows for name in re.findall(r"`([A-Z0-9_]+)`", cell)]
    code = "".join(path.read_text() for path in (ROOT / "config").rglob("*.py"))

    assert len(rows) == PAGE.count("\n| `")
    assert len(names) == len(set(names)) > 90
    assert set(READ.findall(code)) <= set(names)
    assert {name for name in names if name not in code} == {
        "AWS_ACCESS_KEY_ID",
        "AWS_SECRET_ACCESS_KEY",
    }  # boto3 reads these


def test_name_servers_are_of_both_families_with_and_without_a_port(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DNS_SERVERS", "127.0.0.1:5353, 9.9.9.9, [::1]:5353, [2620:fe::fe], 2620:fe::9")

    assert environment.servers("DNS_SERVERS", default_port=53) == [
        ("127.0.0.1", 5353),
        ("9.9.9.9", 53),
        ("::1", 5353),
        ("2620:fe::fe", 53),
        ("2620:fe::9", 53),
    ]
