"""The form of an API key: `plk_`, 256 random bits, and a checksum that lets scanners and we tell a typo at once."""

import hashlib
import re
import secrets
import string
import zlib

from accounts import limits

PREFIX = "plk_"
BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase
FORM = re.compile(rf"{limits.KEY_PATTERN}\Z")


def checksum(body: str) -> str:
    """CRC-32 of the key's random part as six base-62 digits."""
    number, digits = zlib.crc32(body.encode()), ""
    for _ in range(6):
        number, remainder = divmod(number, 62)
        digits = BASE62[remainder] + digits
    return digits


def make() -> str:
    body = secrets.token_urlsafe(32)
    return f"{PREFIX}{body}{checksum(body)}"


def is_well_formed(key: str) -> bool:
    """Whether the key has the right form and checksum."""
    return bool(FORM.match(key)) and checksum(key[4:-6]) == key[-6:]


def digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()
