"""Two hundred hostile files, as a logo, a screen and a photo: clean pictures or a clear refusal, in little memory."""

import re
import struct
import zlib
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from io import BytesIO
from multiprocessing import get_context
from pathlib import Path
from random import Random

from PIL import Image, TiffImagePlugin

from tests.directory.test_pictures import CIRCLE, HEAD, bomb

SCRIPT = b"<script>alert(document.domain)</script>"
PLACE = b"Rua das Flores 11, Porto"
KINDS = ("PNG", "JPEG", "WEBP", "GIF", "BMP")
MAKERS = ("gallery", "logo", "photo")
MEMORY = 300 * 1024  # KB
HOSTILE_SVG = (
    "<script>{0}</script>",
    '<g onload="{0}">{1}</g>',
    '<a href="javascript:{0}">{1}</a>',
    '<a xlink:href=" java&#10;script:{0}">{1}</a>',
    '<image href="https://evil.test/{0}.png"/>{1}',
    '<use href="https://evil.test/{0}.svg#x"/>{1}',
    '<foreignObject><body xmlns="http://www.w3.org/1999/xhtml" onload="{0}"/></foreignObject>{1}',
    "<style>@import 'https://evil.test/{0}.css';</style>{1}",
    "<style>.a{{fill:url(//evil.test/{0})}}</style>{1}",
    '<rect width="3" height="3" style="fill:url(https://evil.test/{0})"/>{1}',
    '<animate attributeName="href" values="javascript:{0}"/>{1}',
    '<set attributeName="onmouseover" to="{0}"/>{1}',
    '<handler type="text/javascript">{0}</handler>{1}',
    '<iframe src="javascript:{0}"/>{1}',
    '<filter id="f"><feImage href="https://evil.test/{0}"/></filter>{1}',
    "<desc><![CDATA[<script>{0}</script>]]></desc>{1}",
)


def drawn(kind: str, size: tuple[int, int], **options: object) -> bytes:
    """A noisy picture, so that nothing of it is guessed."""
    rng = Random(f"{kind}{size}")
    small = Image.frombytes("RGB", (16, 16), rng.randbytes(768))
    made = BytesIO()
    small.resize(size).save(made, kind, **options)
    return made.getvalue()


def exif() -> bytes:
    """Where a photo was taken, and by whom."""
    facts = Image.Exif()
    facts[0x010E] = facts[0x013B] = PLACE.decode()
    gps = facts.get_ifd(0x8825)
    gps[1], gps[2] = "N", tuple(TiffImagePlugin.IFDRational(number, 1) for number in (41, 8, 52))
    return facts.tobytes()


def chunk(name: bytes, data: bytes) -> bytes:
    body = name + data
    return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))


