"""Raw values in what people read: names of operations and codes, cents, dates as machines write them."""

import json
import re
from functools import cache
from pathlib import Path

from lxml import html

ROOT = Path(__file__).parents[1]
ISO_DATE = re.compile(r"\b\d{4}-(?:0\d|1[0-2])-[0-3]\d\b")
CODE = re.compile(r"(?<![\w@./#:-])(?!plk_)[a-z]+(?:_[a-z0-9]+)+(?![\w@/:.-])")
HIDDEN = ("script", "style", "template", "code", "pre")
SHOWN = f"//body//text()[not({' or '.join(f'ancestor::{tag}' for tag in HIDDEN)})]"


@cache
def operations() -> frozenset[str]:
    """The operations of the interface, as its document names them."""
    paths = json.loads((ROOT / "docs/openapi.json").read_text())["paths"]
    calls = (call for path in paths.values() for call in path.values() if isinstance(call, dict))
    return frozenset(call["operationId"] for call in calls if "operationId" in call)


def raw_values(page: str) -> list[str]:
    """What on a page reads as a value of a program: a date such as 2026-12-07, a name such as list_products."""
    root = html.document_fromstring(page.encode(), parser=html.HTMLParser(encoding="utf-8"))
    words = " ".join(str(text) for text in root.xpath(SHOWN))
    return sorted({*ISO_DATE.findall(words), *CODE.findall(words)})
