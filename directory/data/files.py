"""The data files that lie beside the loaders."""

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
CONTENT = FOLDER / "content"


def read_json(path: Path) -> Any:
    """The content of one JSON file."""
    return json.loads(path.read_text(encoding="utf-8"))
