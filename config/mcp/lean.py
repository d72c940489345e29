"""What a language model reads of an answer: enough to act on, a fraction of its length.

The answer itself stands in `structuredContent`, whole. Here go what is unknown or empty, addresses that follow from
others, hashes and offsets, and what is said twice; categories are their slugs.
"""

from collections.abc import Callable, Mapping
from typing import Any

from core.api.bodies import dumps

EMPTY: tuple[Any, ...] = (None, "", [], {})
FOLLOWS = frozenset({"api_url", "svg_url", "link_url"})
UNWRITTEN = frozenset({"crawling", "drafting"})
Cut = Callable[[Mapping[str, Any]], Any]


def lean(body: Any) -> str:
    return dumps(_cut(body)).decode()


def _cut(value: Any) -> Any:
    if isinstance(value, list):
        return [_cut(entry) for entry in value]
    if not isinstance(value, Mapping):
        return value
    for names, cut in CUTS:
        if names <= value.keys():
            value = cut(value)
            break
    if not isinstance(value, Mapping):
        return value
    result = {name: _cut(inner) for name, inner in value.items() if name not in FOLLOWS}
    return {name: inner for name, inner in result.items() if inner not in EMPTY}


def _without(*names: str) -> Cut:
    return lambda value: {name: inner for name, inner in value.items() if name not in names}


def _only(*names: str) -> Cut:
    return lambda value: {name: value[name] for name in names}


def _field(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """A value of a draft: whose it is matters, and what it rests on; of a blank one, what the website may mean."""
    parts = {name: value[name] for name in ("value", "state", "reason", "evidence")}
    suggestions = [row["value"] for row in value["suggestions"]] if value["value"] is None else None
    return {**parts, "locked": value["locked"] or None, "suggestions": suggestions}


def _draft(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """What `missing` names is blank: it need not stand among the fields too, and before it is written all is."""
    fields = {
        name: field
        for name, field in value["fields"].items()
        if field["value"] is not None or field["suggestions"]
    }
    crawl = {**value["crawl"], "pages": len(value["crawl"]["pages"])}
    missing = None if value["status"] in UNWRITTEN else value["missing"]
    return {**value, "fields": fields, "crawl": crawl, "missing": missing, "writer": None}


# The first whose names are all there cuts.
CUTS: tuple[tuple[frozenset[str], Cut], ...] = (
    (frozenset({"slug", "name", "primary"}), lambda value: value["slug"]),
    (frozenset({"quote", "page_sha256"}), _only("quote", "url")),
    (frozenset({"value", "state", "ai_value"}), _field),
    (frozenset({"fields", "crawl", "missing"}), _draft),
    (frozenset({"children", "faqs"}), _without("subcategories")),
    (frozenset({"children", "parent"}), _without("description", "parent", "total_listings_count")),
    (frozenset({"html", "markdown"}), _without("markdown", "width", "height")),
    (frozenset({"slug", "votes", "page_url"}), _without("updated_at", "logo_url")),
    (
        frozenset({"code", "detail", "instance"}),
        _without("type", "title", "status", "instance", "request_id"),
    ),
)
