"""Reads from a page what the crawler needs: links, wishes towards robots, and whether it holds text."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from lxml import etree, html
from lxml.html import HtmlElement

MAX_TAGS = 60_000
MAX_DEPTH = 250
MAX_ATTRIBUTES = 256
PIECE = 64 * 1024
MAX_REFRESH_SECONDS = 10.0
SHELL_CHARACTERS = 200
BARE_SHELL_CHARACTERS = 60
DESCRIBED_CHARACTERS = 40

Place = Literal["nav", "footer", "main"]

_UNREAD = ("script", "style", "noscript", "template", "svg", "title")
_ROOTS = ("root", "app", "__next", "__nuxt", "main-app", "___gatsby", "svelte", "app-root")
_DESCRIBING = frozenset({"description", "og:description"})
_REFRESH = re.compile(r"\s*(\d+(?:\.\d*)?|\.\d+)\s*(?:[;,]\s*(?:url\s*=)?\s*[\"']?([^\"']*))?", re.IGNORECASE)
_REGIONS: dict[str, Place] = {"nav": "nav", "header": "nav", "menu": "nav", "footer": "footer"}


@dataclass(frozen=True, kw_only=True)
class Link:
    """One anchor as written; `is_open` is false when it says nofollow."""

    href: str
    text: str
    place: Place
    is_open: bool = True


@dataclass(frozen=True, kw_only=True)
class Markup:
    title: str = ""
    lang: str = ""
    base: str = ""
    canonical: str = ""
    refresh: str = ""
    robots: frozenset[str] = frozenset()
    links: tuple[Link, ...] = field(default=())
    is_shell: bool = False
    is_described: bool = False


class TooMuchMarkupError(Exception):
    """The page would cost a parser more than any real page does."""


class _Counter:
    """Follows the parser without building a tree."""

    def __init__(self, most: int) -> None:
        self.tags = 0
        self._most = most
        self._depth = 0

    def start(self, _tag: str, attributes: Mapping[str, str]) -> None:
        """Raises as soon as a bound is passed, so that a bomb costs no more than the bound."""
        self.tags += 1
        self._depth += 1
        if self.tags > self._most or self._depth > MAX_DEPTH or len(attributes) > MAX_ATTRIBUTES:
            raise TooMuchMarkupError

    def end(self, _tag: str) -> None:
        self._depth -= 1

    def close(self) -> None:
        """Nothing to hand over."""


def count_tags(text: str, *, most: int) -> int:
    """How many elements a parser would make of the page. Raises TooMuchMarkupError past the bounds.

    A parser does the counting, because tags inside scripts and comments are none and only a parser can tell.
    """
    counter = _Counter(most)
    parser = etree.HTMLParser(target=counter, encoding="utf-8")
    body = text.encode("utf-8", errors="replace")
    try:
        for start in range(0, len(body), PIECE):
            parser.feed(body[start : start + PIECE])
        parser.close()
    except etree.LxmlError:
        # An empty or hopeless page; what was counted is what there is.
        pass
    return counter.tags


def read_markup(text: str, *, max_links: int) -> Markup:
    """The page's own words to a crawler. Its tags must have been counted before."""
    try:
        parser = html.HTMLParser(encoding="utf-8", no_network=True)
        page = html.document_fromstring(text.encode("utf-8", errors="replace"), parser=parser)
    except etree.ParserError:
        return Markup(is_shell=True)
    # What stands behind </html> becomes a second root, which is as visible as the first.
    page.extend(list(page.itersiblings("html")))
    title = " ".join((page.findtext(".//title") or "").split())
    base = next((element.get("href", "") for element in page.iter("base")), "")
    links = tuple(_links(page, max_links))
    refresh, robots = _metas(page)
    has_hint = any(
        "javascript" in (element.text_content() or "").lower() for element in page.iter("noscript")
    )
    has_scripts = next(page.iter("script"), None) is not None
    is_described = _is_described(page)
    etree.strip_elements(page, *_UNREAD, with_tail=False)
    characters = len(" ".join(page.text_content().split()))
    has_hint = has_hint or any(_is_empty_root(page, name) for name in _ROOTS)
    few = SHELL_CHARACTERS if has_hint else BARE_SHELL_CHARACTERS
    return Markup(
        title=title,
        lang=(page.get("lang") or "").strip(),
        base=base,
        canonical=_canonical(page),
        refresh=refresh,
        robots=robots,
        links=links,
        is_shell=characters < few and (has_scripts or characters == 0),
        is_described=is_described,
    )


def _is_described(page: HtmlElement) -> bool:
    """Whether a page says in its markup what it is about: that is something to quote even without text."""
    stated = (
        e.get("content") or ""
        for e in page.iter("meta")
        if (e.get("name") or e.get("property")) in _DESCRIBING
    )
    return any(len(text.strip()) >= DESCRIBED_CHARACTERS for text in stated)


def _links(page: HtmlElement, most: int) -> Iterator[Link]:
    inside: list[Place] = []
    result = 0
    for event, element in etree.iterwalk(page, events=("start", "end"), tag=("a", "area", *_REGIONS)):
        region = _REGIONS.get(element.tag)
        if region is not None:
            if event == "start":
                inside.append(region)
            else:
                inside.pop()
        elif event == "start" and result < most and element.get("href"):
            result += 1
            words = element.text_content() or element.get("aria-label") or element.get("title") or ""
            yield Link(
                href=element.get("href").strip(),
                text=" ".join(words[:400].split()),
                place=inside[-1] if inside else "main",
                is_open="nofollow" not in (element.get("rel") or "").lower().split(),
            )


def _metas(page: HtmlElement) -> tuple[str, frozenset[str]]:
    """The target of a quick refresh, and the directives of the robots meta tags."""
    refresh, robots = "", set[str]()
    for element in page.iter("meta"):
        content = element.get("content") or ""
        if (element.get("name") or "").strip().lower() == "robots":
            robots |= {word.strip().lower() for word in content.split(",")}
        if (element.get("http-equiv") or "").strip().lower() != "refresh" or refresh:
            continue
        match = _REFRESH.match(content)
        if (
            match
            and match[2]
            and float(match[1]) <= MAX_REFRESH_SECONDS
            and next(element.iterancestors("noscript"), None) is None
        ):
            refresh = match[2].strip()
    return refresh, frozenset(robots - {""})


def _canonical(page: HtmlElement) -> str:
    for tag, key, name, value in (
        ("link", "rel", "canonical", "href"),
        ("meta", "property", "og:url", "content"),
    ):
        for element in page.iter(tag):
            if (element.get(key) or "").strip().lower() == name:
                return (element.get(value) or "").strip()
    return ""


def _is_empty_root(page: HtmlElement, name: str) -> bool:
    result = page.xpath(
        "(.//*[@id=$name])[1]", name=name
    )  # `find` makes an object of each element, eight times
    return bool(result) and not (result[0].text_content() or "").strip()
