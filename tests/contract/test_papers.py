"""The papers say what is there: every decision in the index once, every file of a recipe, no broken link."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DECISIONS = ROOT / "docs/decisions"
PAPERS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")
FILE = re.compile(r"`((?:[\w.-]+/)+[\w.-]+\.(?:py|json|html|md))`")


def test_every_decision_is_in_the_index_once() -> None:
    files = sorted(path.name for path in DECISIONS.glob("[0-9]*.md"))
    index = (DECISIONS / "README.md").read_text()

    assert re.findall(r"\]\(([^)]+)\)", index) == files
    assert len({name[:4] for name in files}) == len(files)
    for name in files:
        title = (DECISIONS / name).read_text().splitlines()[0]
        assert title.startswith(f"# {name[:4]} ")
        assert f"[{title[7:]}]({name})" in index


@pytest.mark.parametrize("paper", PAPERS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(paper: Path) -> None:
    missing = [link for link in LINK.findall(paper.read_text()) if not (paper.parent / link).exists()]

    assert missing == []


def test_recipes_name_files_that_exist() -> None:
    files = FILE.findall((ROOT / "CONTRIBUTING.md").read_text())

    assert len(files) > 20
    assert [name for name in files if not (ROOT / name).exists()] == []
