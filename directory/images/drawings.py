"""Rebuild a stranger's SVG from drawing elements and drawing attributes alone, without anything that leads elsewhere.

Its parsers take 5 MB of every process, and few are sent an SVG: they are imported where one is read.
"""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml import etree

SIDE = 192
SVG = "http://www.w3.org/2000/svg"
XLINK = "{http://www.w3.org/1999/xlink}href"
MAX_ELEMENTS, MAX_USES, MAX_DEPTH = 3000, 50, 40


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ELEMENTS = _words(
    "svg g defs symbol use title desc path rect circle ellipse line polyline polygon text tspan style clipPath mask "
    "linearGradient radialGradient stop"
)
ATTRIBUTES = _words(
    "id class d points x y x1 y1 x2 y2 cx cy r rx ry fx fy dx dy width height viewBox transform offset fill stroke "
    "color opacity fill-opacity stroke-opacity stop-color stop-opacity fill-rule clip-rule clip-path mask stroke-width "
    "stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray stroke-dashoffset gradientUnits "
    "gradientTransform spreadMethod clipPathUnits maskUnits maskContentUnits preserveAspectRatio font-size "
    "font-family font-weight text-anchor letter-spacing display visibility vector-effect paint-order style"
)
TEXTS = _words("text tspan title desc")
UNDRAWN = _words("svg title desc defs style")
_ELSEWHERE = re.compile(
    r"url\s*\(\s*(?!['\"]?#)|(?:image-set|src|image)\s*\(|//|[@\\<]|expression|javascript|data:",
    re.IGNORECASE,
)
MAX_STYLE = 50_000  # characters of all styles of a picture together
_LENGTH = re.compile(r"\s*(\d{1,5}(?:\.\d+)?)(?:px|pt)?\s*")


class PictureRefusedError(Exception):
    """A file that is no picture we show; says why."""


def rebuilt(body: bytes) -> bytes:
    """The picture as we serve it. Raises PictureRefusedError."""
    from lxml import etree  # noqa: PLC0415

    if b"<!ENTITY" in body.upper():
        raise PictureRefusedError("The SVG declares entities.")
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, dtd_validation=False, huge_tree=False,
        remove_comments=True, remove_pis=True,
    )  # fmt: skip
    try:
        root = etree.fromstring(body, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise PictureRefusedError("The file is no picture of a kind we show.") from error
    if root.tag not in {f"{{{SVG}}}svg", "svg"}:
        raise PictureRefusedError("The file is no picture of a kind we show.")
    _check_size(list(root.iter()))
    drawn = _copied(root, depth=0)
    if drawn is None or not any(_local(entry) not in UNDRAWN for entry in drawn.iter()):
        raise PictureRefusedError("The SVG draws nothing.")
    if "viewBox" not in drawn.attrib:
        width, height = (_LENGTH.fullmatch(root.get(side, "")) for side in ("width", "height"))
        if width is None or height is None:
            raise PictureRefusedError("The SVG does not say how large it is.")
        drawn.set("viewBox", f"0 0 {width[1]} {height[1]}")
    drawn.set("width", str(SIDE))
    drawn.set("height", str(SIDE))
    return bytes(etree.tostring(drawn, encoding="utf-8"))


def _check_size(elements: "list[etree._Element]") -> None:
    uses = sum(1 for element in elements if _local(element) == "use")
    if len(elements) > MAX_ELEMENTS or uses > MAX_USES:
        raise PictureRefusedError("The SVG has too many parts.")
    if sum(len(element.text or "") for element in elements if _local(element) == "style") > MAX_STYLE:
        raise PictureRefusedError("The styles of the SVG are too long.")


def _local(element: "etree._Element") -> str:
    from lxml import etree  # noqa: PLC0415

    if not isinstance(element.tag, str):
        return ""
    name = etree.QName(element)
    return name.localname if name.namespace in {SVG, None} else ""


def _copied(element: "etree._Element", *, depth: int) -> "etree._Element | None":
    from lxml import etree  # noqa: PLC0415

    name = _local(element)
    if name not in ELEMENTS or depth > MAX_DEPTH or (name == "use" and not _target(element)):
        return None
    copy = etree.Element(f"{{{SVG}}}{name}", nsmap={None: SVG})
    for key, value in element.attrib.items():
        if key in ATTRIBUTES and not _ELSEWHERE.search(value):
            copy.set(key, value)
    if name == "use":
        copy.set("href", _target(element))
    if name in TEXTS:
        copy.text, copy.tail = element.text, element.tail
    if name == "style":
        copy.text = _rules(element.text or "")
        return copy
    copy.extend(made for child in element if (made := _copied(child, depth=depth + 1)) is not None)
    return copy


def _target(element: "etree._Element") -> str:
    """What of this picture is drawn once more. Copies of copies would never end, and are none."""
    target = str(element.get("href") or element.get(XLINK) or "")
    return target if target.startswith("#") and not _repeats(element, target[1:]) else ""


def _repeats(element: "etree._Element", target: str) -> bool:
    """Whether what is copied holds copies itself: a few of those in one another would never end."""
    root = element.getroottree().getroot()
    return any(
        _local(inner) == "use"
        for result in root.iter()
        if isinstance(result.tag, str) and result.get("id") == target
        for inner in result.iter()
    )


def _rules(text: str) -> str:
    """The rules of a style sheet that set how shapes look, and nothing that leads elsewhere."""
    import tinycss2  # noqa: PLC0415

    try:
        rules = tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True)
        rules_left = [rule.serialize() for rule in rules if rule.type == "qualified-rule"]
    except RecursionError as error:
        raise PictureRefusedError("The styles of the SVG are too deep.") from error
    return "\n".join(rule for rule in rules_left if not _ELSEWHERE.search(rule))
