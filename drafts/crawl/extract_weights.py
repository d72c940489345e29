"""How much of a page's text stands in each of its elements."""

import re
from collections import defaultdict

from bs4 import BeautifulSoup, NavigableString, Tag

_LEAST = 400
"""Of a page with less text no element is too large for its role."""
_INLINE = ("i", "span", "em", "b")
_LIGATURE = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
_FEW = 2
_SPOKEN = frozenset({"data-lang", "data-language", "data-i18n"})
_CODE = re.compile(r"lang-([a-z]{2}(?:-[A-Za-z]{2,4})?)")


def attribute(tag: Tag, name: str) -> str:
    """One attribute as a string, empty when it is missing."""
    value = tag.attrs.get(name)
    if isinstance(value, list):
        return " ".join(value)
    return value if isinstance(value, str) else ""


class Weights:
    """The characters inside each element, and which elements hold the main heading."""

    def __init__(self, soup: BeautifulSoup) -> None:
        self._sizes: dict[int, int] = {}
        self._tops: set[int] = set()
        for tag in reversed(soup.find_all(name=True)):
            size = 0
            for child in tag.contents:
                if isinstance(child, Tag):
                    size += self._sizes[id(child)]
                    if child.name == "h1" or id(child) in self._tops:
                        self._tops.add(id(tag))
                elif type(child) is NavigableString:
                    size += len(child.strip())
            self._sizes[id(tag)] = size
        self._all = sum(self._sizes[id(child)] for child in soup.contents if isinstance(child, Tag))

    def share(self, tag: Tag) -> float:
        """The part of the page's text that stands in an element; of a short page, none."""
        return self._sizes[id(tag)] / self._all if self._all >= _LEAST else 0.0

    def holds_top(self, tag: Tag) -> bool:
        """Whether the main heading of a page stands in an element."""
        return id(tag) in self._tops and self._all >= _LEAST


def translations_in(soup: BeautifulSoup) -> set[int]:
    """The elements in another language, on a page that marks its own as well: a script shows one of both."""
    root = soup.find("html")
    own = attribute(root, "lang").strip().lower() if isinstance(root, Tag) else ""
    codes = {id(tag): code for tag in soup.find_all(_says_language) if (code := _language_of(tag))}
    return {key for key, code in codes.items() if code not in {own, own[:2]} and own[:2] in codes.values()}


def _says_language(tag: Tag) -> bool:
    return tag.name != "html" and (not _SPOKEN.isdisjoint(tag.attrs) or "lang-" in attribute(tag, "class"))


def _language_of(tag: Tag) -> str:
    """The language that an attribute or a class of an element names, and nothing else."""
    marks = [f"lang-{attribute(tag, name)}" for name in _SPOKEN] + attribute(tag, "class").split()
    return next((match[1].lower() for mark in marks if (match := _CODE.fullmatch(mark))), "")


def icons_in(soup: BeautifulSoup) -> set[int]:
    """The elements whose word is drawn as a picture by an icon font: `expand_more`, and what shares its class."""
    words: dict[str, list[tuple[Tag, str]]] = defaultdict(list)
    values: set[int] = set()
    for tag in soup.find_all(_INLINE):
        word = (
            tag.contents[0].strip()
            if len(tag.contents) == 1 and type(tag.contents[0]) is NavigableString
            else ""
        )
        is_ligature = bool(_LIGATURE.fullmatch(word))
        if is_ligature and "_" in word:
            values.add(id(tag))
        for name in attribute(tag, "class").split():
            words[name].append((tag, word if is_ligature else ""))
    for name, uses in words.items():
        is_font = "material-" in name or any("_" in word for _, word in uses)
        if is_font and len(uses) >= _FEW and all(word for _, word in uses):
            values.update(id(tag) for tag, _ in uses)
    return values
