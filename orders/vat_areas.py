"""Parts of countries with VAT rules of their own, by postcode and by day: articles 6, 7 and 104 ff. of 2006/112/EC.

They are dated rows (`VatArea`) that staff add and withdraw. A part outside the EU's VAT area has a code of its own (of
ISO 3166-1, or one that it leaves to users); a part with another rate keeps its country, as returns name that. Services
to Northern Ireland are those to Great Britain.
"""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from core.postgresql.base import fetch_all

FITTING = """
SELECT code, percent FROM orders_vatarea
WHERE inside = %(country)s::text AND withdrawn_at IS NULL AND starts_with(%(postcode)s::text, begins)
    AND valid_from <= %(on)s::date AND (valid_until IS NULL OR valid_until >= %(on)s::date)
ORDER BY length(begins) DESC, valid_from DESC LIMIT 1
"""
# Whole countries whose sales are another's: Monaco is France's, the Isle of Man the United Kingdom's (article 7).
WHOLE = {"MC": "FR", "IM": "GB", "XI": "GB"}


@dataclass(frozen=True, kw_only=True)
class Place:
    """Whose VAT rules hold, and the rate where it is not the country's standard one."""

    country: str
    rate: Decimal | None = None


def whole(country: str) -> str:
    return WHOLE.get(country, country)


def place_of(*, country: str, postcode: str, on: date) -> Place:
    """Whose rules hold at a postcode on a day; the longest row that fits counts, and of those the newest."""
    plain = "".join(filter(str.isalnum, postcode)).upper()
    rows = fetch_all(FITTING, {"country": country, "postcode": plain, "on": on}) if plain else []
    for code, percent in rows:
        return Place(country=code, rate=percent)
    return Place(country=whole(country))