def true_bomb(width: int, height: int) -> bytes:
    """All its pixels are there, of one colour: a few KB that are hundreds of MB."""
    head = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    packer = zlib.compressobj(9)
    rows = b"".join(packer.compress(b"\0" * (1 + 4 * width)) for _ in range(height)) + packer.flush()
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def files() -> Iterator[bytes]:
    """Two hundred of them."""
    rng = Random(32)
    yield from (bomb(30_000, 30_000), bomb(8000, 8000), bomb(2_000_000_000, 1), true_bomb(12_000, 9000))
    yield from (true_bomb(4000, 2000), true_bomb(8000, 1000))  # the largest that are decoded
    yield b"\x89PNG\r\n\x1a\n" + chunk(b"zTXt", b"a\0\0" + zlib.compress(b"x" * 50_000_000))
    for kind in KINDS:
        whole = drawn(kind, (640, 400))
        yield from (whole + SCRIPT, whole + b"PK\x03\x04" + SCRIPT, SCRIPT + whole)
        yield from (whole[: len(whole) * part // 8] for part in range(1, 8))
        for _ in range(11):
            broken = bytearray(whole)
            for _ in range(12):
                broken[rng.randrange(len(broken))] = rng.randrange(256)
            yield bytes(broken)
        for size in ((1, 1), (1, 4000), (7, 900), (8001, 9), (8, 8), (199, 300), (1700, 1300)):
            yield drawn(kind, size)
    for kind in ("JPEG", "PNG", "WEBP"):
        yield drawn(kind, (900, 600), exif=exif())
        yield drawn(kind, (900, 600), exif=exif(), icc_profile=SCRIPT + PLACE)
    yield drawn("JPEG", (900, 600), comment=SCRIPT + PLACE)
    yield drawn("GIF", (300, 300), comment=SCRIPT + PLACE)
    yield b"GIF89a/*" + drawn("GIF", (300, 300))[8:] + b"*/=1;alert(1)"
    for hostile in HOSTILE_SVG:
        yield (HEAD + hostile.format("alert(1)", CIRCLE) + "</svg>").encode()
        yield (HEAD + CIRCLE + hostile.format("alert(2)", "") + "</svg>").encode("utf-16")
    yield (
        b'<!DOCTYPE s [<!ENTITY a "'
        + b"x" * 999
        + b'"><!ENTITY b "&a;&a;&a;">]>'
        + HEAD.encode()
        + b"&b;</svg>"
    )
    yield b'<!DOCTYPE s SYSTEM "file:///etc/passwd">' + (HEAD + CIRCLE + "</svg>").encode()
    yield (HEAD + "<g>" * 200_000).encode()
    yield (HEAD + '<path d="' + "M0 0" * 200_000 + '"/></svg>').encode()
    yield b"<html><body>" + SCRIPT
    yield b"%PDF-1.7\n%" + PLACE
    yield from (rng.randbytes(rng.randrange(2000)) for _ in range(8))
    yield from (b"", b"\0" * 5_000_000, b"RIFF\xff\xff\xff\xffWEBPVP8X", b"BM" + b"\xff" * 60)


def made(kind: str, body: bytes) -> tuple[str, dict[str, bytes], int]:
    """Why it was refused, else its files; and the most memory that the process ever had, in KB."""
    from directory.images.drawings import PictureRefusedError  # noqa: PLC0415
    from directory.images.pictures import MAKERS as BY_KIND  # noqa: PLC0415

    try:
        result = BY_KIND[kind](body).files
    except PictureRefusedError as error:
        return str(error), {}, peak()
    return "", result, peak()


def peak() -> int:
    """The most memory of this process since it began, in KB; what the system says of a child counts its parent's."""
    return int(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0])


def faults(end: str, content: bytes) -> list[str]:
    """What is left of a file's hostility."""
    words = (SCRIPT, PLACE, b"evil.test", b"javascript", b"<script", b"Exif", b"onload", b"ENTITY")
    left = [word.decode() for word in words if word in content]
    if end == ".svg":
        return left + re.findall(r"\son\w+=|href=\"[^#]|url\([^#]|@import", content.decode())
    with Image.open(BytesIO(content)) as picture:
        picture.load()
        info = set(picture.info) - {
            "jfif",
            "jfif_version",
            "jfif_unit",
            "jfif_density",
            "progressive",
            "progression",
        }
        left += sorted(info & {"exif", "comment", "icc_profile", "xmp", "Comment"})
        left += [str(picture.size)] if max(picture.size) > 1600 or getattr(picture, "n_frames", 1) > 1 else []
    return left


def test_nothing_comes_of_hostile_files_but_clean_pictures_or_a_clear_refusal() -> None:
    bodies = list(files())
    assert len(bodies) >= 200
    results = []
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as worker:
        for kind in MAKERS:
            results += worker.map(made, [kind] * len(bodies), bodies, chunksize=8)

    unclear = [
        why for why, drawn_files, _ in results if not drawn_files and not re.fullmatch(r"The [^_]+\.", why)
    ]
    left = [
        found
        for _, drawn_files, _ in results
        for end, body in drawn_files.items()
        for found in faults(end, body)
    ]
    assert (unclear, left) == ([], [])
    clean, refused = (
        sum(bool(drawn_files) for _, drawn_files, _ in results),
        sum(bool(why) for why, *_ in results),
    )
    assert (clean > 100, refused > 100, clean + refused) == (True, True, len(results))
    memory = max(most for *_, most in results)
    assert memory < MEMORY, f"{memory // 1024} MB"
