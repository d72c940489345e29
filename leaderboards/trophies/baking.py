"""A credential inside the picture of its award (Open Badges 3.0, section 5.3), so that the picture is the proof."""

import struct
import zlib
from html import escape

KEYWORD = b"openbadgecredential"
NAMESPACE = "https://purl.imsglobal.org/ob/v3p0"
HEADER_END = 33  # signature and IHDR, which come first in every PNG


def png(picture: bytes, *, jwt: str) -> bytes:
    """The PNG with the credential in an iTXt chunk, uncompressed, right after its header."""
    body = KEYWORD + b"\0\0\0\0\0" + jwt.encode()  # no compression, no language, no translated keyword
    kind = b"iTXt"
    chunk = struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    return picture[:HEADER_END] + chunk + picture[HEADER_END:]


def svg(picture: str, *, jwt: str) -> str:
    """The SVG with the credential as its first element."""
    head, _, rest = picture.partition(">")
    credential = f'<openbadges:credential verify="{escape(jwt)}"/>'
    return f'{head} xmlns:openbadges="{NAMESPACE}">{credential}{rest}'
