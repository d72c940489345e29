"""The content that lies beside the loaders, as JSON."""

import json
from pathlib import Path
from typing import Any

CONTENT = Path(__file__).parent / "content"


def read_json(path: Path) -> Any:
    """The content of one JSON file."""
    return json.loads(path.read_text(encoding="utf-8"))
