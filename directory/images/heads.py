"""What a file says of itself in its first bytes: enough to refuse what is no picture, without decoding any. Pure."""

import struct

from directory.images.drawings import PictureRefusedError
from directory.images.pictures import LEAST_SCREEN, LEAST_SIDE, MAX_BYTES, SCREEN_BYTES, check_size

NO_PICTURE, BROKEN = "The file is no picture of a kind we show.", "The picture is broken."
SVG_START = 1024  # where the first letter of an SVG has to be
FRAMES = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})  # markers of a JPEG that tell its size
ALONE = frozenset({0x01, *range(0xD0, 0xD9)})  # markers without a length
Size = tuple[int, int]


def check_screen(body: bytes) -> None:
    """Raise PictureRefusedError for what cannot be a picture of a product."""
    _check_bytes(body)
    size = size_of(body)
    check_size(size)
    if min(size) < LEAST_SCREEN:
        raise PictureRefusedError(f"The picture has fewer than {LEAST_SCREEN} pixels on one side.")


def check_logo(body: bytes) -> None:
    """Raise PictureRefusedError for what cannot be a logo; an SVG is taken apart by the job alone."""
    if is_drawing(body):
        if len(body) > MAX_BYTES:
            raise PictureRefusedError(f"The file has more than {MAX_BYTES // 1024} KB.")
        return
    check_photo(body)


def check_photo(body: bytes) -> None:
    """Raise PictureRefusedError for what cannot be the photo of a person."""
    _check_bytes(body)
    size = size_of(body)
    check_size(size)
    if min(size) < LEAST_SIDE:
        raise PictureRefusedError("The picture is too small to be seen.")


def is_drawing(body: bytes) -> bool:
    return body[:SVG_START].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")


def _check_bytes(body: bytes) -> None:
    if len(body) > SCREEN_BYTES:
        raise PictureRefusedError(f"The file has more than {SCREEN_BYTES // 1024 // 1024} MB.")


def size_of(body: bytes) -> Size:
    """Width and height as its header tells them. Raises PictureRefusedError."""
    try:
        if body.startswith(b"\x89PNG\r\n\x1a\n"):
            return _png(body)
        if body.startswith(b"\xff\xd8\xff"):
            return _jpeg(body)
        if body[:4] == b"RIFF" and body[8:12] == b"WEBP":
            return _webp(body)
    except (struct.error, IndexError) as error:
        raise PictureRefusedError(BROKEN) from error
    raise PictureRefusedError(NO_PICTURE)


def _png(body: bytes) -> Size:
    if body[12:16] != b"IHDR":
        raise PictureRefusedError(BROKEN)
    width, height = struct.unpack_from(">II", body, 16)
    return width, height


def _jpeg(body: bytes) -> Size:
    at = 2
    while True:
        if body[at] != 0xFF:
            raise PictureRefusedError(BROKEN)
        marker = body[at + 1]
        if marker == 0xFF:  # filling
            at += 1
        elif marker in FRAMES:
            height, width = struct.unpack_from(">HH", body, at + 5)
            return width, height
        elif marker in ALONE:
            at += 2
        else:
            at += 2 + max(2, struct.unpack_from(">H", body, at + 2)[0])


def _webp(body: bytes) -> Size:
    kind = body[12:16]
    if kind == b"VP8 ":
        width, height = struct.unpack_from("<HH", body, 26)
        return width & 0x3FFF, height & 0x3FFF
    if kind == b"VP8L":
        (bits,) = struct.unpack_from("<I", body, 21)
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8X":
        width, height = (int.from_bytes(body[start : start + 3], "little") + 1 for start in (24, 27))
        return width, height
    raise PictureRefusedError(BROKEN)
