"""Turn a stranger's picture into one that is safe to serve: redrawn when it is pixels, rebuilt when it is SVG. Pure.

Of a file nothing is kept but what was understood: pixels are written anew, and of an SVG only drawing elements and
drawing attributes, without anything that names another place, runs, or is repeated without end.
"""

import hashlib
import json
import resource
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Any

from directory.images.drawings import SIDE, PictureRefusedError, rebuilt

if TYPE_CHECKING:  # the rest imports it where pixels are: 3 MB in each process, most of which see none
    from PIL import Image

FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "ICO", "BMP")
MAX_BYTES = 1024 * 1024
MAX_SIDE, MAX_PIXELS, LEAST_SIDE = 8000, 8_000_000, 8
PROCESS_SECONDS, PROCESS_BYTES = 15, 512 * 1024 * 1024
MARGIN = 10
SCREEN_BYTES, SCREEN_SIDES, LEAST_SCREEN = 4 * 1024 * 1024, (1600, 1200), 200
SIZED = ("avif", "webp")  # formats that each width is written in, the smaller first
WIDTHS = (640, 1280)  # that pages ask for, beside the whole width
PHOTO_SIDE, FACE = 320, (0.5, 0.4)  # a face is a little above the middle of most photos
FEW_COLOURS = 256  # up to here a PNG may be smaller than a JPEG, and is sharper
LIGHT, DARK = (255, 255, 255), (27, 27, 24)
PALE = 200  # mean brightness from which a transparent picture is meant for a dark ground


@dataclass(frozen=True, kw_only=True)
class Effort:
    avif_speed: int
    webp_method: int


WELL, QUICKLY = Effort(avif_speed=8, webp_method=4), Effort(avif_speed=10, webp_method=1)


@dataclass(frozen=True, kw_only=True)
class Picture:
    content: bytes
    suffix: str

    @property
    def name(self) -> str:
        """Its name in the storage: the same picture has the same."""
        return f"logos/{hashlib.sha256(self.content).hexdigest()[:32]}.{self.suffix}"


@dataclass(frozen=True, kw_only=True)
class Made:
    """What was made of a picture: files by the end of their names, the first for whatever knows no other format."""

    files: dict[str, bytes]
    width: int
    height: int
    sizes: tuple[int, ...] = ()


def picture_of(body: bytes, *, most: int = MAX_BYTES) -> Picture:
    """The logo in these bytes, whatever they were called. Raises PictureRefusedError."""
    head = body[:1024].lstrip(b"\xef\xbb\xbf \t\r\n")
    if len(body) > (MAX_BYTES if head.startswith(b"<") else most):
        raise PictureRefusedError(f"The file has more than {MAX_BYTES // 1024} KB.")
    if head.startswith(b"<"):
        return Picture(content=rebuilt(body), suffix="svg")
    return Picture(content=_redrawn(body), suffix="webp")


@dataclass(frozen=True, kw_only=True)
class Screen:
    """A picture of a product in use, drawn anew, no larger than pages show it."""

    content: bytes
    width: int
    height: int


def screen_of(body: bytes) -> Screen:
    """The picture in these bytes, as it is shown on a listing. Raises PictureRefusedError."""
    ground = _on_light(body)
    return Screen(
        content=_written(ground, "WEBP", quality=82, method=4), width=ground.width, height=ground.height
    )


def gallery_of(body: bytes, *, effort: Effort = WELL) -> Made:
    """The picture in these bytes in the sizes and formats of pages. Raises PictureRefusedError."""
    from PIL import Image  # noqa: PLC0415

    whole = _on_light(body)
    end, content = _for_all(whole)
    files = {end: content}
    sizes = (*(width for width in WIDTHS if width < whole.width), whole.width)
    for width in sizes:
        height = max(1, round(whole.height * width / whole.width))
        part = whole if width == whole.width else whole.resize((width, height), Image.Resampling.LANCZOS)
        files[f"-{width}.avif"] = _written(part, "AVIF", quality=62, speed=effort.avif_speed, max_threads=1)
        files[f"-{width}.webp"] = _written(part, "WEBP", quality=80, method=effort.webp_method)
    return Made(files=files, width=whole.width, height=whole.height, sizes=sizes)


def _for_all(whole: "Image.Image") -> tuple[str, bytes]:
    """The picture as everything shows it: what has few colours as PNG, unless JPEG is smaller."""
    jpeg = _written(whole, "JPEG", quality=84, optimize=True, progressive=True)
    if whole.getcolors(FEW_COLOURS) is None:
        return ".jpg", jpeg
    png = _written(whole, "PNG", optimize=True)
    return (".png", png) if len(png) < len(jpeg) else (".jpg", jpeg)


def logo_of(body: bytes) -> Made:
    """The logo in these bytes. Raises PictureRefusedError."""
    picture = picture_of(body, most=SCREEN_BYTES)
    return Made(files={f".{picture.suffix}": picture.content}, width=SIDE, height=SIDE)


