"""The runbook's pages can be found, and what they tell an operator to type exists."""

import re
import shlex
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, get_commands, load_command_class

ROOT = Path(settings.BASE_DIR)
PAGES = sorted((ROOT / "docs/runbook").glob("*.md"))
INDEX = ROOT / "docs/runbook/README.md"
TOLD = [*PAGES, ROOT / "docs/operations.md", ROOT / "deploy/README.md", ROOT / "docs/privacy.md"]
COMMAND = re.compile(r"manage\.py ([a-z_]+)([^`\n#|]*)")
TARGET = re.compile(r"`make ([a-z-]+)")
PARTS = ("**What it means.**", "**Look.**", "**Do.**", "**It is over when**")


def commands() -> list[tuple[str, str, str]]:
    """Page, command and arguments, each as it stands there."""
    return [
        (page.name, name, given.replace("…", "").strip(" .,:;)"))
        for page in TOLD
        for name, given in COMMAND.findall(page.read_text())
    ]


def test_every_page_is_in_the_index_and_has_its_parts() -> None:
    linked = set(re.findall(r"\(([a-z-]+\.md)\)", INDEX.read_text()))
    pages = {page.name: page.read_text() for page in PAGES if page != INDEX}

    assert linked == set(pages)
    assert [name for name, text in pages.items() if not all(part in text for part in PARTS)] == []


def test_links_between_pages_lead_somewhere() -> None:
    broken = [
        f"{page.name}: {target}"
        for page in TOLD
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text())
        if not (page.parent / target).exists()
    ]

    assert broken == []


def test_every_command_of_a_page_takes_what_the_page_gives_it() -> None:
    known, wrong = get_commands(), []
    for page, name, given in commands():
        if name not in known:
            wrong.append(f"{page}: {name}")
            continue
        parser = load_command_class(known[name], name).create_parser("manage.py", name)  # type: ignore[arg-type]
        try:
            parser.parse_args(shlex.split(given))
        except (CommandError, SystemExit) as error:
            wrong.append(f"{page}: {name} {given}: {error}")

    assert wrong == []
    assert len(commands()) > 20


@pytest.mark.parametrize("page", TOLD, ids=lambda page: page.stem)
def test_every_target_of_make_exists(page: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))

    assert set(TARGET.findall(page.read_text())) <= targets
