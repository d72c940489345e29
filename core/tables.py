"""Tables that stand as CSV beside the code that reads them."""

import csv
from pathlib import Path


def rows_of(module: str, name: str) -> list[dict[str, str]]:
    """The rows of a table in the folder of a module's `__file__`, each by the names of its first line."""
    with Path(module).with_name(name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
