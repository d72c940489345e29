"""Turn a stranger's picture into one that is safe to serve: redrawn when it is pixels, rebuilt when it is SVG. Pure.

Of a file nothing is kept but what was understood: pixels are written anew, and of an SVG only drawing elements and
drawing attributes, without anything that names another place, runs, or is repeated without end.
"""

import hashlib
import re
import warnings
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING

import tinycss2
from lxml import etree

if TYPE_CHECKING:  # the rest imports it where pixels are: 3 MB in each process, most of which see none
    from PIL import Image

FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "ICO", "BMP")
MAX_BYTES = 1024 * 1024
MAX_SIDE, MAX_PIXELS, LEAST_SIDE = 8000, 24_000_000, 8
SIDE, MARGIN = 192, 10
SCREEN_BYTES, SCREEN_PIXELS, SCREEN_SIDES, LEAST_SCREEN = 4 * 1024 * 1024, 12_000_000, (1600, 1200), 200
LIGHT, DARK = (255, 255, 255), (27, 27, 24)
PALE = 200  # mean brightness from which a transparent picture is meant for a dark ground
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
_ELSEWHERE = re.compile(r"url\s*\(\s*(?!['\"]?#)|[@\\<]|expression|javascript|data:", re.IGNORECASE)
_LENGTH = re.compile(r"\s*(\d{1,5}(?:\.\d+)?)(?:px|pt)?\s*")


class PictureRefusedError(Exception):
    """A file that is no picture we show; says why."""


@dataclass(frozen=True, kw_only=True)
class Picture:
    """A picture of ours, named by what is in it."""

    content: bytes
    suffix: str

    @property
    def name(self) -> str:
        """Its name in the storage: the same picture has the same."""
        return f"logos/{hashlib.sha256(self.content).hexdigest()[:32]}.{self.suffix}"


def picture_of(body: bytes) -> Picture:
    """The picture in these bytes, whatever they were called. Raises PictureRefusedError."""
    if len(body) > MAX_BYTES:
        raise PictureRefusedError(f"The file has more than {MAX_BYTES // 1024} KB.")
    head = body[:1024].lstrip(b"\xef\xbb\xbf \t\r\n")
    if head.startswith(b"<"):
        return Picture(content=_rebuilt(body), suffix="svg")
    return Picture(content=_redrawn(body), suffix="webp")


@dataclass(frozen=True, kw_only=True)
class Screen:
    """A picture of a product in use, drawn anew, no larger than pages show it."""

    content: bytes
    width: int
    height: int


def screen_of(body: bytes) -> Screen:
    """The picture in these bytes, as it is shown on a listing. Raises PictureRefusedError."""
    if len(body) > SCREEN_BYTES:
        raise PictureRefusedError(f"The file has more than {SCREEN_BYTES // 1024 // 1024} MB.")
    from PIL import Image  # noqa: PLC0415

    pixels = _pixels(body, sides=SCREEN_SIDES, most=SCREEN_PIXELS)
    if min(pixels.size) < LEAST_SCREEN:
        raise PictureRefusedError(f"The picture has fewer than {LEAST_SCREEN} pixels on one side.")
    pixels.thumbnail(SCREEN_SIDES, Image.Resampling.LANCZOS)
    ground = Image.new("RGB", pixels.size, LIGHT)
    ground.paste(pixels, mask=pixels)
    written = BytesIO()
    ground.save(written, "WEBP", quality=82, method=4)
    return Screen(content=written.getvalue(), width=ground.width, height=ground.height)


def _redrawn(body: bytes) -> bytes:
    written = BytesIO()
    _squared(_pixels(body, sides=(SIDE * 2, SIDE * 2), most=MAX_PIXELS)).save(
        written, "WEBP", quality=86, method=4
    )
    return written.getvalue()


