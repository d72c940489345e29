"""Draws the import graph of the areas into docs/architecture.md: `python -m docs.draw [--check]`."""

import re
import sys
from pathlib import Path

import grimp

PAGE = Path(__file__).parent / "architecture.md"
AREAS = ("config", "drafts", "claims", "orders", "leaderboards", "directory", "accounts", "core")
PICTURE = re.compile(r"(?<=```mermaid\n).*?(?=```)", re.DOTALL)


def picture() -> str:
    """The areas as a Mermaid flowchart; an arrow says how many modules of one import from the other."""
    graph = grimp.build_graph(*AREAS)
    counts = {
        (importer, imported): len(
            {
                module
                for module in graph.find_descendants(importer) | {importer}
                if any(
                    match.split(".")[0] == imported
                    for match in graph.find_modules_directly_imported_by(module)
                )
            }
        )
        for importer in AREAS
        for imported in AREAS
        if importer != imported
    }
    lines = ["flowchart TD"]
    lines += [
        f"    {importer} -->|{count}| {imported}" for (importer, imported), count in counts.items() if count
    ]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Write the picture, or with --check say whether the page has the present one."""
    page = PAGE.read_text(encoding="utf-8")
    drawn = PICTURE.sub(lambda _: picture(), page)
    if "--check" not in sys.argv:
        PAGE.write_text(drawn, encoding="utf-8")
    elif arrows(drawn) != arrows(page):
        sys.stderr.write("docs/architecture.md shows other imports than the code has. Run: make picture\n")
        return 1
    return 0


def arrows(page: str) -> list[str]:
    """Who imports whom, without the counts, which change with every module."""
    return [re.sub(r"\|\d+\|", "", line) for line in PICTURE.findall(page)[0].splitlines()]


if __name__ == "__main__":
    sys.exit(main())
