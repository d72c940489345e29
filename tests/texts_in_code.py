"""Texts of the code that people read: sentences of refusals, messages, help and mails, as their sources have them."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.words import ISO_DATE, ROOT, operations

AREAS = ("accounts", "claims", "config", "core", "directory", "drafts", "leaderboards", "orders")
# What programs, operators and language models read: the interface's own names stand there on purpose.
NOT_FOR_PEOPLE = re.compile(
    r"/(?:migrations|management|serializers|views|search/query|demo|embedded|backups|mcp|writing|languages|docs)/"
    r"|/(?:serializers|views|discovery|doctor|gauges|schema|urls|next_actions)\w*\.py$"
    r"|/(?:claims|directory|drafts|leaderboards)/(?:\w+/)?(?:api|shapes)\b"
)
LEAST_WORDS = 3
CODES = (
    "status",
    "country",
    "plan",
    "kind",
    "stage",
    "pricing_model",
    "treatment",
    "blocked_reason",
    "product",
)
DATES = (
    "week",
    "monday",
    "day",
    "launch_week",
    "starts_at",
    "ends_at",
    "expires_at",
    "begins_at",
    "effective_at",
)
OPERATION = re.compile(rf"\b(?:{'|'.join(sorted(operations()))})\b")
MACHINE_FORM = re.compile(r"%Y-%m|%F|%T")


def sources() -> list[Path]:
    """The modules whose texts reach people."""
    found = (path for area in AREAS for path in (ROOT / area).rglob("*.py"))
    return sorted(path for path in found if not NOT_FOR_PEOPLE.search(path.as_posix()))


def faults(source: str) -> list[str]:
    """What of a module's texts would be read as a program's value."""
    tree = ast.parse(source)
    silent = set(_silent(tree))
    texts = [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr | ast.Constant)]
    return [fault for node in texts if id(node) not in silent for fault in _of(node)]


def _silent(tree: ast.Module) -> Iterator[int]:
    """What nobody reads: docstrings, names of rows for logs, and the parts of texts that are read whole."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr):
                yield id(first.value)
        if isinstance(node, ast.FunctionDef) and node.name == "__str__":
            yield from map(id, ast.walk(node))
        if isinstance(node, ast.keyword) and node.arg == "key":
            yield from map(id, ast.walk(node))
        if isinstance(node, ast.JoinedStr):
            yield from (id(part) for part in ast.walk(node) if part is not node)


def _of(node: ast.JoinedStr | ast.Constant) -> Iterator[str]:
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    text = "".join(
        str(part.value) for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)
    )
    if len(re.findall(r"[^\W\d_]{2,}", text)) < LEAST_WORDS or "SELECT" in text or " = %(" in text:
        return
    yield from OPERATION.findall(text)
    yield from ISO_DATE.findall(text)
    for part in parts:
        if isinstance(part, ast.FormattedValue) and _is_raw(part):
            yield f"{{{ast.unparse(part.value)}}}"


def _is_raw(part: ast.FormattedValue) -> bool:
    name = getattr(part.value, "attr", getattr(part.value, "id", ""))
    form = ast.unparse(part.format_spec) if part.format_spec else ""
    return (
        name in CODES
        or name.endswith("_cents")
        or (name in DATES and not form)
        or bool(MACHINE_FORM.search(form))
    )
