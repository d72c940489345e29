"""Which elements a visitor does not see: by attribute, by inline style and by the page's own style rules."""

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import soupsieve
import tinycss2
from bs4 import BeautifulSoup, Tag

from drafts.caching import cached
from drafts.crawl.extract_parts import Sight
from drafts.crawl.extract_weights import Weights, attribute

Declarations = dict[str, str]

_ANIMATED = ("transform", "transition", "animation", "will-change", "translate")
_OFFSETS = ("left", "top", "right", "text-indent", "margin-left", "margin-top")
_FAR = {"px": -1000, "pt": -1000, "em": -100, "rem": -100, "vw": -100, "%": -100}
_LENGTH = re.compile(r"^(-?\d*\.?\d+)(px|pt|em|rem|vw|%)?$")
_NAMED = {"white": "#ffffff", "black": "#000000"}
_RGB = re.compile(r"^rgba?\((\d+),(\d+),(\d+)(?:,[\d.]+)?\)$")
_NAME = re.compile(r"[.#][A-Za-z_][\w-]*|\[[^\]]*\]|^[a-z][a-z0-9]*")
_COMBINATOR = re.compile(r"\s*[\s>+~]\s*(?![^\[(]*[\])])")
_DIGITS = re.compile(r"(?<!\d)\d{400,}")
"""What Python refuses to read as a number."""
_STYLE_LIMIT, _RULES, _SELECTOR = 300_000, 3_000, 200
_MATCH_SECONDS = 0.2
"""Of the processor's time for the selectors of one page; what is not matched in it hides nothing."""
_MANY, _MOST = 3, 0.5


@dataclass(frozen=True, slots=True)
class _Rule:
    selector: str
    subject: tuple[str, ...]
    declared: Declarations


def _written(nodes: list[Any]) -> str:
    """Parts of a style as text; nothing for brackets in brackets without end."""
    try:
        result: str = tinycss2.serialize(nodes)
    except RecursionError:
        return ""
    return result


@cached(4096)
def _declarations(css: str) -> Declarations:
    return {
        result.lower_name: re.sub(r"\s+", "", _written(result.value)).lower()
        for result in tinycss2.parse_blocks_contents(
            _DIGITS.sub("0", css), skip_comments=True, skip_whitespace=True
        )
        if result.type == "declaration"
    }


@lru_cache(maxsize=8)
def _rules(css: str) -> tuple[_Rule, ...]:
    """The rules that hold on every screen; those of one page are mostly those of the next."""
    rows: list[_Rule] = []
    for rule in tinycss2.parse_stylesheet(_DIGITS.sub("0", css), skip_comments=True, skip_whitespace=True):
        if rule.type != "qualified-rule":
            continue
        declared = _declarations(_written(rule.content))
        for selector in map(str.strip, _written(rule.prelude).split(",")):
            last = _COMBINATOR.split(selector)[-1] if len(selector) <= _SELECTOR else ""
            if subject := tuple(_NAME.findall(last)):
                rows.append(_Rule(selector, subject, declared))
    return tuple(rows[:_RULES])


def _colour(value: str) -> str:
    value = value.removesuffix("!important")
    match = _RGB.match(value)
    if match:
        return "#" + "".join(f"{min(int(part), 255):02x}" for part in match.groups())
    if re.fullmatch(r"#[0-9a-f]{3}", value):
        return "#" + "".join(c * 2 for c in value[1:])
    return _NAMED.get(value, value)


def _ground(declared: Declarations) -> str:
    return _colour(declared.get("background-color") or declared.get("background") or "")


def _length(declared: Declarations, name: str) -> tuple[float, str] | None:
    match = _LENGTH.match(declared.get(name, "").removesuffix("!important"))
    return (float(match[1]), match[2] or "") if match else None


def _is_gone(declared: Declarations) -> bool:
    """Whether a style puts text where, or as small as, nobody reads it."""
    size = _length(declared, "font-size")
    if size and (size[0] == 0 or (size[1] == "px" and size[0] < 1)):
        return True
    for name in _OFFSETS:
        moved = _length(declared, name)
        if moved and moved[0] <= _FAR.get(moved[1], -1000):
            return True
    box = [_length(declared, name) for name in ("width", "height")]
    is_dot = all(side is not None and side[0] <= 1 and side[1] in {"px", ""} for side in box)
    is_clear = _colour(declared.get("color", "")) == "transparent"
    return (
        is_dot
        or (is_clear and not any("background-clip" in name for name in declared))
        or declared.get("clip", "").startswith(("rect(0", "rect(1px"))
        or declared.get("clip-path", "").startswith(("inset(50", "inset(100"))
    )


def _is_off(declared: Declarations) -> bool:
    stated = (declared.get(name, "") for name in ("display", "visibility", "content-visibility"))
    return any(value.startswith(("none", "hidden")) for value in stated)


def _strikes(declared: Declarations) -> bool:
    return any(
        declared.get(f"text-decoration{part}", "").startswith("line-through") for part in ("", "-line")
    )


def _is_clear(declared: Declarations) -> bool:
    opacity = _length(declared, "opacity")
    return opacity is not None and opacity[0] == 0


def _moves(declared: Declarations) -> bool:
    return any(name.removeprefix("-webkit-").startswith(_ANIMATED) for name in declared)


def _inline_sight(declared: Declarations) -> Sight:
    if _is_gone(declared):
        return "hidden"
    flat = any(
        _length(declared, name) == (0, unit) for name in ("height", "max-height") for unit in ("", "px")
    )
    if _is_off(declared) or (flat and any("overflow" in name for name in declared)):
        return "folded"
    return "folded" if _is_clear(declared) and not _moves(declared) else "seen"


