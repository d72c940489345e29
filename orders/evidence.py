"""Where a buyer is (Implementing Regulation 282/2011, article 24b): what says so, and whether two things agree.

What was typed is one; the billing address and the card of the provider, and the network's country, are others. Where
none of them is told the typed country stands alone, as with sales of less than the year's threshold. What a buyer
answers who was asked confirms nothing by itself.

The country of a network comes from a table that the operator brings (`NETWORK_COUNTRIES`); the address is not kept. It
has a line for each range, sorted: first address, last address, two letters, as DB-IP and others publish it. It is read
where it lies, by halves: nothing of it is loaded, and a newer file counts from the next payment on.
"""

import ipaddress
import logging
import mmap
from pathlib import Path

from django.conf import settings

from directory.countries import country_names
from orders.models import Order
from orders.vat_areas import whole
from orders.wording import country_name

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


SOURCES = {
    "typed": "Typed",
    "billing": "Billing address there",
    "card": "Card from",
    "network": "Network from",
    "answer": "Answered by the buyer",
}
CONFIRM = ("billing", "card", "network")
QUESTION = "Where is the buyer?"


def collected(order: Order, *, stated: dict[str, str]) -> dict[str, str]:
    """Every country that is known of, by what says it."""
    typed = order.billing_country or order.vat_country
    rows = {**order.place_evidence, "typed": typed, **stated}
    return {source: rows[source].upper() for source in SOURCES if _is_country(rows.get(source, ""))}


def doubt(order: Order) -> str:
    """Why it is not known where a consumer is, as staff read it; nothing where two things agree or none gainsays.

    A business is where its valid number is.
    """
    rows = _confirming(order)
    typed = whole(order.place_evidence.get("typed", ""))
    if order.vat_number_status == "valid" or not typed or not rows or typed in rows.values():
        return ""
    others = ", ".join(f"{SOURCES[source].lower()} {country_name(rows[source])}" for source in rows)
    return f"{QUESTION} {country_name(typed)} was typed, but: {others}. VAT depends on it."


def confirms(order: Order, *, country: str) -> bool:
    """Whether anything but the buyer says that the buyer is there."""
    return whole(country) in _confirming(order).values()


def others(order: Order) -> list[str]:
    """The countries that gainsay what was typed, as the buyer reads them."""
    typed = whole(order.place_evidence.get("typed", ""))
    return [country_name(code) for code in dict.fromkeys(_confirming(order).values()) if code != typed]


def is_unanswered(order: Order) -> bool:
    """Whether the buyer was asked where they live, and has not answered."""
    is_open = order.status == Order.Status.REVIEW and order.review_reason.startswith(QUESTION)
    return is_open and "answer" not in order.place_evidence


def _confirming(order: Order) -> dict[str, str]:
    rows = order.place_evidence
    return {source: whole(rows[source]) for source in CONFIRM if rows.get(source)}


def _is_country(code: object) -> bool:
    return isinstance(code, str) and len(code) == 2 and code.isascii() and code.isalpha()