def photo_of(body: bytes) -> Made:
    """The photo in these bytes, cut to a square. Raises PictureRefusedError."""
    from PIL import Image, ImageOps  # noqa: PLC0415

    pixels = _pixels(body, sides=(PHOTO_SIDE * 2, PHOTO_SIDE * 2))
    cut = ImageOps.fit(pixels, (PHOTO_SIDE, PHOTO_SIDE), Image.Resampling.LANCZOS, centering=FACE)
    ground = Image.new("RGB", cut.size, LIGHT)
    ground.paste(cut, mask=cut)
    files = {".webp": _written(ground, "WEBP", quality=84, method=4)}
    return Made(files=files, width=PHOTO_SIDE, height=PHOTO_SIDE)


def _on_light(body: bytes) -> "Image.Image":
    """The picture of a product in use, no larger than pages show it."""
    if len(body) > SCREEN_BYTES:
        raise PictureRefusedError(f"The file has more than {SCREEN_BYTES // 1024 // 1024} MB.")
    from PIL import Image  # noqa: PLC0415

    pixels = _pixels(body, sides=SCREEN_SIDES)
    if min(pixels.size) < LEAST_SCREEN:
        raise PictureRefusedError(f"The picture has fewer than {LEAST_SCREEN} pixels on one side.")
    pixels.thumbnail(SCREEN_SIDES, Image.Resampling.LANCZOS)
    ground = Image.new("RGB", pixels.size, LIGHT)
    ground.paste(pixels, mask=pixels)
    return ground


def _written(image: "Image.Image", kind: str, **options: Any) -> bytes:
    written = BytesIO()
    image.save(written, kind, **options)
    return written.getvalue()


def _redrawn(body: bytes) -> bytes:
    return _written(_squared(_pixels(body, sides=(SIDE * 2, SIDE * 2))), "WEBP", quality=86, method=4)


def _pixels(body: bytes, *, sides: tuple[int, int]) -> "Image.Image":
    """What is drawn in these bytes, and nothing else of them; decoded no larger than about these sides if it can be."""
    from PIL import Image, ImageOps, UnidentifiedImageError  # noqa: PLC0415

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(BytesIO(body), formats=FORMATS) as opened:
                check_size(opened.size)
                opened.draft("RGB", sides)
                ImageOps.exif_transpose(opened, in_place=True)
                return opened.convert("RGBA")
    except PictureRefusedError:
        raise
    except (UnidentifiedImageError, Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise PictureRefusedError("The file is no picture of a kind we show.") from error
    except (OSError, ValueError, SyntaxError, EOFError, MemoryError, IndexError) as error:
        raise PictureRefusedError("The picture is broken.") from error


def check_size(size: tuple[int, int]) -> None:
    """Raise PictureRefusedError for more pixels than are decoded, and for a picture that nobody sees."""
    width, height = size
    if max(size) > MAX_SIDE or width * height > MAX_PIXELS:
        most = f"at most {MAX_PIXELS // 1_000_000} megapixels"
        raise PictureRefusedError(f"The picture has {width} by {height} pixels, which is too many: {most}.")
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
    alphas = pixels.getchannel("A")
    grey = pixels.convert("L")
    seen = [value for value, alpha in zip(grey.tobytes(), alphas.tobytes(), strict=True) if alpha > 127]
    return DARK if seen and len(seen) < len(grey.tobytes()) and sum(seen) / len(seen) > PALE else LIGHT


def _screen(body: bytes) -> Made:
    screen = screen_of(body)
    return Made(files={".webp": screen.content}, width=screen.width, height=screen.height)


def draft_of(body: bytes) -> Made:
    """The picture in these bytes, good enough to be made into all sizes later. Raises PictureRefusedError."""
    ground = _on_light(body)
    files = {".webp": _written(ground, "WEBP", quality=92, method=4)}
    return Made(files=files, width=ground.width, height=ground.height)


MAKERS: dict[str, Callable[[bytes], Made]] = {
    "screen": _screen,
    "gallery": gallery_of,
    "draft": draft_of,
    "logo": logo_of,
    "photo": photo_of,
}


def main(kind: str) -> None:
    """A process that draws one picture: from standard input to one line of facts and the files it tells of."""
    resource.setrlimit(resource.RLIMIT_CPU, (PROCESS_SECONDS, PROCESS_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (PROCESS_BYTES, PROCESS_BYTES))
    try:
        made = MAKERS[kind](sys.stdin.buffer.read())
    except PictureRefusedError as error:
        sys.stdout.buffer.write(json.dumps({"refused": str(error)}).encode() + b"\n")
        return
    lengths = {end: len(content) for end, content in made.files.items()}
    facts = {"files": lengths, "width": made.width, "height": made.height, "sizes": made.sizes}
    sys.stdout.buffer.write(b"".join([json.dumps(facts).encode(), b"\n", *made.files.values()]))


if __name__ == "__main__":
    main(sys.argv[1])
