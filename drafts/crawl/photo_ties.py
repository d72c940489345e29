"""Pictures that the markup of a page ties to a person: a stated one, a caption, the words of an image. Pure."""

import re
from collections.abc import Collection, Iterable, Iterator
from html import unescape
from typing import Any

from lxml import etree, html
from lxml.html import HtmlElement

from core.fetch import InvalidUrlError, canonical_url, join_url
from core.normal_forms import normalize
from drafts.crawl.extract_structured import all_of, first_text, load_json_ld, nodes_in

Person = tuple[str, str]  # name and title
Tie = tuple[str, str, str]  # name, address of the picture, address of its page
_APART = re.compile(r"[\s,|:;/·•()-]+")
_WIDTHS = re.compile(r",\s+")


def photos_in(pages: Iterable[tuple[str, str]], *, people: Collection[Person]) -> list[Tie]:
    """One picture for a person at most, what is stated first; none that stands for two people."""
    spoken = {_words(text): name for name, title in people for text in _spoken(name, title)}
    seen: dict[str, tuple[str, str]] = {}
    for url, body in pages:
        text = _folded(unescape(body))
        if any(_folded(name) in text for name, _ in people):
            for words, picture in _tied(body):
                name = spoken.get(_words(words))
                if name and (address := _address(picture, page=url)):
                    seen.setdefault(name, (address, url))
    used = [address for address, _ in seen.values()]
    return [(name, *places) for name, places in seen.items() if used.count(places[0]) == 1]


def _spoken(name: str, title: str) -> Iterator[str]:
    """How a picture is said to be of a person: by the name, or by name and title."""
    yield name
    if title:
        yield f"{name} {title}"


def _folded(text: str) -> str:
    return normalize("NFKC", text).casefold()


def _words(text: str) -> str:
    return _APART.sub(" ", _folded(text)).strip()


def _tied(body: str) -> Iterator[tuple[str, str]]:
    """Words and the picture that markup ties to them."""
    parser = html.HTMLParser(encoding="utf-8", no_network=True)
    try:
        page = html.document_fromstring(body.encode("utf-8", errors="replace"), parser=parser)
    except etree.ParserError:
        return
    base = next((element.get("href", "") for element in page.iter("base")), "")
    for words, picture in (*_stated(page), *_captioned(page), *_described(page)):
        yield words, join_url(base, picture) if base.startswith("http") else picture


def _stated(page: HtmlElement) -> Iterator[tuple[str, str]]:
    for script in page.iter("script"):
        if script.get("type", "").strip().lower() == "application/ld+json":
            for node in nodes_in(load_json_ld(script.text or "")):
                if "Person" in node.types:
                    yield first_text(node.data.get("name")), _picture(node.data.get("image"))


def _picture(value: Any) -> str:
    """The address in schema.org's `image`: a text, an ImageObject, or a list of these."""
    first = next(iter(all_of(value)), "")
    if isinstance(first, dict):
        first = first.get("contentUrl") or first.get("url") or ""
    return first if isinstance(first, str) else ""


def _captioned(page: HtmlElement) -> Iterator[tuple[str, str]]:
    """Each part belongs to the figure right around it, so that figures within figures are read once."""
    figures: dict[HtmlElement, dict[str, list[HtmlElement]]] = {}
    for part in page.iter("img", "figcaption"):
        if (figure := next(part.iterancestors("figure"), None)) is not None:
            figures.setdefault(figure, {"img": [], "figcaption": []})[part.tag].append(part)
    for parts in figures.values():
        if len(parts["img"]) == len(parts["figcaption"]) == 1:
            yield " ".join(parts["figcaption"][0].itertext()), _source(parts["img"][0])


def _described(page: HtmlElement) -> Iterator[tuple[str, str]]:
    for image in page.iter("img"):
        if image.get("alt"):
            yield image.get("alt", ""), _source(image)


def _source(image: HtmlElement) -> str:
    """Where an image is fetched from, also where a script puts it in as one scrolls."""
    widths = _WIDTHS.split(image.get("srcset") or image.get("data-srcset") or "")
    named = (image.get("src"), image.get("data-src"), widths[-1].strip().partition(" ")[0])
    return next((source for source in named if source and not source.startswith("data:")), "")


def _address(picture: str, *, page: str) -> str:
    try:
        return canonical_url(join_url(page, picture)) if picture else ""
    except InvalidUrlError:
        return ""
