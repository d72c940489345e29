"""Writes docs/settings.md from the variables that config/variables.py declares: `python -m docs.settings [--check]`."""

import sys
from pathlib import Path

from config.variables import GROUPS

PAGE = Path(__file__).parent / "settings.md"
HEAD = """# Settings

All settings are environment variables. Every outside service is off or sandboxed by default.
`<NAME>_FILE` reads a value from a file. This page is made from `config/variables.py` by `make settings`.
"""


def page() -> str:
    parts = [HEAD]
    for title, group in GROUPS.items():
        rows = [
            f"| {', '.join(f'`{name}`' for name in entry.names)} | {entry.says} | {entry.default} |"
            for entry in group
        ]
        parts.append(
            "\n".join([f"## {title}", "", "| Variable | Meaning | Default |", "|---|---|---|", *rows, ""])
        )
    return "\n".join(parts)


def main() -> int:
    """Write the page, or say that it is not what it should be."""
    if "--check" not in sys.argv:
        PAGE.write_text(page())
        return 0
    if PAGE.read_text() == page():
        return 0
    sys.stderr.write("docs/settings.md is out of date: run `make settings`.\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
