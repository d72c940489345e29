"""The parts that a page is cut into: segments, blocks, links, images, videos and structured data."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from itertools import islice
from typing import Any, Literal

from drafts.crawl.report import PageKind, Robots

Sight = Literal[
    "seen", "folded", "hidden"
]  # folded text opens on a click (tabs); hidden is meant for no visitor
Source = Literal["text", "meta", "json_ld", "alt", "robots"]
NO_ROLES: frozenset[str] = frozenset()


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


@dataclass(slots=True, kw_only=True, eq=False)
class Link:
    """One anchor. `raw` stands literally in the page, `url` is absolute."""

    raw: str
    url: str
    text: str = ""
    label: str = ""
    rel: str = ""
    roles: frozenset[str] = NO_ROLES
    block: int = 0
    heading: str = ""
    segment: int = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    raw: str
    url: str
    alt: str = ""
    words: str = ""
    rel: str = ""
    roles: frozenset[str] = NO_ROLES
    home_link: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Video:
    raw: str
    url: str
    roles: frozenset[str] = NO_ROLES
    decorative: bool = False
    opens: int = 0  # the box of which it is the first thing


@dataclass(slots=True, kw_only=True, eq=False)
class Block:
    """One block element and the range of segments that stand in it."""

    parent: int
    tag: str
    first: int
    last: int


@dataclass(slots=True, kw_only=True, eq=False)
class Segment:
    """One run of text of one block element, or one string of a page's markup.

    `roles` come from the elements around it and from the kind of its page, `under` from the headings above it.
    `start` is the offset in the page's stored text and -1 when the string stands in markup; `key` names the
    attribute, meta name or path of that.
    """

    kind: Source
    text: str
    page: int = 0
    index: int = 0
    tag: str = ""
    key: str = ""
    level: int = 0
    outline: tuple[str, ...] = ()
    roles: frozenset[str] = NO_ROLES
    under: frozenset[str] = NO_ROLES
    bold: bool = False
    hidden: bool = False
    link: str = ""
    block: int = 0
    start: int = -1

    @property
    def id(self) -> str:
        """Its place on the site, counted from one: `p2s14` is the fourteenth segment of the second page."""
        return f"p{self.page}s{self.index + 1}"

    @property
    def all_roles(self) -> frozenset[str]:
        """What its elements, its page and its headings say that it is for."""
        return self.roles | self.under

    @property
    def flat(self) -> str:
        return self.text.replace("\n", " ")

    @property
    def lines(self) -> tuple[str, ...]:
        return tuple(line for line in self.text.split("\n") if line)


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    types: frozenset[str]
    data: dict[str, Any]
    path: str = ""


@dataclass(kw_only=True, eq=False)
class PageText:
    """One page as it may be quoted."""

    index: int
    url: str
    kind: PageKind
    sha256: str
    fetched_at: datetime | None
    title: str = ""
    lang: str = ""
    text: str = ""
    segments: list[Segment] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    images: list[Image] = field(default_factory=list)
    videos: list[Video] = field(default_factory=list)
    nodes: list[Node] = field(default_factory=list)
    meta: dict[str, str] = field(default_factory=dict)

    @cached_property
    def texts(self) -> tuple[Segment, ...]:
        """The segments that a visitor can read, in reading order."""
        return tuple(s for s in self.segments if s.kind == "text")

    @cached_property
    def marked(self) -> tuple[Segment, ...]:
        return tuple(s for s in self.segments if s.kind != "text")

    @cached_property
    def stated(self) -> dict[str, Segment]:
        return {s.text: s for s in reversed(self.segments) if s.kind == "json_ld"}

    @cached_property
    def children(self) -> dict[int, list[int]]:
        """The blocks that stand directly in each block."""
        result: dict[int, list[int]] = {}
        for number, block in enumerate(self.blocks):
            result.setdefault(block.parent, []).append(number)
        return result

    @cached_property
    def first_rows(self) -> dict[int, int]:
        result: dict[int, int] = {}
        for number, block in enumerate(self.blocks):
            if block.tag == "tr":
                for above in self.climb(block.parent):
                    result.setdefault(above, number)
        return {block: row for block, row in result.items() if self.blocks[block].tag == "table"}

    def inside(self, block: int) -> tuple[Segment, ...]:
        result = self.blocks[block]
        return tuple(self.segments[result.first : result.last])

    def texts_in(self, block: int, *, most: int) -> tuple[Segment, ...]:
        """The first readable segments in one block element, however large it is."""
        result = self.blocks[block]
        inside = (self.segments[at] for at in range(result.first, result.last))
        return tuple(islice((s for s in inside if s.kind == "text"), most))

    def climb(self, block: int) -> Iterator[int]:
        """The block and those around it, innermost first."""
        while block >= 0:
            yield block
            block = self.blocks[block].parent


@dataclass(frozen=True, kw_only=True)
class SiteText:
    """All pages of one crawl, home first, as a writer may use them."""

    home_url: str
    robots: Robots
    pages: tuple[PageText, ...]
    warnings: tuple[str, ...] = ()


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
