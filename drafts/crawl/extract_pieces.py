"""What stays open on the way through one page, and how its strings are read."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from drafts.crawl.extract_hidden import Sight
from drafts.crawl.extract_parts import Link

_SPACE = re.compile(r"[^\S\n]+")
_AROUND_BREAK = re.compile(r" ?\n[ \n]*")
RAW_SPACE = re.compile(r"\s+")
_RUN_TOGETHER = re.compile(
    r"(?<=[^\W\d_]{2})\u2063(?=[^\W\d_])|(?<=[a-z])\u2063(?=[A-Z\d])|(?<=\d)\u2063(?=[^\W\d_]{3})"
)


@dataclass(slots=True)
class Frame:
    children: Iterator[Any]
    tag: str
    block: int
    roles: frozenset[str]
    sight: Sight = "seen"
    on_ground: bool = False
    opens_block: bool = False
    atomic: bool = False
    lined: bool = False
    ends_sight: bool = False
    first_segment: int = 0
    bold: bool = False
    headings: int = -1
    outline_from: int = 0
    link: Link | None = None
    words_from: int = 0


def fold(text: str) -> str:
    return _AROUND_BREAK.sub("\n", _SPACE.sub(" ", text)).strip(" \n\u200b\ufeff\u2060")


def joined(text: str) -> str:
    """Turn the marks between neighbouring elements into spaces where words would run together."""
    return _RUN_TOGETHER.sub(" ", text).replace("\u2063", "") if "\u2063" in text else text


def led(text: str, lead: str) -> str:
    """The bold beginning of a text, with the signs before it; nothing when words come first."""
    before, result, _ = text.partition(lead) if lead else (text, "", "")
    return before + result if result and not any(map(str.isalnum, before)) else ""
