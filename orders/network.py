"""The country of a network, from a table that the operator brings (`NETWORK_COUNTRIES`); the address is not kept.

The table has a line for each range, sorted: first address, last address, two letters, as DB-IP and others publish it.
It is read where it lies, by halves: nothing of it is loaded, and a newer file counts from the next payment on.
"""

import ipaddress
import logging
import mmap
from pathlib import Path

from django.conf import settings

from directory.countries import country_names

Key = tuple[int, int]
logger = logging.getLogger(__name__)


def country_of(address: str) -> str:
    """Two letters; empty where no table is set, or says nothing of it."""
    if not settings.NETWORK_COUNTRIES:
        return ""
    try:
        with (
            Path(settings.NETWORK_COUNTRIES).open("rb") as file,
            mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as table,
        ):
            code = _search(table, _key(address))
    except (OSError, ValueError) as error:
        logger.warning("The table of networks gave no answer", extra={"error": type(error).__name__})
        return ""
    return code if code in country_names() else ""


def problem() -> str:
    """Why the table cannot be read; empty if it can, or if none is set."""
    if not settings.NETWORK_COUNTRIES:
        return ""
    try:
        with Path(settings.NETWORK_COUNTRIES).open("rb") as file:
            first, last, _ = _range(file.readline())
            return "" if _key(first) <= _key(last) else "its first range ends before it begins"
    except (OSError, ValueError):
        return "it cannot be read, or its first line is not: first address,last address,two letters"


def _search(table: mmap.mmap, needed: Key) -> str:
    low, high = 0, len(table)
    while low < high:
        begin = table.rfind(b"\n", low, (low + high) // 2) + 1 or low
        end = table.find(b"\n", begin)
        end = len(table) if end < 0 else end
        first, last, code = _range(table[begin:end])
        if _key(last) < needed:
            low = end + 1
        elif needed < _key(first):
            high = begin
        else:
            return code.upper()
    return ""


def _range(line: bytes) -> list[str]:
    return [cell.strip(' "\r') for cell in line.decode("ascii").split(",")[:3]]


def _key(address: str) -> Key:
    """What ranges are sorted by: all of IPv4, then IPv6; an IPv4 address within IPv6 is itself."""
    parsed = ipaddress.ip_address(address)
    inner = getattr(parsed, "ipv4_mapped", None) or parsed
    return inner.version, int(inner)
