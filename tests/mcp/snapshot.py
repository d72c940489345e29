"""Names and schemas of the tools as they were agreed on. `python -m tests.mcp.snapshot` writes them anew."""

import json
import os
from pathlib import Path
from typing import Any

import django

FILE = Path(__file__).with_name("tools.json")


def taken() -> dict[str, Any]:
    """What clients rely on: inputs in full, outputs with the parts they share written once."""
    from config.mcp.tools import catalogue  # noqa: PLC0415  (needs Django set up)

    parts: dict[str, Any] = {}
    tools: dict[str, Any] = {}
    for name, tool in catalogue().items():
        output = dict(tool.output_schema)
        parts |= output.pop("$defs", {})
        shown = tool.as_dict()
        tools[name] = {
            "title": shown["title"],
            "description": shown["description"],
            "annotations": shown["annotations"],
            "scopes": list(tool.scopes),
            "input": tool.input_schema,
            "output": {key: value for key, value in output.items() if key != "anyOf"},
        }
    return {"tools": tools, "parts": dict(sorted(parts.items()))}


def written(found: dict[str, Any]) -> str:
    """The file's text."""
    return json.dumps(found, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    FILE.write_text(written(taken()))
