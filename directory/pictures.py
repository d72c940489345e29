"""Turn a stranger's picture into one that is safe to serve: redrawn when it is pixels, rebuilt when it is SVG. Pure.

Of a file nothing is kept but what was understood: pixels are written anew, and of an SVG only drawing elements and
drawing attributes, without anything that names another place, runs, or is repeated without end.
"""

import hashlib
import json
import resource
import sys
import warnings
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING

from directory.drawings import SIDE, PictureRefusedError, rebuilt

if TYPE_CHECKING:  # the rest imports it where pixels are: 3 MB in each process, most of which see none
    from PIL import Image

FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "ICO", "BMP")
MAX_BYTES = 1024 * 1024
MAX_SIDE, MAX_PIXELS, LEAST_SIDE = 8000, 8_000_000, 8
PROCESS_SECONDS, PROCESS_BYTES = 15, 512 * 1024 * 1024
MARGIN = 10
SCREEN_BYTES, SCREEN_SIDES, LEAST_SCREEN = 4 * 1024 * 1024, (1600, 1200), 200
LIGHT, DARK = (255, 255, 255), (27, 27, 24)
PALE = 200  # mean brightness from which a transparent picture is meant for a dark ground


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
    if len(body) > SCREEN_BYTES:
        raise PictureRefusedError(f"The file has more than {SCREEN_BYTES // 1024 // 1024} MB.")
    from PIL import Image  # noqa: PLC0415

    pixels = _pixels(body, sides=SCREEN_SIDES)
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
    _squared(_pixels(body, sides=(SIDE * 2, SIDE * 2))).save(written, "WEBP", quality=86, method=4)
    return written.getvalue()


def _pixels(body: bytes, *, sides: tuple[int, int]) -> "Image.Image":
    """What is drawn in these bytes, and nothing else of them; decoded no larger than about these sides if it can be."""
    from PIL import Image, ImageOps, UnidentifiedImageError  # noqa: PLC0415

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(BytesIO(body), formats=FORMATS) as opened:
                _check_size(opened.size)
                opened.draft("RGB", sides)
                ImageOps.exif_transpose(opened, in_place=True)
                return opened.convert("RGBA")
    except PictureRefusedError:
        raise
    except (UnidentifiedImageError, Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise PictureRefusedError("The file is no picture of a kind we show.") from error
    except (OSError, ValueError, SyntaxError, EOFError, MemoryError, IndexError) as error:
        raise PictureRefusedError("The picture is broken.") from error


def _check_size(size: tuple[int, int]) -> None:
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
    shown = pixels.getchannel("A")
    grey = pixels.convert("L")
    seen = [value for value, alpha in zip(grey.tobytes(), shown.tobytes(), strict=True) if alpha > 127]
    return DARK if seen and len(seen) < len(grey.tobytes()) and sum(seen) / len(seen) > PALE else LIGHT


def main() -> None:
    """A process that draws one picture: from standard input to one line of facts and what is shown."""
    resource.setrlimit(resource.RLIMIT_CPU, (PROCESS_SECONDS, PROCESS_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (PROCESS_BYTES, PROCESS_BYTES))
    content, facts = b"", dict[str, object]()
    try:
        screen = screen_of(sys.stdin.buffer.read())
        content, facts = screen.content, {"width": screen.width, "height": screen.height}
    except PictureRefusedError as error:
        facts = {"refused": str(error)}
    sys.stdout.buffer.write(json.dumps(facts).encode() + b"\n" + content)


if __name__ == "__main__":
    main()
