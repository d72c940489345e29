"""Finds out in which encoding a page is written, as a browser would, and decodes it."""

import codecs
import re

from charset_normalizer import from_bytes

META_BYTES = 4096
GUESSED_BYTES = 32 * 1024
MAX_BROKEN = 0.002

_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_META = re.compile(rb"<meta[^>]{0,300}?charset\s*=\s*[\"']?\s*([\w.:-]{1,40})", re.IGNORECASE)
_XML = re.compile(rb"^\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([\w.:-]{1,40})", re.IGNORECASE)
# Pages that name the left one are written in the right one, which holds the same characters and more.
_WIDER = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "big5": "big5hkscs",
}
_SINGLE_BYTE = re.compile(r"cp125\d|cp866|cp874|iso8859-\d+|koi8-[ru]|mac-\w+")
_MULTI_BYTE = re.compile(r"utf-(?:8|16(?:-[bl]e)?)|gb18030|cp932|cp949|big5hkscs|euc_jp|iso2022_jp")


def decode(body: bytes, *, charset: str) -> str:
    """The text of a page whose header stated `charset` (empty when it did not)."""
    for mark, marked in _BOMS:
        if body.startswith(mark):
            return _clean(body[len(mark) :].decode(marked, errors="replace"))
    strict = _strict_utf8(body)
    for label in (charset, _declared(body)):
        encoding = _codec(label)
        if encoding is None:
            continue
        if strict is not None and (encoding == "utf-8" or _SINGLE_BYTE.fullmatch(encoding)):
            # Accented text that is valid UTF-8 is UTF-8, whatever an old default header says.
            return _clean(strict)
        text = body.decode(encoding, errors="replace")
        if text.count("\ufffd") <= MAX_BROKEN * len(text):
            return _clean(text)
    return _clean(strict if strict is not None else _guessed(body))


def _declared(body: bytes) -> str:
    head = body[:META_BYTES]
    match = _XML.search(head) or _META.search(head)
    label = match[1].decode("ascii", errors="ignore").lower() if match else ""
    # A declaration that can be read byte by byte is not in UTF-16, whatever it says.
    return "utf-8" if label.startswith("utf-16") else label


def _codec(label: str) -> str | None:
    """Python's name of a text encoding that browsers know; None for anything else."""
    try:
        name = codecs.lookup(label.strip().removeprefix("x-").replace("windows-874", "cp874")).name
    except LookupError:
        return None
    name = _WIDER.get(name, name)
    return name if _MULTI_BYTE.fullmatch(name) or _SINGLE_BYTE.fullmatch(name) else None


def _strict_utf8(body: bytes) -> str | None:
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _guessed(body: bytes) -> str:
    mostly = body.decode("utf-8", errors="replace")
    if mostly.count("\ufffd") <= MAX_BROKEN * len(mostly):
        return mostly
    best = from_bytes(body[:GUESSED_BYTES]).best()
    encoding = _codec(best.encoding) if best is not None else None
    return body.decode(encoding or "cp1252", errors="replace")


def _clean(text: str) -> str:
    """Without the one character that no database column takes."""
    return text.replace("\0", "")
