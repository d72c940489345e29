"""Reads the invented content. Its times are relative: weeks, days or months before the loading."""

import json
import re
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

CONTENT = Path(__file__).parent / "content"
HEAD_END = "---\n"
Row = dict[str, Any]


@cache
def read(name: str) -> Any:
    return json.loads((CONTENT / name).read_text(encoding="utf-8"))


def listings() -> list[Row]:
    """The listings of a first look: `facts` are columns of the model, the rest is what happened to them."""
    rows: list[Row] = read("listings.json")
    return rows


def copies(*, count: int) -> Iterator[Row]:
    """So many listings more: those of the file again and again, each time under another name."""
    rows = listings()
    every = (_renamed(row, number) for number in range(2, 2 + -(-count // len(rows))) for row in rows)
    return islice(every, count)


def _renamed(row: Row, number: int) -> Row:
    slug, name = row["facts"]["slug"], row["facts"]["name"]
    text = json.dumps(row["facts"], ensure_ascii=False).replace(f"{slug}.example", f"{slug}-{number}.example")
    facts = json.loads(re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", f"{name} {number}", text))
    return {**row, "facts": {**facts, "slug": f"{slug}-{number}"}, "sites": ["main"], "quotes": {}}


def posts() -> list[Row]:
    rows = [_post(path.stem, path.read_text(encoding="utf-8")) for path in sorted(CONTENT.glob("posts/*.md"))]
    return sorted(rows, key=lambda row: row["days_ago"])


def _post(slug: str, text: str) -> Row:
    head, markdown = text.split(HEAD_END, 1)
    lines = [line.partition(": ") for line in head.strip().splitlines()]
    faqs = [value.partition(" | ") for key, _, value in lines if key == "faq"]
    row: Row = {key: value for key, _, value in lines if key != "faq"}
    return {
        **row,
        "slug": slug,
        "days_ago": int(row["days_ago"]),
        "markdown": markdown.strip() + "\n",
        "faqs": [{"question": question, "answer": answer} for question, _, answer in faqs],
    }
