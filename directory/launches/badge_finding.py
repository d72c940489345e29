"""Finds our badge in a page: a link to the listing, where visitors can see it, with the badge's image in it.

The page is a stranger's and may be made to be costly, so its tags are read one by one as browsers do (WHATWG HTML,
section 13.2.5) and no tree is built: the time grows with the length of the page and with nothing else.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import unescape
from itertools import islice
from typing import NamedTuple
from urllib.parse import unquote

from core.fetch import join_url, split_url
from directory.launches import badges

SNIPPET = 500
TAG = re.compile(
    r"""<(/?)([a-z][^\s/>]*+)
    ((?:[\s/]++
      | [^\s/>][^\s/>=]*+ (?: \s*+=\s*+ (?:"[^"]*+" | '[^']*+' | [^\s"'>][^\s>]*+ | (?=>)) | (?!\s*+=) )
    )*+)>""",
    re.VERBOSE | re.ASCII | re.IGNORECASE,
)
ATTRIBUTE = re.compile(
    r"""([^\s/>][^\s/>=]*+) (?: \s*+=\s*+ (?:"([^"]*+)" | '([^']*+)' | ([^\s>]*+)) )?+""",
    re.VERBOSE | re.ASCII,
)
TAG_BEGINS = re.compile("</?[a-z]", re.IGNORECASE | re.ASCII)
MARKUP = re.compile("<[a-z/!?]", re.IGNORECASE | re.ASCII)
COMMENT_ENDS = re.compile("--!?>")
# what stands between these tags is text to a browser that runs scripts, whatever it looks like
TEXT_ENDS = {
    name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE | re.ASCII)
    for name in ("script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes", "noscript")
}
MAY_HIDE = re.compile("hidden|display|visibility", re.IGNORECASE)
HIDING_STYLE = re.compile("display:none|visibility:hidden")
VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}
)
# a second one ends the first
NEVER_NESTED = frozenset({"a", "p"})
# where an image's address stands, also when a script loads it as soon as it comes into view
SOURCES = ("src", "srcset", "data-src", "data-srcset", "data-lazy-src", "data-original")
PORTS = {"http": 80, "https": 443}


class Tag(NamedTuple):
    """One tag: where it begins and ends in the page, and its attributes as they are written."""

    begins: int
    ends: int
    name: str
    is_end: bool
    written: str

    @property
    def attributes(self) -> dict[str, str]:
        """Names in lower case with their values; the first of two counts."""
        result: dict[str, str] = {}
        for name, *values in ATTRIBUTE.findall(self.written):
            result.setdefault(name.lower(), unescape("".join(values)))
        return result


class Place(NamedTuple):
    host: str
    port: int | None
    path: str


@dataclass(frozen=True, kw_only=True)
class Finding:
    """`result`: found, link_only, image_only, not_found, or too_large when the page has more tags than may be read.

    `snippet` is the part of the page that says so.
    """

    result: str
    snippet: str = ""


def find_badge(*, html: str, base_url: str, slug: str, max_tags: int = 200_000) -> Finding:
    needed = _Target(slug=slug, base_url=base_url)
    link: int | None = None
    partly: dict[str, Finding] = {}
    every_tag = tags(html)
    for tag in visible(islice(every_tag, max_tags)):
        if tag.name == "a":
            link = tag.begins if not tag.is_end and needed.is_link(tag) else None
            if link is not None:
                partly.setdefault("link_only", Finding(result="link_only", snippet=_snippet(html, link)))
        elif tag.name == "base":
            needed.move(tag)
        elif tag.name in {"img", "source"} and needed.is_image(tag):
            if link is not None:
                return Finding(result="found", snippet=_snippet(html, link))
            image = html[tag.begins : tag.ends][:SNIPPET]
            partly.setdefault("image_only", Finding(result="image_only", snippet=image))
    if next(every_tag, None):
        return Finding(result="too_large")
    return partly.get("link_only") or partly.get("image_only") or Finding(result="not_found")


def tags(html: str) -> Iterator[Tag]:
    """The tags of a page, without those in comments and in elements that hold text."""
    ends: int = 0
    while ends >= 0 and (markup := MARKUP.search(html, ends)):
        at = markup.start()
        if html.startswith("<!--", at):
            comment = COMMENT_ENDS.search(html, at + 2)
            ends = comment.end() if comment else -1
        elif not TAG_BEGINS.match(html, at):
            ends = html.find(">", at)
        elif match := TAG.match(html, at):
            tag = Tag(at, match.end(), match[2].lower(), bool(match[1]), match[3])
            yield tag
            ends = _text_ends(html, tag)
        else:
            ends = -1  # a tag without an end takes the rest of the page with it


def _text_ends(html: str, tag: Tag) -> int:
    """Where tags begin to count again after this one; -1: nowhere."""
    if tag.name not in TEXT_ENDS or tag.is_end:
        return tag.ends
    end = TEXT_ENDS[tag.name].search(html, tag.ends)
    return end.start() if end else -1


def visible(tags: Iterable[Tag]) -> Iterator[Tag]:
    """The tags that are not in a template or in an element that is hidden where it stands."""
    hidden, depth = "", 0
    for tag in tags:
        if hidden in NEVER_NESTED and tag.name == hidden and not tag.is_end:
            hidden = ""
        if hidden:
            if tag.name == hidden:
                depth += -1 if tag.is_end else 1
                hidden = hidden if depth else ""
        elif not tag.is_end and (tag.name == "template" or _is_hidden(tag)):
            if tag.name not in VOID:
                hidden, depth = tag.name, 1
        else:
            yield tag


def _is_hidden(tag: Tag) -> bool:
    if not MAY_HIDE.search(tag.written):
        return False
    attributes = tag.attributes
    style = "".join(attributes.get("style", "").lower().split())
    return "hidden" in attributes or bool(HIDING_STYLE.search(style))


def _snippet(html: str, link: int) -> str:
    part = html[link : link + SNIPPET]
    end = part.lower().find("</a>")
    return part if end < 0 else part[: end + len("</a>")]


class _Target:
    """The link and the image that make the badge of a listing, and what addresses in the page are relative to."""

    def __init__(self, *, slug: str, base_url: str) -> None:
        self._slug = slug
        self._base = base_url
        self._has_base = False
        self._link = self._place(badges.link_url(slug))
        self._images = {self._place(badges.image_url(slug, code)) for code in badges.CODES}

    def move(self, tag: Tag) -> None:
        """Take over what a `<base>` says; the first that has an address counts."""
        href = tag.attributes.get("href")
        if href is None or self._has_base:
            return
        self._has_base = True
        self._base = join_url(self._base, href) or self._base

    def is_link(self, tag: Tag) -> bool:
        href = tag.attributes.get("href", "")
        place = self._place(href)
        return place is not None and place._replace(path=place.path.rstrip("/")) == self._link

    def is_image(self, tag: Tag) -> bool:
        attributes = tag.attributes
        addresses = (
            part
            for name in SOURCES
            for part in (attributes.get(name, "").split() if "srcset" in name else [attributes.get(name, "")])
        )
        return any(self._place(address.strip(",")) in self._images for address in addresses if address)

    def _place(self, address: str) -> Place | None:
        if self._slug not in unquote(address):
            return None
        parts = split_url(join_url(self._base, address))
        if parts.scheme not in PORTS:
            return None
        host = (parts.hostname or "").rstrip(".").removeprefix("www.")
        port = None if parts.port == PORTS[parts.scheme] else parts.port
        return Place(host=host, port=port, path=unquote(parts.path))
