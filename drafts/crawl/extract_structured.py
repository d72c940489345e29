"""Facts that a page states for machines: JSON-LD and meta elements."""

import json
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from drafts.crawl.extract_parts import Node

_WRAPPED = re.compile(
    r"^\s*(?:<!--|/\*\s*<!\[CDATA\[\s*\*/|//\s*<!\[CDATA\[|<!\[CDATA\[)|(?:-->|/\*\s*\]\]>\s*\*/|"
    r"//\s*\]\]>|\]\]>)\s*$"
)
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")
_BLOCK_LIMIT = 200_000
_STRINGS = 1500
_DEPTH = 40
_NODES = 500
_KEY = 80  # each path repeats the keys above it


def load_json_ld(text: str) -> Any:
    """The value of one JSON-LD block, or nothing when it is broken."""
    if len(text) > _BLOCK_LIMIT:
        return None
    body = _WRAPPED.sub("", text).strip()
    for attempt in (body, _TRAILING_COMMA.sub(r"\1", body)):
        try:
            value = json.loads(attempt, strict=False)
            # without half an emoji, which is no text: pages cut theirs off in the middle
            return json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "ignore"))
        except (ValueError, RecursionError):
            continue
    return None


def walk(value: Any) -> Iterator[tuple[str, Any]]:
    """Every value under a JSON-LD value with its path, parents first."""
    stack: list[tuple[str, Any, int]] = [("", value, 0)]
    while stack:
        path, item, depth = stack.pop()
        yield path, item
        if depth >= _DEPTH:
            continue
        if isinstance(item, dict):
            stack.extend(
                (f"{path}.{key[:_KEY]}".lstrip("."), item[key], depth + 1) for key in reversed(list(item))
            )
        elif isinstance(item, list):
            stack.extend((path, part, depth + 1) for part in reversed(item))


def types_of(item: dict[str, Any]) -> frozenset[str]:
    """The type names of one JSON-LD object, without their vocabulary."""
    result = item.get("@type")
    names = result if isinstance(result, list) else [result]
    return frozenset(re.split(r"[/#:]", name)[-1] for name in names if isinstance(name, str))


def nodes_in(value: Any) -> list[Node]:
    items = ((path, item) for path, item in walk(value) if isinstance(item, dict))
    rows = (Node(types=types, data=item, path=path) for path, item in items if (types := types_of(item)))
    return list(islice(rows, _NODES))


def strings_in(value: Any) -> list[tuple[str, str]]:
    """The strings and numbers of one JSON-LD value with their paths."""
    rows = (
        (path, text)
        for path, item in walk(value)
        if isinstance(item, (str, int, float)) and not isinstance(item, bool)
        if not path.rsplit(".", 1)[-1].startswith("@") and (text := str(item).strip())
    )
    return list(islice(rows, _STRINGS))


def first_text(value: Any) -> str:
    """A JSON-LD value as one string: its text, its name or its `@value`."""
    if isinstance(value, list):
        return first_text(value[0]) if value else ""
    if isinstance(value, dict):
        return first_text(value.get("name") or value.get("@value") or "")
    return str(value).strip() if isinstance(value, (str, int, float)) else ""


def all_of(value: Any) -> list[Any]:
    """A JSON-LD value that may be one thing or a list of things, as a list."""
    if value is None:
        return []
    return value if isinstance(value, list) else [value]
