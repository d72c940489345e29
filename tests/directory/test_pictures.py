"""Strangers' pictures are redrawn or rebuilt; what is no picture, too large or hostile is refused."""

import struct
import zlib
from io import BytesIO

import pytest
import tinycss2
from PIL import Image

from directory.images.drawings import SIDE, PictureRefusedError
from directory.images.pictures import MAX_BYTES, picture_of

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9">'
CIRCLE = '<circle cx="4" cy="4" r="3" fill="#123456"/>'


def image(kind: str, *, size: tuple[int, int] = (60, 20), colour: tuple[int, ...] = (200, 10, 10)) -> bytes:
    made = BytesIO()
    mode = "RGBA" if len(colour) == 4 else "RGB"
    Image.new(mode, size, colour).save(made, kind)
    return made.getvalue()


def bomb(width: int, height: int) -> bytes:
    """A PNG that says it is huge and is a few bytes."""

    def chunk(name: bytes, data: bytes) -> bytes:
        body = name + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    head = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(b"\0"))
        + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF", "ICO", "BMP"])
def test_pixels_are_written_anew_in_a_square(kind: str) -> None:
    size = (32, 32) if kind == "ICO" else (60, 20)
    picture = picture_of(image(kind, size=size) + b"<script>alert(1)</script>")

    with Image.open(BytesIO(picture.content)) as drawn:
        assert (drawn.format, drawn.size) == ("WEBP", (SIDE, SIDE))
    assert b"script" not in picture.content
    assert picture.name.startswith("logos/")
    assert picture.name == picture_of(image(kind, size=size)).name
    assert len(picture.content) < 6000


@pytest.mark.parametrize(("ink", "ground"), [((255, 255, 255, 255), 27), ((0, 0, 0, 255), 255)])
def test_a_transparent_picture_stands_on_a_ground_it_is_seen_on(ink: tuple[int, ...], ground: int) -> None:
    made = Image.new("RGBA", (40, 40), (0, 0, 0, 0))
    made.paste(ink, (10, 10, 30, 30))
    written = BytesIO()
    made.save(written, "PNG")

    with Image.open(BytesIO(picture_of(written.getvalue()).content)) as drawn:
        corner = drawn.convert("RGB").getpixel((2, 2))
    assert isinstance(corner, tuple)
    assert abs(corner[0] - ground) < 6


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"nothing",
        b"<html><body>no</body></html>",
        b"%PDF-1.7",
        b"\x89PNG\r\n\x1a\nbroken",
        image("PNG")[:60],
        bomb(30_000, 30_000),
        bomb(9000, 10),
        image("PNG", size=(2, 2)),
        b"\0" * (MAX_BYTES + 1),
        (HEAD + "</svg>").encode(),
        (HEAD + "<g>" * 3001 + "</g>" * 3001 + "</svg>").encode(),
        b'<!DOCTYPE svg [<!ENTITY a "aaaa">]>' + (HEAD + "<text>&a;</text></svg>").encode(),
        (HEAD + CIRCLE + '<use href="#a"/>' * 51 + "</svg>").encode(),
        b'<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>',
    ],
)
def test_what_is_no_picture_is_refused(body: bytes) -> None:
    with pytest.raises(PictureRefusedError):
        picture_of(body)


def test_of_an_svg_only_what_draws_is_left() -> None:
    hostile = (
        HEAD
        + '<script>alert(1)</script><foreignObject><b/></foreignObject><image href="https://x.test/a.png"/>'
        + "<style>@import url(https://x.test);.a{fill:url(https://x.test/b)}.b{fill:red}</style>"
        + '<a href="javascript:alert(1)"><path d="M0 0"/></a><animate attributeName="href"/>'
        + '<rect id="r" onload="alert(1)" fill="url(https://x.test/c)" width="3" height="3" class="b"/>'
        + '<use href="https://x.test/d.svg#a"/><use xlink:href="#r"/>'
        + '<g id="loop"><use href="#loop"/></g><use href="#loop"/>'
        + f"<defs><linearGradient id='g'><stop offset='0'/></linearGradient></defs>{CIRCLE}</svg>"
    )

    drawn = picture_of(hostile.encode()).content.decode()

    assert not [
        word
        for word in ("script", "x.test", "alert", "foreign", "image", "animate", "<a", "@")
        if word in drawn
    ]
    assert drawn.count("<use") == 1
    assert 'href="#r"' in drawn
    assert ".b{fill:red}" in drawn
    assert CIRCLE.removesuffix("/>") in drawn
    assert f'width="{SIDE}"' in drawn


@pytest.mark.parametrize(
    "declared",
    [
        'fill:image-set("https://x.test/a.png" 1x)',
        'fill:-webkit-image-set("https://x.test/a.png" 1x)',
        'fill:src("https://x.test/a")',
        'fill:src( "//x.test/a")',
        'fill:image("https://x.test/a")',
        'fill:URL ( "https://x.test/a")',
        "fill:var(--x, //x.test)",
    ],
)
def test_no_way_of_styles_to_name_another_place_is_left(declared: str) -> None:
    style = f"<style>.a{{{declared}}}.b{{fill:red}}</style>"

    drawn = picture_of((HEAD + style + f"<g style='{declared}'>{CIRCLE}</g></svg>").encode()).content.decode()

    assert "x.test" not in drawn
    assert ".b{fill:red}" in drawn


@pytest.mark.parametrize("style", ["a{" * 300_000, "(" * 400_000, "a{b:c}" * 150_000, "x" * 50_001])
def test_long_styles_are_refused_before_they_are_read(style: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    monkeypatch.setattr(tinycss2, "parse_stylesheet", lambda text, **_: read.append(text))

    with pytest.raises(PictureRefusedError, match="too long"):
        picture_of((HEAD + f"<style>{style}</style>{CIRCLE}</svg>").encode())

    assert read == []


def test_many_styles_count_as_one() -> None:
    style = "<style>" + "a{b:c}" * 100 + "</style>"

    with pytest.raises(PictureRefusedError, match="too long"):
        picture_of((HEAD + style * 100 + CIRCLE + "</svg>").encode())


def test_styles_in_one_another_without_end_are_refused() -> None:
    style = "a{" * 25_000

    with pytest.raises(PictureRefusedError, match="too deep"):
        picture_of((HEAD + f"<style>{style}</style>{CIRCLE}</svg>").encode())


@pytest.mark.parametrize("piece", ["(", "[", '(")"'])
def test_what_never_becomes_a_rule_is_left_out(piece: str) -> None:
    style = piece * (50_000 // len(piece))

    drawn = picture_of((HEAD + f"<style>{style}</style>{CIRCLE}</svg>").encode()).content.decode()

    assert "<style/>" in drawn or "<style></style>" in drawn
