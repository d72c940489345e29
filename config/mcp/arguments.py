"""What of a tool's arguments no request could hold, all of it at once."""

import uuid
from collections.abc import Mapping
from typing import Any

from config.mcp.tools import Tool
from core.api.errors import FieldError
from core.api.pagination import DIGITS

UNKNOWN = "This tool has no such argument."


def misfits(tool: Tool, arguments: Mapping[str, Any]) -> list[FieldError]:
    """Unknown arguments, and values that no path or query can hold. What names nothing is left to the operation."""
    rows = [(name, _in_path(tool, name, arguments.get(name))) for name in tool.path_arguments]
    rows += [
        (name, ("invalid", "This must be one value."))
        for name in tool.query_arguments
        if isinstance(arguments.get(name), dict | list)
    ]
    errors = [
        FieldError(code=wrong[0], parameter=name, message=wrong[1], limit=wrong[2] if wrong[2:] else None)
        for name, wrong in rows
        if wrong
    ]
    existing = tool.elsewhere if not tool.has_body else arguments
    return errors + [
        FieldError(code="unknown_property", parameter=name[:80], message=UNKNOWN)
        for name in sorted(arguments)
        if name not in existing
    ]


def _in_path(tool: Tool, name: str, value: Any) -> tuple[Any, ...]:
    """Why a value cannot stand in the path: a code, a sentence, perhaps a bound. Nothing where it can."""
    schema = tool.input_schema["properties"][name]
    if value in (None, ""):
        return "required", "This field is required."
    if schema.get("type") == "integer":
        return _number(value, least=schema.get("minimum", 0))
    if not isinstance(value, str):
        return "invalid", "This must be a string."
    return _unique_id(value) if schema.get("format") == "uuid" else ()


def _number(value: Any, *, least: int) -> tuple[Any, ...]:
    if isinstance(value, bool) or not isinstance(value, int | str) or not DIGITS.fullmatch(str(value)):
        return "invalid", "This must be an integer."
    if int(value) < least:
        return "min_value", f"This must be {least} or more.", least
    return ()


def _unique_id(value: str) -> tuple[Any, ...]:
    try:
        uuid.UUID(value)
    except ValueError:
        return "invalid", "This must be an id (UUID) as submit_listing and list_my_drafts give it."
    return ()
