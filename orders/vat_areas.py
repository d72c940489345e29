"""Parts of countries with VAT rules of their own, by postcode and by day: articles 6, 7 and 104 ff. of 2006/112/EC.

A part outside the EU's VAT area has a code of its own (of ISO 3166-1, or one that it leaves to users); a part with
another rate keeps its country, as returns name that. Services to Northern Ireland are those to Great Britain.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

BEGAN = date(1993, 1, 1)


@dataclass(frozen=True, kw_only=True)
class Area:
    """Postcodes that begin so, and what holds there from a day on: another country's rules, or another rate."""

    inside: str
    begins: tuple[str, ...]
    code: str
    rate: Decimal | None = None
    since: date = BEGAN
    until: date | None = None


@dataclass(frozen=True, kw_only=True)
class Place:
    """Whose VAT rules hold, and the rate where it is not the country's standard one."""

    country: str
    rate: Decimal | None = None


def _outside(inside: str, code: str, *begins: str, since: date = BEGAN) -> Area:
    return Area(inside=inside, begins=begins, code=code, since=since)


def _rated(inside: str, rate: str, since: date, until: date | None, *begins: str) -> Area:
    return Area(inside=inside, begins=begins, code=inside, rate=Decimal(rate), since=since, until=until)


AREAS = (
    _outside("ES", "IC", "35", "38"),
    _outside("ES", "EA", "51", "52"),
    _outside("FI", "AX", "22"),
    _outside("DE", "CH", "78266"),
    _outside("DE", "XH", "27498"),
    _outside("IT", "XL", "23041"),
    _outside("IT", "XC", "22061", since=date(2020, 1, 1)),
    _outside("GR", "XT", "63086", "63087"),
    _outside("FR", "GP", "971"),
    _outside("FR", "MQ", "972"),
    _outside("FR", "GF", "973"),
    _outside("FR", "RE", "974"),
    _outside("FR", "PM", "975"),
    _outside("FR", "YT", "976"),
    _outside("FR", "BL", "97133", "977"),
    _outside("FR", "MF", "97150", "978"),
    _outside("FR", "WF", "986"),
    _outside("FR", "PF", "987"),
    _outside("FR", "NC", "988"),
    _rated("PT", "22.00", date(2012, 4, 1), None, "90", "91", "92", "93", "94"),
    _rated("PT", "18.00", date(2014, 1, 1), date(2021, 6, 30), "95", "96", "97", "98", "99"),
    _rated("PT", "16.00", date(2021, 7, 1), None, "95", "96", "97", "98", "99"),
    _rated("AT", "19.00", date(1995, 1, 1), None, "6691", "6991", "6992", "6993"),
)
# Whole countries whose sales are another's: Monaco is France's, the Isle of Man the United Kingdom's (article 7).
WHOLE = {"MC": "FR", "IM": "GB", "XI": "GB"}


def whole(country: str) -> str:
    """The country whose rules and numbers a country has."""
    return WHOLE.get(country, country)


def place_of(*, country: str, postcode: str, on: date) -> Place:
    """Whose rules hold at a postcode on a day; the longest row that fits counts."""
    plain = "".join(filter(str.isalnum, postcode))
    rows = sorted(_fitting(country, plain, on), key=lambda row: row[0])
    if rows:
        return Place(country=rows[-1][1].code, rate=rows[-1][1].rate)
    return Place(country=whole(country))


def _fitting(country: str, plain: str, on: date) -> Iterator[tuple[int, Area]]:
    for area in AREAS:
        holds = area.inside == country and area.since <= on and (area.until is None or on <= area.until)
        for begins in area.begins if holds else ():
            if plain.startswith(begins):
                yield len(begins), area