def _pixels(body: bytes, *, sides: tuple[int, int], most: int) -> "Image.Image":
    """What is drawn in these bytes, and nothing else of them; decoded no larger than about these sides if it can be."""
    from PIL import Image, ImageOps, UnidentifiedImageError  # noqa: PLC0415

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(BytesIO(body), formats=FORMATS) as opened:
                _check_size(opened.size, most=most)
                opened.draft("RGB", sides)
                return ImageOps.exif_transpose(opened).convert("RGBA")
    except PictureRefusedError:
        raise
    except (UnidentifiedImageError, Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise PictureRefusedError("The file is no picture of a kind we show.") from error
    except (OSError, ValueError, SyntaxError, EOFError, MemoryError, IndexError) as error:
        raise PictureRefusedError("The picture is broken.") from error


def _check_size(size: tuple[int, int], *, most: int) -> None:
    width, height = size
    if max(size) > MAX_SIDE or width * height > most:
        raise PictureRefusedError(f"The picture has {width} by {height} pixels, which is too many.")
    if min(size) < LEAST_SIDE:
        raise PictureRefusedError("The picture is too small to be seen.")


def _squared(pixels: "Image.Image") -> "Image.Image":
    """In the middle of a square: a transparent picture on the ground that it can be seen on, with some air."""
    from PIL import Image, ImageOps  # noqa: PLC0415

    clear = min(pixels.getchannel("A").tobytes()) < 255
    side = SIDE - 2 * MARGIN if clear else SIDE
    pixels = ImageOps.contain(pixels, (side, side), Image.Resampling.LANCZOS)
    ground = Image.new("RGB", (SIDE, SIDE), _ground_of(pixels))
    ground.paste(pixels, ((SIDE - pixels.width) // 2, (SIDE - pixels.height) // 2), pixels)
    return ground


def _ground_of(pixels: "Image.Image") -> tuple[int, int, int]:
    shown = pixels.getchannel("A")
    grey = pixels.convert("L")
    seen = [value for value, alpha in zip(grey.tobytes(), shown.tobytes(), strict=True) if alpha > 127]
    return DARK if seen and len(seen) < len(grey.tobytes()) and sum(seen) / len(seen) > PALE else LIGHT


def _rebuilt(body: bytes) -> bytes:
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
    elements = list(root.iter())
    uses = sum(1 for element in elements if _local(element) == "use")
    if len(elements) > MAX_ELEMENTS or uses > MAX_USES:
        raise PictureRefusedError("The SVG has too many parts.")
    drawn = _copied(root, depth=0)
    if drawn is None or not any(_local(one) not in UNDRAWN for one in drawn.iter()):
        raise PictureRefusedError("The SVG draws nothing.")
    if "viewBox" not in drawn.attrib:
        width, height = (_LENGTH.fullmatch(root.get(side, "")) for side in ("width", "height"))
        if width is None or height is None:
            raise PictureRefusedError("The SVG does not say how large it is.")
        drawn.set("viewBox", f"0 0 {width[1]} {height[1]}")
    drawn.set("width", str(SIDE))
    drawn.set("height", str(SIDE))
    return bytes(etree.tostring(drawn, encoding="utf-8"))


def _local(element: etree._Element) -> str:
    if not isinstance(element.tag, str):
        return ""
    name = etree.QName(element)
    return name.localname if name.namespace in {SVG, None} else ""


def _copied(element: etree._Element, *, depth: int) -> etree._Element | None:
    """An element and what is in it, as far as it draws."""
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


def _target(element: etree._Element) -> str:
    """What of this picture is drawn once more. Copies of copies would never end, and are none."""
    target = str(element.get("href") or element.get(XLINK) or "")
    return target if target.startswith("#") and not _repeats(element, target[1:]) else ""


def _repeats(element: etree._Element, target: str) -> bool:
    """Whether what is copied holds copies itself: a few of those in one another would never end."""
    root = element.getroottree().getroot()
    return any(
        _local(inner) == "use"
        for found in root.iter()
        if isinstance(found.tag, str) and found.get("id") == target
        for inner in found.iter()
    )


def _rules(text: str) -> str:
    """The rules of a style sheet that set how shapes look, and nothing that leads elsewhere."""
    rules = tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True)
    kept = [rule.serialize() for rule in rules if rule.type == "qualified-rule"]
    return "\n".join(rule for rule in kept if not _ELSEWHERE.search(rule))
