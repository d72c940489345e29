"""What one page gives before its segments have numbers, and how its strings are read."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from drafts.crawl.extract_hidden import Sight
from drafts.crawl.extract_parts import NO_ROLES, Block, Image, Link, Node, Video

_SPACE = re.compile(r"[^\S\n]+")
_AROUND_BREAK = re.compile(r" ?\n[ \n]*")
RAW_SPACE = re.compile(r"\s+")
_RUN_TOGETHER = re.compile(
    r"(?<=[^\W\d_]{2})\u2063(?=[^\W\d_])|(?<=[a-z])\u2063(?=[A-Z\d])|(?<=\d)\u2063(?=[^\W\d_]{3})"
)


@dataclass(slots=True)
class Piece:
    """One segment before it has a place on its page."""

    kind: str
    text: str
    tag: str = ""
    key: str = ""
    level: int = 0
    outline: tuple[str, ...] = ()
    roles: frozenset[str] = NO_ROLES
    under: frozenset[str] = NO_ROLES
    bold: bool = False
    lead: str = ""
    hidden: bool = False
    link: str = ""
    block: int = 0


@dataclass(slots=True)
class Extract:
    """All that one page holds."""

    title: str = ""
    lang: str = ""
    pieces: list[Piece] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    images: list[Image] = field(default_factory=list)
    videos: list[Video] = field(default_factory=list)
    nodes: list[Node] = field(default_factory=list)
    meta: dict[str, str] = field(default_factory=dict)
    hidden_count: int = 0


@dataclass(slots=True)
class Frame:
    """One open element on the way through the tree."""

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
    first_piece: int = 0
    bold: bool = False
    headings: int = -1
    outline_from: int = 0
    link: "OpenLink | None" = None


@dataclass(slots=True)
class OpenLink:
    """One anchor whose text is still being read."""

    raw: str
    label: str
    rel: str
    roles: frozenset[str]
    block: int
    heading: str
    words: list[str] = field(default_factory=list)


def fold(text: str) -> str:
    """White space collapsed, line breaks kept."""
    return _AROUND_BREAK.sub("\n", _SPACE.sub(" ", text)).strip(" \n\u200b\ufeff\u2060")


def joined(text: str) -> str:
    """Turn the marks between neighbouring elements into spaces where words would run together."""
    return _RUN_TOGETHER.sub(" ", text).replace("\u2063", "") if "\u2063" in text else text


def led(text: str, lead: str) -> str:
    """The bold beginning of a text, with the signs before it; nothing when words come first."""
    before, found, _ = text.partition(lead) if lead else (text, "", "")
    return before + found if found and not any(map(str.isalnum, before)) else ""
