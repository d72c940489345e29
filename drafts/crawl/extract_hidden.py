"""Which elements a visitor does not see: by attribute, by inline style and by the page's own style rules."""

import re
from dataclasses import dataclass, field
from typing import Literal

Sight = Literal["seen", "folded", "hidden"]
"""`folded` text may open on a click (tabs, accordions); `hidden` text is meant for no visitor."""

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_RULE = re.compile(r"([^{}]{1,400})\{([^{}]{0,2000})\}")
_SIMPLE = re.compile(
    r"^(?:[a-z][a-z0-9]*)?(?P<name>[.#][A-Za-z_][\w-]*|\[(?:data-[\w-]+|"
    r"lang)(?:=[\"']?[\w-]+[\"']?)?\])$"
)
_GONE = re.compile(
    r"font-size:0(?:px|em|rem|%|pt)?(?:;|!|$)|font-size:0?\.\d+px|"
    r"(?:left|top|right|text-indent|margin-left|margin-top):-\d{4,}(?:\.\d+)?(?:px|em|rem|pt)?|"
    r"(?:left|right|text-indent):-\d{3,}(?:em|rem|vw|%)|"
    r"(?:^|;)color:transparent(?![^;]*background-clip)|clip:rect\(0(?:px)?[, ]0|clip-path:inset\((?:50|100)%"
)
_NO_DISPLAY = re.compile(r"(?:^|;)(?:display:none|visibility:hidden|content-visibility:hidden)")
_NO_OPACITY = re.compile(r"(?:^|;)opacity:0?(?:\.0+)?(?:;|!|$)")
_ANIMATED = re.compile(r"transform|transition|animation|will-change|translate")
_FLAT = re.compile(r"(?:^|;)(?:max-)?height:0(?:px)?(?:;|!|$)")
_TINY = re.compile(r"(?:^|;)(?:width:[01]px.*height:[01]px|height:[01]px.*width:[01]px)")
_COLOUR = re.compile(r"(?:^|;)color:([^;!]+)")
_GROUND = re.compile(r"(?:^|;)background(?:-color)?:([^;!]+)")
_NAMED = {"white": "#ffffff", "black": "#000000", "#fff": "#ffffff", "#000": "#000000"}
_RGB = re.compile(r"^rgba?\((\d+),(\d+),(\d+)(?:,[\d.]+)?\)$")
_STYLE_LIMIT = 300_000


def _fold(css: str) -> str:
    return re.sub(r"\s+", " ", css).replace(": ", ":").replace("; ", ";").replace(" ;", ";").strip().lower()


def _colour(value: str) -> str:
    value = value.strip().replace(", ", ",")
    found = _RGB.match(value)
    if found:
        return "#" + "".join(f"{min(int(part), 255):02x}" for part in found.groups())
    if re.fullmatch(r"#[0-9a-f]{3}", value):
        return "#" + "".join(c * 2 for c in value[1:])
    return _NAMED.get(value, value)


def _declared(pattern: re.Pattern[str], style: str) -> str:
    found = pattern.findall(style)
    return _colour(found[-1]) if found else ""


def _without_media(css: str) -> str:
    """Drop at-rules with a body: what they hide is hidden on some screens only."""
    out: list[str] = []
    depth, keep_from, at_depth = 0, 0, -1
    for found in re.finditer(
        r"@(?:media|supports|keyframes|-webkit-keyframes|print|container)[^{;]*\{|[{}]", css
    ):
        mark = found.group()
        if mark.startswith("@") and at_depth < 0:
            out.append(css[keep_from : found.start()])
            at_depth = depth
            depth += 1
        elif mark == "}":
            depth = max(0, depth - 1)
            if at_depth == depth:
                at_depth, keep_from = -1, found.end()
        else:
            depth += 1
    if at_depth < 0:
        out.append(css[keep_from:])
    return "".join(out)


@dataclass(slots=True)
class StyleRules:
    """What the page's own style rules say about single classes and ids."""

    gone: set[str] = field(default_factory=set)
    folded: set[str] = field(default_factory=set)
    colours: dict[str, str] = field(default_factory=dict)
    grounds: set[str] = field(default_factory=set)
    page_ground: str = "#ffffff"

    def read(self, css: str) -> None:
        """Take the rules of one style element."""
        css = _without_media(_COMMENT.sub("", css[:_STYLE_LIMIT]))
        for selectors, body in _RULE.findall(css):
            style = _fold(body)
            for selector in selectors.split(","):
                self._take(selector.strip(), style)

    def _take(self, selector: str, style: str) -> None:
        if selector in {"body", "html", ":root"}:
            ground = _declared(_GROUND, style)
            self.page_ground = ground or self.page_ground
            return
        found = _SIMPLE.match(selector)
        if not found:
            return
        name = re.sub("[\"']", "", found["name"])
        if _GONE.search(style) or _TINY.search(style):
            self.gone.add(name)
        elif _NO_DISPLAY.search(style) or _NO_OPACITY.search(style):
            self.folded.add(name)
        colour, ground = _declared(_COLOUR, style), _declared(_GROUND, style)
        if ground:
            self.grounds.add(name)
        if colour and (colour == ground or not ground):
            self.colours[name] = colour if not ground else "same"


def _invisible_ink(style: str, names: list[str], rules: StyleRules, *, on_ground: bool) -> bool:
    colour, ground = _declared(_COLOUR, style), _declared(_GROUND, style)
    if colour and colour == ground:
        return True
    if any(rules.colours.get(name) == "same" for name in names):
        return True
    if on_ground or ground or any(name in rules.grounds for name in names):
        return False
    colours = [colour] if colour else [rules.colours[name] for name in names if name in rules.colours]
    return bool(colours) and colours[-1] == rules.page_ground


def has_ground(style: str, names: list[str], rules: StyleRules) -> bool:
    """Whether an element paints a background of its own."""
    return (bool(style) and bool(_GROUND.search(_fold(style)))) or any(
        name in rules.grounds for name in names
    )


def sight_of(
    *, style: str, names: list[str], hidden_attribute: str | None, rules: StyleRules, on_ground: bool
) -> Sight:
    """How much of an element a visitor sees. `names` are its classes as `.a` and its id as `#b`."""
    folded_style = _fold(style) if style else ""
    gone = bool(folded_style) and bool(_GONE.search(folded_style) or _TINY.search(folded_style))
    if (
        gone
        or rules.gone.intersection(names)
        or _invisible_ink(folded_style, names, rules, on_ground=on_ground)
    ):
        return "hidden"
    by_attribute = hidden_attribute is not None and hidden_attribute != "until-found"
    return (
        "folded" if by_attribute or rules.folded.intersection(names) or _is_folded(folded_style) else "seen"
    )


def _is_folded(style: str) -> bool:
    if not style:
        return False
    if _NO_DISPLAY.search(style) or (_FLAT.search(style) and "overflow" in style):
        return True
    return bool(_NO_OPACITY.search(style)) and not _ANIMATED.search(style)
