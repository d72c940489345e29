"""DATEV's Buchungsstapel (EXTF, format 700, category 21, version 13): one booking a document, debtor against revenue.

Which accounts those are is the operator's, by DATEV_ACCOUNTS; those of the SKR03 unless told. Revenue accounts of that
chart work VAT out of the gross amount by themselves, so VAT that goes back alone is booked against its own account.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Any

from django.conf import settings

from orders.ledger.returns import DOMESTIC, ELSEWHERE, OSS, OUTSIDE, REVERSE, part_of, vies_country

SKR03 = {
    "debtor": "10000",
    DOMESTIC: "8400",
    OSS: "8320",
    REVERSE: "8336",
    ELSEWHERE: "8338",
    OUTSIDE: "8338",
    "vat": "1776",
    "vat_oss": "1767",
}
DIGITS = 4
COLUMNS = Path(__file__).with_name("datev.csv").read_text(encoding="utf-8").strip().split(";")
NUMBERS = {
    *("Umsatz (ohne Soll/Haben-Kz)", "Konto", "Gegenkonto (ohne BU-Schlüssel)", "Belegdatum"),
    *("EU-Steuersatz (Bestimmung)", "Festschreibung", "Leistungsdatum"),
}


def accounts() -> dict[str, str]:
    pairs = (pair.partition("=") for pair in settings.DATEV_ACCOUNTS.split(",") if "=" in pair)
    return SKR03 | {name.strip(): account.strip() for name, _, account in pairs}


def bookings(rows: Iterable[Any], *, first: date, last: date, at: datetime) -> Iterator[bytes]:
    """The file: two heads, then a line for each booking, in Windows' own letters as DATEV reads them."""
    table = accounts()
    yield _encoded(_head(first=first, last=last, at=at))
    yield _encoded([*COLUMNS])
    for row in rows:
        for booking in _of(row, table):
            yield _encoded([_cell(name, booking.get(name, "")) for name in COLUMNS])


def _head(*, first: date, last: date, at: datetime) -> list[str]:
    begins = date(first.year, 1, 1)
    return [
        *('"EXTF"', "700", "21", '"Buchungsstapel"', "13"),
        *(f"{at:%Y%m%d%H%M%S}{at.microsecond // 1000:03d}", "", '"RE"', '""', '""'),
        *(settings.DATEV_CONSULTANT, settings.DATEV_CLIENT, f"{begins:%Y%m%d}", str(DIGITS)),
        *(f"{first:%Y%m%d}", f"{last:%Y%m%d}", f'"{first:%Y-%m} {last:%Y-%m}"', '""', "1", "0", "0"),
        *(f'"{settings.CURRENCY}"', "", '""', "", "", '""', "", "", '""', '""'),
    ]


def _of(row: Any, table: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """Its booking; none for a document without an amount, more for what became a reverse charge."""
    part, to = part_of(row.vat_treatment, row.vat_country), table[REVERSE]
    if row.total_cents:
        is_vat_alone = not row.net_cents and row.rate > 0
        vat = table["vat_oss"] if part == OSS else table["vat"]
        yield _booking(
            row, row.total_cents, account=table["debtor"], against=vat if is_vat_alone else table[part]
        )
    if row.moved_from:  # another number's reverse charge
        debtor = table["debtor"]
        yield _booking(row, -row.moved_cents, account=debtor, against=to, number=row.moved_from)
        yield _booking(row, row.moved_cents, account=debtor, against=to)
    elif row.moved_cents:
        yield _booking(row, row.moved_cents, account=table[part], against=to)


def _booking(row: Any, cents: int, *, account: str, against: str, number: str = "") -> dict[str, str]:
    is_abroad = part_of(row.vat_treatment, row.vat_country) == OSS
    there = number or row.buyer_vat_number or (vies_country(row.vat_country) if is_abroad else "")
    return {
        "Umsatz (ohne Soll/Haben-Kz)": f"{abs(cents) // 100},{abs(cents) % 100:02d}",
        "Soll/Haben-Kennzeichen": "S" if cents > 0 else "H",
        "WKZ Umsatz": row.currency,
        "Konto": account,
        "Gegenkonto (ohne BU-Schlüssel)": against,
        "Belegdatum": f"{row.issued_on:%d%m}",
        "Belegfeld 1": row.number,
        "Belegfeld 2": row.corrected[:12],
        "Buchungstext": f"{row.order_number} {row.buyer_name}"[:60],
        "Beleginfo - Art 1": "Zahlung" if row.reference else "",
        "Beleginfo - Inhalt 1": f"{row.provider} {row.reference}".strip()[:210] if row.reference else "",
        "EU-Land u. UStID (Bestimmung)": there[:15],
        "EU-Steuersatz (Bestimmung)": f"{row.rate:.2f}".replace(".", ",") if is_abroad else "",
        "Auftragsnummer": row.order_number,
        "Festschreibung": "0",
        "Leistungsdatum": f"{row.issued_on:%d%m%Y}",
    }


def _cell(name: str, text: str) -> str:
    if name in NUMBERS:
        return text
    plain = "".join(letter if letter.isprintable() else " " for letter in text)
    return '"' + plain.replace('"', '""') + '"'


def _encoded(cells: list[str]) -> bytes:
    return (";".join(cells) + "\r\n").encode("cp1252", "replace")
