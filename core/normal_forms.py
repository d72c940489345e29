"""Normal forms of strangers' text, in a time that grows with its length alone."""

import re
import unicodedata
from functools import cache
from typing import Literal

Form = Literal["NFC", "NFD", "NFKC", "NFKD"]
JOINER = "\u034f"
LONGEST_RUN = 30
"""Marks on one letter, by the stream-safe form of UAX #15. No language has so many, and Python sorts the marks of a
letter in a time that grows with the square of their number: of 200 KB for half a minute, in which no thread works."""
LAST_MARK = 0x1E94A
UNLISTED = "\u0f73\u0f75\u0f81\uff9e\uff9f"  # letters that are marks once they are taken apart


def normalize(form: Form, text: str) -> str:
    """As `unicodedata.normalize`, with a joiner after every thirty marks in a row."""
    if text.isascii():
        return text
    mark, runs = _patterns()
    if mark.search(text[:: LONGEST_RUN + 1]):  # a longer run meets one of these places
        text = runs.sub(rf"\1{JOINER}", text)
    return unicodedata.normalize(form, text)


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    marks = "".join(filter(unicodedata.combining, map(chr, range(0x300, LAST_MARK + 1)))) + UNLISTED
    return re.compile(f"[{marks}]"), re.compile(f"([{marks}]{{{LONGEST_RUN}}})(?=[{marks}])")