@dataclass
class StyleRules:
    rules: list[_Rule] = field(default_factory=list)
    sights: dict[int, Sight] = field(default_factory=dict)
    ink: set[int] = field(default_factory=set)
    struck: set[int] = field(default_factory=set)
    grounds: set[str] = field(default_factory=set)
    page_ground: str = "#ffffff"

    def read(self, css: str) -> None:
        self.rules += _rules(css[:_STYLE_LIMIT])

    def match(self, soup: BeautifulSoup, weights: Weights) -> None:
        """Find the elements that the rules hide. A style that fades in much of a page hides nothing."""
        for rule in self.rules:
            if rule.selector in {"body", "html", ":root"}:
                self.page_ground = _ground(rule.declared) or self.page_ground
            elif _ground(rule.declared):
                self.grounds.update(rule.subject)
        named: dict[str, list[Tag]] = {}
        folded: set[str] = set()
        ends_at = time.thread_time() + _MATCH_SECONDS
        for rule in self.rules:
            sight, is_ink = self._effect(rule.declared)
            shows = "display" in rule.declared and not folded.isdisjoint(rule.subject)
            strikes = _strikes(rule.declared)
            if sight == "seen" and not (is_ink or shows or strikes):
                continue
            named = named or _named(soup)
            tags = list(_matching(rule, named, ends_at))
            self.struck.update(id(tag) for tag in tags if strikes)
            if sight == "folded":
                folded.update(rule.subject)
                if not _is_off(rule.declared) and self._is_reveal(rule, tags, weights):
                    continue
            self.ink.update(id(tag) for tag in tags if is_ink)
            self.sights.update((id(tag), sight) for tag in tags if self.sights.get(id(tag)) != "hidden")

    def _effect(self, declared: Declarations) -> tuple[Sight, bool]:
        sight: Sight = "seen"
        colour, ground = _colour(declared.get("color", "")), _ground(declared)
        if _is_gone(declared) or (colour and colour == ground):
            sight = "hidden"
        elif _is_off(declared) or _is_clear(declared):
            sight = "folded"
        return sight, bool(colour) and not ground and colour == self.page_ground

    def _is_reveal(self, rule: _Rule, tags: list[Tag], weights: Weights) -> bool:
        """Whether transparent text only waits for its turn: it moves in or is shown by another rule, on many blocks."""
        if len(tags) < _MANY and sum(map(weights.share, tags)) < _MOST:
            return False
        names = set(rule.subject)
        return (
            _moves(rule.declared)
            or any(r is not rule and names & set(r.subject) and "opacity" in r.declared for r in self.rules)
            or sum(map(weights.share, tags)) >= _MOST
        )

    def has_ground(self, tag: Tag) -> bool:
        style = attribute(tag, "style")
        return bool(style and _ground(_declarations(style))) or bool(
            self.grounds and self.grounds.intersection(names_of(tag))
        )

    def sight_of(self, tag: Tag, *, on_ground: bool) -> Sight:
        style, hidden = attribute(tag, "style"), tag.attrs.get("hidden")
        declared = _declarations(style) if style else {}
        inline = _inline_sight(declared)
        by_rule = self.sights.get(id(tag), "seen")
        colour = _colour(declared.get("color", ""))
        is_ink = bool(colour) and colour == (_ground(declared) or self.page_ground)
        painted = on_ground or self.has_ground(tag)
        is_same = bool(colour) and colour == _ground(declared)
        if "hidden" in {inline, by_rule} or is_same or ((is_ink or id(tag) in self.ink) and not painted):
            return "hidden"
        by_attribute = hidden is not None and str(hidden) != "until-found"
        return "folded" if by_attribute or "folded" in {inline, by_rule} else "seen"

    def strikes(self, tag: Tag) -> bool:
        """Whether a style draws a line through a text, as through a former price."""
        style = attribute(tag, "style")
        return id(tag) in self.struck or bool(style and _strikes(_declarations(style)))

    def folds(self, tag: Tag) -> bool:
        """Whether a rule folds an element, which a script may open."""
        return self.sights.get(id(tag)) == "folded"


def names_of(tag: Tag) -> Iterator[str]:
    """The simple selectors by which a style rule may mean one element."""
    yield tag.name
    for name in attribute(tag, "class").split():
        yield "." + name
    for key, value in tag.attrs.items():
        if key == "id":
            yield f"#{value}"
        elif key not in {"class", "style"}:
            yield f"[{key}]"


def _named(soup: BeautifulSoup) -> dict[str, list[Tag]]:
    result: dict[str, list[Tag]] = {}
    for tag in soup.find_all(name=True):
        for name in names_of(tag):
            result.setdefault(name, []).append(tag)
    return result


def _matching(rule: _Rule, existing: dict[str, list[Tag]], ends_at: float) -> Iterator[Tag]:
    """The elements that a selector means, as far as the time goes."""
    name = max(rule.subject, key=lambda each: (each[0] in ".#", each[0] == "["))
    candidates = existing.get(re.sub(r"[~|^$*]?=.*\]$", "]", name), [])
    if rule.selector == name and "=" not in name:
        yield from candidates
        return
    try:
        selector = soupsieve.compile(rule.selector)
    except (soupsieve.SelectorSyntaxError, NotImplementedError):
        return
    for tag in candidates:
        if time.thread_time() > ends_at:
            return
        if selector.match(tag):
            yield tag
