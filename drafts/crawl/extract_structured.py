"""Facts that a page states for machines: JSON-LD and meta elements."""

import json
import re
from collections.abc import Iterator
from typing import Any

from bs4 import BeautifulSoup, Tag

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
            return json.loads(attempt, strict=False)
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
    found = item.get("@type")
    names = found if isinstance(found, list) else [found]
    return frozenset(re.split(r"[/#:]", name)[-1] for name in names if isinstance(name, str))


def nodes_in(value: Any) -> list[Node]:
    """The typed objects of one JSON-LD value."""
    found = []
    for path, item in walk(value):
        if isinstance(item, dict) and (types := types_of(item)):
            found.append(Node(types=types, data=item, path=path))
        if len(found) >= _NODES:
            break
    return found


def strings_in(value: Any) -> list[tuple[str, str]]:
    """The strings and numbers of one JSON-LD value with their paths."""
    found: list[tuple[str, str]] = []
    for path, item in walk(value):
        key = path.rsplit(".", 1)[-1]
        if key.startswith("@") or isinstance(item, (dict, list, bool)) or item is None:
            continue
        text = str(item).strip()
        if text:
            found.append((path, text))
        if len(found) >= _STRINGS:
            break
    return found


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


_ITEMS = 60
_PROPERTIES = 40
_VALUE_ATTRIBUTES = ("content", "href", "src", "datetime")


def _property_value(tag: Tag) -> str:
    for name in _VALUE_ATTRIBUTES:
        value = tag.attrs.get(name)
        if isinstance(value, str) and value.strip():
            return value.strip()
    return re.sub(r"\s+", " ", tag.get_text(" ")).strip()[:500]


def microdata_in(soup: BeautifulSoup) -> list[Node]:
    """The typed objects that a page states by `itemscope` and `itemprop`, outermost first."""
    data: dict[int, dict[str, Any]] = {}
    found = []
    for scope in soup.find_all(itemscope=True, limit=_ITEMS):
        item: dict[str, Any] = {}
        data[id(scope)] = item
        kind = scope.attrs.get("itemtype")
        if isinstance(kind, str) and kind:
            found.append(
                Node(types=frozenset({re.split(r"[/#:]", kind.strip())[-1]}), data=item, path="microdata")
            )
    for tag in soup.find_all(itemprop=True, limit=_ITEMS * _PROPERTIES):
        owner = tag.find_parent(itemscope=True)
        if owner is None or id(owner) not in data:
            continue
        value: Any = data.get(id(tag)) if tag.has_attr("itemscope") else _property_value(tag)
        names = tag.attrs.get("itemprop")
        for name in names.split() if isinstance(names, str) else ():
            if value is not None and value != "":
                data[id(owner)].setdefault(name, value)
    return found
